// Where the workspace of a launch on the model is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sectile::model {

/// Host memory that stands for what a split has of the workspace.
struct workspace_range {
  std::uint32_t* tickets = nullptr;
  std::size_t tiles = 0, counters = 0;  ///< each tile has one of each meeting, counter `tile` of the first, and so on
  std::byte* sums = nullptr;
  std::size_t bytes = 0;  ///< of the sums
};

/// And for what sums in order have of it: those of all vectors.
struct numbers_range {
  std::uint32_t* tickets = nullptr;
  std::size_t counters = 0;
  float* numbers = nullptr;
  std::size_t count = 0;
};

}  // namespace sectile::model
