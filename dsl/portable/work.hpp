// What a portable kernel is launched with, and which output tile is whose.
#pragma once
#include <sectile/dsl/portable/plan.hpp>
#include <sectile/dsl/roles/arguments.hpp>

namespace sectile::portable {

/// A tensor in memory.
struct tensor_place {
  unsigned char* data = nullptr;
  long long stride_bytes[max_rank]{};  // of the contiguous mode: meaningless, it may be less than a byte
  bool aligned = false;                // every row begins at a multiple of 16 bytes
};

template <class K>
struct parameters {
  tensor_place place[operand_count<K>]{};  // of scalars: unused
  body_arguments<K> arguments{};
  int rows = 0;  // of output tiles
  int cols = 0;
  int count = 0;  // with batches
};

/// Fills in how many output tiles there are.
template <class K, class How>
constexpr void count_work(parameters<K>& p) {
  constexpr int o = portable_plan_of<K, How>.program.work;
  constexpr int rank = operand_handle<K, o>::rank;
  const auto& tiles = handle_access::tile_count(p.arguments.template at<o>());
  p.rows = tiles[rank - 2];
  p.cols = portable_plan_of<K, How>.program.whole_rows ? 1 : tiles[rank - 1];
  p.count = p.rows * p.cols;
  for (int d = 0; d + 2 < rank; ++d) p.count *= tiles[d];
}

/// The output tile that CTA number `block` makes: bands of `group` tile rows are walked column by column, so that CTAs
/// that run at the same time share rows of A and columns of B in L2.
template <class K, class How>
constexpr tile_coordinates<max_rank> locate(int block, const parameters<K>& p) {
  constexpr int o = portable_plan_of<K, How>.program.work;
  constexpr int rank = operand_handle<K, o>::rank, most = configuration_of<K>.group > 0 ? configuration_of<K>.group : 1;
  tile_coordinates<max_rank> at{};
  const int tiles = p.rows * p.cols;
  int batch = block / tiles, item = block % tiles;
  const int band = item / (most * p.cols), first = band * most;
  const int rows = p.rows - first < most ? p.rows - first : most;
  item -= first * p.cols;
  at.at[rank - 2] = first + item % rows;
  at.at[rank - 1] = item / rows;
  for (int d = rank - 3; d >= 0; --d) {
    const int along = handle_access::tile_count(p.arguments.template at<o>())[d];
    at.at[d] = batch % along;
    batch /= along;
  }
  return at;
}

}  // namespace sectile::portable
