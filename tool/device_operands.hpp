// The operands of a launch in device memory.
#pragma once

#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/plan/plan.hpp>
#include <span>
#include <string>
#include <vector>

#include "tool/argument.hpp"

namespace sectile::tool {

/// A tensor's copy.
struct device_tensor {
  void* data = nullptr;

  device_tensor() = default;
  ~device_tensor() { cudaFree(data); }
  device_tensor(const device_tensor&) = delete;
  device_tensor& operator=(const device_tensor&) = delete;

  /// Room for `count` bytes and a copy of those at `from`, which are in host memory or on the device.
  void* upload(const void* from, std::int64_t count, const char* name) {
    const std::string operand = std::string("operand ") + name + ": ";
    const std::string size = std::to_string(count) + " bytes";
    const auto bytes = static_cast<std::size_t>(count);
    hopper::check_cuda(cudaMalloc(&data, bytes), operand + "no room for its " + size);
    hopper::check_cuda(cudaMemcpy(data, from, bytes, cudaMemcpyDefault), operand + "copying " + size + " to the GPU");
    return data;
  }
};

struct device_operands {
  device_tensor copy[max_operands], metadata[max_operands];
  std::vector<argument> arguments;

  /// Copies of `from`, which are in host memory or on the device. What lies in one place there does here, too.
  device_operands(const plan& p, std::span<const argument> from) : arguments(from.begin(), from.end()) {
    for (std::size_t o = 0; o < arguments.size(); ++o) {
      argument& a = arguments[o];
      const char* name = p.operand[o].facts.name;
      const std::size_t same = first_at(from, a.data);
      if (a.data) a.data = same < o ? arguments[same].data : copy[o].upload(a.data, a.bytes, name);
      if (a.metadata) a.metadata = metadata[o].upload(a.metadata, a.metadata_bytes, name);
    }
  }

 private:
  /// The first argument that lies there: of an output and an input in its place, the one that is declared first.
  static std::size_t first_at(std::span<const argument> arguments, const void* place) {
    std::size_t o = 0;
    while (arguments[o].data != place) ++o;
    return o;
  }
};

}  // namespace sectile::tool
