// Expressions: every function gives what the function of layouts/ gives and refuses what it refuses, and what is wrong
// with a text is said at its place.
#include <doctest/doctest.h>

#include <sectile/layouts/expression.hpp>
#include <string>
#include <utility>
#include <vector>

#include "small_layouts.hpp"

using namespace sectile;
using namespace sectile::literals;
using namespace sectile_tests;

namespace {

/// The value of a text; a text without one fails the test.
std::string value_of(const std::string& text) {
  const evaluated e = evaluate(text);
  CHECK_MESSAGE(e, text, ": ", e.problem);
  return to_string(e);
}

/// What is wrong with a text, and where: "4: expected ...".
std::string problem_of(const std::string& text) {
  const evaluated e = evaluate(text);
  CHECK_MESSAGE(!e, text, " is ", to_string(e));
  return std::to_string(e.position) + ": " + e.problem;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct example {
  const char* text;
  const char* value;
};

// Where CuTe's documentation has an example of a function, it is here.
const example values[] = {
    {"make_layout((2,4))", "(2,4):(1,2)"},
    {"make_layout((2,4), (4,1))", "(2,4):(4,1)"},
    {"make_layout(3:1, (4,2):(3,24))", "(3,(4,2)):(1,(3,24))"},
    {"make_layout(Sw<0,4,3> o 4:2)", "(4):(2)"},
    {"layout_left((4,8))", "(4,8):(1,4)"},
    {"layout_right((4,8))", "(4,8):(8,1)"},
    {"make_ordered_layout((2,2,2,2), (0,2,3,1))", "(2,2,2,2):(1,4,8,2)"},
    {"make_layout_like((2,3,4,5):(0,42,1,0))", "(2,3,4,5):(0,4,1,0)"},
    {"make_layout_tv((4,8):(8,1), (1,8))", "((8,4),8):((32,1),4)"},
    {"compact_order((2,2,2,2), (0,2,3,1))", "(1,4,8,2)"},
    {"local_tile((16,64):(64,1), (8,16), (1,2))", "Sw<0,4,3> o 544 o (8,16):(64,1)"},
    {"local_tile(Sw<3,3,3> o (16,64):(64,1), (8,16), (1,2))", "Sw<3,3,3> o 544 o (8,16):(64,1)"},
    {"local_partition((16,64):(64,1), (2,16):(16,1), 17)", "Sw<0,4,3> o 65 o (8,4):(128,16)"},
    {"make_identity_layout((4,8))", "(4,8):(1@0,1@1)"},
    {"tma_coordinates((128,64):(64,1))", "(128,64):(1@1,1@0)"},
    {"max_alignment((8,4):(1,12))", "4"},
    {"same_function((4,8):(8,1), ((2,2),8):((8,16),1))", "true"},
    {"same_function(Sw<1,0,24> o 16777216:1, Sw<2,0,24> o 16777216:1)", "true"},  // the most that are compared
    {"first_difference(Sw<3,3,3> o (8,64):(64,1), (8,64):(64,1))", "1"},
    {"weakly_compatible(4, (2,4))", "true"},
    {"softly_compatible((16,3), ((2,4),1))", "true"},
    {"elem_less((1,2), (4,2))", "false"},
    {"composition(Sw<2,4,3>, Sw<1,6,3>)", "Sw<3,4,3>"},
    {"Sw<3,3,3> o (Sw<3,3,3> o (8,64):(64,1))", "(8,64):(64,1)"},
    {"shape(((2,3),4):((1,2),6))", "((2,3),4)"},
    {"shape(4:2)", "4"},
    {"stride(((2,3),4):((1,2),6))", "((1,2),6)"},
    {"size((4,8):(8,1))", "32"},
    {"size(Sw<3,4,3> o (8,64):(64,1))", "512"},
    {"cosize((4,8):(8,1))", "32"},
    {"cosize(Sw<3,3,3> o (8,64):(64,1))", "512"},
    {"rank((2,(3,4)))", "2"},
    {"rank(Sw<3,4,3> o (8,64):(64,1))", "2"},
    {"depth((2,(3,4)))", "2"},
    {"depth(4:1)", "0"},
    {"product((2,(3,4)))", "24"},
    {"product_each((2,(3,4)))", "(2,12)"},
    {"mode(((2,3),4):((1,2),6), 0)", "(2,3):(1,2)"},
    {"mode(((2,3),4):((1,2),6), 0, 1)", "3:2"},
    {"mode(Sw<1,0,1> o (2,4):(4,1), 1)", "Sw<1,0,1> o 0 o 4:1"},
    {"select((2,3,4):(1,2,6), 2, 0)", "(4,2):(6,1)"},
    {"take((2,3,4,5), 1, 3)", "(3,4)"},
    {"group((2,3,4):(1,2,6), 0, 2)", "((2,3),4):((1,2),6)"},
    {"flatten(((2,3),4):((1,2),6))", "(2,3,4):(1,2,6)"},
    {"flatten(Sw<1,0,1> o ((2,3),4):((1,2),6))", "Sw<1,0,1> o 0 o (2,3,4):(1,2,6)"},
    {"unflatten((2,3,4):(1,2,6), ((1,1),1))", "((2,3),4):((1,2),6)"},
    {"append((2,3):(1,2), 4:6)", "(2,3,4):(1,2,6)"},
    {"prepend((2,3), 4)", "(4,2,3)"},
    {"replace((2,3):(1,2), 1, 5:2)", "(2,5):(1,2)"},
    {"zip((2,3), (4,5))", "((2,4),(3,5))"},
    {"slice((2,_), (8,64):(64,1))", "(64):(1)"},
    {"slice(((_,1),_), ((2,3),4))", "(2,4)"},
    {"dice((2,_), (8,64):(64,1))", "(8):(64)"},
    {"crd2idx((1,2), (4,8):(8,1))", "10"},
    {"crd2idx((3,1), (4,8))", "7"},
    {"crd2idx((1,2), (4,8), (8,1))", "10"},
    {"idx2crd(7, ((2,2),4))", "((1,1),1)"},
    {"idx2crd(10, (4,8), (8,1))", "(1,2)"},
    {"idx2crd(9, (4,8):(8,1))", "(1,2)"},
    {"crd2crd((3,1), (4,8), 32)", "7"},
    {"coalesce((2,(1,6)):(1,(6,2)))", "12:1"},
    {"coalesce((4,(2,3)):(1,(4,8)), (1,1))", "(4,6):(1,4)"},
    {"coalesce(Sw<2,0,2> o (4,4):(1,4))", "Sw<2,0,2> o 0 o 16:1"},
    {"filter((4,3):(1,0))", "4:1"},
    {"filter(((4,3),(2,2)):((1,0),(4,8)), (1,1))", "(4,4):(1,4)"},
    {"filter_zeros((4,3):(1,0))", "(4,1):(1,0)"},
    {"composition((6,2):(8,2), (4,3):(3,1))", "((2,2),3):((24,2),8)"},
    {"composition((12,(4,8)):(59,(13,1)), <3:4,8:2>)", "(3,(2,4)):(236,(26,1))"},
    {"composition(Sw<3,3,3>, (8,64):(64,1))", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
    {"composition((16,4):(4,1), Sw<1,0,1>)", "Sw<1,2,1> o 0 o (16,4):(4,1)"},
    {"complement((2,2):(1,6), 24)", "(3,2):(2,12)"},
    {"complement((2,2):(1,6))", "3:2"},
    {"logical_divide((4,2,3):(2,1,8), 4:2)", "((2,2),(2,3)):((4,1),(2,8))"},
    {"logical_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)", "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"},
    {"zipped_divide((8,16):(16,1), (4,8))", "((4,8),(2,2)):((16,1),(64,8))"},
    {"tiled_divide((8,16):(16,1), (4,8))", "((4,8),2,2):((16,1),64,8)"},
    {"flat_divide((8,16):(16,1), (4,8))", "(4,8,2,2):(16,1,64,8)"},
    {"evenly_divides(48:1, 32:1)", "false"},
    {"evenly_divides((8,16), <4,_>)", "true"},
    {"logical_product((2,2):(4,1), 6:1)", "((2,2),(2,3)):((4,1),(2,8))"},
    {"logical_product(Sw<3,3,3> o (8,64):(64,1), 2:1)", "Sw<3,3,3> o 0 o ((8,64),2):((64,1),512)"},
    {"zipped_product((2,5):(5,1), <3:5,4:6>)", "((2,5),(3,4)):((5,1),(10,30))"},
    {"tiled_product(2:1, 3:1)", "(2,3):(1,2)"},
    {"flat_product(2:1, 3:1)", "(2,3):(1,2)"},
    {"blocked_product((2,5):(5,1), (3,4):(1,3))", "((2,3),(5,4)):((5,10),(1,30))"},
    {"raked_product((2,5):(5,1), (3,4):(1,3))", "((3,2),(4,5)):((10,5),(30,1))"},
    {"tile_to_shape((8,64):(64,1), (128,128))", "((8,16),(64,2)):((64,512),(1,8192))"},
    {"tile_to_shape((8,64):(64,1), (128,128), (1,0))", "((8,16),(64,2)):((64,1024),(1,512))"},
    {"right_inverse((4,8):(8,1))", "(8,4):(4,1)"},
    {"left_inverse((4,8):(1,5))", "(5,8):(1,4)"},
    {"max_common_layout((4,8):(1,4), (4,8):(1,8))", "4:1"},
    {"max_common_vector((4,8):(1,4), (4,8):(1,8))", "4"},
    {"nullspace((4,3):(1,0))", "3:4"},
    {"upcast((8,64):(64,1), 8)", "(8,8):(8,1)"},
    {"downcast((8,8):(8,1), 8)", "(8,64):(64,1)"},
    {"recast((8,64):(64,1), bf16, 128)", "(8,8):(8,1)"},
    {"recast(Sw<3,4,3>, 8, bf16)", "Sw<3,3,3>"},
    {"recast(Sw<3,3,3> o (8,64):(64,1), 16, 128)", "Sw<3,0,3> o 0 o (8,8):(8,1)"},
    {"is_injective((4,2):(1,2))", "false"},
    {"is_surjective((4,2):(1,2))", "true"},
    {"is_bijective(Sw<3,3,3> o (8,64):(64,1))", "true"},
    {"is_compact((4,2):(2,1))", "true"},
    {"congruent((2,(3,4)), (5,(6,7)):(1,(2,3)))", "true"},
    {"weakly_congruent(4, (2,2))", "true"},
    {"compatible(8, (2,4))", "true"},
    {"byte_swizzle(b128)", "Sw<3,4,3>"},
    {"make_swizzle(2, 0, -2)", "Sw<2,0,-2>"},
    {"with_swizzle((8,64):(64,1), Sw<3,3,3>)", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
    {"with_swizzle((8,8):(8,1), b32, 16)", "Sw<1,4,3> o 16 o (8,8):(8,1)"},
    {"span_bytes(b64)", "64"},
    {"pattern_bytes(b128)", "1024"},
    {"bits(e4m3)", "8"},
    {"tile(bf16, 128, 64, k, b128)", "Sw<3,3,3> o 0 o (128,(64,1)):(64,(1,8192))"},
    {"tile(bf16, 16, 32, k, none)", "(16,(8,4)):(8,(1,128))"},
    {"tile(16, 128, 16, mn, b128)", "Sw<3,3,3> o 0 o ((64,2),16):((1,1024),64)"},
    {"bytes(tile(bf16, 128, 64, k, b128))", "16384"},
    {"panels(tile(bf16, 128, 16, mn, b128))", "2"},
    {"panel_width(tile(bf16, 128, 64, k, b128))", "64"},
    {"panel_rows(tile(bf16, 128, 64, k, b128))", "128"},
    {"panel_bytes(tile(bf16, 128, 64, k, b128))", "16384"},
    {"alignment(tile(bf16, 128, 64, k, b128))", "1024"},
    {"boxes(tile(bf16, 512, 64, k, b128))", "2"},
    {"box_of(tile(bf16, 128, 64, k, b128))", "(64,128)"},
    {"place_of_box(tile(bf16, 512, 64, k, b128), 1)", "(256,0,32768)"},
    {"box_starts(tile(bf16, 512, 64, k, b128), k, bf16)", "(2,1):(16384,0)"},
    {"ldmatrix_rows(tile(bf16, 64, 64, k, b128), k, bf16)", "Sw<3,3,3> o 0 o (16,2):(64,8)"},
    {"descriptor_of(Sw<3,3,3> o 0 o (128,64):(64,1), k, bf16, 64, 16, 64, 16) == "
     "descriptor_at(tile(bf16, 128, 64, k, b128), 64, 16)",
     "true"},
    {"written_at(tile(bf16, 128, 64, k, b128), 1, 8)", "128"},
    {"read_at(tile(bf16, 128, 64, k, b128), 1, 8, 64, 16)", "128"},
    {"reachable(tile(bf16, 128, 64, k, b128), 64, 16)", "true"},
    {"encode(descriptor_at(tile(bf16, 128, 64, k, b128)))", "0x4000004000010000"},
    {"descriptor_at(tile(bf16, 128, 64, k, b128), 64, 16)",
     "start 0x02020, LBO 16, SBO 1024, base offset 0, swizzle 128B = 0x4000004000010202"},
    {"encode(0x2000, 16, 1024, b128)", "0x4000004000010200"},
    {"decode(0x4000004000010200)", "start 0x02000, LBO 16, SBO 1024, base offset 0, swizzle 128B = 0x4000004000010200"},
    {"read_offset(0x4000004000010200, k, 1, 8, bf16)", "8320"},
    {"canonical_layout(k, b128, bf16, 64, 64, 8, 512)", "((8,8),(8,8)):((64,512),(1,8))"},
    {"descriptor_layout(0x4000004000010200, k, bf16, 64, 16)", "Sw<3,3,3> o 0 o ((8,8),(8,2)):((64,512),(1,8))"},
    {"descriptor_layout(descriptor_at(tile(bf16, 64, 64, k, b128), 0, 16), k, bf16, 64, 16)",
     "Sw<3,3,3> o 16 o ((8,8),(8,2)):((64,512),(1,8))"},
    {"d_layout(64)", "((4,8,4),(2,2,8)):((128,1,16),(64,8,512))"},
    {"a_layout(bf16)", "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"},
    {"sparse_a_layout(e4m3)", "((4,8,4),(8,2,2)):((512,1,16),(64,8,2048))"},
    {"metadata_layout(bf16)", "((2,2,8,4),(16,2)):((1024,0,1,16),(64,8))"},
    {"accumulator_registers(256, 32)", "128"},
    {"d_coord(37, 5)", "(17,11)"},
    {"d_slot(17, 11)", "(37,5,0)"},
    {"a_coord(bf16, 37, 1, 1)", "(25,3)"},
    {"a_slot(bf16, 25, 3)", "(37,1,1)"},
    {"conflict_degree(8:64, bf16, 16)", "8"},
    {"conflict_degree(Sw<3,3,3> o 8:64, bf16, 16)", "1"},
    {"conflict_degree(32:1, f32, 4, 16)", "1"},
    {"hex(255)", "0xff"},
};

// A call of every function that it refuses, and part of what it says.
const example refusals[] = {
    {"make_layout((2,4), 4)", "have different profiles"},
    {"layout_left((2,0))", "every extent must be at least 1"},
    {"layout_right((2,_))", "must be a tuple without _"},
    {"make_ordered_layout((2,2), (0,1,2))", "does not fit the profile"},
    {"make_layout_like(Sw<3,4,3> o 8:1)", "must be a layout without a swizzle"},
    {"make_layout_tv((4,8):(8,1), 4:2)", "4:2 does not number its places 0 to 3"},
    {"compact_order((2,2), (0,1,2))", "does not fit the profile"},
    {"local_tile((16,64):(64,1), (8,16), (2,0))", "lies outside"},
    {"local_partition((16,64):(64,1), (2,16):(1,1), 0)", "the threads do not stand at one place each"},
    {"max_alignment(k)", "must be a layout"},
    {"same_function(Sw<1,0,24> o 16777217:1, Sw<2,0,24> o 16777217:1)", "too many elements to compare them all"},
    {"first_difference(4:1, 5:1)", "have 4 and 5 elements"},
    {"weakly_compatible(4, k)", "must be a layout"},
    {"softly_compatible(4, k)", "must be a layout"},
    {"elem_less((1,2), 4)", "have different profiles"},
    {"shape(true)", "must be a layout, not true or false"},
    {"stride(b128)", "must be a layout, not a swizzle mode"},
    {"size(Sw<3,4,3>)", "must be a layout, not a swizzle"},
    {"cosize(<4:1,_>)", "must be a layout, not a tiler"},
    {"rank(bf16)", "must be a layout, not an element type"},
    {"depth(k)", "must be a layout, not a direction"},
    {"product((9223372036854775807,2))", "does not fit 64 bits"},
    {"product_each(4:1)", "must be a tuple of integers, not a layout"},
    {"mode((2,3):(1,2), 2)", "mode 2 does not exist: the rank is 2"},
    {"select((2,3), 0, 5)", "mode 5 does not exist"},
    {"take((2,3), 1, 1)", "take: modes [1,1)"},
    {"group((2,3), 1, 4)", "take: modes [1,4)"},
    {"flatten(_8 == 8)", "must be a layout, not true or false"},
    {"make_identity_layout((2,0))", "every extent must be at least 1"},
    {"tma_coordinates((2,2):(1,0))", "TMA counts no dimension of stride 0"},
    {"unflatten((2,3), (1,(1,1)))", "has 2 leaves"},
    {"append((2,3), true)", "must be a layout"},
    {"prepend(9223372036854775807:1, 2:1)", "more elements than 64 bits"},
    {"replace((2,3), 2, 4)", "mode 2 does not exist"},
    {"zip((2,3), 4)", "has rank 2"},
    {"slice((2,_,1), (8,64):(64,1))", "does not fit"},
    {"dice((_,_), 4:1)", "does not fit"},
    {"crd2idx((1,2,3), (4,8):(8,1))", "does not fit the profile"},
    {"idx2crd((1,2), 8)", "does not fit the profile"},
    {"crd2crd((1,2), (4,8), (2,2,8))", "have different ranks"},
    {"coalesce(4:1, (1,1))", "has more modes"},
    {"filter(4:1, (1,1))", "has more modes"},
    {"filter_zeros(Sw<3,4,3> o 8:1)", "must be a layout without a swizzle"},
    {"composition((4,6,8):(2,3,5), 6:3)", "is not a layout"},
    {"complement((4,2):(1,2), 24)", "so no layout fills the gaps without overlap"},
    {"logical_divide(6:1, (2,2):(1,3))", "leave out element 2 of 6"},
    {"zipped_divide(6:1, <2,2>)", "more modes than the layout"},
    {"tiled_divide(6:1, b128)", "must be a layout, a shape or a tiler <...>"},
    {"flat_divide((6,6), (2,2,2))", "more modes than the layout"},
    {"logical_divide(8:1, <2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2>)", "a tiler may have at most 24 tiles"},
    {"evenly_divides(48:1, 0)", "every extent must be at least 1"},
    {"logical_product((4,2):(1,2), 3:1)", "complement of (4,2):(1,2) is refused"},
    {"zipped_product(4:1, <2,2>)", "more modes than the layout"},
    {"tiled_product((4,2):(1,2), 2:1)", "complement"},
    {"flat_product(Sw<3,4,3> o 4:1, 2:1)", "must be a layout without a swizzle"},
    {"blocked_product((4,2):(1,2), 3:1)", "complement"},
    {"raked_product((4,2):(1,2), 3:1)", "complement"},
    {"tile_to_shape((8,64):(64,1), (12,64))", "does not divide 12"},
    {"right_inverse(Sw<3,4,3> o 16 o 8:1)", "the offset before the swizzle must be 0"},
    {"left_inverse((2,2):(1,-2))", "strides of both signs"},
    {"max_common_layout(4:1, Sw<3,4,3> o 8:1)", "must be a layout without a swizzle"},
    {"max_common_vector(4:1, false)", "must be a layout"},
    {"nullspace(none)", "must be a layout"},
    {"upcast((4,3):(3,1), 2)", "stride 3 is neither"},
    {"downcast(4:2, 2)", "no mode has stride 1"},
    {"recast((4,3):(3,1), 16, 32)", "upcast of (4,3):(3,1) by 2 is refused"},
    {"is_injective((2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2):"
     "(99999,99991,99989,99971,99961,99929,99923,99907,99901,99881,99877,99871,99859,99839,99833,99829,99823,99817,"
     "99809,99793,99787,99767,99761,99733))",
     "interleave in too many ways"},
    {"is_surjective(Sw<3,4,3> o 8:1)", "without a swizzle"},
    {"is_bijective(bf16)", "must be a layout, not an element type"},
    {"is_compact(Sw<3,4,3> o 8:1)", "without a swizzle"},
    {"congruent(4, true)", "must be a layout"},
    {"weakly_congruent(<4,4>, 4)", "must be a layout"},
    {"compatible(<4,4>, 4)", "must be a layout, not a tiler"},
    {"byte_swizzle(3)", "a swizzle mode: none, b32, b64 or b128, not an integer"},
    {"make_swizzle(3, 4, 2)", "is not a swizzle"},
    {"with_swizzle(4:-1, Sw<1,0,1>)", "the lowest offset is -3"},
    {"span_bytes(bf16)", "a swizzle mode"},
    {"pattern_bytes(k)", "a swizzle mode"},
    {"bits(k)", "an element type or its number of bits"},
    {"tile(bf16, 64, 60, k, b128)", "a contiguous extent of 60 elements is not a multiple of the 64"},
    {"bytes(4:1)", "an operand tile, as tile(...) makes it"},
    {"panels(4:1)", "an operand tile"},
    {"panel_width(4:1)", "an operand tile"},
    {"panel_rows(4:1)", "an operand tile"},
    {"panel_bytes(4:1)", "an operand tile"},
    {"alignment(4:1)", "an operand tile"},
    {"boxes(4:1)", "an operand tile"},
    {"box_of(4:1)", "an operand tile"},
    {"place_of_box(tile(bf16, 64, 64, k, b128), 1)", "is 1; it must be 0 to 0"},
    {"box_starts((64,64):(64,1), mn, bf16)", "TMA brings rows of 8 elements along MN"},
    {"ldmatrix_rows(64:1, k, bf16)", "has 1 modes; they are MN and K"},
    {"descriptor_of((64,64):(64,1), k, bf16, 64, 16)", "no descriptor reads (64,16):(64,1)"},
    {"descriptor_of((64,64):(64,1), k, bf16, 64, 16, 0)", "and MN0, K0 or not"},
    {"written_at(tile(bf16, 64, 64, k, b128), 64, 0)", "is 64; it must be 0 to 63"},
    {"read_at(tile(bf16, 64, 64, k, b128), 0, 0, 64, 24)", "not a multiple of the instruction's 24"},
    {"reachable(tile(bf16, 64, 64, k, b128), 48, 16)", "not a multiple of the instruction's 48"},
    {"reachable(tile(bf16, 64, 64, k, b128), 64, 4)", "an instruction's extent of 4 is not a multiple of the 8"},
    {"descriptor_at(tile(bf16, 64, 64, k, b128), 0, 64)", "is 64; it must be 0 to 63"},
    {"encode(8, 16, 1024, b128)", "a start address of 8 bytes is not a multiple of 16"},
    {"decode(0x4000)", "descriptor bits 14-15"},
    {"read_offset(0x4000, k, 0, 0, bf16)", "descriptor bits 14-15"},
    {"canonical_layout(k, b128, bf16, 64, 128, 8, 512)", "extends past the swizzle span of 64"},
    {"descriptor_layout(0x4000, k, bf16, 64, 16)", "descriptor bits 14-15"},
    {"d_layout(12)", "12 is not a multiple of 8"},
    {"a_layout(4)", "wgmma has no operand of 4-bit elements"},
    {"a_layout(s32)", "wgmma has no s32 operands"},
    {"tile(f32, 64, 32, k, b128)", "wgmma has no f32 operands; it multiplies tf32"},
    {"sparse_a_layout(b1)", "no sparse form"},
    {"metadata_layout(b1)", "no sparse form"},
    {"accumulator_registers(64, 8)", "an accumulator has elements of 16 or 32 bits, not 8"},
    {"d_coord(128, 0)", "is 128; it must be 0 to 127"},
    {"d_slot(64, 0)", "is 64; it must be 0 to 63"},
    {"a_coord(bf16, 0, 4, 0)", "is 4; it must be 0 to 3"},
    {"a_slot(bf16, 0, 16)", "is 16; it must be 0 to 15"},
    {"conflict_degree(8:2147483648, bf16, 16)", "lane 1 begins at offset 2147483648, which is not in shared memory"},
    {"conflict_degree(8:65, bf16, 16)", "lane 1 begins at byte 130, which is not a multiple of the access's 16"},
    {"hex(-1)", "64 bits"},
};

/// The name of the function that a text calls.
std::string called(const char* text) {
  const std::string whole = text;
  return whole.substr(0, whole.find('('));
}

}  // namespace

TEST_CASE("every function has values") {
  for (const auto& [text, value] : values) {
    const std::string found = value_of(text);
    CHECK_MESSAGE(found == value, std::string(text), " is ", found);
  }
}

TEST_CASE("every function refuses in its own words") {
  for (const auto& [text, words] : refusals) {
    const std::string problem = problem_of(text);
    CHECK_MESSAGE(contains(problem, words), std::string(text), ": ", problem);
  }
}

TEST_CASE("no function is left out of the two tables") {
  for (const expressions::function& f : expressions::functions()) {
    bool has_value = false, has_refusal = false;
    for (const example& e : values) has_value = has_value || contains(e.text, std::string(f.name) + "(");
    for (const example& e : refusals) has_refusal = has_refusal || called(e.text) == f.name;
    CHECK_MESSAGE(has_value, f.name);
    CHECK_MESSAGE(has_refusal, f.name);
  }
}

TEST_CASE("notation reads back as itself") {
  for (const char* text : {"(4,8):(8,1)",
                           "4:1",
                           "(4):(1)",
                           "((4)):((1))",
                           "(4,8)",
                           "(4)",
                           "((2,3))",
                           "7",
                           "-7",
                           "_",
                           "(_,3)",
                           "()",
                           "<4:2,_,<8:1>>",
                           "<(2,2),3>",
                           "Sw<3,4,3>",
                           "Sw<3,4,3> o 16 o (8,64):(64,1)",
                           "(2,3):(-1,4)",
                           "true",
                           "0x4000004000010200",
                           "bf16",
                           "mn",
                           "b128",
                           "4:-1"}) {
    const std::string once = value_of(text);
    const std::string twice = value_of(once);
    CHECK_MESSAGE(twice == once, text);
  }
  CHECK(value_of("(_4,_8):(_8,_-1)") == "(4,8):(8,-1)");
  CHECK(value_of(" ( 4 , 8 )\n:\t( 8 , 1 ) ") == "(4,8):(8,1)");
  CHECK(value_of("Sw<3,4,3> o (8,64):(64,1)") == "Sw<3,4,3> o 0 o (8,64):(64,1)");
  CHECK(value_of("S<3,4,3> o (8,64):(64,1)") == "Sw<3,4,3> o 0 o (8,64):(64,1)");
}

TEST_CASE("parentheses group, and make tuples of what is written out") {
  CHECK(value_of("(2+3)*4") == "20");
  CHECK(value_of("(5-1)") == "4");
  CHECK(value_of("(4)") == "(4)");
  CHECK(value_of("((4,8))") == "((4,8))");
  CHECK(value_of("((4,8):(8,1))") == "(4,8):(8,1)");
  CHECK(value_of("(size(4:1))") == "4");
  CHECK(value_of("(size(4:1), 2)") == "(4,2)");
  CHECK(value_of("(2*2,4+4):(8,1)") == "(4,8):(8,1)");
  CHECK(value_of("((4)):((1))") == "((4)):((1))");
}

TEST_CASE("integers count as in C++") {
  CHECK(value_of("2 + 3 * 4 - 1") == "13");
  CHECK(value_of("1 << 4 ^ 3 & 2 | 64") == "82");
  CHECK(value_of("-7 / 2") == "-3");
  CHECK(value_of("10 - 3 - 2") == "5");
  CHECK(value_of("64 / 4 / 2") == "8");
  CHECK(value_of("7 % 4 - -1") == "4");
  CHECK(value_of("-(3)") == "-3");
  CHECK(value_of("0x10 + 1") == "17");
  CHECK(value_of("128 >> 3") == "16");
  CHECK(problem_of("1 / 0") == "2: division of 1 by 0");
  CHECK(contains(problem_of("9223372036854775807 + 1"), "does not fit 64 bits"));
  CHECK(problem_of("-9223372036854775807 - 1") ==
        "21: -9223372036854775807 - 1 is -9223372036854775808; the least integer here is -9223372036854775807");
  CHECK(problem_of("1 << 63") == "2: a shift by 63 bits; it must be 0 to 62");
  CHECK(problem_of("2 * 4:1") == "2: '*' takes two integers, not an integer and a layout");
  CHECK(problem_of("-true") == "0: '-' takes an integer, not true or false");
}

TEST_CASE("what CuTe prints of a swizzled layout is read in elements") {
  CHECK(value_of("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)") == "Sw<3,3,3> o 0 o (8,64):(64,1)");
  CHECK(value_of("size(S<2,4,3>o smem_ptr[8b](0x7f80) o (_8,_64):(_64,_1))") == "512");
  CHECK(value_of("Sw<3,4,3> o smem_ptr[16b](unset) o 8 o (8,8):(8,1)") == "Sw<3,3,3> o 8 o (8,8):(8,1)");
  CHECK(value_of("let other = 64:1; Sw<3,4,3> o other") == "Sw<3,4,3> o 0 o 64:1");
  CHECK(problem_of("Sw<3,4,3> o smem_ptr[16](unset) o 8:1") == "23: expected smem_ptr[16b](unset)");
  CHECK(problem_of("Sw<3,2,3> o smem_ptr[64b](unset) o 8:1").find("takes elements of this size apart") !=
        std::string::npos);
}

TEST_CASE("composition runs from right to left") {
  CHECK(value_of("20:2 o (5,4):(4,1)") == "(5,4):(8,2)");
  CHECK(value_of("20:2 \xE2\x88\x98 (5,4):(4,1)") == "(5,4):(8,2)");
  CHECK(value_of("(8,8):(8,1) o <4:2,_>") == "(4,8):(16,1)");
  CHECK(value_of("Sw<3,3,3> o 64 o 8:8") == "Sw<3,3,3> o 64 o 8:8");
  CHECK(value_of("Sw<1,2,1> o (16,4):(4,1) o 8:2") == value_of("Sw<1,2,1> o ((16,4):(4,1) o 8:2)"));
  CHECK(value_of("Sw<3,4,3> o 64") == "Sw<3,4,3> o 0 o 64:1");
  CHECK(value_of("Sw<3,4,3> o Sw<3,4,3> o 8:1") == "8:1");
  CHECK(contains(problem_of("Sw<1,4,3> o Sw<3,4,4> o 8:1"), "one after the other they are no swizzle"));
  CHECK(contains(problem_of("Sw<3,4,3> o (8,8):(8,1)(1,2)"), "12: a computed integer cannot be composed"));
}

TEST_CASE("a value behind which a coordinate stands is its offset there, or a slice") {
  CHECK(value_of("(4,8):(8,1)(9)") == "10");
  CHECK(value_of("(4,8):(8,1)(1,2)") == "10");
  CHECK(value_of("((4,8):(8,1))((1,2))") == "10");
  CHECK(value_of("((2,2),8):((1,2),4)((1,1),3)") == "15");
  CHECK(value_of("(4,8)(1,2)") == "9");
  CHECK(value_of("(Sw<3,3,3> o (8,64):(64,1))(1,8)") == "64");
  CHECK(value_of("byte_swizzle(b128)(144)") == "128");
  CHECK(value_of("((4,8):(8,1))(_,2)") == "(4):(8)");
  CHECK(value_of("(Sw<3,3,3> o (8,64):(64,1))(2,_)") == "Sw<3,3,3> o 128 o (64):(1)");
  CHECK(value_of("tile(bf16, 64, 64, k, b128)(1,0)") == "72");
  CHECK(contains(problem_of("(4,8):(8,1)(1,2,3)"), "does not fit the profile"));
  CHECK(problem_of("b128(1)") == "0: a swizzle mode takes no coordinate");
  CHECK(problem_of("((4,8):(8,1))(b128, 0)") == "13: a coordinate holds integers, not a swizzle mode");
  CHECK(contains(problem_of("(4,8):(8,1)(9223372036854775807)"), "is not in 0 to 31"));
}

TEST_CASE("a coordinate outside of a layout is refused; crd2idx goes on beyond") {
  CHECK(problem_of("(4,8):(8,1)(4,0)") == "0: coordinate (4,0) lies outside of (4,8):(8,1): index 4 is not in 0 to 3");
  CHECK(problem_of("(4,8):(8,1)(32)") == "0: coordinate 32 lies outside of (4,8):(8,1): index 32 is not in 0 to 31");
  CHECK(contains(problem_of("(Sw<3,3,3> o 8:1)(-1)"), "coordinate -1 lies outside of 8:1"));
  CHECK(contains(problem_of("tile(bf16, 64, 64, k, b128)(64,0)"), "index 64 is not in 0 to 63"));
  CHECK(contains(problem_of("(4,8):(8,1)(_,8)"), "coordinate (_,8) lies outside of (4,8):(8,1)"));
  CHECK(contains(problem_of("(Sw<3,3,3> o (8,64):(64,1))(8,_)"), "coordinate (8,_) lies outside of (8,64):(64,1)"));
  CHECK(value_of("crd2idx((5,9), (4,8):(8,1))") == "49");
  CHECK(contains(problem_of("crd2idx(9223372036854775807, (4,8):(8,1))"), "does not fit 64 bits"));
  CHECK(contains(problem_of("crd2idx(-1, Sw<3,3,3> o 8:1)"), "no bits to swap"));
}

TEST_CASE("a slice keeps its offset where the swizzle does nothing, as slice() does") {
  CHECK(value_of("tile(bf16, 128, 64, k, none)(8,_)") == "Sw<0,3,3> o 64 o ((8,8)):((1,1024))");
  CHECK(value_of("(Sw<0,4,3> o 0 o (8,8):(8,1))(3,_)") == "Sw<0,4,3> o 24 o (8):(1)");
  CHECK(value_of("slice((3,_), Sw<0,4,3> o (8,8):(8,1))") == "Sw<0,4,3> o 24 o (8):(1)");
  CHECK(value_of("(Sw<0,4,3> o 5 o (8,8):(8,1))(3,_)") == "Sw<0,4,3> o 29 o (8):(1)");
  CHECK(value_of("(Sw<0,4,3> o 0 o (8,8):(8,1))(0,_)") == "(8):(1)");
  // Whatever the swizzle, an element of the slice lies where it lay.
  for (const char* of : {"tile(bf16, 128, 64, k, none)", "tile(bf16, 128, 64, k, b128)", "tile(e4m3, 64, 64, k, b64)",
                         "(Sw<0,4,3> o 0 o (64,64):(64,1))", "(Sw<0,0,0> o 7 o (64,64):(1,64))"}) {
    for (const char* law : {"A(8,_)(5) == A(8,5)", "A(_,7)(63) == A(63,7)", "slice((9,_), A)(0) == A(9,0)"}) {
      CHECK_MESSAGE(value_of("let A = " + std::string(of) + "; " + law) == "true", of, ": ", law);
    }
  }
}

TEST_CASE("values are compared") {
  CHECK(value_of("(4,8) == (4,8)") == "true");
  CHECK(value_of("4:1 == Sw<0,4,3> o 4:1") == "true");
  CHECK(value_of("tile(bf16, 8, 64, k, b128) == Sw<3,3,3> o (8,(64,1)):(64,(1,512))") == "true");
  CHECK(value_of("4:1 != 4:2") == "true");
  CHECK(value_of("0x10 == 16") == "true");
  CHECK(value_of("encode(0, 16, 1024, b128) == encode(0, 16, 1024, b64)") == "false");
  CHECK(value_of("b128 == b64") == "false");
  CHECK(value_of("<4,8> == <4:1,8:1>") == "true");
  CHECK(problem_of("4:1 == b128") == "4: a layout and a swizzle mode cannot be compared");
}

TEST_CASE("a tile keeps the type that it was made with") {
  const auto type_of = [](const char* text) { return std::get<expressions::typed_tile>(evaluate(text).result).type; };
  CHECK(type_of("tile(f16, 64, 64, k, b128)") == element_of<f16>());
  CHECK(type_of("let A = tile(tf32, 64, 32, k, b128); A") == element_of<tf32>());
  CHECK(!type_of("tile(16, 64, 64, k, b128)"));
  CHECK(value_of("tile(f16, 64, 64, k, b128) == tile(bf16, 64, 64, k, b128)") == "true");
}

TEST_CASE("values stand for others where they lose nothing") {
  layout plain;
  swizzled_layout swizzled;
  CHECK(!expressions::as_layout(evaluate("Sw<3,4,3> o 8:1").result, plain));
  CHECK(!expressions::as_layout(evaluate("Sw<0,4,3> o 4 o 8:1").result, plain));
  CHECK(expressions::as_layout(evaluate("Sw<0,4,3> o 8:1").result, plain));
  CHECK(plain == "8:1"_layout);
  CHECK(expressions::as_swizzled(evaluate("(4,8)").result, swizzled));
  CHECK(swizzled.inner == "(4,8):(1,4)"_layout);
  CHECK(!expressions::as_swizzled(evaluate("b128").result, swizzled));
}

TEST_CASE("names") {
  CHECK(value_of("let A = (4,8):(8,1); let B = 4:2; A o B == composition(A, B)") == "true");
  CHECK(value_of("let A = 4; let A = A + 1; A;") == "5");
  CHECK(problem_of("let size = 4; size") == "4: 'size' has a meaning already; choose another name");
  CHECK(problem_of("let A 4; A") == "6: expected '=' after let A");
  CHECK(problem_of("let A = 4") == "9: expected ';' and an expression after let A = ...");
  CHECK(problem_of("let = 4; 5") == "4: expected a name after let");
  CHECK(problem_of("let tiles = 4:1; tile") == "21: expected '(' after the function tile");
  CHECK(problem_of("let tiles = 4:1; tils") == "17: there is no name 'tils'; did you mean tiles or tile?");
  CHECK(problem_of("compositon(4:1, 2:1)") == "0: there is no function 'compositon'; did you mean composition?");
  CHECK(problem_of("let my_size = 4; siz") == "17: there is no name 'siz'; did you mean size or my_size or cosize?");
  CHECK(problem_of("swizzl") ==
        "0: there is no name 'swizzl'; did you mean byte_swizzle or make_swizzle or with_swizzle?");
  CHECK(problem_of("xyzzy") == "0: there is no name 'xyzzy'");
}

TEST_CASE("what does not parse is said at its place") {
  CHECK(problem_of("") == "0: expected a number or '('");
  CHECK(problem_of("((8,16),(8,8):((8,512),(1,64))") == "13: expected ',' or ')'");
  CHECK(problem_of("((2,3),4):((1,),2)") == "14: expected a number or '(' after ','");
  CHECK(problem_of("(4,8):") == "6: expected a number or '(' after ':'");
  CHECK(problem_of("(4,8):(8,1,1)") == "6: the stride must have the same parentheses as the shape");
  CHECK(problem_of("(4,0):(8,1)") == "0: shape (4,0): every extent must be at least 1");
  CHECK(problem_of("(4,_):(8,1)") == "0: before ':' stands a shape of integers, not a tuple");
  CHECK(problem_of("(4,8):(8,_)") == "6: behind ':' stand strides that are integers, not a tuple");
  CHECK(problem_of("size((4,8)") == "10: expected ',' or ')'");
  CHECK(problem_of("size(4:1))") == "9: there is no '(' for this ')'");
  CHECK(problem_of("4, 8") == "1: expected the end; a tuple needs parentheses");
  CHECK(problem_of("4:1 5") == "4: expected the end");
  CHECK(problem_of("<4:1,8:1") == "8: expected ',' or '>'");
  CHECK(problem_of("<b128>") == "1: a tiler is made of layouts, shapes and _, not a swizzle mode");
  CHECK(problem_of("(4:1,8:1)") ==
        "1: a tuple is made of integers, not a layout; make_layout(A, B) joins layouts, and <A, B> is a tiler");
  CHECK(problem_of("12x") == "2: expected the number to end");
  CHECK(problem_of("0x") == "2: expected a hexadecimal digit");
  CHECK(problem_of("0x12345678123456781") == "0: the number does not fit 64 bits");
  CHECK(problem_of("9223372036854775808") == "0: the number does not fit 64 bits");
  CHECK(contains(problem_of("Sw<3,4>"), "expected ',' in Sw<bits,base,shift>"));
  CHECK(problem_of("rank(4,5)") == "0: rank(T) takes 1 argument, not 2");
  CHECK(problem_of("tile(bf16)") == "0: tile(TYPE, MN, K, MAJOR, SWIZZLE_MODE) takes 5 arguments, not 1");
  CHECK(problem_of("coalesce(4:1, (1,1), 2)") == "0: coalesce(L or L, PROFILE) takes 1 to 2 arguments, not 3");
  CHECK(contains(problem_of("composition(4:1, coalesce(4:1, 4:1))"), "31: argument 2 of coalesce"));
}

TEST_CASE("texts have bounds") {
  CHECK(contains(problem_of(std::string(5000, '(')), "has 5000 characters; it may have 4096"));
  CHECK(contains(problem_of(std::string(4000, '(')), "nested more than 50 deep"));
  CHECK(contains(problem_of(std::string(4000, '<')), "nested more than 50 deep"));
  CHECK(contains(problem_of(std::string(2000, '-') + "(4)"), "nested more than 50 deep"));
  std::string wide = "(1";
  for (int i = 0; i < 30; ++i) wide += ",1";
  CHECK(contains(problem_of(wide + ")"), "at most 24 leaves"));
  CHECK(contains(problem_of("select(" + wide.substr(1) + ")"), "more than 24 arguments"));
}

TEST_CASE("the explanation shows the line with a caret under the place") {
  const auto explanation = [](const std::string& text) { return explained(text, evaluate(text)); };
  CHECK(explanation("(4,8") == "position 4: expected ',' or ')'\n  (4,8\n      ^");
  CHECK(explanation("let A = 4:1;\nA o\tx9; 1") == "position 17: there is no name 'x9'\n  A o x9; 1\n      ^");
  CHECK(explanation("\xE2\x88\x98 x") == "position 0: expected a number or '('\n  \xE2\x88\x98 x\n  ^");
  CHECK(explanation("4:1 \xE2\x88\x98 xyz") == "position 8: there is no name 'xyz'\n  4:1 \xE2\x88\x98 xyz\n        ^");
  CHECK(explanation("complement(4:-1)") == "complement of 4:-1 is refused: stride -1 is negative");
  CHECK(explanation("1 + size(complement(4:-1))") ==
        "complement of 4:-1 is refused: stride -1 is negative\n  1 + size(complement(4:-1))\n           ^");
  CHECK(evaluate("complement(4:-1)").refused);
  CHECK(!evaluate("complement(4:").refused);
}

// The laws of the functions themselves are tested elsewhere; here, that an expression is the call that it looks like.
TEST_CASE("expressions of all small layouts are the calls") {
  int composed = 0, refused = 0;
  const std::vector<layout> all = small_layouts(2, {1, 2, 3, 4}, {0, 1, 2, 3, -1});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const layout& a = all[i];
    const layout& b = all[(i * 31 + 5) % all.size()];
    const std::string text = to_string(a), other = to_string(b);
    CHECK(value_of(text) == text);
    CHECK(value_of("coalesce(" + text + ")") == to_string(coalesce(a)));
    CHECK(value_of("right_inverse(" + text + ")") == to_string(right_inverse(a)));
    CHECK(value_of("cosize(" + text + ")") == std::to_string(cosize(a)));
    CHECK(value_of("is_injective(" + text + ")") == (is_injective(a) ? "true" : "false"));
    for (std::int64_t k = 0; k < size(a); ++k)
      CHECK(value_of(text + "(" + std::to_string(k) + ")") == std::to_string(a(k)));
    const evaluated e = evaluate(text + " o " + other);
    const auto direct = try_composition(a, b);
    CHECK(static_cast<bool>(e) == static_cast<bool>(direct));
    CHECK(to_string(e) == (direct ? to_string(direct.value) : refusal([&] { composition(a, b); })));
    ++(direct ? composed : refused);
  }
  CHECK(composed > 100);
  CHECK(refused > 20);
}

// All that CuTe 4.2 prints of tensors in gmem, in smem (with a swizzle in the pointer, or in the layout) and in
// registers, and of coordinates. What it prints of pointers alone is in no way a layout.
const example printed_by_cute[] = {
    {"ptr[16b](0x7ffcba6a0fb0) o (_8,_64):(_1,_8)", "(8,64):(1,8)"},
    {"gmem_ptr[16b](0x559696ab70a0) o (128,64):(64,_1)", "(128,64):(64,1)"},
    {"smem_ptr[16b](0x400) o (_8,_64):(_64,_1)", "(8,64):(64,1)"},
    {"smem_ptr[16b](unset) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
    {"Sw<3,4,3>_smem_ptr[16b](0x400) o (_8,_64):(_64,_1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
    {"Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"},
    {"(128,64):(_1@0,_1@1)", "(128,64):(1@0,1@1)"},
    {"ArithTuple(_0,_0) o (_8,4):(_1@0,_1@1)", "(8,4):(1@0,1@1)"},
    {"ArithTuple(_0) o (16):(_1@0)", "(16):(1@0)"},
    {"ArithTuple(32,_0) o (_32,_16,4):(_1@0,_1@1,_16@1)", "(32,0) o (32,16,4):(1@0,1@1,16@1)"},
    {"ArithTuple(_0,_0) o ((_32,_16),(4,4)):((_1@0,_1@1),(_32@0,_16@1))", "((32,16),(4,4)):((1@0,1@1),(32@0,16@1))"},
};
const example with_coordinates[] = {
    {"(8,4):(1@0,1@1)", "(8,4):(1@0,1@1)"},
    {"5:1@0", "5:1@0"},
    {"(8,4):(1@0+2@1,0)", "(8,4):(1@0+2@1,0)"},
    {"(0,8) o (8,4):(1@0,1@1)", "(0,8) o (8,4):(1@0,1@1)"},
    {"(1,2) o ((0,8) o (8,4):(1@0,1@1))", "(1,10) o (8,4):(1@0,1@1)"},
    {"(0,0,7) o (8,4):(1@0,1@1)", "(0,0,7) o (8,4):(1@0,1@1)"},
    {"(0,0,0,0,0,0,0,7) o (8,4):(1@0,1@1)", "(0,0,0,0,0,0,0,7) o (8,4):(1@0,1@1)"},
    {"((8,4):(1@0,1@1))(3,2)", "(3,2)"},
    {"((8,4):(1@0,1@1))(3,_)", "(3,0) o (4):(1@1)"},
    {"let T = tma_coordinates((4096,8192):(8192,1)); local_tile(T, (128,64), (1,2))", "(128,128) o (128,64):(1@1,1@0)"},
    {"zipped_divide((8,4):(1@0,1@1), (2,2))", "((2,2),(4,2)):((1@0,1@1),(2@0,2@1))"},
    {"composition((8,4):(1@0,1@1), 8:4)", "(2,4):(4@0,1@1)"},
    {"coalesce((2,4):(1@0,2@0))", "8:1@0"},
    {"mode((8,4):(1@0,1@1), 1)", "4:1@1"},
    {"slice((_,2), (8,4):(1@0,1@1))", "(0,2) o (8):(1@0)"},
    {"size((8,4):(1@0,1@1))", "32"},
    {"rank((8,4):(1@0,1@1))", "2"},
    {"shape((8,4):(1@0,1@1))", "(8,4)"},
    {"(8,4):(1@0,1@1) == make_identity_layout((8,4))", "true"},
    {"make_identity_layout(())", "():()"},
};

TEST_CASE("What CuTe prints of a tensor is read, and layouts of coordinates") {
  for (const auto& [text, value] : printed_by_cute) CHECK(value_of(text) == value);
  for (const auto& [text, value] : with_coordinates) {
    CHECK(value_of(text) == value);
    CHECK(value_of(value) == value);
  }
}

TEST_CASE("What is no tensor and no layout of coordinates is refused where it goes wrong") {
  CHECK(problem_of("smem_ptr[16b](0x400)") == "20: expected 'o' and a layout behind the pointer");
  CHECK(problem_of("gmem_ptr[q](0) o 4:1") == "9: expected the bits of an element, as in smem_ptr[16b](unset)");
  CHECK(problem_of("ptr[3b](0x0) o 4:1") == "4: an element behind a pointer has 1, 2, 4, ... or 128 bits");
  CHECK(problem_of("(8,4):(1@0,2)") == "12: expected '@' and a dimension behind the step");
  CHECK(problem_of("(8,4):(1@0)") == "10: expected ',' between the steps");
  CHECK(problem_of("((8,4),2):(1@0,1@1)") == "11: the steps must have the same parentheses as the shape");
  CHECK(problem_of("(8,4):(1@8,1@0)") == "10: a dimension is 0 to 7");
  CHECK(problem_of("((2,4),8):((_1@0@0,_1@1@0),_1@1)") ==
        "17: a part of a dimension (1@1@0) is not read; flatten the layout first");
  CHECK(problem_of("complement((8,4):(1@0,1@1))") ==
        "11: argument 1 of complement(L or L, COTARGET) must be a layout, not a layout of coordinates");
  // Tiles whose reach together does not fit 64 bits.
  CHECK(contains(problem_of("((8,4):(1@0,1@1)) o <4611686018427387904:1,4611686018427387904:1>"), "64 bits"));
  CHECK(contains(problem_of("4:1 o (8,4):(1@0,1@1)"), "not a layout of coordinates"));
  CHECK(problem_of("(8,4):(1@0,1@1) == (8,4)") == "16: a layout of coordinates and a tuple cannot be compared");
  CHECK(contains(problem_of("(1,_) o (8,4):(1@0,1@1)"), "before a layout of coordinates"));
  CHECK(contains(problem_of("((8,4):(1@0,1@1))(8,0)"), "8"));
}
