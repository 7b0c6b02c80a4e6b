// Names for the reports: what the launcher knows of a kernel's shared memory, barriers, threads and tensors.
#pragma once

#include <array>
#include <cstdint>
#include <sectile/dsl/model/tensor_map.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sectile::model {

/// Bytes of shared memory that belong to one stage of an operand; begin and end count from shared_base. A stage below 0
/// means that the operand has no stages.
struct shared_label {
  std::string operand;
  int stage;
  std::uint32_t begin, end;
  const char* part = "stage";  ///< what is counted by `stage`
};

/// For each CTA of a cluster, by rank, which CTAs something comes from: a bit each. 0: from itself.
using sender_masks = std::array<std::uint16_t, 16>;

/// An mbarrier, `offset` bytes from shared_base. A stage below 0 means that there is only one of the name.
struct barrier_label {
  const char* name;
  int stage;
  std::uint32_t offset;
  std::string operands{};          ///< whose stages it guards, as in "A and B", or whose it is: "consumer 1"
  const char* duty = nullptr;      ///< what its completion means for the stage: "fill", "free"
  const char* arriving = nullptr;  ///< the role whose threads arrive
  sender_masks arrivals_from{};
  const char* arriving_too = nullptr;  ///< another one
  sender_masks arrivals_too{};
  const char* loading = nullptr;  ///< the role whose copies report to it
  sender_masks loads_from{};
};

/// Named barrier `id` of each CTA, and the threads that meet there: pairs of first and last.
struct named_barrier_label {
  int id;
  std::string name;
  std::vector<std::pair<int, int>> threads{};
};

/// Threads first_thread..last_thread of each CTA play this role, which has a number if there are several.
struct role_label {
  const char* role;
  int first_thread, last_thread;
  int number = -1;
  int registers = 0;  ///< per thread that the role was compiled for; 0: nobody says
};

/// A tensor in host memory.
struct tensor_label {
  std::string name;
  tensor_map map;       ///< where its elements are; the box does not matter
  int operand = -1;     ///< the kernel's operand that it is, if it is one
  int tile[5]{};        ///< of an operand, extents of a tile in elements of `map`, innermost mode first
  int coordinate[5]{};  ///< which of a tile's coordinates counts along the mode
  bool covered = false;                                           ///< the launch has to write every element,
  bool in_part = false;                                           ///< or those that the trips of loops store
  std::vector<std::pair<std::int64_t, std::int64_t>> left_out{};  ///< but for those of rows from .. up to ..,
                                                                  ///< of a vector elements along its last mode
  bool by_element = false;  ///< ordinary threads do, one by one,
  bool combined = false;    ///< and that any number of times
  const std::int32_t* index = nullptr;  ///< of a matrix whose rows are picked, what picks them: by modes of tiles but
  std::int64_t index_stride[5]{}, index_extent[5]{};  ///< the last, 0 apart along those that it lacks; elements
  bool image = false;       ///< a filter goes over it, and a tile is of the pixels that it meets: coordinates T, M, C
  filter_path filter{};
  std::int64_t places[2]{};  ///< of the filter, along W and H
};

struct label_set {
  std::vector<shared_label> shared{};
  std::vector<barrier_label> barriers{};
  std::vector<named_barrier_label> named{};
  std::vector<role_label> roles{};
  std::vector<tensor_label> tensors{};
  std::vector<std::string> operands{};  ///< of the kernel, by number
};

}  // namespace sectile::model
