// Where the workspace of a launch on the model is.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sectile::model {

/// Host memory that stands for what a split has of the workspace.
struct workspace_range {
  std::size_t tiles = 0, counters = 0;  ///< each tile has one of each meeting, counter `tile` of the first, and so on
  std::byte* sums = nullptr;
  std::size_t bytes = 0;  ///< of the sums
};

/// The number of the counter from which clusters draw work items, and how many there are. `close`: that is for the
/// clusters to find out, one of which closes the counter.
struct drawn_range {
  int counter = 0, items = 0;
  bool close = false;
};

/// A vector that is summed over tiles in order, or a scattered output's rows: of each group those of each slot, of
/// these one for each element.
struct summed_vector {
  std::string name{};
  std::size_t groups = 0, slots = 0, elements = 0, warps = 0;  ///< a group has a counter of each warp
  std::size_t columns = 0;                                     ///< tiles of a row that is scattered; 0: it is a vector
  std::size_t first_number = 0, first_counter = 0;

  std::size_t numbers() const { return groups * slots * elements; }
  std::size_t counters() const { return groups * warps; }
};
/// And what all of them have of the workspace.
struct numbers_range {
  int first = 0;  ///< of the counters
  float* numbers = nullptr;
  std::size_t counters = 0, count = 0;
  std::vector<summed_vector> vectors{};

  /// Adds one behind the others.
  void add(summed_vector v) {
    v.first_number = count, v.first_counter = counters;
    count += v.numbers(), counters += v.counters();
    vectors.push_back(v);
  }
};

}  // namespace sectile::model
