// What a kernel is launched with: tensor maps, the work, and the arguments of its body.
#pragma once
#include <cstddef>

#include <sectile/dsl/plan/split.hpp>
#include <sectile/dsl/plan/ticket_counters.hpp>
#include <sectile/dsl/roles/gather.hpp>
#include <sectile/dsl/roles/im2col.hpp>

namespace sectile {

/// An output in memory. TMA clips a store in pieces of 16 bytes: a row that ends inside a piece would be written past
/// its end. So the tensor map ends where the last whole piece does, and what is left, the ragged columns, is copied by
/// threads. (Of rows that are shorter than a piece all columns are; they begin outside of the map, which drops them.)
/// Rows and columns are memory's: of an output that is col_major they are its columns and rows.
struct output_place {
  unsigned char* data = nullptr;
  long long stride_bytes[max_rank]{};  // of the batches, and from row to row
  int rows = 0, cols = 0;
  int whole_cols = 0;  // columns in whole pieces of 16 bytes
  int first_col = 0;   // of the map: where a tile's first column lies
};

/// The counters in the workspace, and how many they are: of meetings, of sums in order, and the one that work is drawn
/// from.
struct counter_place {
  ticket_counters tickets{};
  int counters = 0;
};

/// Where the sums are; and the clusters that make one part of all tiles: those of a part have numbers in a row.
struct workspace_place {
  std::byte* sums = nullptr;
  fast_divisor clusters_of_a_part;
};

/// How work is streamed.
struct stream_place {
  work_stream stream{};
};

/// A vector that is summed over tiles in order: where these leave their numbers, and how they are counted.
struct ordered_sum {
  int counter = 0;  // the first
  float* numbers = nullptr;
  order_of_tiles tiles{};
};
template <int Count>
struct ordered_sums {
  ordered_sum in_order[Count]{};  // in the order of the operands
};

/// TensorMap: the machine's. (What is in the workspace are bases, which take no room where there are none: nvcc 13.0
/// gives an empty member some, whatever its attributes say.)
template <class K, class TensorMap>
struct kernel_parameters : if_there<needs_workspace(plan_of<K>), counter_place>,
                           if_there<uses_workspace<K>, workspace_place>,
                           if_there<streams<K>, stream_place>,
                           if_there<(ordered_sums_of<K> > 0), ordered_sums<ordered_sums_of<K>>>,
                           if_there<has_im2col_operand<K>(), im2col_places<operand_count<K>>>,
                           if_there<has_rows_by_index<K>, gathered_places<operand_count<K>>> {
  TensorMap map[operand_count<K>]{};  // of scalars: unused
  TensorMap metadata_map[has_sparse_operand<K>() ? operand_count<K> : 1]{};
  vector_place vector[has_vector<K>() ? operand_count<K> : 1]{};
  output_place output[head_of<K>.epilogues > 0 ? head_of<K>.epilogues : 1]{};  // in the order of the stores
  work_grid work{};
  body_arguments<K> arguments{};
};

/// Those that kernel K has on a machine.
template <class K, class Machine>
using parameters_for = kernel_parameters<K, typename Machine::tensor_map>;

}  // namespace sectile
