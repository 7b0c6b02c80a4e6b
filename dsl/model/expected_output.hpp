// What a warpgroup means to store, compared with what leaves: the fragment's values are put down by rows and columns
// when the body stores them, and every element that is on its way to host memory must be the one that belongs there.
// What lies between (packing, stmatrix, swizzles, panels, boxes, ragged columns) is not asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <sectile/dsl/model/tensor_elements.hpp>
#include <vector>

namespace sectile::model {

struct cuda_thread;

/// The rows (transposed: columns) of one tile of an output that one warpgroup stores.
struct expected_share {
  const tensor_label* tensor;
  observed_tile tile;
  int first_row, first_col, rows, cols;  ///< in the tile
  std::vector<std::byte> value;  ///< row-major
};

/// Those that a warpgroup stored last, two of each output: while one goes out the next may be there.
struct expected_output {
  std::deque<expected_share> last;
  std::uint32_t forgotten = 0;  ///< before those
};

/// Where thread t puts down the values of its next store: `blocks` * 64 rows (transposed: columns) of `tile`. Null if
/// nobody compares them.
std::byte* expect_values(cuda_thread& t, const observed_tile& tile, int blocks, bool transposed);

/// Thread t is about to write `bytes` bytes, of the values `from`, to host memory. Throws out_of_range where they are
/// not elements of a row of an output of the launch, wrong_element where t's warpgroup means others to be there.
void check_output(const cuda_thread& t, const std::byte* to, const std::byte* from, std::size_t bytes,
                  const char* verb);

}  // namespace sectile::model
