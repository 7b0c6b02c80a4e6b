// The operators of one library: each adds itself when the library is loaded.
#pragma once
#include <sectile/dsl/operator/abi.hpp>
#include <vector>

namespace sectile {

/// Of this library alone: it is compiled with hidden symbols.
inline std::vector<const operator_facts*>& operators_here() {
  static std::vector<const operator_facts*> all;
  return all;
}

struct operator_in_set {
  explicit operator_in_set(const operator_facts& facts) { operators_here().push_back(&facts); }
};

inline const operator_set& operator_set_here() {
  static const operator_set set{operator_abi, static_cast<std::uint32_t>(operators_here().size()),
                                operators_here().data()};
  return set;
}

}  // namespace sectile
