// Kernels as records that facts are made of. What includes this is compiled by the host compiler alone, with debug
// information, so that lines of the programs can be named.
#pragma once

#include <sectile/dsl/tell/facts/record.hpp>
#if SECTILE_TOOL_HAS_PROTOCOL
#include <sectile/dsl/tell/promela/walk.hpp>
#endif
#include <string_view>
#include <vector>

#include "tool/kernels/families.hpp"

namespace sectile::tool {

/// A kernel, whose proofs are made when they are asked for: tests/tool/proven_test.cpp asks for all of them.
template <class K>
recorded_kernel recorded(std::string_view name) {
#if SECTILE_TOOL_HAS_NEIGHBOUR
  recorded_kernel all{name, tell::record_of<K, tell::proofs_are_made::when_asked>};
#else
  recorded_kernel all{name, tell::record_alone<K, tell::proofs_are_made::when_asked>};
#endif
#if SECTILE_TOOL_HAS_PROTOCOL
  all.walk = tell::walk_protocol<K>;
#endif
  return all;
}

/// All kernels of a list; see kernel_type.hpp.
template <class List>
std::vector<recorded_kernel> all_recorded(List each) {
  std::vector<recorded_kernel> all;
  each([&all](auto type, std::string_view name, std::string_view) {
    all.push_back(recorded<typename decltype(type)::type>(name));
  });
  return all;
}

}  // namespace sectile::tool
