// Shipped kernels on the GPU. Without nvcc this file is plain C++ that checks the kernels and has no GPU to offer.
#include "tool/machines.hpp"
#include "tool/shipped.hpp"
#include "tool/typed_arguments.hpp"

#ifdef __CUDACC__
#include <sectile/dsl/launch/launch.hpp>
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

  void upload(const argument& from, const char* name) {
    const std::string operand = std::string("operand ") + name + ": ";
    const std::string size = std::to_string(from.bytes) + " bytes";
    hopper::check_cuda(cudaMalloc(&data, static_cast<std::size_t>(from.bytes)), operand + "no room for its " + size);
    hopper::check_cuda(cudaMemcpy(data, from.data, static_cast<std::size_t>(from.bytes), cudaMemcpyHostToDevice),
                       operand + "copying " + size + " to the GPU");
  }
};

void check_run(cudaError_t e, const char* doing) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(doing) + ": " + cudaGetErrorString(e));
}

template <class K>
void run_kernel(std::span<const argument> arguments) {
  constexpr const plan& p = plan_of<K>;
  device_tensor copy[max_operands];
  std::vector<argument> on_device(arguments.begin(), arguments.end());
  for (std::size_t o = 0; o < on_device.size(); ++o) {
    if (p.operand[o].facts.kind == operand_kind::scalar) continue;
    copy[o].upload(on_device[o], p.operand[o].facts.name);
    on_device[o].data = copy[o].data;
  }
  with_typed_arguments<K>(on_device, [](const auto&... typed) { launch<K>(typed...); });
  check_run(cudaDeviceSynchronize(), "running the kernel on the GPU");
  const auto out = static_cast<std::size_t>(p.epilogue.operand);
  check_run(cudaMemcpy(arguments[out].data, copy[out].data, static_cast<std::size_t>(arguments[out].bytes),
                       cudaMemcpyDeviceToHost),
            "copying the result from the GPU");
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

void run_on_gpu(int kernel, std::span<const argument> arguments) {
  hopper::check_device();
  with_kernel(kernel, [&](auto type) { run_kernel<typename decltype(type)::type>(arguments); });
}

}  // namespace sectile::tool

#else
#include <sectile/dsl/launch/error.hpp>

namespace sectile::tool {
namespace {

template <class... K>
constexpr bool all_verified(const std::tuple<K...>*) {
  return (verified<K> && ...);
}
static_assert(all_verified(static_cast<shipped_kernels*>(nullptr)));

}  // namespace

std::string why_no_gpu() { return "this program was built without CUDA (it needs nvcc 12.0 or newer)"; }

void run_on_gpu(int, std::span<const argument>) { throw launch_error(why_no_gpu()); }

}  // namespace sectile::tool
#endif
