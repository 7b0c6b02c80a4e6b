// Shipped kernels on the GPU. Without nvcc this file is plain C++ that has no GPU to offer.
#include <sectile/dsl/launch/error.hpp>

#include "tool/machines.hpp"

#ifdef __CUDACC__
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/finish.hpp>
#include <vector>

namespace sectile::tool {
namespace {

/// A tensor's copy in device memory.
struct device_tensor {
  void* data = nullptr;

  device_tensor() = default;
  ~device_tensor() { cudaFree(data); }
  device_tensor(const device_tensor&) = delete;
  device_tensor& operator=(const device_tensor&) = delete;

  void* upload(const void* from, std::int64_t count, const char* name) {
    const std::string operand = std::string("operand ") + name + ": ";
    const std::string size = std::to_string(count) + " bytes";
    const auto bytes = static_cast<std::size_t>(count);
    hopper::check_cuda(cudaMalloc(&data, bytes), operand + "no room for its " + size);
    hopper::check_cuda(cudaMemcpy(data, from, bytes, cudaMemcpyHostToDevice),
                       operand + "copying " + size + " to the GPU");
    return data;
  }
};

/// The first argument that lies there: of an output and an input in its place, the one that is declared first.
std::size_t first_at(std::span<const argument> arguments, const void* place) {
  std::size_t o = 0;
  while (arguments[o].data != place) ++o;
  return o;
}

}  // namespace

std::string why_no_gpu() {
  try {
    hopper::check_device();
    return "";
  } catch (const launch_error& refusal) {
    return refusal.what();
  }
}

std::string gpu_name() {
  hopper::check_device();
  int device = 0;
  cudaDeviceProp properties{};
  hopper::check_cuda(cudaGetDevice(&device), "asking for the current GPU");
  hopper::check_cuda(cudaGetDeviceProperties(&properties, device), "asking for the GPU's name");
  return properties.name;
}

void run_on_gpu(const kernel_facts& kernel, reading how, std::span<const argument> arguments) {
  hopper::check_device();
  if (!kernel.in(how).launch)
    throw launch_error(std::string(kernel.name) +
                       ": this program was built without its machine code, on a machine that has "
                       "no GPU; configure with -DSECTILE_GPU=ON, or run it on the model");
  const plan& p = *kernel.declared;
  device_tensor copy[max_operands], metadata[max_operands];
  std::vector<argument> on_device(arguments.begin(), arguments.end());
  for (std::size_t o = 0; o < on_device.size(); ++o) {
    argument& a = on_device[o];
    const char* name = p.operand[o].facts.name;
    const std::size_t same = first_at(arguments, a.data);
    if (a.data) a.data = same < o ? on_device[same].data : copy[o].upload(a.data, a.bytes, name);
    if (a.metadata) a.metadata = metadata[o].upload(a.metadata, a.metadata_bytes, name);
  }
  kernel.in(how).launch(on_device);
  finish();
  for (std::size_t o = 0; o < on_device.size(); ++o)
    if (p.operand[o].facts.is_written())
      hopper::check_cuda(cudaMemcpy(arguments[o].data, on_device[o].data, static_cast<std::size_t>(arguments[o].bytes),
                                    cudaMemcpyDeviceToHost),
                         std::string("operand ") + p.operand[o].facts.name + ": copying it from the GPU");
}

}  // namespace sectile::tool

#else

namespace sectile::tool {

std::string why_no_gpu() { return "this program was built without CUDA (it needs nvcc 12.0 or newer)"; }

std::string gpu_name() { throw launch_error(why_no_gpu()); }

void run_on_gpu(const kernel_facts&, reading, std::span<const argument>) { throw launch_error(why_no_gpu()); }

}  // namespace sectile::tool
#endif
