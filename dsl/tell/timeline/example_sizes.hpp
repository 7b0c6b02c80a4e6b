// Sizes for a run that shows a kernel's pipeline: few tiles, and enough trips for every stage to be used more than
// twice.
#pragma once

#include <cstdint>
#include <sectile/dsl/plan/plan.hpp>
#include <string>
#include <vector>

namespace sectile::tell {

/// Extents of each operand's modes, elements. Scalars have none.
struct example_sizes {
  std::int64_t extent[max_operands][max_rank]{};
  int cluster = 0;  // which one to look at: the first, or -1, the last
};

/// Tiles along each mode: of the output's rows and columns, and of what is not in the output. Batches have one.
struct tile_counts {
  int rows = 1, cols = 1, others = 1;
};
/// A problem of so many tiles.
example_sizes sizes_of(const plan& p, const tile_counts& tiles);

/// Candidates, the smallest first. Modes of the output have as many tiles as a cluster takes at once (twice that for a
/// persistent kernel), the others as many as twice the stages and two. How often a loop turns may depend on the
/// output's tile, as under a mask: then others have that many rows, or columns, of tiles as well.
std::vector<example_sizes> sizes_for(const plan& p);

/// "M = 512, N = 256, K = 640"; modes without names by operand, as in "A 512 x 640".
std::string sizes_text(const plan& p, const example_sizes& s);

}  // namespace sectile::tell
