#pragma once
// Parts of a tensor for those who work on it: the tile of a block, the elements of a thread, and copies in which each
// thread takes several neighbours. A part is a layout and the offset at which it begins (slice_at), as there are no
// pointers here.

#include <sectile/layouts/divide.hpp>
#include <sectile/layouts/finding.hpp>
#include <sectile/layouts/inverse.hpp>
#include <sectile/layouts/product.hpp>
#include <sectile/layouts/queries.hpp>
#include <sectile/layouts/slice.hpp>
#include <sectile/layouts/swizzled.hpp>

namespace sectile {

namespace detail {

/// A coordinate of `rank` modes: the given one and a _ for each mode that it lacks. A number counts through all modes.
constexpr int_tuple coordinate_of_rank(const int_tuple& coordinate, int rank) {
  if (!is_tuple(coordinate.form)) return coordinate;
  int_tuple result = coordinate;
  while (sectile::rank(result) < rank) result = append(result, int_tuple(_));
  return result;
}

/// One _ for each mode.
constexpr int_tuple all_of(int rank) {
  int_tuple result = empty_tree<int_tuple>();
  for (int k = 0; k < rank; ++k) push_mode(result, int_tuple(_));
  return wrap(result);
}

/// Where a thread stands among threads, one number for each of their modes.
constexpr int_tuple place_of(const layout& threads, std::int64_t thread) {
  if (!is_bijective(threads))
    throw layout_error("local_partition: in ", threads, " the threads do not stand at one place each");
  return idx2crd(right_inverse(threads).at(thread), product_each(shape(threads)));
}

}  // namespace detail

/// The tile of L at a coordinate among the tiles, and where it begins: zipped_divide(L, tile), sliced in its second
/// mode. Modes of L without a tile may be named by the coordinate or are kept; a _ in the coordinate keeps all tiles
/// along it, behind the modes of the tile. A number counts through all tiles. Refuses what zipped_divide refuses, and a
/// coordinate outside of the tiles.
constexpr slice_at local_tile(const layout& l, const tiler& tile, const int_tuple& coordinate) {
  const layout tiles = zipped_divide(l, tile);
  const layout inside = mode(tiles, 0), among = mode(tiles, 1);
  const int_tuple whole = is_tuple(inside.form) ? detail::all_of(rank(inside)) : int_tuple(_);
  return slice_and_offset(make_coord(whole, detail::coordinate_of_rank(coordinate, rank(among))), tiles);
}

/// local_tile of the modes that a projection keeps: `keeps` has a number for a mode of tile and coordinate that L has,
/// and _ for one that it has not, as CuTe's Step<_1,X,_1> with X as _.
constexpr slice_at local_tile(const layout& l, const int_tuple& tile, const int_tuple& coordinate,
                              const int_tuple& keeps) {
  return local_tile(l, tiler(dice(keeps, tile)), dice(keeps, coordinate));
}

/// The elements of L that a thread takes where `threads`, (m, n, ...) -> thread, is repeated over L: zipped_divide by
/// the shape of the threads, sliced in its first mode at the thread's place, and where they begin. Refuses threads that
/// are not each at one place, 0, 1, 2, ..., and what zipped_divide refuses.
///
/// An L may have only some of the modes of the threads: `keeps` has a number for those and _ for the others, along
/// which all threads take the same.
constexpr slice_at local_partition(const layout& l, const layout& threads, std::int64_t thread,
                                   const int_tuple& keeps) {
  const int_tuple block = dice(keeps, product_each(shape(threads)));
  const layout tiles = zipped_divide(l, tiler(block));
  return slice_and_offset(
      make_coord(dice(keeps, detail::place_of(threads, thread)), detail::all_of(rank(mode(tiles, 1)))), tiles);
}
constexpr slice_at local_partition(const layout& l, const layout& threads, std::int64_t thread) {
  return local_partition(l, threads, thread, product_each(shape(threads)));
}

/// A copy of a tile by threads that each take some values: (thread, value) -> index of the tile's element, and the
/// tile's extents, as the index counts them.
struct tiled_copy {
  layout tv;
  int_tuple tile;

  friend constexpr bool operator==(const tiled_copy&, const tiled_copy&) = default;
};

/// The tile that threads, (m, n, ...) -> thread, cover with values of their own, (m, n, ...) -> value: a thread's
/// values lie side by side. Refuses what raked_product refuses, and threads or values that are not numbered 0, 1, 2,
/// ...
constexpr tiled_copy make_layout_tv(const layout& threads, const layout& values) {
  for (const layout& l : {threads, values}) {
    if (!is_bijective(l)) throw layout_error("make_layout_tv: ", l, " does not number its places 0 to ", size(l) - 1);
  }
  const layout tile = raked_product(threads, values);  // place -> thread + value * threads
  const layout numbered = layout_left(make_shape(size(threads), size(values)));
  return {composition(right_inverse(tile), numbered), product_each(shape(tile))};
}

/// The elements of L that a thread copies, (values, tiles along each mode), and where they begin: each tile of L, seen
/// through (thread, value). Refuses what zipped_divide and composition refuse.
constexpr slice_at partition(const tiled_copy& copy, const layout& l, std::int64_t thread) {
  const layout tiles = zipped_divide(l, tiler(copy.tile));
  const layout seen = composition(mode(tiles, 0), copy.tv);
  const layout of_threads = make_layout(mode(seen, 0), mode(seen, 1), mode(tiles, 1));
  return slice_and_offset(make_coord(thread, _, _), of_threads);
}

/// The same of a swizzled layout, which keeps the offset to itself.
template <class... How>
constexpr swizzled_layout local_tile(const swizzled_layout& l, const How&... how) {
  const slice_at part = local_tile(l.inner, how...);
  return with_swizzle(part.kept, l.pattern, l.offset + part.offset);
}
template <class... How>
constexpr swizzled_layout local_partition(const swizzled_layout& l, const How&... how) {
  const slice_at part = local_partition(l.inner, how...);
  return with_swizzle(part.kept, l.pattern, l.offset + part.offset);
}
constexpr swizzled_layout partition(const tiled_copy& copy, const swizzled_layout& l, std::int64_t thread) {
  const slice_at part = partition(copy, l.inner, thread);
  return with_swizzle(part.kept, l.pattern, l.offset + part.offset);
}

/// Whether (thread, value) reaches each of `elements` elements exactly once. Looks at every pair.
constexpr finding covers_once(const layout& tv, std::int64_t elements) {
  constexpr int most = 1 << 16;
  if (elements > most) throw layout_error("covers_once looks at up to ", most, " elements, not at ", elements);
  std::uint8_t held[most] = {};  // 0, 1, or 2: more often
  for (std::int64_t i = 0; i < size(tv); ++i) {
    const std::int64_t element = tv(i);
    if (element < 0 || element >= elements) {
      return found(check_rule::elements_are_left_out, "thread and value ",
                   idx2crd(i, make_shape(size(mode(tv, 0)), size(tv) / size(mode(tv, 0)))), " of ", tv,
                   " hold element ", element, ", which is not one of the tile's ", elements)
          .with(element, elements);
    }
    if (held[element] < 2) ++held[element];
  }
  for (std::int64_t element = 0; element < elements; ++element) {
    if (held[element] == 1) continue;
    if (held[element] == 0) {
      return found(check_rule::elements_are_left_out, "element ", element, " of ", elements,
                   " is held by no thread of ", tv)
          .with(element, elements);
    }
    std::int64_t times = 0;
    for (std::int64_t i = 0; i < size(tv); ++i) times += tv(i) == element;
    return found(check_rule::elements_are_doubled, "element ", element, " of ", elements, " is held ", times,
                 " times in ", tv)
        .with(element, times);
  }
  return {};
}
constexpr finding covers_once(const tiled_copy& copy) { return covers_once(copy.tv, product(copy.tile)); }

}  // namespace sectile
