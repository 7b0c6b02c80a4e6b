// What a launch says of a scattered output (plan/scatter.hpp): how many rows it has, and how many summands each.
#pragma once
#include <sectile/dsl/launch/checks.hpp>
#include <sectile/dsl/launch/workspace_layout.hpp>

namespace sectile {

/// Numbers of the index that names the rows of operand `o`.
inline std::int64_t count_named(const plan& p, const tensor_facts (&t)[max_operands], int o) {
  const tensor_facts& index = t[find_index(p, o)];
  std::int64_t count = 1;
  for (int d = 0; d < index.rank; ++d) count = size_of_all(count, index.extent[d]);
  return count;
}

/// Throws unless all rows have as many summands, which the kernel can count for all tiles together.
inline void check_scattered_rows(const plan& p, const tensor_facts (&t)[max_operands]) {
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (!f.is_scattered()) continue;
    const int last = f.tile.rank - 1;
    const std::int64_t rows = t[o].picked_from, summands = count_named(p, t, o);
    if (rows < 1 || summands % rows != 0)
      refuse_operand(f, "its ", rows, " rows are named by ", summands, " numbers of ", f.index,
                     "; each row is the sum of as many rows that are stored: give a multiple of ", rows);
    const std::int64_t tiles = (t[o].extent[last] + f.tile.extent[last] - 1) / f.tile.extent[last];
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (size_of_all(summands, tiles) > most)
      refuse_operand(f, summands, " rows are stored in ", tiles, " tiles along ", name_of_mode(f, last),
                     ", which makes ", size_of_all(summands, tiles), " pieces of rows; up to ", most, " are counted");
  }
}

/// The sizes of a launch's scattered output, if it has one. Precondition: check_scattered_rows().
inline scattered_sizes scattered_sizes_of(const plan& p, const tensor_facts (&t)[max_operands]) {
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.is_scattered())
      return {static_cast<int>(t[o].picked_from), static_cast<int>(count_named(p, t, o))};
  return {};
}

}  // namespace sectile
