// The name of a tile, for machines that compare what a program means with what they find.
#pragma once

namespace sectile {

/// Tile `at` (in tiles, outermost mode first) of operand `operand`; below 0: none.
struct observed_tile {
  int operand = -1;
  int at[5]{};
  int first_row = 0, rows = -1;  // of the group that it is a tile of, in the matrix of all groups; -1: there are none
};

}  // namespace sectile
