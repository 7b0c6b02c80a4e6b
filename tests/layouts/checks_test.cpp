// What layouts/ has for those who check layouts of their own: equality of functions and where it ends, parts of
// tensors, layouts of coordinates, named atoms, orders, and what is pasted from CuTe.
#include <doctest/doctest.h>

#include "small_layouts.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

namespace {

std::string words(const finding& f) { return to_string(f); }

}  // namespace

TEST_CASE("two layouts are one function, or differ first at an index") {
  STATIC_CHECK(same_function("(4,8):(8,1)"_layout, "((2,2),8):((8,16),1)"_layout));
  STATIC_CHECK(!same_function("(4,8):(8,1)"_layout, "(4,8):(1,4)"_layout));
  STATIC_CHECK(first_difference("(4,8):(1,4)"_layout, "(4,8):(1,5)"_layout) == 4);
  STATIC_CHECK(same_function("Sw<3,3,3> o (8,64):(64,1)"_swizzled, "Sw<3,3,3> o ((2,4),64):((64,128),1)"_swizzled));
  STATIC_CHECK(first_difference("Sw<3,3,3> o (8,64):(64,1)"_swizzled, "(8,64):(64,1)"_layout) == 1);
  STATIC_CHECK(same_function("Sw<3,3,3> o (1,64):(64,1)"_swizzled, "(1,64):(64,1)"_layout));  // one row is not moved
  STATIC_CHECK(first_difference("(8,64):(64,1)"_layout, "Sw<1,3,3> o (8,64):(64,1)"_swizzled) == 1);
  // More elements than are compared one by one, which layouts without a swizzle need not be.
  STATIC_CHECK(first_difference("(67108864,4):(1,67108864)"_layout, "(67108864,4):(1,67108865)"_layout) == 67108864);
  STATIC_CHECK(holds<compare("(4,8)"_layout, "32"_layout)>);
  CHECK(words(compare("(4,8):(8,1)"_layout, "(4,8):(1,4)"_layout)) ==
        "(4,8):(8,1) and (4,8):(1,4) differ first at index 1, coordinate (1,0) of the one: offsets 8 and 1");
  CHECK(words(compare("(4,8)"_layout, "(4,9)"_layout)) == "(4,8):(1,4) has 32 elements and (4,9):(1,4) has 36");
  const std::string most(400, 'x');
  CHECK(words(found(check_rule::bytes_differ, most.c_str())) == std::string(380, 'x') + "...");
  CHECK(compare("(4,8)"_layout, "(4,9)"_layout).rule == check_rule::sizes_differ);
  CHECK(refusal([] { first_difference("4"_layout, "5"_layout); }) == "layouts 4:1 and 5:1 have 4 and 5 elements");
}

TEST_CASE("the first difference is the one that looking at every index finds") {
  const std::vector<layout> all = small_layouts(2, {1, 2, 3, 4, 6}, {-1, 0, 1, 2, 3, 6});
  std::int64_t compared = 0;
  for (std::size_t a = 0; a < all.size(); a += 7) {
    for (std::size_t b = 0; b < all.size(); ++b) {
      if (size(all[a]) != size(all[b])) continue;
      std::int64_t i = 0;
      while (i < size(all[a]) && all[a](i) == all[b](i)) ++i;
      ++compared;
      if (first_difference(all[a], all[b]) != i) FAIL_CHECK(all[a], " ", all[b]);
    }
  }
  CHECK(compared > 10'000);
}

TEST_CASE("the part of a block, and the part of a thread") {
  constexpr layout matrix = "(16,64):(64,1)"_layout;
  constexpr slice_at block = local_tile(matrix, "(8,16)"_shape, "(1,2)"_coord);
  STATIC_CHECK(block.kept == "(8,16):(64,1)"_layout && block.offset == matrix(8, 32));
  STATIC_CHECK(local_tile(matrix, "(8,16)"_shape, "(1,_)"_coord).kept == "(8,16,4):(64,1,16)"_layout);
  STATIC_CHECK(local_tile(matrix, "(8,16)"_shape, 3).offset == matrix(8, 16));
  STATIC_CHECK(local_tile(matrix, "(8,4,16)"_shape, "(1,7,_)"_coord, "(1,_,1)"_coord).kept ==
                "(8,16,4):(64,1,16)"_layout);
  CHECK(refusal([] { local_tile("(16,64)"_layout, "(8,16)"_shape, "(2,0)"_coord); }).find("outside") !=
        std::string::npos);

  STATIC_CHECK(local_tile("(4,4,3)"_layout, "(2,2)"_shape, "(1,1)"_coord).kept == "(2,2,3):(1,4,16)"_layout);

  constexpr layout threads = "(2,16):(16,1)"_layout;
  constexpr slice_at part = local_partition(matrix, threads, 17);
  STATIC_CHECK(part.kept == "(8,4):(128,16)"_layout && part.offset == matrix(1, 1));
  std::vector<int> taken(1024);
  for (int t = 0; t < 32; ++t) {
    const slice_at of = local_partition(matrix, threads, t);
    for (std::int64_t i = 0; i < size(of.kept); ++i) ++taken[static_cast<std::size_t>(of.offset + of.kept(i))];
  }
  for (const int times : taken) CHECK(times == 1);

  // Threads in M, N and K of a matrix that has M and K: those that differ in N take the same.
  constexpr layout of_mnk = "(2,4,2):(1,2,8)"_layout;
  STATIC_CHECK(local_partition(matrix, of_mnk, 1 + 2 * 3 + 8, "(1,_,1)"_coord).offset == matrix(1, 1));
  STATIC_CHECK(local_partition(matrix, of_mnk, 1 + 8, "(1,_,1)"_coord).kept == "(8,32):(128,2)"_layout);
  CHECK(refusal([] { local_partition("(16,64)"_layout, "(2,2):(1,1)"_layout, 0); }) ==
        "local_partition: in (2,2):(1,1) the threads do not stand at one place each");
  STATIC_CHECK(local_tile("Sw<3,3,3> o (16,64):(64,1)"_swizzled, "(8,16)"_shape, "(1,2)"_coord) ==
                "Sw<3,3,3> o 544 o (8,16):(64,1)"_swizzled);
  STATIC_CHECK(local_partition("Sw<3,3,3> o (16,64):(64,1)"_swizzled, threads, 17)(1, 1) ==
                "Sw<3,3,3> o (16,64):(64,1)"_swizzled(3, 17));
}

TEST_CASE("a copy by threads of several values each") {
  constexpr tiled_copy copy = make_layout_tv("(4,8):(8,1)"_layout, "(1,8)"_layout);  // as CuTe's make_layout_tv
  STATIC_CHECK(copy.tile == "(4,64)"_shape && copy.tv == "((8,4),8):((32,1),4)"_layout);
  STATIC_CHECK(covers_once(copy).ok());
  constexpr layout matrix = "(16,64):(64,1)"_layout;
  STATIC_CHECK(partition(copy, matrix, 9).kept == "(8,(4,1)):(1,(256,0))"_layout);
  STATIC_CHECK(partition(copy, matrix, 9).offset == matrix(1, 8));  // thread 9: row 1, second piece of 8
  STATIC_CHECK(partition(copy, "Sw<3,3,3> o (16,64):(64,1)"_swizzled, 9)(0, 0) == 64);
  CHECK(words(covers_once("(4,8):(1,3)"_layout, 32)) == "element 3 of 32 is held 2 times in (4,8):(1,3)");
  CHECK(words(covers_once("(8,64):(1,0)"_layout, 8)) == "element 0 of 8 is held 64 times in (8,64):(1,0)");
  CHECK(words(covers_once("(1,256):(1,0)"_layout, 1)) == "element 0 of 1 is held 256 times in (1,256):(1,0)");
  CHECK(covers_once("65536:1"_layout, 65536).ok());
  CHECK(refusal([] { covers_once("65537:1"_layout, 65537); }) ==
        "covers_once looks at up to 65536 elements, not at 65537");
  CHECK(words(covers_once("(4,8):(1,4)"_layout, 33)) == "element 32 of 33 is held by no thread of (4,8):(1,4)");
  CHECK(words(covers_once("(4,8):(1,5)"_layout, 32)) ==
        "thread and value (2,6) of (4,8):(1,5) hold element 32, which is not one of the tile's 32");
  CHECK(refusal([] { make_layout_tv("(4,8):(8,1)"_layout, "4:2"_layout); }) ==
        "make_layout_tv: 4:2 does not number its places 0 to 3");
}

TEST_CASE("layouts of coordinates") {
  constexpr coordinate_layout tensor = tma_coordinates("(4096,8192):(8192,1)"_layout);
  STATIC_CHECK(tensor == "(4096,8192):(1@1,1@0)"_coordinates);
  STATIC_CHECK(tensor("(3,5)"_coord) == "(5,3)"_coord && coshape(tensor) == "(8192,4096)"_shape);
  constexpr coordinate_layout tiles = zipped_divide(tensor, "(128,64)"_shape);
  STATIC_CHECK(tiles == "((128,64),(32,128)):((1@1,1@0),(128@1,64@0))"_coordinates);
  STATIC_CHECK(slice("((_,_),(3,5))"_coord, tiles) == local_tile(tensor, "(128,64)"_shape, "(3,5)"_coord));
  STATIC_CHECK(local_tile(tensor, "(128,64)"_shape, "(3,5)"_coord)(0, 0) == "(320,384)"_coord);
  STATIC_CHECK("ArithTuple(_0,_8) o (_128,_64):(_1@1,_1@0)"_coordinates(1, 2) == "(2,9)"_coord);
  STATIC_CHECK("(0,0,0,0,0,0,0,7) o (8,4):(1@0,1@1)"_coordinates(1, 2) == "(1,2,0,0,0,0,0,7)"_coord);
  for (const std::string text : {"(0,8) o (128,64):(1@1,1@0)", "ArithTuple(_0,_8) o (_128,_64):(_1@1,_1@0)"})
    CHECK(try_parse_coordinates(text.data(), text.size()).value == "(0,8) o (128,64):(1@1,1@0)"_coordinates);
  STATIC_CHECK(coalesce("(2,4):(1@0,2@0)"_coordinates) == "8:1@0"_coordinates);

  STATIC_CHECK(tma_coordinates("(2,2):(4,4)"_layout) == "(2,2):(1@0,1@1)"_coordinates);
  constexpr coordinate_layout all = make_identity_layout("((2,3),4)"_shape);
  STATIC_CHECK(all(7) == "((1,0),1)"_coord && mode(all, 1)(3) == "((0,0),3)"_coord);
  STATIC_CHECK(all("((1,_),_)"_coord) == "((1,0),0)"_coord);
  CHECK(to_string(all) == "((2,3),4):((1@0@0,1@1@0),1@1)");
  CHECK(to_string(coalesce(composition(make_identity_layout("(4,8)"_shape), "(2,8):(2,4)"_layout))) ==
        "(2,8):(2@0,1@1)");
  CHECK(refusal([] { tma_coordinates("(2,2,2,2,2,2)"_layout); }) ==
        "TMA counts up to 5 dimensions; (2,2,2,2,2,2):(1,2,4,8,16,32) has 6");
  CHECK(refusal([] { tma_coordinates("(2,2):(1,0)"_layout); }) == "TMA counts no dimension of stride 0");
  CHECK(refusal([] { make_identity_layout("(4,0)"_shape); }) == "shape (4,0): every extent must be at least 1");
  CHECK(refusal([] { make_identity_layout("(2,2,2,2,2,2,2,2,2)"_shape); }) ==
        "a coordinate has up to 8 numbers, not 9");
  STATIC_CHECK(rank(make_identity_layout("(2,2,2,2,2,2,2,2)"_shape)) == max_dimensions);
  CHECK(refusal([] {
          zipped_divide(make_identity_layout("(2147483648,2147483648)"_shape), "(2,2)"_shape);
        }).find("need more than 62 bits together") != std::string::npos);
  constexpr coordinate_layout longest =
      make_identity_layout("2305843009213693951"_shape);  // 61 bits, and one between fields
  STATIC_CHECK(coalesce(longest) == longest);
  CHECK(refusal([] { coalesce(make_identity_layout("2305843009213693952"_shape)); }).find("more than 62 bits") !=
        std::string::npos);
  for (const char* text :
       {"(4,8):(1@0,1)", "(4,8):(1@0,1@1@0)", "(4,8):1@0", "(4,8)", "(4,0):(1@0,1@1)", "(4,8):(1@9,0)"})
    CHECK_MESSAGE(!try_parse_coordinates(text, std::string_view(text).size()), text);
}

TEST_CASE("a composition with a layout of coordinates is what looking it up gives") {
  const coordinate_layout matrix = make_identity_layout("(4,6)"_shape);
  int composed = 0;
  for (const layout& b : small_layouts(2, {1, 2, 3, 4}, {0, 1, 2, 4, 5, 8, 12})) {
    if (cosize(b) > 24) continue;
    try {
      const coordinate_layout r = composition(matrix, b);
      ++composed;
      for (std::int64_t i = 0; i < size(b); ++i) CHECK(r(i) == matrix(b(i)));
    } catch (const layout_error&) {
    }
  }
  CHECK(composed > 100);
}

TEST_CASE("atoms by their names") {
  STATIC_CHECK(layout_k_sw128_atom<bf16> == "Sw<3,3,3> o (8,64):(64,1)"_swizzled);
  STATIC_CHECK(layout_k_sw64_atom<e4m3> == "Sw<2,4,3> o (8,64):(64,1)"_swizzled);
  STATIC_CHECK(layout_k_sw32_atom<tf32> == "Sw<1,2,3> o (8,8):(8,1)"_swizzled);
  STATIC_CHECK(layout_k_inter_atom<f16> == "Sw<0,3,3> o (8,8):(8,1)"_swizzled);
  STATIC_CHECK(layout_mn_sw128_atom<f16> == "Sw<3,3,3> o (64,8):(1,64)"_swizzled);
  STATIC_CHECK(layout_mn_sw64_atom<f16> == "Sw<2,3,3> o (32,8):(1,32)"_swizzled);
  STATIC_CHECK(layout_mn_sw32_atom<s8> == "Sw<1,4,3> o (32,8):(1,32)"_swizzled);
  STATIC_CHECK(layout_mn_inter_atom<f16> == "Sw<0,3,3> o (8,8):(1,8)"_swizzled);
  // A tile made of one is what wgmma reads, of every type and swizzle.
  STATIC_CHECK(descriptor_of(tile_to_shape(layout_k_sw128_atom<bf16>, "(128,64)"_shape), major::k, 16, 64, 16) ==
                matrix_descriptor{.leading_bytes = 16, .stride_bytes = 1024, .swizzle = swizzle_mode::b128});
  STATIC_CHECK(swizzle_atom(major::k, swizzle_mode::none, 1).inner == "(8,128):(128,1)"_layout);
  STATIC_CHECK(swizzle_atom(major::k, swizzle_mode::none, 128).inner == "(8,1):(1,1)"_layout);
  for (const int bits : {-1, 0, 24, 256})
    CHECK(refusal([&] { swizzle_atom(major::k, swizzle_mode::b32, bits); }).find(" bits do not fill") !=
          std::string::npos);
}

TEST_CASE("orders, alignments, and how shapes fit") {
  STATIC_CHECK(compact_order("(2,2,2,2)"_shape, "(0,2,3,1)"_shape) == "(1,4,8,2)"_shape);
  STATIC_CHECK(make_layout_like("(2,2,2,2):(0,2,4,1)"_layout) == "(2,2,2,2):(0,2,4,1)"_layout);
  STATIC_CHECK(make_layout_like("(2,3,4,5):(0,42,1,0)"_layout) == "(2,3,4,5):(0,4,1,0)"_layout);
  STATIC_CHECK(make_layout_like("(4,8):(100,1)"_layout) == "(4,8):(8,1)"_layout);
  STATIC_CHECK(make_layout_like("(4,8):(1,100)"_layout) == "(4,8):(1,4)"_layout);  // the first one is the nearest
  STATIC_CHECK(max_alignment("(8,64):(72,1)"_layout) == 8 && max_alignment("(8,64):(64,1)"_layout) == 512);
  STATIC_CHECK(max_alignment("(8,4):(2,16)"_layout) == 1 && max_alignment("(4,4):(1,0)"_layout) == 4);
  for (const layout& l : small_layouts(2, {2, 3, 4, 8}, {1, 2, 3, 4, 8, 12})) {
    std::int64_t most = 1;
    for (std::int64_t n = 1; n <= 64 && is_injective(l); ++n) {  // whole aligned units of n, by looking at every offset
      std::vector<std::int64_t> all = offsets(l);
      std::vector<bool> is(2048);
      for (const std::int64_t o : all) is[static_cast<std::size_t>(o)] = true;
      bool whole = size(l) % n == 0;
      for (const std::int64_t o : all)
        for (std::int64_t j = o / n * n; j < o / n * n + n; ++j) whole = whole && is[static_cast<std::size_t>(j)];
      if (whole) most = n;
    }
    if (is_injective(l)) CHECK_MESSAGE(most == max_alignment(l), to_string(l));
    if (max_alignment(l) > 1)
      CHECK_MESSAGE(size(upcast(l, max_alignment(l))) * max_alignment(l) == size(l), to_string(l));
  }
  STATIC_CHECK(weakly_compatible(4, "(2,4)"_shape) && !weakly_compatible(3, "(2,4)"_shape));
  STATIC_CHECK(weakly_compatible("(2,2)"_shape, "((2,3),4)"_shape) && !weakly_compatible("(2,2)"_shape, 4));
  STATIC_CHECK(softly_compatible(16, "(2,4)"_shape) && !softly_compatible(12, "(2,4)"_shape));
  STATIC_CHECK(elem_less("(1,2)"_coord, "(2,3)"_shape) && !elem_less("(1,3)"_coord, "(2,3)"_shape));
  CHECK(refusal([] { elem_less("(1,2)"_coord, 4); }) == "elem_less: (1,2) and 4 have different profiles");
}

TEST_CASE("what CuTe prints of a swizzled layout is read in elements") {
  STATIC_CHECK("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"_swizzled == layout_k_sw128_atom<bf16>);
  STATIC_CHECK("Sw<2,4,3> o smem_ptr[8b](0x7f80) o (_8,_64):(_64,_1)"_swizzled == layout_k_sw64_atom<e4m3>);
  STATIC_CHECK("Sw<0,4,3> o smem_ptr[32b](unset) o (_8,_4):(_4,_1)"_swizzled == layout_k_inter_atom<tf32>);
  STATIC_CHECK("Sw<0,4,3> o smem_ptr[128b](unset) o (_8,_1):(_1,_1)"_swizzled == "Sw<0,0,3> o (8,1):(1,1)"_swizzled);
  const auto says = [](const char* text) { return refusal([&] { parse_swizzled(text); }); };
  STATIC_CHECK("Sw<3,4,3> o smem_ptr[128b](unset) o (_8,_8):(_8,_1)"_swizzled == "Sw<3,0,3> o (8,8):(8,1)"_swizzled);
  STATIC_CHECK(!try_parse_coordinates("(0,_) o (8,8):(1@0,1@1)", 23));
  CHECK(says("Sw<3,4,3> o _ o 8:1").find("position 12: ") == 0);
  STATIC_CHECK("Sw<3,4,3> o smem_ptr[1b](unset) o (_8,_64):(_64,_1)"_swizzled == "Sw<3,7,3> o (8,64):(64,1)"_swizzled);
  for (const char* bits : {"-1", "0", "12", "256"})
    CHECK(says(("Sw<3,4,3> o smem_ptr[" + std::string(bits) + "b](unset) o 8:1").c_str())
              .find("1, 2, 4, ... or 128 bits") != std::string::npos);
  CHECK(says("Sw<3,4,3> o smem_ptr[16](unset) o 8:1").find("position 23: expected smem_ptr[16b](unset)") == 0);
  CHECK(says("Sw<3,4,3> o smem_ptr[16b](unset").find("expected ')'") != std::string::npos);
  for (const char* torn : {"Sw<3,2,3> o smem_ptr[64b](unset) o 8:1", "Sw<1,2,3> o smem_ptr[64b](unset) o 8:1"})
    CHECK(says(torn).find("takes elements of this size apart") != std::string::npos);
  STATIC_CHECK("Sw<0,2,3> o smem_ptr[64b](unset) o 8:1"_swizzled == "Sw<0,0,3> o 8:1"_swizzled);  // none to take apart
  CHECK(says("Sw<3,4,3> o smem_ptr[16b](unset) 8:1").find("expected 'o' after the pointer") != std::string::npos);
}

TEST_CASE("a swizzle behind a swizzle") {
  STATIC_CHECK(!has_mixed_signs("(2,2):(0,-1)"_layout) && has_mixed_signs("(2,2):(1,-1)"_layout));
  STATIC_CHECK(sorted_by_stride("(2,3,4):(5,1,1)"_layout) == "(3,4,2):(1,1,5)"_layout);  // equal ones stay in order
  STATIC_CHECK(composition(swizzle{3, 4, 3}, swizzle{3, 4, 3}).bits == 0);
  STATIC_CHECK(composition(swizzle{2, 4, 3}, swizzle{1, 6, 3}) == swizzle{3, 4, 3});
  int one = 0;
  for (int k = 0; k < 3 * 3 * 7 * 3 * 3 * 7; ++k) {
    const swizzle a{k % 3, k / 3 % 3, k / 9 % 7 - 3}, b{k / 63 % 3, k / 189 % 3, k / 567 % 7 - 3};
    if (!is_valid(a) || !is_valid(b)) continue;
    try {
      const swizzle r = composition(a, b);
      ++one;
      for (std::int64_t x = 0; x < 256; ++x)
        if (r(x) != a(b(x))) FAIL_CHECK(a, " o ", b, " at ", x);
    } catch (const layout_error&) {
    }
  }
  CHECK(one > 300);
  CHECK(refusal([] {
          composition(swizzle{1, 0, 3}, swizzle{1, 0, 4});
        }) == "composition Sw<1,0,3> o Sw<1,0,4> is refused: one after the other they are no swizzle");

  for (const auto& [a, b] : {std::pair{swizzle{3, 4, 1}, swizzle{}}, {swizzle{}, swizzle{3, 4, 1}}})
    CHECK(refusal([&] { composition(a, b); }).find("Sw<3,4,1> is not a swizzle") == 0);

  // Behind a swizzled tile, the same swizzle undoes it; an offset before the inner one goes through the outer layout.
  constexpr swizzled_layout memory = "Sw<3,3,3> o 512:1"_swizzled, tile = "Sw<3,3,3> o (8,64):(64,1)"_swizzled;
  STATIC_CHECK(same_function(composition(memory, tile), "(8,64):(64,1)"_layout));
  STATIC_CHECK(composition("(64,64):(64,1)"_layout, "Sw<0,3,3> o 64 o 32:2"_swizzled) ==
                swizzled_layout{swizzle{0, 3, 3}, 1, "32:128"_layout});
  CHECK(refusal([] { composition("(2,2):(1,0)"_layout, swizzle{1, 0, 1}); }).find("does not keep the bits") !=
        std::string::npos);  // the bit that is the source has no place
  CHECK(refusal([] { composition("Sw<1,0,1> o 2 o 8:1"_swizzled, "Sw<1,0,1> o 8:1"_swizzled); }) ==
        "composition (Sw<1,0,1> o 2 o 8:1) o (Sw<1,0,1> o 0 o 8:1) is refused: the offset 2 would have to pass the "
        "swizzle Sw<1,0,1>, which repeats after 4");
  CHECK(refusal([] { composition("Sw<1,0,1> o 3 o 8:1"_swizzled, "Sw<1,0,1> o 8:1"_swizzled); })
            .find("the offset 3 would have to pass") != std::string::npos);
  STATIC_CHECK(same_function(composition("Sw<1,0,1> o 4 o 8:1"_swizzled, "Sw<1,0,1> o 8:1"_swizzled),
                             "Sw<0,0,1> o 4 o 8:1"_swizzled));
}
