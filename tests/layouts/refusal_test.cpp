// Every refusal of the algebra, by its text: what is wrong, the numbers that clash, the law that would break.
#include <doctest/doctest.h>

#include <cstdint>

#include <sectile/layouts/descriptor_layout.hpp>
#include <sectile/layouts/operand_tile_layout.hpp>
#include <sectile/layouts/sparse_layout.hpp>

#include "small_layouts.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

TEST_CASE("making layouts") {
  CHECK(refusal([] { make_layout("(4,8)"_shape, "(1,(2,4))"_shape); }) ==
        "shape (4,8) and stride (1,(2,4)) have different profiles, (*,*) and (*,(*,*))");
  CHECK(refusal([] { make_layout("(4,0)"_shape, "(1,4)"_shape); }) ==
        "extent 0 in layout (4,0):(1,4): every extent must be at least 1");
  CHECK(refusal([] { make_layout("(4,-3)"_shape); }) == "shape (4,-3): every extent must be at least 1");
  CHECK(refusal([] { make_layout("(4294967296,4294967296)"_shape); }) ==
        "shape (4294967296,4294967296) has more elements than 64 bits can count");
  CHECK(refusal([] { make_layout("(3,3)"_shape, "(4611686018427387904,1)"_shape); }) ==
        "layout (3,3):(4611686018427387904,1) has offsets further apart than 64 bits can count");
  CHECK(cosize(make_layout(2, INT64_MAX - 1)) == INT64_MAX);
  CHECK(refusal([] { make_layout(2, INT64_MAX); }).find("has offsets further apart") != std::string::npos);
  CHECK(refusal([] { make_layout(2, INT64_MIN); }).find("cannot be negated") != std::string::npos);
  CHECK(refusal([] { make_layout(make_shape(4, _)); }) == "shape (4,_): every extent must be at least 1");
}

TEST_CASE("trees") {
  CHECK(refusal([] { mode("(4,8)"_layout, 2); }) == "mode 2 does not exist: the rank is 2");
  CHECK(refusal([] { take("(4,8)"_layout, 1, 3); }) == "take: modes [1,3) of (4,8):(1,4), which has rank 2");
  CHECK(refusal([] { group("(4,8)"_shape, 1, 1); }) == "take: modes [1,1) of (4,8), which has rank 2");
  CHECK(refusal([] { unflatten("(4,8)"_layout, "(1,1,1)"_shape); }) ==
        "unflatten: (4,8):(1,4) has 2 leaves and the profile (*,*,*) has 3");
  CHECK(refusal([] { zip("(4,8)"_layout, "4"_layout); }) == "zip: (4,8):(1,4) has rank 2 and 4:1 has rank 1");
  const layout large = "(1,1,1,1,1,1,1,1,1,1,1,1,1)"_layout;
  CHECK(refusal([&] { make_layout(large, large); }) == "a layout or tuple may have at most 24 leaves");
  CHECK(refusal([] {
          layout l;
          for (int k = 0; k < 200; ++k) l = wrap(l);
        }) == "a layout or tuple may be nested at most 100 deep");
}

TEST_CASE("composition") {
  CHECK(
      refusal([] { composition("(4,6,8):(2,3,5)"_layout, "6:3"_layout); }) ==
      "composition (4,6,8):(2,3,5) o 6:3 is not a layout: B takes 3 steps of 6 through A (coalesced: (4,6,8):(2,3,5)), "
      "which go on evenly for 2 at a time, and that does not divide 3, so that R(i) = A(B(i)) fails");
  CHECK(
      refusal([] { composition("(6,2):(1,7)"_layout, "(3,2):(2,3)"_layout); }) ==
      "composition (6,2):(1,7) o (3,2):(2,3) is not a layout: the modes of B add up to coordinate 7 in a mode of A "
      "(coalesced: (6,2):(1,7)) of extent 6, which carries, so that the sum of the images is not the image of the sum "
      "and R(i) = A(B(i)) fails");
  CHECK(refusal([] { composition("(4,2):(1,8)"_layout, "(2,2):(1,-1)"_layout); }) ==
        "composition (4,2):(1,8) o (2,2):(1,-1) is refused: strides of B of both signs need an A that coalesces to one "
        "mode, or R(i) = A(B(i)) may fail");
  CHECK(refusal([] { composition(empty_tree<layout>(), "4"_layout); }) ==
        "composition ():() o 4:1 is refused: a layout of rank 0 has no coordinates to compose");
  CHECK(refusal([] { composition("(4,2)"_layout, "<2:1,2:1,2:1>"_tiler); }) ==
        "composition (4,2):(1,4) o <2:1,2:1,2:1> is refused: the tiler has more modes than the layout (4,2):(1,4)");
  CHECK(refusal([] { composition("2:4611686018427387904"_layout, "2:4"_layout); }) ==
        "composition 2:4611686018427387904 o 2:4 is refused: 4 * 4611686018427387904 does not fit 64 bits");
  CHECK(refusal([] { composition("(2,2):(1,4611686018427387904)"_layout, "2:8"_layout); }) ==
        "composition (2,2):(1,4611686018427387904) o 2:8 is refused: 4 * 4611686018427387904 does not fit 64 bits");
}

TEST_CASE("complement and inverses") {
  CHECK(
      refusal([] { complement("(2,2):(2,3)"_layout, 24); }) ==
      "complement of (2,2):(2,3) is refused: the mode 2:3 starts inside the 4 offsets that the modes of smaller stride "
      "span, so no layout fills the gaps without overlap");
  CHECK(refusal([] { complement("4:-1"_layout, 24); }) == "complement of 4:-1 is refused: stride -1 is negative");
  CHECK(refusal([] { complement("4:1"_layout, 0); }) ==
        "complement of 4:1: the number of offsets to cover is 0, not at least 1");
  CHECK(refusal([] { left_inverse("(2,2):(2,3)"_layout); }) ==
        "left_inverse of (2,2):(2,3) is refused: stride 3 must be a multiple of the next smaller stride 2 and at least "
        "4, "
        "the offsets spanned so far");
  CHECK(refusal([] { left_inverse("(2,2):(-1,2)"_layout); }) == "left_inverse of (2,2):(-1,2): strides of both signs");
  CHECK(refusal([] { left_inverse("(2,2):(-2,-3)"_layout); }) ==
        "left_inverse of (2,2):(-2,-3) is refused: stride 3 must be a multiple of the next smaller stride 2 and at "
        "least 4, the offsets spanned so far (of the mirrored layout)");
  CHECK(refusal([] { coalesce("(2,2)"_layout, "(1,1,1)"_shape); }) ==
        "the profile (*,*,*) has more modes than the layout (2,2):(1,2)");
}

TEST_CASE("division and products") {
  CHECK(refusal([] { logical_divide("20"_layout, "(4,2):(1,10)"_layout); }) ==
        "logical_divide of 20:1 by (4,2):(1,10) is refused: the tile (4,2):(1,10) and its repetitions 2:4 leave out "
        "element 8 of 20");
  CHECK(refusal([] { zipped_divide("4"_layout, "<2:1,2:1>"_tiler); }) ==
        "zipped_divide of 4:1 by <2:1,2:1> is refused: the tiler has more modes than the layout 4:1");
  CHECK(refusal([] { logical_divide("4"_layout, "<2:1,2:1>"_tiler); }) ==
        "logical_divide of 4:1 by <2:1,2:1> is refused: the tiler has more modes than the layout 4:1");
  CHECK(refusal([] { logical_product("4"_layout, "<2:1,2:1>"_tiler); }) ==
        "logical_product of 4:1 by <2:1,2:1> is refused: the tiler has more modes than the layout 4:1");
  CHECK(refusal([] { tile_to_shape("(8,8)"_layout, "(16,12)"_shape); }) ==
        "tile_to_shape of (8,8):(1,8) to (16,12): the block's 8 does not divide 12 in mode 1");
  CHECK(refusal([] { tile_to_shape("(8,8)"_layout, 64); }) ==
        "tile_to_shape: (8,8):(1,8) has more modes than the target 64");
  CHECK(refusal([] { make_ordered_layout("(2,3)"_shape, "(0,1,2)"_shape); }) ==
        "make_ordered_layout: the order (0,1,2) does not fit the profile of the shape (2,3)");
}

TEST_CASE("an operation that is made of others is refused by its own name, with its own operands") {
  const layout a = "((4,6,8),16):((2,3,5),100)"_layout;
  const tiler t = "<6:3,4:1>"_tiler;
  const auto begins = [](const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; };
  const std::string called = " of ((4,6,8),16):((2,3,5),100) by <6:3,4:1> is refused: composition (4,6,8):(2,3,5) o (";
  CHECK(begins(refusal([&] { logical_divide(a, t); }), "logical_divide" + called));
  CHECK(begins(refusal([&] { zipped_divide(a, t); }), "zipped_divide" + called));
  CHECK(begins(refusal([&] { tiled_divide(a, t); }), "tiled_divide" + called));
  CHECK(begins(refusal([&] { flat_divide(a, t); }), "flat_divide" + called));
  CHECK(begins(
      refusal([&] { composition(a, t); }),
      "composition ((4,6,8),16):((2,3,5),100) o <6:3,4:1> is refused: composition (4,6,8):(2,3,5) o 6:3 is not"));
  CHECK(refusal([] { logical_divide("24"_layout, "4:-1"_layout); }) ==
        "logical_divide of 24:1 by 4:-1 is refused: complement of 4:-1 is refused: stride -1 is negative");

  // What is too large names its call as well.
  const layout long_one = "(2,2,2,2,2,2,2,2,2,2,2,2,2)"_layout;
  CHECK(refusal([&] { logical_product(long_one, long_one); }) ==
        "logical_product of " + to_string(long_one) + " by " + to_string(long_one) +
            " is refused: a layout or tuple may have at most 24 leaves");
  CHECK(refusal([] { logical_product("4294967296:1"_layout, "4294967296:1"_layout); }) ==
        "logical_product of 4294967296:1 by 4294967296:1 is refused: 4294967296 * 4294967296 does not fit 64 bits");
  CHECK(refusal([] { tile_to_shape("(2,2)"_layout, "(4,8)"_shape, "(0,1,2)"_shape); }) ==
        "tile_to_shape of (2,2):(1,2) to (4,8) is refused: make_ordered_layout: the order (0,1,2) does not fit the "
        "profile "
        "of the shape (2,4)");

  const layout block = "(2,2):(1,-3)"_layout, grid = "(3,4)"_layout;
  const std::string why = " is refused: complement of (2,2):(1,-3) is refused: stride -3 is negative";
  CHECK(refusal([&] { logical_product(block, grid); }) == "logical_product of (2,2):(1,-3) by (3,4):(1,3)" + why);
  CHECK(refusal([&] { blocked_product(block, grid); }) == "blocked_product of (2,2):(1,-3) by (3,4):(1,3)" + why);
  CHECK(refusal([&] { raked_product(block, grid); }) == "raked_product of (2,2):(1,-3) by (3,4):(1,3)" + why);
  CHECK(refusal([&] { tile_to_shape(block, "(4,8)"_shape); }) == "tile_to_shape of (2,2):(1,-3) to (4,8)" + why);
  const std::string inside =
      " of (2,5):(-1,7) by <3:1,_> is refused: complement of 2:-1 is refused: stride -1 is negative";
  CHECK(refusal([] { zipped_product("(2,5):(-1,7)"_layout, "<3:1,_>"_tiler); }) == "zipped_product" + inside);
  CHECK(refusal([] { tiled_product("(2,5):(-1,7)"_layout, "<3:1,_>"_tiler); }) == "tiled_product" + inside);
  CHECK(refusal([] { flat_product("(2,5):(-1,7)"_layout, "<3:1,_>"_tiler); }) == "flat_product" + inside);
}

TEST_CASE("recast") {
  CHECK(refusal([] { upcast("(4,4):(1,6)"_layout, 4); }) ==
        "upcast of (4,4):(1,6) by 4 is refused: stride 6 is neither a multiple nor a divisor of 4");
  CHECK(
      refusal([] { upcast("(4,2):(1,1)"_layout, 4); }) ==
      "upcast of (4,2):(1,1) by 4 is refused: modes that lie inside one wide element add up to offset 4, beyond its 4 "
      "elements");
  CHECK(refusal([] { upcast("(4,2):(-1,4)"_layout, 4); }) ==
        "upcast of (4,2):(-1,4) by 4 is refused: strides of both signs meet inside a wide element");
  CHECK(refusal([] { upcast("(2,2):(-1,4)"_layout, 2); }) ==  // one offset inside is enough
        "upcast of (2,2):(-1,4) by 2 is refused: strides of both signs meet inside a wide element");
  CHECK(upcast("(2,2):(-4,4)"_layout, 4) == "(2,2):(-1,1)"_layout);
  CHECK(refusal([] { upcast("4"_layout, 0); }) ==
        "upcast of 4:1: the number of elements to merge is 0, not at least 1");
  CHECK(refusal([] { downcast("8:2"_layout, 2); }) ==
        "downcast of 8:2 by 2 is refused: no mode has stride 1 to hold the 2 parts");
  CHECK(refusal([] { downcast("(2,2):(1,1)"_layout, 2); }) ==
        "downcast of (2,2):(1,1) by 2 is refused: two modes have stride 1, so the narrow elements overlap");
  CHECK(downcast("8:-1"_layout, 2) == "16:-1"_layout);
  CHECK(downcast("(1,8):(1,1)"_layout, 2) == "(1,16):(2,1)"_layout);
  CHECK(downcast("(4,1):(1,1)"_layout, 2) == "(8,1):(1,2)"_layout);
  CHECK(downcast("(1,8):(1,2)"_layout, 2) == "(2,8):(1,4)"_layout);
  CHECK(recast("(8,8):(1,8)"_layout, 8, 16) == "(4,8):(1,4)"_layout);
  CHECK(recast("(8,8):(8,1)"_layout, 16, 8) == "(8,16):(16,1)"_layout);
  CHECK(recast("(12,8):(1,12)"_layout, 8, 12) == "(8,8):(1,8)"_layout);
}

TEST_CASE("coordinates and slices") {
  CHECK(refusal([] { crd2idx("(1,2,3)"_coord, "(4,8)"_layout); }) ==
        "coordinate (1,2,3) does not fit the profile (*,*) of (4,8):(1,4)");
  CHECK(refusal([] { idx2crd("((1,2),3)"_coord, "(4,8)"_shape); }) ==
        "index ((1,2),3) does not fit the profile of the shape (4,8)");
  CHECK(refusal([] { idx2crd(3, "(4,8)"_shape, "(0,1)"_shape); }) ==
        "idx2crd: offset 3 does not tell a coordinate of (4,8):(0,1)");
  CHECK(refusal([] { idx2crd(_, "(4,8)"_shape); }) == "index _ of the shape (4,8) has a _, which is no number");
  CHECK(refusal([] { idx2crd(-3, "(4,8)"_shape, "(1,-4)"_shape); }) ==
        "idx2crd: offset -3 does not tell a coordinate of (4,8):(1,-4)");
  CHECK(refusal([] { idx2crd(3, "(4,8)"_shape, "(2,8)"_shape); }) ==
        "idx2crd: offset 3 does not tell a coordinate of (4,8):(2,8)");
  CHECK(refusal([] { idx2crd(32, "(4,8)"_shape, "(1,4)"_shape); }) ==
        "idx2crd: offset 32 does not tell a coordinate of (4,8):(1,4)");
  CHECK(refusal([] { crd2idx(INT64_MAX, "(4,8):(8,1)"_layout); }).find("does not fit 64 bits") != std::string::npos);
  CHECK(refusal([] { crd2idx(make_coord(0, INT64_MAX), "(4,8):(8,1)"_layout); }).find("64 bits") != std::string::npos);
  CHECK(crd2idx((std::int64_t{1} << 40) - 1, "(1048576,1048576):(1,1099511627776)"_layout) ==
        1048575 + (1048575LL << 40));
  for (const char* shape : {"(0,3)", "(2,-1)", "(2,_)"})
    CHECK(refusal([&] { coordinates all(parse_tuple(shape)); }).find("every extent must be at least 1") !=
          std::string::npos);
  CHECK(refusal([] { crd2crd("(1,2)"_coord, "(4,8)"_shape, "(4,2,4)"_shape); }) ==
        "crd2crd: coordinate (1,2) and shapes (4,8) and (4,2,4) have different ranks");
  CHECK(refusal([] { slice("(_,1,1)"_coord, "(4,8)"_layout); }) ==
        "slice: coordinate (_,1,1) does not fit (4,8):(1,4)");
}

TEST_CASE("the hardware's layouts of widths and tiles that there are not") {
  for (int bits : {-8, 0, 2, 4, 12, 64}) {
    CHECK(refusal([=] { canonical_layout(major::k, swizzle_mode::b128, bits, 64, 64, 8, 512); }) ==
          "canonical layout: wgmma has no operand of " + std::to_string(bits) +
              "-bit elements: there are 1, 8, 16 and 32");
    CHECK(refusal([=] { descriptor_layout({.stride_bytes = 1024}, major::k, bits, 64, 64); }).find("no operand of") !=
          std::string::npos);
    if (bits == 4) continue;  // a tile that is cast on its way to wgmma
    CHECK(refusal([=] {
            tile_layout({64, 64, bits, major::k, swizzle_mode::b128});
          }) ==
          "tile of 64 x 64: elements of " + std::to_string(bits) + " bits are no operand's; use 1, 4, 8, 16 or 32");
  }
  for (int bits : {-16, 0, 3, 12, 64})
    CHECK(refusal([=] { a_layout(bits); }) ==
          "operand A has elements of 1, 8, 16 or 32 bits, not " + std::to_string(bits));
  for (int bits : {0, 1, 4, 24, 64}) {
    const std::string words =
        "there is no sparse operand of " + std::to_string(bits) + "-bit elements: there are 8, 16 and 32";
    CHECK(refusal([=] { metadata_layout(bits); }) == words);
    CHECK(refusal([=] { metadata_block_layout(bits); }) == words);
    CHECK(refusal([=] { sparse_a_layout(bits); }) == words);
  }
  CHECK(refusal([] {
          tile_layout({0, 64, 16, major::k, swizzle_mode::b128});
        }) == "tile of 0 x 64: an extent of 0 elements is empty");
  CHECK(refusal([] {
          tile_layout({64, 72, 16, major::k, swizzle_mode::b128});
        }).find("choose a narrower swizzle") != std::string::npos);
  CHECK(refusal([] { descriptor_layout({.stride_bytes = 1000}, major::k, 16, 64, 64); }).find("SBO") !=
        std::string::npos);
}

TEST_CASE("swizzles") {
  CHECK(refusal([] { make_swizzle(3, 4, 2); }) ==
        "Sw<3,4,2> is not a swizzle: it needs bits >= 0, base >= 0, |shift| >= bits (so that the field read and the "
        "field "
        "changed do not overlap) and bits + base + |shift| < 63");
  CHECK(refusal([] {
          recast(swizzle{3, 0, 3}, 8, 16);
        }) ==
        "recast of Sw<3,0,3> from 8 to 16 bits is refused: it exchanges pieces of 8 bits, and a new unit would be torn "
        "apart");
  CHECK(refusal([] { recast(swizzle{3, 4, 3}, 8, 12); }) == "12 is not a power of two, which a swizzle needs");
  CHECK(refusal([] {
          with_swizzle("4:-1"_layout, {1, 0, 1});
        }) == "swizzle Sw<1,0,1> behind 4:-1: the lowest offset is -3, which has no bits to swap");
  CHECK(refusal([] { parse_swizzled("Sw<1,0,1> o 2 o 4:-1"); }) ==
        "swizzle Sw<1,0,1> behind 4:-1: the lowest offset is -1, which has no bits to swap");
  CHECK(refusal([] {
          composition("(3,4)"_layout, swizzle{1, 0, 1});
        }).find("does not keep the bits of the swizzle") != std::string::npos);
  CHECK(refusal([] { right_inverse("Sw<1,0,1> o 4 o 4:1"_swizzled); }) ==
        "right_inverse of Sw<1,0,1> o 4 o 4:1 is refused: the offset before the swizzle must be 0");
  CHECK(refusal([] { composition("4"_layout, "Sw<1,0,1> o 8:1"_swizzled); }) ==
        "composition 4:1 o (Sw<1,0,1> o 0 o 8:1) is refused: 8 offsets, 4 indices");
  CHECK(refusal([] { recast("Sw<1,4,3> o 3 o 64:1"_swizzled, 8, 16); }) ==
        "recast of Sw<1,4,3> o 3 o 64:1 from 8 to 16 bits: the offset is not a whole number of elements");
}
