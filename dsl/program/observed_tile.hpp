// The name of a tile, for machines that compare what a program means with what they find.
#pragma once

namespace sectile {

/// Tile `at` (in tiles, outermost mode first) of operand `operand`; below 0: none.
struct observed_tile {
  int operand = -1;
  int at[5]{};
};

}  // namespace sectile
