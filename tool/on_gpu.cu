// Shipped kernels on the GPU. Without nvcc, or where there is no GPU, this file is plain C++ that has none to offer.
#include <sectile/dsl/launch/error.hpp>

#include "tool/machines.hpp"

#ifdef __CUDACC__
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/finish.hpp>

#include <algorithm>
#include <memory>

#include "bench/timing.hpp"
#include "tool/device_operands.hpp"

namespace sectile::tool {
namespace {

/// The operands in as many places as it takes that a call finds none of them in the L2 cache.
std::vector<std::unique_ptr<device_operands>> make_sets(const plan& p, std::span<const argument> arguments) {
  constexpr double enough_bytes = 160e6;  // the L2 cache has 50 MiB
  double bytes = 1;
  for (const argument& a : arguments) bytes += static_cast<double>(a.bytes + a.metadata_bytes);
  std::vector<std::unique_ptr<device_operands>> sets;
  sets.push_back(std::make_unique<device_operands>(p, arguments));
  constexpr int most = 1000;  // calls that are recorded
  for (int i = std::min(most, static_cast<int>(enough_bytes / bytes)); i > 0; --i)
    sets.push_back(std::make_unique<device_operands>(p, sets[0]->arguments));
  return sets;
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
  if (const std::string why = why_no_machine_code(kernel, how); !why.empty()) throw launch_error(why);
  const plan& p = *kernel.declared;
  const device_operands on_device(p, arguments);
  kernel.in(how).launch(on_device.arguments, nullptr);
  finish();
  for (std::size_t o = 0; o < arguments.size(); ++o)
    if (p.operand[o].facts.is_written())
      hopper::check_cuda(cudaMemcpy(arguments[o].data, on_device.arguments[o].data,
                                    static_cast<std::size_t>(arguments[o].bytes), cudaMemcpyDeviceToHost),
                         std::string("operand ") + p.operand[o].facts.name + ": copying it from the GPU");
}

double time_on_gpu(const kernel_facts& kernel, reading how, std::span<const argument> arguments) {
  hopper::check_device();
  if (const std::string why = why_no_machine_code(kernel, how); !why.empty()) throw launch_error(why);
  const auto sets = make_sets(*kernel.declared, arguments);
  const bench::stream on;
  const bench::contestant running{[&](int call, cudaStream_t stream) {
    kernel.in(how).launch(sets[static_cast<std::size_t>(call) % sets.size()]->arguments, stream);
  }};
  return 1e3 * bench::race({running}, on, {}).front().median;
}

}  // namespace sectile::tool

#else

namespace sectile::tool {

std::string why_no_gpu() { return built_without_gpu; }

std::string gpu_name() { throw launch_error(why_no_gpu()); }

void run_on_gpu(const kernel_facts&, reading, std::span<const argument>) { throw launch_error(why_no_gpu()); }

double time_on_gpu(const kernel_facts&, reading, std::span<const argument>) { throw launch_error(why_no_gpu()); }

}  // namespace sectile::tool
#endif
