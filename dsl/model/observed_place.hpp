// Where a fragment lies in its matrix, for those who look for elements that are not there (beyond_edge.hpp).
//
// A tile that has been loaded knows its coordinates; what is made of it, element by element or by a product, has its
// rows and columns from there. So a fragment has its place with it, whatever the order in which the body loads tiles.
#pragma once
#include <cstdint>
#include <sectile/dsl/program/observed_place.hpp>

namespace sectile::model {

/// Where the rows of a fragment, or its columns, lie: the first one's number in the matrix, and how many that has.
struct stretch {
  static constexpr std::int64_t nowhere = -1, several = -2;
  std::int64_t first = nowhere;  // or: made of no tile; made of tiles in several places
  std::int64_t size = 0;

  constexpr bool is_known() const { return first >= 0; }
  /// The same of what is made of this and another one.
  constexpr void meet(const stretch& x) {
    if (first == nowhere)
      *this = x;
    else if (x.first != nowhere && (x.first != first || x.size != size))
      first = several;
  }
};

/// Of a fragment, as registers hold it.
struct observed_place {
  stretch rows, cols;
  constexpr void meet(const observed_place& x) {
    rows.meet(x.rows);
    cols.meet(x.cols);
  }
  constexpr void meet(const unobserved_place&) {}
};
}  // namespace sectile::model
