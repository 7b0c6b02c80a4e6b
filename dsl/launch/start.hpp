// What a file with a kernel calls to launch it (cuda/launch.cpp).
#pragma once
#include <cuda_runtime.h>

#include <sectile/dsl/launch/cost_model.hpp>
#include <sectile/dsl/launch/number_per_context.hpp>
#include <sectile/dsl/launch/prepare.hpp>

namespace sectile::hopper {

/// Throws unless the current device can run kernels of TMA and wgmma. Returns its number.
int check_device();
/// Throws launch_error, or device_error if the context is lost, for an error of CUDA while `doing` something.
void check_cuda(cudaError_t e, const char* doing);

/// The cost model's constants of the current device, or of the part of it that launches of this thread are held to.
const gpu_constants& current_constants();

/// How a kernel reaches the GPU.
struct device_kernel {
  const launchable* program = nullptr;
  const void* function = nullptr;  // the __global__ function
  /// Queues the kernel on config.stream, or runs it to its end, and returns CUDA's answer. nullptr: cudaLaunchKernelEx.
  cudaError_t (*queue)(const cudaLaunchConfig_t& config, const void* parameters) = nullptr;
  number_per_context* resident = nullptr;  // clusters that fit on the device at once, with its shared memory reserved
};

/// Queues, ahead of a kernel, what vectors hold before anything is combined into them. Throws launch_error or
/// device_error.
void fill_combined(const plan& p, const tensor_facts (&t)[max_operands], cudaStream_t stream);

/// Checks the arguments, fills in `parameters` and queues the kernel. Throws launch_error or device_error.
void start(const device_kernel& k, const given_operands& given, parameter_places& to, void* parameters,
           known_path& known, cudaStream_t stream);

}  // namespace sectile::hopper
