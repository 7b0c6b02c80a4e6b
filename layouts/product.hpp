#pragma once
// Products: a block repeated over a second layout, without overlap.

#include <sectile/layouts/divide.hpp>

namespace sectile {

/// logical_product() of two layouts that reports instead of throwing.
constexpr attempt try_logical_product(const layout& a, const layout& b) {
  std::int64_t target = checked_multiply(size(a), cosize(b));
  attempt places = try_complement(a, target);
  // A block with gaps that its strides do not fill evenly has fewer places in the same number of offsets.
  while (places && size(places.value) < cosize(b)) places = try_complement(a, target = checked_multiply(target, 2));
  if (places) places = try_composition(places.value, b);
  if (places) places.value = make_layout(a, places.value);
  return places;
}

/// (A, complement(A) o B): mode 0 is the block A, mode 1 its repetitions in the order of B.
/// Post: mode(R, 0) == A, mode 1 is compatible with B, and the repetitions of A do not overlap.
/// Refuses what complement and composition refuse.
constexpr layout logical_product(const layout& a, const layout& b) {
  return value_of([&] { return try_logical_product(a, b); }, operation{"logical_product of", a, " by ", b});
}

/// Mode by mode; A_i itself where the tile is _ or missing. Refuses a tiler with more modes than A.
constexpr layout logical_product(const layout& a, const tiler& t) {
  return value_of([&] { return try_by_mode(a, t, true, try_logical_product); },
                  operation{"logical_product of", a, " by ", t});
}

/// logical_product gathered as ((block M, block N, ...), (times M, times N, ...)).
constexpr layout zipped_product(const layout& a, const tiler& t) {
  return value_of([&] { return split_and_gather(a, t, try_logical_product); },
                  operation{"zipped_product of", a, " by ", t});
}

/// zipped_product as ((block M, block N, ...), times M, times N, ...).
constexpr layout tiled_product(const layout& a, const tiler& t) {
  return unpack_rest(value_of([&] { return split_and_gather(a, t, try_logical_product); },
                              operation{"tiled_product of", a, " by ", t}));
}

/// zipped_product as (block M, block N, ..., times M, times N, ...).
constexpr layout flat_product(const layout& a, const tiler& t) {
  return unpack_both(value_of([&] { return split_and_gather(a, t, try_logical_product); },
                              operation{"flat_product of", a, " by ", t}));
}

/// logical_product of two layouts made equal in rank by modes 1:0. Each mode of the grid stays one mode, even where it
/// has to be split.
constexpr attempt try_product_of_equal_rank(const layout& block, const layout& grid) {
  const int r = rank(block) > rank(grid) ? rank(block) : rank(grid);
  const layout padded = append_to_rank(grid, r);
  return try_logical_product(append_to_rank(block, r), is_tuple(padded.form) ? padded : wrap(padded));
}

/// The block laid out over `grid` as over a chessboard of blocks: mode i is (block_i, grid_i). The shorter of the
/// two gets modes 1:0. Post: the rank is the larger of the two ranks. Refuses what logical_product refuses.
constexpr layout blocked_product(const layout& block, const layout& grid) {
  const layout both = value_of([&] { return try_product_of_equal_rank(block, grid); },
                               operation{"blocked_product of", block, " by ", grid});
  return zip(mode(both, 0), mode(both, 1));
}

/// Like blocked_product with the blocks interleaved: mode i is (grid_i, block_i).
constexpr layout raked_product(const layout& block, const layout& grid) {
  const layout both = value_of([&] { return try_product_of_equal_rank(block, grid); },
                               operation{"raked_product of", block, " by ", grid});
  return zip(mode(both, 1), mode(both, 0));
}

/// The compact layout of a shape whose modes run in the given order: the leaf of `order` with the smallest number
/// is contiguous; of equal numbers the left one comes first. order may be coarser than the shape. (2,2,2,2) in order
/// (0,2,3,1) is (2,2,2,2):(1,4,8,2).
/// Refuses an order that is not weakly congruent with the shape.
constexpr layout make_ordered_layout(const int_tuple& shape, const int_tuple& order) {
  if (!weakly_congruent(order, shape)) {
    throw layout_error("make_ordered_layout: the order ", order, " does not fit the profile of the shape ", shape);
  }
  std::int64_t sizes[max_leaves] = {};
  refinement measure(order.form);
  std::int64_t size = 1;
  for (int k = 0; k < shape.form.leaves; ++k) {
    size = checked_multiply(size, shape.leaf[k]);
    if (!measure.step(order.form, shape.form, k)) continue;
    sizes[measure.leaf] = size;
    measure.next(order.form);
    size = 1;
  }
  layout result = make_layout(shape);
  refinement walk(order.form);
  std::int64_t step = 0;
  for (int k = 0; k < shape.form.leaves; ++k) {
    if (step == 0) {
      step = 1;
      for (int o = 0; o < order.form.leaves; ++o) {
        const bool comes_first =
            o < walk.leaf ? order.leaf[o] <= order.leaf[walk.leaf] : order.leaf[o] < order.leaf[walk.leaf];
        if (comes_first) step = checked_multiply(step, sizes[o]);
      }
    }
    result.leaf[k].stride = shape.leaf[k] == 1 ? 0 : step;
    step = checked_multiply(step, shape.leaf[k]);
    if (!walk.step(order.form, shape.form, k)) continue;
    walk.next(order.form);
    step = 0;
  }
  return checked_layout(result);
}

/// The size of each top-level mode; of a leaf, the leaf.
constexpr int_tuple product_each(const int_tuple& shape) {
  if (!is_tuple(shape.form)) return shape;
  int_tuple result = empty_tree<int_tuple>();
  for (int i = 0; i < rank(shape); ++i) push_mode(result, int_tuple(product(mode(shape, i))));
  return wrap(result);
}

/// The block repeated until it fills `target`, first along the mode that comes first in `order`; without one along mode
/// 0 first, then mode 1, and so on. Post: compatible(target by modes, shape(R)). Refuses a block that does not divide
/// the target mode by mode.
constexpr layout tile_to_shape(const layout& block, const int_tuple& target,
                               const int_tuple& order = empty_tree<int_tuple>()) {
  if (rank(block) > rank(target))
    throw layout_error("tile_to_shape: ", block, " has more modes than the target ", target);
  const layout padded = append_to_rank(block, rank(target));
  const int_tuple have = product_each(shape(padded));
  int_tuple times = product_each(target);
  int_tuple by_mode = times;
  for (int k = 0; k < by_mode.form.leaves; ++k) by_mode.leaf[k] = k;
  if (have.form != times.form) times = wrap(times);
  for (int k = 0; k < times.form.leaves; ++k) {
    if (times.leaf[k] % have.leaf[k] != 0) {
      throw layout_error("tile_to_shape of ", block, " to ", target, ": the block's ", have.leaf[k],
                         " does not divide ", times.leaf[k], " in mode ", k);
    }
    times.leaf[k] /= have.leaf[k];
  }
  const auto repeated = [&] {
    const int_tuple& first_to_last = order.form.leaves == 0 ? by_mode : order;
    return try_product_of_equal_rank(padded, make_ordered_layout(times, first_to_last));
  };
  const layout both = value_of(repeated, operation{"tile_to_shape of", block, " to ", target});
  return zip(mode(both, 0), mode(both, 1));
}

}  // namespace sectile
