// What is Hopper's: atoms and tiles of them, descriptors, fragments, swizzles and casts of swizzled layouts.
#define CUTE_CVTA_GENERIC_TO_SHARED_ACTIVATED 1  // a shared address here is the low bits of a pointer
#include <cstddef>
inline std::size_t __cvta_generic_to_shared(const void* pointer) { return reinterpret_cast<std::size_t>(pointer); }

#include "witness.hpp"

#include "questions.hpp"

// What follows asserts in classes too, where no note can be made.
#undef CUTE_STATIC_ASSERT_V
#define CUTE_STATIC_ASSERT_V(x, ...) static_assert(decltype(x)::value)

#include <cute/tensor.hpp>
// and, which need it:
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm90_gmma_sparse.hpp>
// and, which needs these:
#include <cute/atom/copy_atom.hpp>

namespace witness {
namespace {

template <class Ours, class Theirs>
void compare_values(const char* operation, const std::string& question, const Ours& a, const Theirs& b) {
  const std::string text = question + "\n      here: " + to_string(a) + "\n      CuTe: " + to_string(b);
  if (a != b) ++all.wrong;  // these are tables of the hardware: there is one right answer
  all.take(operation, a == b ? "the same" : "ANOTHER VALUE", text);
}

template <class T, class Cute>
void ask_atoms_of(const char* type) {
  using namespace cute::SM90::GMMA;
  const auto atom = [&](const char* name, const swizzled_layout& a, const auto& b) {
    compare_values("atoms", std::string(name) + "<" + type + ">", a, from_cute(b));
  };
  atom("Layout_K_INTER_Atom", layout_k_inter_atom<T>, Layout_K_INTER_Atom<Cute>{});
  atom("Layout_K_SW32_Atom", layout_k_sw32_atom<T>, Layout_K_SW32_Atom<Cute>{});
  atom("Layout_K_SW64_Atom", layout_k_sw64_atom<T>, Layout_K_SW64_Atom<Cute>{});
  atom("Layout_K_SW128_Atom", layout_k_sw128_atom<T>, Layout_K_SW128_Atom<Cute>{});
  atom("Layout_MN_INTER_Atom", layout_mn_inter_atom<T>, Layout_MN_INTER_Atom<Cute>{});
  atom("Layout_MN_SW32_Atom", layout_mn_sw32_atom<T>, Layout_MN_SW32_Atom<Cute>{});
  atom("Layout_MN_SW64_Atom", layout_mn_sw64_atom<T>, Layout_MN_SW64_Atom<Cute>{});
  atom("Layout_MN_SW128_Atom", layout_mn_sw128_atom<T>, Layout_MN_SW128_Atom<Cute>{});
}

/// The descriptor that CuTe makes of the instruction at (I, J) of a tile, as 64 bits; the tile begins at address 1024.
template <cute::SM90::GMMA::Major Major, class Element, class Tile, int M, int K, int I, int J>
std::uint64_t cute_descriptor() {
  auto tensor = cute::make_tensor(cute::make_smem_ptr(reinterpret_cast<Element*>(1024)), Tile{});
  auto block = cute::local_tile(tensor, cute::Shape<cute::Int<M>, cute::Int<K>>{},
                                cute::make_coord(cute::Int<I>{}, cute::Int<J>{}));
  return cute::SM90::GMMA::make_gmma_desc<Major>(block).desc_;
}

/// Tiles of an atom in both orders, and the descriptors of their instructions.
template <major Direction, swizzle_mode Mode, class Element, class Atom, class Order>
void ask_tiles(const char* order_text) {
  constexpr int bits = cute::sizeof_bits<Element>::value, k = 256 / bits;
  constexpr auto direction = Direction == major::k ? cute::SM90::GMMA::Major::K : cute::SM90::GMMA::Major::MN;
  using Extents = cute::Shape<cute::_128, cute::Int<2048 / bits>>;
  using Tile = decltype(cute::tile_to_shape(Atom{}, Extents{}, Order{}));
  const swizzled_layout tile =
      tile_to_shape(swizzle_atom(Direction, Mode, bits), make_shape(128, 2048 / bits), parse_tuple(order_text));
  const std::string question = to_string(swizzle_atom(Direction, Mode, bits)) + " in order " + order_text;
  compare_values("tile_to_shape", question, tile, from_cute(Tile{}));

  const auto descriptor = [&]<int I, int J>(std::integer_sequence<int, I, J>) {
    const std::uint64_t theirs = cute_descriptor<direction, Element, Tile, 64, k, I, J>();
    matrix_descriptor d = descriptor_of(tile, Direction, bits, 64, k, 64 * I, k * J);
    d.start_bytes += 1024;
    const matrix_descriptor cutes = decode(theirs);
    const std::string text = question + ", instruction (" + std::to_string(I) + "," + std::to_string(J) + ")";
    if (encode(d) == theirs) return all.take("descriptors", "the same");
    // Fields that no element is read by may differ: what is read through both is compared.
    bool reads_alike = true;
    for (int j = 0; j < k; ++j)
      for (int i = 0; i < 64; ++i)
        reads_alike = reads_alike &&
                      read_offset(d, Direction, i, j, bits) == read_offset(cutes, Direction, i, j, bits) &&
                      read_offset(d, Direction, i, j, bits) ==
                          1024 + static_cast<unsigned>(tile(64 * I + i, k * J + j) * bits / 8);
    const std::string both = text + "\n      here: " + to_string(d) + "\n      CuTe: " + to_string(cutes);
    if (!reads_alike) ++all.wrong;
    all.take("descriptors", reads_alike ? "other unused fields, every byte alike" : "ANOTHER DESCRIPTOR", both);
  };
  descriptor(std::integer_sequence<int, 0, 0>{});
  descriptor(std::integer_sequence<int, 1, 0>{});
  descriptor(std::integer_sequence<int, 0, 1>{});
  descriptor(std::integer_sequence<int, 1, 3>{});
}

template <class Element, class Order>
void ask_k_major(const char* order) {
  using namespace cute::SM90::GMMA;
  ask_tiles<major::k, swizzle_mode::none, Element, Layout_K_INTER_Atom<Element>, Order>(order);
  ask_tiles<major::k, swizzle_mode::b32, Element, Layout_K_SW32_Atom<Element>, Order>(order);
  ask_tiles<major::k, swizzle_mode::b64, Element, Layout_K_SW64_Atom<Element>, Order>(order);
  ask_tiles<major::k, swizzle_mode::b128, Element, Layout_K_SW128_Atom<Element>, Order>(order);
}
template <class Order>
void ask_mn_major(const char* order) {
  using namespace cute::SM90::GMMA;
  using bf = cute::bfloat16_t;
  ask_tiles<major::mn, swizzle_mode::none, bf, Layout_MN_INTER_Atom<bf>, Order>(order);
  ask_tiles<major::mn, swizzle_mode::b32, bf, Layout_MN_SW32_Atom<bf>, Order>(order);
  ask_tiles<major::mn, swizzle_mode::b64, bf, Layout_MN_SW64_Atom<bf>, Order>(order);
  ask_tiles<major::mn, swizzle_mode::b128, bf, Layout_MN_SW128_Atom<bf>, Order>(order);
}

template <int N>
void ask_accumulator() {
  compare_values("fragments", "accumulator 64 x " + std::to_string(N), d_layout(N),
                 from_cute(cute::SM90::GMMA::CLayout_64xN<N>{}));
}
template <int... I>
void ask_accumulators(std::integer_sequence<int, I...>) {
  (ask_accumulator<8 + 8 * I>(), ...);
}

void ask_fragments() {
  using namespace cute::SM90::GMMA;
  ask_accumulators(std::make_integer_sequence<int, 32>{});
  compare_values("fragments", "A, tf32", a_layout(32), from_cute(ALayout_64x8{}));
  compare_values("fragments", "A, 16 bits", a_layout(16), from_cute(ALayout_64x16{}));
  compare_values("fragments", "A, 8 bits", a_layout(8), from_cute(ALayout_64x32{}));
  compare_values("fragments", "A, 8 bits, sparse", sparse_a_layout(8), from_cute(ALayout_64x64{}));
  const auto metadata = [](const char* type, int bits, const auto& theirs) {
    const layout other = from_cute(theirs);
    compare_values("fragments", std::string("metadata, ") + type,
                   coalesce(metadata_layout(bits), "((1,1,1,1),1)"_shape), coalesce(other, "((1,1,1,1),1)"_shape));
  };
  metadata("8 bits", 8, cute::SM90::GMMA::ELayout_64x64{});
  metadata("16 bits", 16, cute::SM90::GMMA::ELayout_64x32{});
  metadata("tf32", 32, cute::SM90::GMMA::ELayout_64x16{});
}

/// thrfrg: what the threads of a whole TiledMMA of one, two and four warpgroups hold.
template <class Groups>
void ask_tiled_mma(const char* groups) {
  using cute::SM90::GMMA::Major;
  using Mma = decltype(cute::make_tiled_mma(cute::SM90_64x128x16_F32BF16BF16_RS<Major::K, Major::K>{}, Groups{}));
  const tiled_mma m = from_cute(Mma{});
  const std::int64_t rows = m.tile.leaf[0];
  const layout threads = layout_left(make_shape(128, rows / 64));
  // By definition: warpgroup g holds rows 64 g on, thread and value inside of it as in one instruction.
  const auto in_tile = [&](const layout& of_one, std::int64_t thread, std::int64_t value) {
    const std::int64_t inside = of_one(thread % 128, value);
    return inside % 64 + 64 * (thread / 128) + inside / 64 * rows;
  };
  bool alike = true;
  for (std::int64_t t = 0; t < size(threads); ++t) {
    for (std::int64_t v = 0; v < size(mode(m.c, 1)); ++v) alike = alike && m.c(t, v) == in_tile(d_layout(128), t, v);
    for (std::int64_t v = 0; v < size(mode(m.a, 1)); ++v) alike = alike && m.a(t, v) == in_tile(a_layout(16), t, v);
  }
  if (!alike) ++all.wrong;
  all.take("thrfrg of TiledMMA", alike ? "the same" : "ANOTHER VALUE", groups);
  all.take("thrfrg of TiledMMA", covers_once(m.c, rows * 128).ok() ? "C is covered once" : "C IS NOT COVERED", groups);
}

/// A tiled copy: (thread, value), and what a thread takes of a matrix.
template <int Number>
void ask_tiled_copy() {
  constexpr layout threads = Number % 2 == 0 ? layout_left(make_shape(8 << Number / 2, 16 >> Number / 2))
                                             : layout_right(make_shape(8 << Number / 2, 16 >> Number / 2));
  constexpr layout values = Number % 3 == 0 ? layout_left(make_shape(1, 8)) : layout_right(make_shape(2, 4));
  using Copy =
      decltype(cute::make_tiled_copy(cute::Copy_Atom<cute::UniversalCopy<cute::bfloat16_t>, cute::bfloat16_t>{},
                                     as_cute<threads>(), as_cute<values>()));
  const tiled_copy a = make_layout_tv(threads, values), b = from_cute(Copy{});
  const std::string question = to_string(threads) + " with " + to_string(values);
  const bool alike = a.tile == b.tile && same_function(a.tv, b.tv);
  if (!alike) ++all.wrong;
  all.take("make_layout_tv", alike ? "the same" : "ANOTHER VALUE",
           question + "\n      here: " + to_string(a.tv) + "\n      CuTe: " + to_string(b.tv));

  // The part of thread 5 of a matrix, as offsets from its first element.
  static int memory[256 * 256];
  const auto matrix = cute::make_tensor(
      &memory[0], cute::Layout<cute::Shape<cute::_256, cute::_256>, cute::Stride<cute::_256, cute::_1>>{});
  const auto part = Copy{}.get_slice(5).partition_S(matrix);
  const slice_at own = partition(a, "(256,256):(256,1)"_layout, 5);
  bool same = size(own.kept) == cute::size(part);
  for (int i = 0; same && i < size(own.kept); ++i) same = own.offset + own.kept(i) == &part(i) - &memory[0];
  if (!same) ++all.wrong;
  all.take("partition of a tiled copy", same ? "the same" : "ANOTHER VALUE", question);
}

/// A swizzle and its inverse on offsets; casts; a layout before a swizzle.
template <int Bits, int Base, int Shift>
void ask_swizzle() {
  const swizzle s{Bits, Base, Shift};
  bool alike = true;
  for (int x = 0; x < 4096; ++x) alike = alike && s(x) == cute::Swizzle<Bits, Base, Shift>{}(x);
  if (!alike) ++all.wrong;
  all.take("swizzles", alike ? "the same" : "ANOTHER VALUE", to_string(s));
  if constexpr (Bits > 0) {
    using L = cute::Layout<cute::Shape<cute::_8, cute::_64>, cute::Stride<cute::_64, cute::_1>>;
    const swizzled_layout l = with_swizzle("(8,64):(64,1)"_layout, s);
    const auto composed = cute::composition(cute::Swizzle<Bits, Base, Shift>{}, cute::Int<0>{}, L{});
    const std::string question = to_string(l) + " by 2";
    // By definition: a wide element holds the two narrow ones in their order.
    const auto holds_both = [&l](const swizzled_layout& r) {
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 32; ++j)
          if (l(i, 2 * j) != 2 * r(i, j) || l(i, 2 * j + 1) != 2 * r(i, j) + 1) return false;
      return true;
    };
    compare_answers("upcast of swizzled layouts", question, ours([&] { return recast(l, 8, 16); }),
                    theirs([&] { return cute::upcast<2>(composed); }), holds_both);
    compare_values("downcast of swizzled layouts", question, recast(l, 16, 8), from_cute(cute::downcast<2>(composed)));
  }
}

const questions here([] {
  ask_atoms_of<bf16, cute::bfloat16_t>("bf16");
  ask_atoms_of<e4m3, cute::float_e4m3_t>("e4m3");
  ask_atoms_of<tf32, cute::tfloat32_t>("tf32");
  ask_k_major<cute::bfloat16_t, cute::Step<cute::_0, cute::_1>>("(0,1)");
  ask_k_major<cute::bfloat16_t, cute::Step<cute::_1, cute::_0>>("(1,0)");
  ask_k_major<cute::float_e4m3_t, cute::Step<cute::_0, cute::_1>>("(0,1)");
  ask_k_major<cute::tfloat32_t, cute::Step<cute::_0, cute::_1>>("(0,1)");
  ask_mn_major<cute::Step<cute::_0, cute::_1>>("(0,1)");
  ask_mn_major<cute::Step<cute::_1, cute::_0>>("(1,0)");
  ask_fragments();
  ask_tiled_mma<cute::Layout<cute::Shape<cute::_1, cute::_1, cute::_1>>>("1 warpgroup");
  ask_tiled_mma<cute::Layout<cute::Shape<cute::_2, cute::_1, cute::_1>>>("2 warpgroups");
  ask_tiled_mma<cute::Layout<cute::Shape<cute::_4, cute::_1, cute::_1>>>("4 warpgroups");
  ask_tiled_copy<0>(), ask_tiled_copy<1>(), ask_tiled_copy<2>(), ask_tiled_copy<3>(), ask_tiled_copy<4>();
  ask_swizzle<0, 4, 3>(), ask_swizzle<1, 4, 3>(), ask_swizzle<2, 4, 3>(), ask_swizzle<3, 4, 3>();
  ask_swizzle<3, 3, 3>(), ask_swizzle<2, 0, 2>(), ask_swizzle<3, 2, -3>(), ask_swizzle<1, 1, -2>();
});

}  // namespace
}  // namespace witness
