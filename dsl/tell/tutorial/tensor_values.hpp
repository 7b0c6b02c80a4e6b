// Numbers of a tensor in float64, as the reference of a user's kernel reads and writes them.
#pragma once
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sectile {

/// A tensor in row-major order, or a scalar (rank 0). x(i, j) is an element.
struct tensor_values {
  std::string name{};
  std::vector<std::int64_t> extent{};
  std::vector<double> values{};

  double& operator()(auto... at) { return values[static_cast<std::size_t>(index(at...))]; }
  double operator()(auto... at) const { return values[static_cast<std::size_t>(index(at...))]; }

 private:
  template <class... Index>
  std::int64_t index(Index... at) const {
    if (sizeof...(at) != extent.size())
      throw std::logic_error(name + " has " + std::to_string(extent.size()) + " modes, but is read with " +
                             std::to_string(sizeof...(at)) + " coordinates");
    std::int64_t i = 0;
    std::size_t mode = 0;
    ((i = i * extent[mode++] + static_cast<std::int64_t>(at)), ...);
    return i;
  }
};

/// The inputs of a run by the names of their operands: in["A"](m, k), in["alpha"]().
struct named_inputs {
  std::vector<tensor_values> all{};

  const tensor_values& operator[](std::string_view name) const {
    for (const tensor_values& one : all)
      if (one.name == name) return one;
    throw std::logic_error("there is no input '" + std::string(name) + "'");
  }
};

/// What a kernel should compute, in float64: fills `result`, which has an output's name and extents, with zeros in it.
/// It is asked for each matrix that the kernel stores or, where it stores none, for each vector.
using tutorial_reference = std::function<void(const named_inputs& in, tensor_values& result)>;

}  // namespace sectile
