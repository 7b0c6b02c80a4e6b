// Functions that the library's own constants, and nothing that runs, are made with; and what findings say when they are
// made at run time, where elsewhere they end a compilation.
#include <doctest/doctest.h>

#include <sectile/layouts/layouts.hpp>
#include <sectile/layouts/picture.hpp>
#include <sectile/layouts/text.hpp>
#include <sectile/layouts/tile_places.hpp>
#include <sectile/layouts/unrolled.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/static_check.hpp"

namespace {

using namespace sectile;
using namespace sectile::literals;

// ---- swizzled layouts: division and products act on the layout inside
constexpr swizzle narrow{2, 3, 3};
STATIC_CASE(composition(narrow, "(8,8):(8,1)"_layout) == swizzled_layout{narrow, 0, "(8,8):(8,1)"_layout});
STATIC_CASE(composition(narrow, 64, "(8,8):(8,1)"_layout) == swizzled_layout{narrow, 64, "(8,8):(8,1)"_layout});
constexpr swizzled_layout tile = composition(narrow, "(8,32):(32,1)"_layout);
STATIC_CASE(tiled_divide(tile, tiler("4:1"_layout)).inner == tiled_divide(tile.inner, tiler("4:1"_layout)));
STATIC_CASE(flat_divide(tile, tiler("4:1"_layout)).inner == flat_divide(tile.inner, tiler("4:1"_layout)));
STATIC_CASE(raked_product(tile, "2:1"_layout).pattern == narrow);
STATIC_CASE(raked_product(tile, "2:1"_layout).inner == raked_product(tile.inner, "2:1"_layout));

// ---- coordinates: what is done to a layout of offsets is done to one of coordinates
constexpr coordinate_layout places = make_identity_layout("(8,6)"_shape);
STATIC_CASE(rank(places) == 2);
STATIC_CASE(coshape("(8,6):(1,8)"_layout) == int_tuple(48));
STATIC_CASE(coalesce(make_identity_layout("(8,(2,3))"_shape), "(1,1)"_shape) ==
            make_identity_layout("(8,(2,3))"_shape));
constexpr layout offsets = "(8,6):(1,8)"_layout;
constexpr tiler four_by_three{"(4,3)"_shape};
STATIC_CASE(shape(zipped_divide(places, four_by_three)) == shape(zipped_divide(offsets, four_by_three)));
STATIC_CASE(shape(tiled_divide(places, four_by_three)) == shape(tiled_divide(offsets, four_by_three)));
STATIC_CASE(shape(flat_divide(places, four_by_three)) == shape(flat_divide(offsets, four_by_three)));
TEST_CASE("a coordinate has no more numbers than there is room for") {
  CHECK_THROWS_WITH_AS(make_identity_layout("(2,2,2,2,2,2,2,2,2)"_shape),
                       ("a coordinate has up to " + std::to_string(max_dimensions) + " numbers, not 9").c_str(),
                       layout_error);
}

// ---- layouts and their parentheses
STATIC_CASE("(4,8):(8,1)"_layout.has_index(0) && "(4,8):(8,1)"_layout.has_index(31) &&
            !"(4,8):(8,1)"_layout.has_index(32));
STATIC_CASE(!"(4,8):(8,1)"_layout.has_index(-1));
STATIC_CASE(congruent("(4,8):(8,1)"_layout, "(2,2):(1,2)"_layout) && !congruent("4:1"_layout, "(2,2):(1,2)"_layout));
STATIC_CASE(weakly_congruent("(4,8):(8,1)"_layout, "((2,2),8):((1,2),4)"_layout));
STATIC_CASE(congruent("(4,8):(8,1)"_layout.form, "(2,2):(1,2)"_layout.form));
// Where a leaf stands: behind what extents, in which mode, and whether its mode goes on.
constexpr leaf_place second = place_of_leaf("((4,2),8):((1,4),8)"_layout, 1, 2);
STATIC_CASE(second.mode == 0 && second.divisor == 4 && !second.bounded);
STATIC_CASE(place_of_leaf("((4,2),8):((1,4),8)"_layout, 0, 2).bounded);
STATIC_CASE(place_of_leaf("((4,2),8):((1,4),8)"_layout, 2, 2).mode == 1);
STATIC_CASE(place_of_leaf("((4,2),8):((1,4),8)"_layout, 2, 1).divisor == 8);

// ---- operand tiles and fragments
constexpr operand_tile k_major{64, 64, 16, major::k, swizzle_mode::b128};
STATIC_CASE(largest_swizzle(major::k, 96) == swizzle_mode::b32 && largest_swizzle(major::k, 16) == swizzle_mode::none);
STATIC_CASE(largest_swizzle(major::k, 64) == swizzle_mode::b64 && largest_swizzle(major::k, 256) == swizzle_mode::b128);
STATIC_CASE(read_at(k_major, 8, 16, 16) == read_at(k_major, 8, 16, 64, 16));
STATIC_CASE(check(operand_tile{64, 64, 12, major::k, swizzle_mode::none}).rule == tile_rule::element_bits);
STATIC_CASE(!(check(k_major) == check(operand_tile{64, 60, 16, major::k, swizzle_mode::b128})));
STATIC_CASE(check(k_major, 0, 16).rule == tile_rule::extent);
STATIC_CASE(operand_a_step(k_major).row == 64 && operand_a_step(operand_tile{24, 64, 16}).row == 24);
STATIC_CASE(fills_registers(k_major) && !fills_registers(operand_tile{24, 64, 16}));
STATIC_CASE(d_lies_in_pairs(8) && d_lies_in_pairs(256) && !d_lies_in_pairs(12) && !d_lies_in_pairs(0));
STATIC_CASE(static_cast<float>(tf32::from_bits(0x3F80'0000u)) == 1.0f);
STATIC_CASE(element_or_none<s4x2>().bits == 4 && element_or_none<u4x2>().bits == 4);

STATIC_CASE(idx2crd(3, "(1,4)"_shape, "(0,1)"_shape) == "(0,3)"_shape);  // an extent of 1 has one coordinate

// ---- texts and pictures
TEST_CASE("what is too much for a picture is folded away, and it says so") {
  CHECK(folded_range(100, 4) == std::vector<std::int64_t>{0, 1, -1, 98, 99});
  CHECK(place_in_fold(99, 100, 4) == 4);
  CHECK(place_in_fold(50, 100, 4) == -1);
  CHECK(header_labels({0, -1, 7}, 100, 2) == std::vector<std::string>{"100", folded_label(), "114"});
  picture_options few;
  few.max_rows = 8;
  few.max_columns = 8;
  CHECK(folding_note(10, 100, few) == "Folded: 2 of 10 rows not drawn, 92 of 100 columns not drawn");
  CHECK(folding_note(8, 8, few).empty());
}
TEST_CASE("words and classes of a picture") {
  CHECK(xml_escaped("a<b & \"c\">") == "a&lt;b &amp; &quot;c&quot;&gt;");
  CHECK(has_class("mono end", "end"));
  CHECK(!has_class("mono end", "on"));
}
STATIC_CASE(message().add("whole").complete());
TEST_CASE("a message that is too long is cut, and says so") {
  message long_one;
  for (int i = 0; i < 10'000; ++i) long_one.add('x');
  CHECK(!long_one.complete());
}
TEST_CASE("notation goes to a stream") {
  std::ostringstream out;
  out << "(4,8):(8,1)"_layout << ' ' << tile << ' ' << narrow << ' ' << "(4,8)"_shape;
  CHECK(out.str() == "(4,8):(8,1) Sw<2,3,3> o 0 o (8,32):(32,1) Sw<2,3,3> (4,8)");
}
TEST_CASE("where a tile is read from elsewhere than it is written to") {
  message says;
  print(says, reach_result{});
  CHECK(std::string(says.c_str()).empty());
  reach_result wrong{};
  wrong.ok = false;
  wrong.mn = 3;
  wrong.k = 5;
  wrong.written = 16;
  wrong.read = 32;
  print(says, wrong);
  CHECK(std::string(says.c_str()) == "element (3, 5) is written to byte 16 of the tile but read from byte 32");
}

// ---- findings
void check_finding(const finding& f, check_rule rule, const std::string& says) {
  CHECK(!f.ok());
  CHECK(f.rule == rule);
  CHECK(std::string(f.says) == says);
}
TEST_CASE("what is found, as a sentence") {
  check_finding(sums_agree("(64,32):(32,1)"_layout, "(64,16):(16,1)"_layout), check_rule::sums_differ_in_length,
                "A is (64,32) and B (64,16): K is 32 and 16");
  check_finding(bytes_arrive(4096, 2048), check_rule::bytes_differ,
                "the barrier expects 4096 bytes and 2048 are copied: it never completes");
  check_finding(bytes_arrive(2048, 4096), check_rule::bytes_differ,
                "the barrier expects 2048 bytes and 4096 are copied: it completes too early");
  check_finding(fits_shared_memory(300'000), check_rule::shared_memory_is_too_small,
                "300000 bytes of shared memory are wanted, a CTA has 232448");
  check_finding(aligned_for(composition(swizzle{3, 3, 3}, "(8,64):(64,1)"_layout), 16, 128),
                check_rule::wgmma_cannot_read_it,
                "the tile Sw<3,3,3> o 0 o (8,64):(64,1) is aligned to 128 bytes and its swizzle repeats after 1024: align "
                "it to that");
  check_finding(free_of_conflicts([](int lane) { return std::int64_t{128} * lane; }, 4), check_rule::banks_conflict,
                "32 words meet in bank 0, in pass 0 of an access of 4 bytes by 32 lanes");
  check_finding(divides_evenly("(128,256,60)"_shape, "(128,256,16)"_shape), check_rule::tile_is_not_a_multiple,
                "mode 2 of a tile of (128,256,60) is 60, not a multiple of the 16 of (128,256,16): what covers it has "
                "2097152 places and it has 1966080; 48 or 64 fit");
}

}  // namespace
