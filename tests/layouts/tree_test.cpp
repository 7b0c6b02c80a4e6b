// Layouts and tuples as trees, coordinates, slicing, profiles.
#include <doctest/doctest.h>

#include "small_layouts.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

STATIC_CASE(layout{} == "1:0"_layout);
STATIC_CASE(rank("((8,16),(8,8))"_layout) == 2 && depth("((8,16),(8,8))"_layout) == 2);
STATIC_CASE(rank("8"_layout) == 1 && depth("8"_layout) == 0 && rank("(8)"_layout) == 1 && depth("(8)"_layout) == 1);
STATIC_CASE(size("((8,16),(8,8))"_layout) == 8192 && cosize("(4,3):(2,-5)"_layout) == 17);
STATIC_CASE(mode("((8,16),(8,8))"_layout, 1) == "(8,8):(128,1024)"_layout);
STATIC_CASE(mode("((8,16),(8,8))"_layout, 1, 0) == "8:128"_layout);
STATIC_CASE(shape("(4,(2,3))"_layout) == "(4,(2,3))"_shape && stride("(4,(2,3))"_layout) == "(1,(4,8))"_shape);
STATIC_CASE(layout_right("(4,(2,3))"_shape) == "(4,(2,3)):(6,(3,1))"_layout);

TEST_CASE("one function of index, indices and coordinates") {
  constexpr layout l = "((8,16),(8,8)):((8,512),(1,64))"_layout;
  STATIC_CHECK(l(9, 9) == 8 + 512 + 1 + 64);
  CHECK(l(9 + 128 * 9) == l(9, 9));
  CHECK(l("(9,9)"_coord) == l(9, 9));
  CHECK(l("((1,1),(1,1))"_coord) == l(9, 9));
  CHECK(l("((1,1),9)"_coord) == l(9, 9));
  CHECK(l("(9,_)"_coord) == 8 + 512);
  const layout deep = "(2,((3,4),5)):(1,((2,10),100))"_layout;
  for (const int_tuple& c : coordinates(deep))
    CHECK(deep(c) == c.leaf[0] + 2 * c.leaf[1] + 10 * c.leaf[2] + 100 * c.leaf[3]);
  CHECK(deep("(1,(7,3))"_coord) == 1 + 2 * 1 + 10 * 2 + 300);
  CHECK("(2,4):(1,2)"_layout(9) == 9);  // the last mode goes on
  CHECK("(2,4):(1,10)"_layout(-3) == -11);
}

TEST_CASE("evaluation with the layout as a template argument gives the same") {
  constexpr layout l = "((2,3),(4,5),2):((1,60),(3,12),200)"_layout;
  for (int i = 0; i < size(l); ++i) CHECK(offset_in<l>(i) == l(i));
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 20; ++b) CHECK(offset_in<l>(a, b, 1) == l(a, b, 1));
  }
  constexpr swizzled_layout s = "Sw<3,0,3> o 8 o (8,8):(8,1)"_swizzled;
  for (int a = 0; a < 8; ++a) CHECK(offset_in<s>(a, 5) == s(a, 5));
  STATIC_CHECK(offset_in<"4:3"_layout>(2) == 6 && offset_in<"((4,2)):((3,1))"_layout>(5) == 4);
}

TEST_CASE("taking apart and putting together") {
  const layout l = "(4,(5,6),7)"_layout;
  CHECK(flatten(l) == "(4,5,6,7)"_layout);
  CHECK(unflatten(flatten(l), shape(l)) == l);
  CHECK(take(l, 1, 3) == "((5,6),7):((4,20),120)"_layout);
  CHECK(select(l, 2, 0) == "(7,4):(120,1)"_layout);
  CHECK(group(l, 0, 2) == "((4,(5,6)),7):((1,(4,20)),120)"_layout);
  CHECK(group("(4,5,6)"_layout, 1, 3) == "(4,(5,6))"_layout);
  CHECK(append("4:1"_layout, "2:8"_layout) == "(4,2):(1,8)"_layout);
  CHECK(prepend("(4,3)"_layout, "2:8"_layout) == "(2,4,3):(8,1,4)"_layout);
  CHECK(append_to_rank("4"_layout, 3) == "(4,1,1):(1,0,0)"_layout);
  CHECK(replace("(4,3)"_layout, 0, "(2,2):(8,1)"_layout) == "((2,2),3):((8,1),4)"_layout);
  CHECK(wrap("4"_layout) == "(4):(1)"_layout);
  CHECK(unwrap("((4))"_layout) == "(4):(1)"_layout);
  CHECK(unwrap("(4,2)"_layout) == "(4,2)"_layout);
  CHECK(zip("(2,3)"_layout, "(4,5):(6,24)"_layout) == "((2,4),(3,5)):((1,6),(2,24))"_layout);
  CHECK(make_layout("4"_layout, "(2,2):(4,16)"_layout) == "(4,(2,2)):(1,(4,16))"_layout);
  CHECK(select("(4,(5,6),7)"_shape, 1, 1) == "((5,6),(5,6))"_shape);
  CHECK(mode(make_tiler(4, make_tiler(_, "2:2"_layout)), 1) == "<_,2:2>"_tiler);
}

TEST_CASE("coalesce, worked examples") {
  CHECK(coalesce("(2,(1,6)):(1,(6,2))"_layout) == "12:1"_layout);
  CHECK(coalesce("(2,(1,6)):(1,(6,2))"_layout, "(1,1)"_shape) == "(2,6):(1,2)"_layout);
  CHECK(coalesce("(2,1,6):(4,7,8)"_layout) == "12:4"_layout);
  CHECK(coalesce("((2,2),(2,2)):((1,2),(8,32))"_layout, "(1,(1,1))"_shape) == "(4,(2,2)):(1,(8,32))"_layout);
  CHECK(coalesce("(4,4):(-1,-4)"_layout) == "16:-1"_layout);
  CHECK(coalesce("(1,1):(5,7)"_layout) == "1:0"_layout);
  CHECK(filter("(4,3,2):(1,0,4)"_layout) == "8:1"_layout);
  CHECK(filter("((4,3),(2,2)):((1,0),(0,0))"_layout, "(1,1)"_shape) == "(4,1):(1,0)"_layout);
}

TEST_CASE("complement and inverses, worked examples") {
  CHECK(complement("4:1"_layout, 24) == "6:4"_layout);
  CHECK(complement("6:4"_layout, 24) == "4:1"_layout);
  CHECK(complement("(4,6)"_layout, 24) == "1:0"_layout);
  CHECK(complement("4:2"_layout, 24) == "(2,3):(1,8)"_layout);
  CHECK(complement("(2,4):(1,6)"_layout, 24) == "3:2"_layout);
  CHECK(complement("(2,2):(1,6)"_layout, 24) == "(3,2):(2,12)"_layout);
  CHECK(complement("4:0"_layout, 8) == "8:1"_layout);
  CHECK(complement("64"_layout, "(32,4,4)"_shape) == "8:64"_layout);
  CHECK(complement("(2,(3,4)):(3,(1,6))"_layout) == "1:0"_layout);
  CHECK(complement("(4,10):(1,10)"_layout) == "2:4"_layout);  // 4 of every 10 offsets, and 4 more: 8 and 9 stay out
  CHECK(right_inverse("(8,4):(4,1)"_layout) == "(4,8):(8,1)"_layout);
  CHECK(right_inverse("(4,2):(1,16)"_layout) == "4:1"_layout);
  CHECK(right_inverse("4:2"_layout) == "1:0"_layout);
  CHECK(right_inverse("(2,4):(1,1)"_layout) == "2:1"_layout);  // of two modes of one stride the first
  CHECK(right_inverse("(3,7):(0,0)"_layout) == "1:0"_layout);
  CHECK(left_inverse("(8,4):(4,1)"_layout) == "(4,8):(8,1)"_layout);
  CHECK(left_inverse("(4,2):(1,5)"_layout) == "(5,2):(1,4)"_layout);
  CHECK(left_inverse("4:-1"_layout) == "4:-1"_layout);
  CHECK(left_inverse("(1,4):(1,-1)"_layout) == "4:-1"_layout);  // a mode of extent 1 goes neither up nor down,
  CHECK(left_inverse("(2,4):(0,-1)"_layout) == "4:-2"_layout);  // and neither does one of stride 0
  CHECK(nullspace("(7,5,16):(3,1,0)"_layout) == "16:35"_layout);
  CHECK(nullspace("(3,1,16):(1,0,0)"_layout) == "(1,16):(0,3)"_layout);
  CHECK(!is_injective("(3,3,5):(1,5,9)"_layout));  // 10 is 2 * 5 and 1 + 9: strides that do not divide each other
  CHECK(max_common_vector("(4,8):(8,1)"_layout, "(4,8):(8,1)"_layout) == 32);
  CHECK(max_common_vector("(4,8):(8,1)"_layout, "(4,8):(1,4)"_layout) == 1);
  CHECK(max_common_layout("(4,8):(1,8)"_layout, "(4,8):(1,4)"_layout) == "4:1"_layout);
}

TEST_CASE("slice and dice split a layout") {
  const layout l = "((4,8),2)"_layout;
  CHECK(slice("(_,1)"_coord, l) == "((4,8)):((1,4))"_layout);
  CHECK(slice("((_,1),_)"_coord, l) == "(4,2):(1,32)"_layout);
  CHECK(dice("((_,1),_)"_coord, l) == "(8):(4)"_layout);
  CHECK(slice("_"_coord, l) == l);
  CHECK(slice("(1,1)"_coord, l) == empty_tree<layout>());
  CHECK(size(slice("(1,1)"_coord, l)) == 1);
  CHECK(slice("(_,1)"_coord, "((4,8),2)"_shape) == "((4,8))"_shape);
  const slice_at column = slice_and_offset("(_,3)"_coord, "(4,8):(8,1)"_layout);
  for (int i = 0; i < 4; ++i) CHECK(column.offset + column.kept(i) == "(4,8):(8,1)"_layout(i, 3));
}

TEST_CASE("coordinates between shapes") {
  CHECK(idx2crd(11, "(2,(3,4))"_shape) == "(1,(2,1))"_coord);
  CHECK(idx2crd("(1,5)"_coord, "(2,(3,4))"_shape) == "(1,(2,1))"_coord);
  CHECK(idx2crd(13, "(2,3)"_shape) == "(1,6)"_coord);  // the last leaf goes on
  CHECK(idx2crd(5, "(4,2)"_shape, "(2,1)"_shape) == "(2,1)"_coord);
  CHECK(crd2idx("(1,(2,1))"_coord, "(2,(3,4))"_shape) == 11);
  CHECK(crd2idx("(1,5)"_coord, "(2,(3,4))"_shape) == 11);
  CHECK(crd2idx("(1,2)"_coord, "(2,4)"_shape, "(10,1)"_shape) == 12);
  CHECK(crd2crd(5, "(2,3)"_shape, "(3,2)"_shape) == "(2,1)"_coord);
  CHECK(crd2crd("(1,4)"_coord, "(2,6)"_shape, "(2,(3,2))"_shape) == "(1,(1,1))"_coord);
  CHECK(crd2crd("(1,(1,1))"_coord, "(2,(3,2))"_shape, 12) == 9);
}

TEST_CASE("profiles: congruent, weakly congruent, compatible") {
  CHECK(congruent("(4,(2,8))"_shape, "(1,(1,1))"_shape));
  CHECK(!congruent("(4,(2,8))"_shape, "(1,1)"_shape));
  CHECK(weakly_congruent("(4,5)"_shape, "(4,(2,8))"_shape));
  CHECK(weakly_congruent(7, "(4,(2,8))"_shape));
  CHECK(!weakly_congruent("(4,(2,8))"_shape, "(4,5)"_shape));
  CHECK(!weakly_congruent("(4,5)"_shape, "(4,5,6)"_shape));
  CHECK(!weakly_congruent("((4,5))"_shape, "(4,5)"_shape));
  CHECK(!weakly_congruent("((4),5)"_shape, "((4,5))"_shape));
  CHECK(compatible("(8,(2,2))"_shape, "((2,4),(2,2))"_shape));
  CHECK(compatible(32, "((2,4),(2,2))"_shape));
  CHECK(!compatible("(8,(2,2))"_shape, "((2,4),4)"_shape));
  CHECK(!compatible("(8,4)"_shape, "((2,3),4)"_shape));
}
