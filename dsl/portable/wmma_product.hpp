// A product of two tiles as nvcuda::wmma carries it out: which warp makes which part, in fragments of what shape.
#pragma once
#include <sectile/dsl/portable/how.hpp>
#include <sectile/dsl/portable/shared_tile.hpp>

namespace sectile::portable {

/// How many fragments a warp makes, down and across. Warps stand in a grid over the tile.
struct warp_part {
  int rows = 0, cols = 0;
};

/// The split of a tile of rows x cols over the warps for which a warp reads least: every fragment of A is read for
/// `cols` fragments of B, so the part should be as square as can be. {0, 0} if no split is even.
constexpr warp_part split_over_warps(int rows, int cols, fragment_shape s, int warps) {
  const int down = rows / s.m, across = cols / s.n;
  warp_part best{};
  for (int r = 1; r <= warps; ++r) {
    if (warps % r != 0 || down % r != 0 || across % (warps / r) != 0) continue;
    const warp_part p{down / r, across / (warps / r)};
    if (best.rows == 0 || p.rows * s.m + p.cols * s.n < best.rows * s.m + best.cols * s.n) best = p;
  }
  return best;
}

/// One factor as fragments see it.
struct wmma_factor {
  shared_tile tile{};
  bool k_is_contiguous = true;
  friend constexpr bool operator==(const wmma_factor&, const wmma_factor&) = default;

  /// Byte offset in the tile of the fragment that begins at (mn, k).
  constexpr int at(int mn, int k, int element_bytes) const {
    return k_is_contiguous ? tile.at(mn, k * element_bytes) : tile.at(k, mn * element_bytes);
  }
};

struct wmma_product {
  int m = 0, n = 0, k = 0;  // of a fragment
  int k_steps = 0;
  int rows = 0, cols = 0;  // fragments of a warp's part
  int warps_across = 0;
  wmma_factor a{}, b{};
  bool negate = false, saturate = false;

  /// The first row and column of a warp's part.
  constexpr int first_row(int warp) const { return warp / warps_across * rows * m; }
  constexpr int first_col(int warp) const { return warp % warps_across * cols * n; }
};

}  // namespace sectile::portable
