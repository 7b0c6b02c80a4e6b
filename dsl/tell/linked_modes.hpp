// Modes of operands that are one mode of the problem: M, N, K.
#pragma once

#include <sectile/dsl/plan/plan.hpp>
#include <string>
#include <vector>

namespace sectile::tell {

/// A mode of an operand.
struct operand_mode {
  int operand = 0, mode = 0;
  friend constexpr bool operator==(const operand_mode&, const operand_mode&) = default;
};

/// Modes that grow together.
struct linked_modes {
  std::string name{};  // "K", or "mode 1 of A"
  int extent = 0;      // of a tile, elements: the largest
  std::vector<operand_mode> members{};
};

/// What a mode is called: "K", or "mode 1 of A" where the declaration gives no name.
std::string name_of(const plan& p, const operand_mode& m);

/// All modes of a plan's tensors, those of one name in one group, in the order of the declaration. A mode without a
/// name is a group of its own.
std::vector<linked_modes> modes_by_name(const plan& p);

}  // namespace sectile::tell
