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

/// Modes of one name, primes apart: they have one size and one extent.
struct linked_modes {
  std::string name{};
  int extent = 0;  // of a tile, elements
  std::vector<operand_mode> members{};
};

/// All modes of a plan's tensors, in the order of the declaration.
std::vector<linked_modes> modes_by_name(const plan& p);
/// Those along which a tile may have several elements: not what is a batch wherever it occurs.
std::vector<linked_modes> tiled_modes(const plan& p);

/// Whether a launch takes one tile alone along these modes: rows' numbers are stored in a vector that lacks them.
bool takes_one_tile(const plan& p, const linked_modes& modes);

/// Extents of all operands. Gives the vectors' modes that count tiles as many elements as there are.
using operand_extents = std::int64_t[max_operands][max_rank];
void count_tiles(const plan& p, operand_extents& extent);

}  // namespace sectile::tell
