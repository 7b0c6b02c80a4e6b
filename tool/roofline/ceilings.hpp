// What GPUs reach at most, as bench/ceilings.cu has measured it: the tensor cores alone, and a copy of memory. The
// measurements are in this program as docs/measured/ceilings*.json had them when it was built.
#pragma once

#include <sectile/dsl/plan/instruction.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sectile::tool {

/// The fastest products of one kind.
struct product_ceiling {
  std::string a, sums;  // types
  bool sparse = false;
  double operations_per_us = 0;
};

struct gpu_ceilings {
  std::string gpu;   // as CUDA calls it: "NVIDIA H200"
  std::string date;  // of the measurement
  std::vector<product_ceiling> products{};
  double bytes_per_us = 0;  // read and written by a copy

  /// Of what multiplies as `w` does, or if that was not measured, of what does so at the same pace: another type of as
  /// many bits. nullptr if there is none.
  const product_ceiling* find(const wgmma_instruction& w) const;
};

/// From a file of measurements. Throws std::runtime_error where it is none.
gpu_ceilings ceilings_from_json(std::string_view json);

/// Of the GPU that CUDA calls so; of one that was not measured those of the first that was.
const gpu_ceilings& ceilings_of(std::string_view gpu);

}  // namespace sectile::tool
