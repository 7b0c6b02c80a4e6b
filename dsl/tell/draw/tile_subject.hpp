// What pictures of an operand's tile are drawn of: the tile as it lies in shared memory, the instructions that walk
// over it, and the words for it.
#pragma once
#include <string>
#include <vector>

#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/tell/tile_placement.hpp>
#include <sectile/layouts/operand_tile.hpp>

namespace sectile::tell {

/// A tile of operand A or B. Extents count stored elements: of a sparse operand half of K.
struct tile_subject {
  operand_tile tile{};
  std::string name = "tile";
  std::string type = "bf16";
  char rows = 'm';   // the mode across K: m of A, n of B
  int mn_step = 64;  // of one instruction
  int k_step = 16;
  unsigned base = 0;  // bytes: where the tile begins in shared memory
  bool sparse = false;
  bool to_registers = false;  // ordinary loads bring it there, and no descriptor names it
  std::string metadata{};     // of a sparse operand: what lies behind the tile, in words
};

/// Input `operand` of a plan in stage 0. Precondition: is_drawn(p, operand).
tile_subject subject_of(const plan& p, int operand);

/// Whether operand `operand` is an input that some product reads, from shared memory or through registers.
bool is_drawn(const plan& p, int operand);

/// A tile of values, of which K steps are 32 bytes, as dense instructions have them. Throws layout_error where the
/// tile, or wgmma on it, breaks a rule.
tile_subject subject_of(const operand_tile& tile, const std::string& type, char rows);

/// "A: 128 x 64 bf16, K-major, 128-byte swizzle".
std::string title_of(const tile_subject& s);

/// The units of a tile in the order of memory: number a / 16 lies at byte a from the tile's first.
std::vector<tile_unit> units_in_memory(const operand_tile& t);

/// Place of a unit along the contiguous direction, in units from the tile's edge: cells of one place have one colour.
int place_along(const operand_tile& t, tile_unit u);

/// "m3 k16", or "k16 m3" of an MN-major tile: across, then along the 16 bytes.
std::string unit_text(const tile_subject& s, tile_unit u);

}  // namespace sectile::tell
