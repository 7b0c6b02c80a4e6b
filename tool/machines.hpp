// Running a shipped kernel on the GPU or on the CPU model.
#pragma once

#include <span>
#include <string>

#include "tool/kernel_list.hpp"

namespace sectile::tool {

enum class machine { gpu, model };

/// Runs a kernel on the model, with a progress bar. Tensors are in host memory. Throws launch_error for arguments that
/// no machine takes and model::hazard for what the model finds. Precondition: the kernel has the reading.
void run_on_model(const kernel_facts& kernel, reading how, std::span<const argument> arguments, model_options options);

/// Why a tool without machine code has none.
inline constexpr const char* built_without_gpu =
    "this program was built without CUDA (it needs nvcc 12.0 or newer), or on a machine that has no GPU "
    "(-DSECTILE_GPU=ON)";

/// Why no kernel can run on a GPU here, in one sentence; "" if one can.
std::string why_no_gpu();

/// The current GPU as its driver calls it: "NVIDIA H100 80GB HBM3". Throws launch_error where there is none.
std::string gpu_name();

/// Copies the tensors to the current GPU, runs the kernel there, and copies the outputs back. Throws launch_error where
/// there is no GPU, no room or an argument that no machine takes, and std::runtime_error for what fails while it runs.
/// Precondition: the kernel has the reading.
void run_on_gpu(const kernel_facts& kernel, reading how, std::span<const argument> arguments);

/// The microseconds that a call of the kernel takes on the current GPU: the median of several turns of calls that
/// follow each other and find no operand in the L2 cache. The outputs stay where they are. Throws as run_on_gpu does.
double time_on_gpu(const kernel_facts& kernel, reading how, std::span<const argument> arguments);

}  // namespace sectile::tool
