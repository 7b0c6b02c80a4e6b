#pragma once
// The layouts of a kernel that is written with CuTe, as values of layouts/. Nothing of CUTLASS is included: what is
// asked of a type is what CuTe's types offer.
//
//   st::from_cute(SmemLayoutA{})    a static Layout -> layout; a ComposedLayout with a swizzle -> swizzled_layout, in
//                                   elements (behind a smem_ptr CuTe's swizzles count bytes)
//   st::from_cute(tiled_copy)       what each thread reads (and st::destination_from_cute: writes)
//   st::from_cute(tiled_mma)        the tile of an MMA, its instruction, and what each thread holds of A, B and C
//   st::coordinates_from_cute(l)    a layout of coordinates, of strides such as 1@0
//
// A static layout is one whose extents and strides are types. A number that is known at run time is refused by name.

#include <concepts>
#include <type_traits>
#include <utility>

#include <sectile/layouts/coordinate_layout.hpp>
#include <sectile/layouts/partition.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>

namespace sectile {

/// An MMA of several threads as CuTe tiles it: the extents (M, N, K) of the tile and of one instruction, and
/// (thread, value) -> index in the tile of A (m, k), B (n, k) and C (m, n).
struct tiled_mma {
  int_tuple tile;
  int_tuple instruction;
  layout a;
  layout b;
  layout c;

  friend constexpr bool operator==(const tiled_mma&, const tiled_mma&) = default;
};

namespace adapt {

/// An integer that is a type: cute::C<8>, and what derives from one.
template <class T>
concept static_integer = std::is_empty_v<T> && requires {
  { T::value } -> std::convertible_to<std::int64_t>;
};

/// A tuple of types; whether, and which.
template <class T>
struct parts_of {
  static constexpr bool known = false;
};
template <template <class...> class Tuple, class... T>
struct parts_of<Tuple<T...>> {
  static constexpr bool known = sizeof...(T) > 0;
  template <class F>
  static constexpr void each(F f) {
    (f.template operator()<std::remove_cvref_t<T>>(), ...);
  }
};

/// A step along a dimension of coordinates, 1@0: cute::ScaledBasis<Int<1>, 0>.
template <class T>
struct basis_of {
  static constexpr bool known = false;
};
template <template <class, int...> class Basis, class T, int... Path>
requires(sizeof...(Path) > 0) struct basis_of<Basis<T, Path...>> {
  static constexpr bool known = true, flat = sizeof...(Path) == 1;
  using times = T;
  static constexpr int dimension = (Path, ...);
};

/// The bits of an element behind cute::smem_ptr_flag_bits<Bits>, which is an integer 0 with bits; 0 for other integers.
template <class T>
inline constexpr int pointer_bits = 0;
template <template <int> class Flag, int Bits>
requires(Flag<Bits>::value == 0) inline constexpr int pointer_bits<Flag<Bits>> = Bits;

/// Whether a shape or stride is made of static integers alone.
template <class T>
inline constexpr bool is_static = static_integer<T>;
template <template <class...> class Tuple, class... T>
inline constexpr bool is_static<Tuple<T...>> = sizeof...(T) > 0 && (is_static<std::remove_cvref_t<T>> && ...);

/// A shape or stride as a value.
template <class T>
constexpr int_tuple tuple_of() {
  if constexpr (static_integer<T>) {
    return int_tuple(static_cast<std::int64_t>(T::value));
  } else if constexpr (parts_of<T>::known) {
    int_tuple result = empty_tree<int_tuple>();
    parts_of<T>::each([&]<class Part>() { push_mode(result, tuple_of<Part>()); });
    return wrap(result);
  } else {
    static_assert(!std::is_integral_v<T>,
                  "an extent or stride of this layout is a number at run time; write cute::Int<N>");
    static_assert(std::is_integral_v<T>, "a part of this layout is neither a static integer nor a tuple of them");
    return {};
  }
}

template <class L>
using shape_of = std::remove_cvref_t<decltype(std::declval<const L&>().shape())>;
template <class L>
using stride_of = std::remove_cvref_t<decltype(std::declval<const L&>().stride())>;

/// cute::ComposedLayout<Swizzle, Offset, Layout>
template <class L>
concept composed = requires(const L& l) {
  l.layout_a();
  l.offset();
  l.layout_b();
};
template <class S>
concept cute_swizzle = requires {
  S::num_bits;
  S::num_base;
  S::num_shft;
};
template <class L>
concept cute_layout = !composed<L> && requires(const L& l) {
  l.shape();
  l.stride();
};
template <class T>
concept cute_tiled_copy = requires(const T& t) {
  t.get_layoutS_TV();
  t.get_layoutD_TV();
  typename T::Tiler_MN;
};
template <class T>
concept cute_tiled_mma = requires(const T& t) {
  t.get_layoutA_TV();
  t.get_layoutB_TV();
  t.get_layoutC_TV();
  typename T::AtomShape_MNK;
};

template <cute_layout L>
constexpr layout plain_of() {
  // Asked ahead of all else, where the compiler has not yet much to say of how it came there.
  constexpr bool constant = is_static<shape_of<L>> && is_static<stride_of<L>>;
  static_assert(
      constant,
      "an extent or stride of this layout is a number at run time: write cute::Int<N>; or a step such as 1@0: "
      "ask coordinates_from_cute");
  if constexpr (constant)
    return make_layout(tuple_of<shape_of<L>>(), tuple_of<stride_of<L>>());
  else
    return {};
}

template <composed L>
constexpr swizzled_layout swizzled_of() {
  using S = std::remove_cvref_t<decltype(std::declval<const L&>().layout_a())>;
  using Offset = std::remove_cvref_t<decltype(std::declval<const L&>().offset())>;
  using Inner = std::remove_cvref_t<decltype(std::declval<const L&>().layout_b())>;
  static_assert(cute_swizzle<S>, "this ComposedLayout is not a swizzle behind a layout");
  static_assert(static_integer<Offset>, "the offset of this ComposedLayout is a number at run time");
  constexpr swizzle pattern{S::num_bits, S::num_base, S::num_shft};
  constexpr int bits = pointer_bits<Offset>;
  if constexpr (bits > 0)
    return with_swizzle(plain_of<Inner>(), recast(pattern, 8, bits));
  else
    return with_swizzle(plain_of<Inner>(), pattern, Offset::value);
}

/// Extents of the tiles of a tiler: of an integer itself, of a layout its size.
template <class Tiler>
constexpr int_tuple extents_of() {
  if constexpr (static_integer<Tiler>) {
    return int_tuple(static_cast<std::int64_t>(Tiler::value));
  } else if constexpr (cute_layout<Tiler>) {
    return int_tuple(product(tuple_of<shape_of<Tiler>>()));
  } else {
    static_assert(parts_of<Tiler>::known, "a tiler of static extents or layouts is expected");
    int_tuple result = empty_tree<int_tuple>();
    parts_of<Tiler>::each([&]<class Part>() { push_mode(result, extents_of<Part>()); });
    return wrap(result);
  }
}

/// (thread, value) -> index: a third mode of size 1, which CuTe keeps, goes.
template <class L>
constexpr layout tv_of() {
  layout tv = plain_of<std::remove_cvref_t<L>>();
  while (rank(tv) > 2 && size(mode(tv, rank(tv) - 1)) == 1) tv = take(tv, 0, rank(tv) - 1);
  return tv;
}

template <class T>
constexpr tiled_mma mma_of() {
  const auto extent = []<int Mode>(std::integral_constant<int, Mode>) {
    using Size = std::remove_cvref_t<decltype(std::declval<const T&>().template tile_size_mnk<Mode>())>;
    return product(extents_of<Size>());
  };
  return {make_shape(extent(std::integral_constant<int, 0>{}), extent(std::integral_constant<int, 1>{}),
                     extent(std::integral_constant<int, 2>{})),
          extents_of<typename T::AtomShape_MNK>(), tv_of<decltype(std::declval<const T&>().get_layoutA_TV())>(),
          tv_of<decltype(std::declval<const T&>().get_layoutB_TV())>(),
          tv_of<decltype(std::declval<const T&>().get_layoutC_TV())>()};
}

/// The steps of a layout of coordinates.
template <class T>
constexpr void push_steps(coordinate_layout& l, int& leaf) {
  if constexpr (basis_of<T>::known) {
    static_assert(basis_of<T>::flat, "a step along a part of a dimension (1@1@0): flatten the layout first");
    constexpr int dimension = basis_of<T>::dimension;
    static_assert(dimension < max_dimensions && static_integer<typename basis_of<T>::times>);
    l.step[leaf++].along[dimension] = basis_of<T>::times::value;
    if (l.space.leaves <= dimension) l.space.leaves = static_cast<std::uint8_t>(dimension + 1);
  } else if constexpr (static_integer<T>) {
    static_assert(T::value == 0, "a stride of this layout is no step along a dimension");
    ++leaf;
  } else {
    parts_of<T>::each([&]<class Part>() { push_steps<Part>(l, leaf); });
  }
}

}  // namespace adapt

/// A static layout of CuTe, an atom or a swizzled tile, a TiledCopy (what its threads read), or a TiledMMA, as a value.
template <class T>
constexpr auto from_cute(const T&) {
  if constexpr (adapt::cute_tiled_copy<T>)
    return tiled_copy{adapt::tv_of<decltype(std::declval<const T&>().get_layoutS_TV())>(),
                      adapt::extents_of<typename T::Tiler_MN>()};
  else if constexpr (adapt::cute_tiled_mma<T>)
    return adapt::mma_of<T>();
  else if constexpr (adapt::composed<T>)
    return adapt::swizzled_of<T>();
  else
    return adapt::plain_of<T>();
}

/// What the threads of a TiledCopy write.
template <adapt::cute_tiled_copy T>
constexpr tiled_copy destination_from_cute(const T&) {
  return {adapt::tv_of<decltype(std::declval<const T&>().get_layoutD_TV())>(),
          adapt::extents_of<typename T::Tiler_MN>()};
}

/// A layout of coordinates.
template <adapt::cute_layout L>
constexpr coordinate_layout coordinates_from_cute(const L&) {
  const int_tuple shape = adapt::tuple_of<adapt::shape_of<L>>();
  coordinate_layout result{.form = shape.form};
  for (int k = 0; k < shape.form.leaves; ++k) result.extent[k] = shape.leaf[k];
  int leaf = 0;
  adapt::push_steps<adapt::stride_of<L>>(result, leaf);
  if (result.space.leaves > 1) enclose(result.space, {0, result.space.leaves});
  return result;
}

}  // namespace sectile
