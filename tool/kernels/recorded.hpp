// Kernels as records that facts are made of. What includes this is compiled by the host compiler alone, with debug
// information, so that lines of the programs can be named.
#pragma once

#include <sectile/dsl/tell/facts/record.hpp>
#include <string_view>
#include <vector>

#include "tool/kernels/families.hpp"

namespace sectile::tool {

/// All kernels of a list; see kernel_type.hpp.
template <class List>
std::vector<recorded_kernel> all_recorded(List each) {
  std::vector<recorded_kernel> all;
  each([&all](auto type, std::string_view name, std::string_view) {
    all.push_back({name, tell::record_of<typename decltype(type)::type>});
  });
  return all;
}

}  // namespace sectile::tool
