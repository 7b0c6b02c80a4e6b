// What the cases of kernels written with CuTe are made of: types that offer what CuTe's of the same name offer to
// layouts/adapt/cute.hpp, so that the tests need no CUTLASS. With SECTILE_CUTE they are CuTe's own: tests/cutlass tries
// the same cases with these.
#pragma once

#include <sectile/layouts.hpp>
#include <sectile/layouts/adapt/cute.hpp>

#ifdef SECTILE_CUTE
#include <cute/tensor.hpp>
// and, which need it:
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
// and, which needs these:
#include <cute/atom/copy_atom.hpp>
#else

namespace cute {

template <auto v>
struct C {
  static constexpr auto value = v;
};
template <int v>
using Int = C<v>;

template <class... T>
struct tuple {};
template <class... T>
using Shape = tuple<T...>;
template <class... T>
using Stride = tuple<T...>;

template <class Extents, class Steps>
struct Layout {
  constexpr Extents shape() const { return {}; }
  constexpr Steps stride() const { return {}; }
};

template <int Bits, int Base, int Shift>
struct Swizzle {
  static constexpr int num_bits = Bits, num_base = Base, num_shft = Shift;
};

template <int Bits>
struct smem_ptr_flag_bits : Int<0> {};

template <class A, class Offset, class B>
struct ComposedLayout {
  constexpr A layout_a() const { return {}; }
  constexpr Offset offset() const { return {}; }
  constexpr B layout_b() const { return {}; }
  constexpr auto shape() const { return layout_b().shape(); }
};

template <class T, int... Path>
struct ScaledBasis {};

struct bfloat16_t {};
struct uint128_t {};
template <class To>
struct UniversalCopy {};
template <class Operation, class Element>
struct Copy_Atom {};

/// (thread, value) -> index in the tile; the atom's own order of values is that of its threads.
template <class Atom, class TV, class Tiler>
struct TiledCopy {
  using Tiler_MN = Tiler;
  static constexpr TV get_layoutS_TV() { return {}; }
  static constexpr TV get_layoutD_TV() { return {}; }
};

namespace GMMA {
enum class Major { K, MN };
}
template <GMMA::Major A, GMMA::Major B>
struct SM90_64x64x16_F32BF16BF16_SS {};

/// So many of that atom below each other, each by a warpgroup.
template <class Groups>
struct TiledMMA {
  using AtomShape_MNK = Shape<Int<64>, Int<64>, Int<16>>;
  template <int Mode>
  constexpr auto tile_size_mnk() const {
    if constexpr (Mode == 0)
      return Int<64 * Groups::value>{};
    else
      return Int < Mode == 1 ? 64 : 16 > {};
  }
  constexpr auto get_layoutA_TV() const { return Operand<64 * Groups::value, 64>{}; }
  constexpr auto get_layoutB_TV() const { return Operand<64, 0>{}; }
  constexpr auto get_layoutC_TV() const {
    using Extents = Shape<Shape<Int<4>, Int<8>, Int<4>, Groups>, Shape<Int<2>, Int<2>, Int<8>>>;
    using Steps = Stride<Stride<Int<64 * 2 * Groups::value>, Int<1>, Int<16>, Int<64>>,
                         Stride<Int<64 * Groups::value>, Int<8>, Int<64 * 8 * Groups::value>>>;
    return Layout<Extents, Steps>{};
  }

 private:
  template <int Rows, int OfGroup>
  using Operand = Layout<Shape<Shape<Int<128>, Groups>, Shape<Int<64>, Int<16>>>,
                         Stride<Stride<Int<0>, Int<OfGroup>>, Stride<Int<1>, Int<Rows>>>>;
};
template <class Atom, class Groups>
constexpr TiledMMA<Groups> groups_of_mma(Atom, Layout<Shape<Groups, Int<1>, Int<1>>, Stride<Int<1>, Int<0>, Int<0>>>) {
  return {};
}
template <class Atom, class Threads>
constexpr auto make_tiled_mma(Atom atom, Threads threads) {
  return groups_of_mma(atom, threads);
}

}  // namespace cute

#endif

namespace st = sectile;
using namespace cute;

/// 128 x 64 of bf16 under the 128-byte swizzle, as tile_to_shape(GMMA::Layout_K_SW128_Atom<bfloat16_t>{}, ...) makes
/// it.
using SmemLayout =
    ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<16>,
                   Layout<Shape<Shape<Int<8>, Int<16>>, Int<64>>, Stride<Stride<Int<64>, Int<512>>, Int<1>>>>;
inline constexpr st::swizzled_layout smem = st::from_cute(SmemLayout{});

/// Two warpgroups below each other, 128 x 64 x 16.
using Mma = decltype(make_tiled_mma(SM90_64x64x16_F32BF16BF16_SS<GMMA::Major::K, GMMA::Major::K>{},
                                    Layout<Shape<Int<2>, Int<1>, Int<1>>, Stride<Int<1>, Int<0>, Int<0>>>{}));
inline constexpr st::tiled_mma mma = st::from_cute(Mma{});
