// Checks for kernels that are not ours: each finds nothing where all is well, and the one thing that is wrong where it
// is not. And the adapters: types with the interface of CuTe's and of ThunderKittens' become the same values.
#include <doctest/doctest.h>

#include <sectile/layouts/adapt/kittens.hpp>

#include "small_layouts.hpp"
#include "tests/faults/cute_types.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;
using sectile_tests::refusal;

namespace {

std::string words(const finding& f) { return to_string(f); }

constexpr swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};

/// A tiled copy that writes in another order than it reads.
template <class Copy>
struct turned_copy : Copy {
  static constexpr Layout<Shape<cute::Int<8>, cute::Int<32>>, Stride<cute::Int<32>, cute::Int<1>>> get_layoutD_TV() {
    return {};
  }
};

/// A shared tile as kittens::st has it.
template <class T, int Rows, int Columns, int Bytes>
struct kittens_tile {
  using dtype = T;
  static constexpr int rows = Rows, cols = Columns, swizzle_bytes = Bytes;
};
template <class T, int Rows, int Columns>
struct plain_kittens_tile : kittens_tile<T, Rows, Columns, 128> {
  static constexpr bool swizzle = false;
};

}  // namespace

TEST_CASE("wgmma reads a tile exactly where there is a descriptor for each of its instructions") {
  int read = 0, asked = 0;
  for (const major direction : {major::k, major::mn})
    for (const swizzle_mode mode : modes)
      for (const int bits : {1, 8, 16, 32})
        for (const char* order : {"(0,1)", "(1,0)"})
          for (const int k : {128 / bits, 256 / bits, 512 / bits}) {
            const int columns = bits == 1 ? 1024 : 128;
            const int_tuple extents = direction == major::k ? make_shape(128, columns) : make_shape(columns, 128);
            const swizzled_layout tile =
                tile_to_shape(swizzle_atom(direction, mode, bits), extents, parse_tuple(order));
            const finding f = wgmma_reads(tile, direction, bits, 64, k);
            const std::string why = refusal([&] {
              for (const int mn0 : {0, 64})
                for (int k0 = 0; k0 < extents.leaf[1]; k0 += k) descriptor_of(tile, direction, bits, 64, k, mn0, k0);
            });
            ++asked;
            read += f.ok() ? 1 : 0;
            CHECK_MESSAGE(f.ok() == why.empty(), to_string(tile), ": ", words(f), " | ", why);
            const bool boxes = refusal([&] { boxes_of(tile, direction, bits); }).empty();
            CHECK_MESSAGE(tma_writes(tile, direction, bits, mode).ok() == boxes, to_string(tile));
          }
  CHECK(read > asked / 2);
  CHECK(read < asked);
}

TEST_CASE("what is wrong with a tile is said") {
  constexpr swizzled_layout tile = tile_to_shape(layout_k_sw128_atom<bf16>, "(128,64)"_shape);
  STATIC_CHECK(st::holds<wgmma_reads(tile, major::k, 16, 64, 16)>);
  STATIC_CHECK(st::holds<tma_writes(tile, major::k, 16, swizzle_mode::b128)>);
  const auto reads = [](const char* text, major direction = major::k, int bits = 16) {
    return words(wgmma_reads(parse_swizzled(text), direction, bits, 64, 16));
  };
  CHECK(
      reads("Sw<3,3,3> o (128,64):(72,1)") ==
      "wgmma of 64 x 16 at (0,0) of Sw<3,3,3> o 0 o (128,64):(72,1): element (1,0) lies at byte 128 and wgmma reads it "
      "at 144");
  // Odd rows alone lie elsewhere.
  CHECK(reads("Sw<0,4,3> o ((2,4,8),(8,2)):((9,16,64),(1,512))")
            .find("element (1,0) lies at byte 18 and wgmma reads it at 16") != std::string::npos);
  CHECK(reads("Sw<3,4,3> o (128,64):(64,1)").find("has another swizzle") != std::string::npos);
  CHECK(reads("Sw<3,3,3> o (128,64):(64,1)", major::mn).find("it is not MN-major") != std::string::npos);
  CHECK(reads("Sw<3,3,3> o (64,128):(1,64)").find("it is not K-major") != std::string::npos);
  CHECK(reads("Sw<3,2,3> o (64,64):(1,64)", major::mn, 32).find("of 16 bits alone, not of 32") != std::string::npos);
  CHECK(reads("Sw<3,3,3> o (64,64):(64,1)", major::k, 4).find("1, 8, 16 or 32 bits") != std::string::npos);
  CHECK(reads("Sw<3,3,3> o (96,64):(64,1)").find("not a multiple of the 64 of (64,16)") != std::string::npos);
  CHECK(reads("Sw<0,3,3> o ((8,8),(8,2)):((8,64),(1,200000))").find("not a multiple of 16 below 262144") !=
        std::string::npos);

  const auto writes = [](const char* text) {
    return words(tma_writes(parse_swizzled(text), major::k, 16, swizzle_mode::b128));
  };
  CHECK(writes("Sw<2,3,3> o (128,32):(32,1)").find("TMA writes with Sw<3,3,3> and the tile is Sw<2,3,3>") == 0);
  CHECK(writes("Sw<3,3,3> o (128,64):(72,1)").find("a row has 64 side by side and the next one begins at 72") !=
        std::string::npos);
  CHECK(writes("Sw<3,3,3> o (64,128):(128,1)").find("rows of 64 elements one after the other") != std::string::npos);
  CHECK(writes("Sw<3,3,3> o (8,(32,2)):(64,(1,512))").find("a row has 32 side by side") != std::string::npos);
  CHECK(writes("Sw<3,3,3> o (4,(64,2)):(64,(1,256))")
            .find("begins at byte 512, and TMA writes a box to multiples of 1024") != std::string::npos);
  CHECK(reads("Sw<0,3,3> o (64,(4,4)):(8,(1,512))").find("no 8 elements (16 bytes) lie side by side along K") !=
        std::string::npos);
  CHECK(reads("Sw<3,3,3> o (64,(16,2)):(64,(1,20))").find("wgmma of 64 x 16 at (0,16)") == 0);  // the second step alone
  CHECK(words(aligned_for(tile, 16, 1024)) == "holds");
  CHECK(words(aligned_for(tile, 16, 512)).find("repeats after 1024") != std::string::npos);
  CHECK(words(bytes_arrive(16384, 8192)).find("it never completes") != std::string::npos);
  CHECK(words(fits_shared_memory(232448)) == "holds");
  CHECK(words(sums_agree(tile, "(64,64)"_layout)) == "holds");
  CHECK(words(divides_evenly("(128,64)"_shape, "(64,64,16)"_shape)).find("has 2 modes and (64,64,16) has 3") !=
        std::string::npos);
  CHECK(words(free_of_conflicts([](int lane) { return 16 * lane; }, 16)) == "holds");
}

TEST_CASE("compilers that print no sentence print the numbers of a finding") {
  using numbers = std::vector<std::int64_t>;
  const auto of = [](const finding& f) { return numbers(f.number, f.number + f.numbers); };
  const auto read = [&](const char* text, major direction = major::k, int bits = 16) {
    return of(wgmma_reads(parse_swizzled(text), direction, bits, 64, 16));
  };
  const auto written = [&](const char* text) {
    return of(tma_writes(parse_swizzled(text), major::k, 16, swizzle_mode::b128));
  };
  CHECK(read("Sw<3,4,3> o (128,64):(64,1)") == numbers{16});
  CHECK(read("Sw<3,3,3> o (128,64):(64,1)", major::mn) == numbers{16});
  CHECK(read("Sw<3,2,3> o (64,64):(1,64)", major::mn, 32) == numbers{32});
  CHECK(read("Sw<3,3,3> o (96,64):(64,1)") == numbers{0, 96, 64});
  CHECK(read("Sw<0,3,3> o ((8,8),(8,2)):((8,64),(1,200000))") == numbers{400000});
  // Of an element: row, column, where it lies, where it is read.
  CHECK(read("Sw<3,3,3> o (64,(8,2)):(64,(1,4096))") == numbers{0, 8, 8192, 16});
  CHECK(read("Sw<0,4,3> o ((2,4,8),(8,2)):((9,16,64),(1,512))") == numbers{1, 0, 18, 16});
  CHECK(written("Sw<2,3,3> o (128,32):(32,1)") == numbers{3, 2});
  CHECK(written("Sw<3,3,3> o (128,64):(72,1)") == numbers{64, 64, 72});
  CHECK(written("Sw<3,3,3> o (4,(64,2)):(64,(1,256))") == numbers{512, 1024});
  CHECK(of(aligned_for(layout_k_sw128_atom<bf16>, 16, 512)) == numbers{512, 1024});
  CHECK(of(bytes_arrive(16384, 8192)) == numbers{16384, 8192});
  CHECK(of(fits_shared_memory(232449)) == numbers{232449, 232448});
  CHECK(of(sums_agree("(64,32)"_layout, "(64,64)"_layout)) == numbers{32, 64});
  CHECK(of(free_of_conflicts([](int lane) { return 128 * lane; }, 4)) == numbers{32, 0, 0});
  CHECK(of(compare("(4,8):(8,1)"_layout, "(4,8):(1,4)"_layout)) == numbers{1, 8, 1});
  CHECK(of(compare("(4,8)"_layout, "(4,9)"_layout)) == numbers{32, 36});
  CHECK(of(covers_once("(4,8):(1,3)"_layout, 32)) == numbers{3, 2});
  CHECK(of(covers_once("(4,8):(1,4)"_layout, 33)) == numbers{32, 33});
  CHECK(of(covers_once("(4,8):(1,5)"_layout, 32)) == numbers{32, 32});
}

TEST_CASE("types with CuTe's interface become values") {
  using cute::Int;
  STATIC_CHECK(from_cute(Layout<Shape<Int<6>, Shape<Int<2>, Int<3>>>, Stride<Int<8>, Stride<Int<2>, Int<0>>>>{}) ==
                "(6,(2,3)):(8,(2,0))"_layout);
  STATIC_CHECK(from_cute(Layout<Int<6>, Int<8>>{}) == "6:8"_layout);
  STATIC_CHECK(same_function(smem, tile_to_shape(layout_k_sw128_atom<bf16>, "(128,64)"_shape)));
  using Offset = ComposedLayout<Swizzle<2, 3, 3>, Int<64>, Layout<Shape<Int<8>, Int<32>>, Stride<Int<32>, Int<1>>>>;
  STATIC_CHECK(from_cute(Offset{}) == "Sw<2,3,3> o 64 o (8,32):(32,1)"_swizzled);  // without a pointer: of elements
  using Bytes = ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<8>,
                               Layout<Shape<Int<8>, Int<128>>, Stride<Int<128>, Int<1>>>>;
  STATIC_CHECK(from_cute(Bytes{}) == layout_k_sw128_atom<e4m3>);
  using Copy = TiledCopy<Copy_Atom<UniversalCopy<uint128_t>, bfloat16_t>,
                         Layout<Shape<Shape<Int<8>, Int<4>>, Int<8>>, Stride<Stride<Int<32>, Int<1>>, Int<4>>>,
                         Shape<Int<4>, Int<64>>>;
  STATIC_CHECK(from_cute(Copy{}) == make_layout_tv("(4,8):(8,1)"_layout, "(1,8)"_layout));
  STATIC_CHECK(destination_from_cute(turned_copy<Copy>{}).tv == "(8,32):(32,1)"_layout);
  STATIC_CHECK(from_cute(turned_copy<Copy>{}) == from_cute(Copy{}));
  STATIC_CHECK(mma.tile == "(128,64,16)"_shape && mma.instruction == "(64,64,16)"_shape);
  STATIC_CHECK(covers_once(mma.c, 128 * 64).ok() && mma.c(128 + 37, 5) == 64 + 17 + 128 * 11);  // as d_coord(37, 5)
  using Coordinates = Layout<Shape<Int<128>, Shape<Int<8>, Int<2>>>,
                             Stride<ScaledBasis<Int<1>, 1>, Stride<ScaledBasis<Int<1>, 0>, ScaledBasis<Int<8>, 0>>>>;
  STATIC_CHECK(coordinates_from_cute(Coordinates{}) == "(128,(8,2)):(1@1,(1@0,8@0))"_coordinates);
}

TEST_CASE("types with ThunderKittens' interface become values") {
  STATIC_CHECK(from_kittens<kittens_tile<std::uint16_t, 128, 64, 128>>() ==
                "Sw<3,3,3> o (128,(64,1)):(64,(1,8192))"_swizzled);
  STATIC_CHECK(from_kittens<plain_kittens_tile<float, 16, 32>>() == "Sw<0,4,3> o (16,32):(32,1)"_swizzled);
  // As its own index has it: panels of so many bytes, XORed by the row of 128 bytes within eight of them.
  constexpr swizzled_layout tile = from_kittens<kittens_tile<float, 64, 64, 64>>();
  for (int r = 0; r < 64; ++r) {
    for (int c = 0; c < 64; ++c) {
      const int address = 4 * (c / 16 * 64 * 16 + r * 16 + c % 16);
      CHECK(4 * tile(r, c) == (address ^ (address % 512 >> 7 << 4)));
    }
  }
  STATIC_CHECK(
      st::holds<wgmma_reads(from_kittens<kittens_tile<std::uint16_t, 64, 128, 128>>(), major::k, 16, 64, 16)>);
}
