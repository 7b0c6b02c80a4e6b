// What is said of values that do not fit an operation. Compilers say it of a body in tests/faults; here each sentence
// is made when it runs, of facts alone.
#include <doctest/doctest.h>

#include <sectile/dsl/proofs/misused_calls.hpp>
#include <sectile/dsl/proofs/operation_checks.hpp>
#include <sectile/dsl/proofs/verified.hpp>

#include <string>

using namespace sectile;

namespace {
/// What is known of an operand, or of registers, which have no name; `modes` with their extents in a tile.
operand_facts facts(const char* name, operand_kind kind, element type, std::initializer_list<mode_extent> modes) {
  operand_facts f{.kind = kind, .type = type, .tile = {static_cast<int>(modes.size()), {}}};
  for (int i = 0; name[i]; ++i) f.name[i] = name[i];
  int d = 0;
  for (const mode_extent& m : modes) {
    f.tile.extent[d] = m.elements;
    const mode_text t = text_of(m.along.name);
    for (int i = 0; i < mode_letters; ++i) f.mode_name[d][i] = t.text[i];
    ++d;
  }
  return f;
}
const operand_facts A = facts("A", operand_kind::input, element_of<bf16>(), {{"M", 128}, {"K", 64}}),
                    B = facts("B", operand_kind::input, element_of<bf16>(), {{"N", 64}, {"K", 64}}),
                    F = facts("F", operand_kind::input, element_of<float>(), {{"M", 128}, {"N", 64}}),
                    W = facts("W", operand_kind::input, element_of<e4m3>(), {{"M", 128}, {"N", 64}}),
                    Q = facts("Q", operand_kind::input, element_of<b1x8>(), {{"M", 128}, {"N", 64}}),
                    T = facts("T", operand_kind::input, element_of<tf32>(), {{"M", 128}, {"N", 64}}),
                    C = facts("C", operand_kind::output, element_of<bf16>(), {{"M", 128}, {"N", 64}}),
                    bias = facts("bias", operand_kind::vector, element_of<float>(), {{"N", 64}}),
                    sums = facts("sums", operand_kind::vector_output, element_of<float>(), {{"M", 128}}),
                    most = facts("most", operand_kind::vector_output, element_of<float>(), {}),
                    across = facts("G", operand_kind::input, element_of<float>(), {{"N", 128}, {"M", 64}}),
                    of_its_columns = facts("", operand_kind::input, element_of<float>(), {{"N", 64}, {"P", 32}}),
                    half_of_it = facts("H", operand_kind::input, element_of<float>(), {{"M", 64}, {"N", 64}}),
                    rows_of_F = facts("", operand_kind::input, element_of<float>(), {{"M", 128}, {"", 1}}),
                    rows_of_L = facts("", operand_kind::input, element_of<float>(), {{"L", 128}, {"", 1}}),
                    cols_of_F = facts("", operand_kind::input, element_of<float>(), {{"", 1}, {"N", 64}}),
                    cols_of_L = facts("", operand_kind::input, element_of<float>(), {{"", 1}, {"L", 64}}),
                    scores = facts("S", operand_kind::input, element_of<float>(), {{"M", 128}, {"L", 64}}),
                    whole_numbers = facts("I", operand_kind::input, element_of<s32>(), {{"M", 128}, {"N", 64}}),
                    F_out = facts("D", operand_kind::output, element_of<float>(), {{"M", 128}, {"N", 64}}),
                    counts = facts("counts", operand_kind::output, element_of<s32>(), {{"M", 128}, {"N", 64}}),
                    batched = facts("C", operand_kind::output, element_of<bf16>(), {{"B", 1}, {"M", 128}, {"N", 64}}),
                    gram = facts("C", operand_kind::output, element_of<bf16>(), {{"M", 128}, {"M'", 64}}),
                    wide = facts("w", operand_kind::vector, element_of<float>(), {{"N", 256}}),
                    where = facts("where", operand_kind::vector_output, element_of<s32>(), {{"M", 128}}),
                    codes = facts("codes", operand_kind::vector_output, element_of<s8>(), {{"N", 64}}),
                    col_sums = facts("col_sums", operand_kind::vector_output, element_of<float>(), {{"N", 64}}),
                    one_per_tile = facts("parts", operand_kind::vector_output, element_of<float>(), {{"T", 1}});
const operand_table work{2, {C, sums}};
constexpr mode_id M = mode_named("M"), N = mode_named("N"), K = mode_named("K"), prime = mode_named("M'");
using k = value_kind;

void expect(const violation& v, rule broken, const std::string& sentence) {
  CHECK(v.what == broken);
  CHECK(std::string(v.says.text) == sentence);
}

}  // namespace

TEST_CASE("functions of elements and their places") {
  expect(check_map({}, 1), rule::function_does_not_fit,
         "map(x, f): the function cannot be called like that; write [](float a) { return ..; }");
  expect(check_map({.callable = true}, 2), rule::function_must_not_be_mutable,
         "map(x, y, f): the function changes when it is called (mutable), but elements are asked for in no order; "
         "write [](float a, float b) { return ..; }");
  expect(check_map({.callable = true, .constant = true}, 3), rule::function_does_not_fit,
         "map(x, y, z, f): the function returns no number; write [](float a, float b, float c) { return ..; }");
  expect(check_map({.callable = true, .constant = true, .fitting = true, .cuts_off = true}, 1),
         rule::function_does_not_fit,
         "map(x, f): the function takes whole numbers, which cuts off fractions; write [](float a) { return ..; }");
  CHECK(check_map({.callable = true, .constant = true, .fitting = true}, 1).holds());
  expect(check_mask({k::fragment, F}, {.callable = true, .constant = true}), rule::function_does_not_fit,
         "mask(x, at, needed, visible, value): the function returns no condition; write mask(x, {m, n}, needed, "
         "[=](int row, int col) { return ..; }, value)");
  CHECK(check_mask({k::fragment, F}, {.callable = true, .constant = true, .fitting = true, .cuts_off = true}).holds());
  expect(check_mask({k::rows, rows_of_F}, {}), rule::values_do_not_combine,
         "mask(x, at, needed, visible, value) with a number per row: it takes a fragment of f32, whose rows have many "
         "numbers");
  CHECK(check_mask({k::refused, {}}, {}).holds());
  expect(check_map_at({k::fragment, F}, {.callable = true, .constant = true}), rule::function_does_not_fit,
         "map_at(x, at, f): the function returns no number; write map_at(x, {m, n}, [=](float a, int row, int col) { "
         "return ..; })");
  expect(
      check_map_at({k::fragment, F}, {.callable = true, .constant = true, .fitting = true, .cuts_off = true}),
      rule::function_does_not_fit,
      "map_at(x, at, f): the function takes whole numbers, which cuts off fractions; write map_at(x, {m, n}, [=](float "
      "a, int row, int col) { return ..; })");
  const auto of_places = [](float a, int row, int col) { return row < col ? a : 0.0f; };
  const auto of_elements_last = [](int row, int col, float a) { return row < col ? a : 0.0f; };
  CHECK(!function_facts_of<float, decltype(of_places), float, int, int>().cuts_off);
  CHECK(function_facts_of<float, decltype(of_elements_last), float, int, int>().cuts_off);
  CHECK(!function_facts_of<float, float (*)(float, int), float>().cuts_off);
  CHECK(check_map_at({k::fragment, F}, {.callable = true, .constant = true, .fitting = true}).holds());
  expect(check_map_at({k::tile, F}, {}), rule::a_tile_is_a_factor_or_brought_into_registers,
         "map_at(x, at, f) with a tile of F: a tile in shared memory can only be multiplied by a tile; its numbers are "
         "in_registers(tile)");
  CHECK(check_map_at({k::refused, {}}, {}).holds());
  expect(check_map_values({2, {{k::operand, F}, {k::none, {}}}}), rule::a_tile_must_be_loaded_first,
         "map(a, f) with operand F: load a tile first: sm.load(F, {..})");
  expect(check_map_values({3, {{k::fragment, F}, {k::fragment, half_of_it}, {k::none, {}}}}), rule::shapes_do_not_match,
         "map(a, b, f) with a fragment of f32, 128 x 64 and a fragment of f32, 64 x 64: they must have the same shape, "
         "or the same rows");
  expect(check_map_values({1, {{k::none, {}}}}), rule::values_do_not_combine,
         "map() takes one to three values and then a function of their numbers: map(x, [](float a) { return ..; })");
  CHECK(check_map_values({1, {{k::refused, {}}}}).holds());
  expect(check_map_rows({2, {{k::rows, rows_of_F}, {k::cols, cols_of_F}}}), rule::shapes_do_not_match,
         "map_rows(f, ..) with a number per row and a number per column: a number per column meets a fragment of the "
         "same columns");
  expect(check_map_rows({2, {{k::rows, rows_of_F}, {k::rows, rows_of_L}}}), rule::values_do_not_combine,
         "map_rows(f, u, v, ..): the vectors must have the same rows");
  expect(check_map_rows({1, {{k::cols, cols_of_F, true}}}), rule::configuration_does_not_fit_the_program,
         ".swap = true with map_rows(): registers hold the transpose, where only what is done to each element is the "
         "same; leave .swap out of this program's configurations");
  CHECK(check_map_rows({1, {{k::refused, {}}}}).holds());
  CHECK(check_place(F, M, N).holds());
  expect(check_place(F, N, M), rule::coordinate_is_along_another_mode,
         "x at {row, col}: x is along M x N, its place along N x M; name the place in x's order; where another mode is "
         "meant: as<\"M\">(m)");
  expect(check_coordinate_pair(true), rule::coordinate_is_along_another_mode,
         "x at {row}: the place of a fragment is two coordinates, its row's and its column's: {m, n}");
  CHECK(check_coordinate_pair(false).holds());
}

TEST_CASE("numbers that a run decides, modes, and what is declared") {
  expect(check_path("a condition", {}), rule::path_depends_on_a_run_time_value,
         "a condition that is known only at run time decides nothing in a body. Use select(), min(), max() or mask(); "
         "a loop is sm.pipelined(n), and an if is such a loop of 0 or 1 trips");
  expect(check_path("a condition", text_of(M)), rule::path_depends_on_a_run_time_value,
         "a condition along M that is known only at run time decides nothing in a body. Use select(), min(), max() or "
         "mask(); a loop is sm.pipelined(n), and an if is such a loop of 0 or 1 trips");
  expect(check_known("float", {}), rule::path_depends_on_a_run_time_value,
         "a number that is known only at run time becomes no float: keep it as auto, which + - * /, min, max and "
         "select take; a function gets it as a value: map(x, number, f)");
  expect(check_known("int", text_of(N)), rule::path_depends_on_a_run_time_value,
         "a number along N that is known only at run time becomes no int: keep it as auto. Arrays and switch take "
         "constants; a loop is sm.pipelined(n), a choice select(), and f gets it by map(x, number, f)");
  CHECK(check_same_mode("a + b", M, M).holds());
  expect(check_same_mode("a + b", M, N), rule::coordinate_is_along_another_mode,
         "a + b: a counts along M, b along N; where that is meant, say so: as<\"N\">(a)");
  expect(check_same_mode("a < b", mode_id::mixed, N), rule::coordinate_is_along_another_mode,
         "a < b: a counts along several modes, b along N; where that is meant, say so: as<\"N\">(a)");
  expect(check_same_mode("a < b", M, mode_id::mixed), rule::coordinate_is_along_another_mode,
         "a < b: a counts along M, b along several modes; where that is meant, say so: as<\"M\">(a)");
  expect(check_whole_coordinates(true), rule::operand_is_used_in_another_way,
         "a coordinate is a float: coordinates count tiles, as in sm.load(A, {m, k}), and are whole numbers");
  CHECK(check_whole_coordinates(false).holds());
  CHECK(check_has_mode(C, text_of(M)).holds());
  expect(check_has_mode(C, text_of(mode_named("K"))), rule::operand_is_used_in_another_way,
         "C has no mode K; it has M and N");
  expect(check_has_mode(most, text_of(M)), rule::operand_is_used_in_another_way,
         "most has no mode M: it is a number in memory; a matrix is declared as input<\"most(M,K)\", ..>()");
  expect(check_scalar("alpha", false), rule::operand_is_used_in_another_way,
         "scalar alpha is a number that a body computes with: declare it float, int or bool; a launch converts");
  CHECK(check_scalar("alpha", true).holds());
  CHECK(check_scalar("alpha()", true).holds());
  expect(check_scalar("w(B,M)", true), rule::operand_is_used_in_another_way,
         "scalar w(B,M) has a mode, and is one number for all tiles; numbers along a mode are in memory: "
         "input<\"w(B,M)\", float>(), or vector_input of the same");
  expect(check_operand_count(17), rule::program_is_not_traceable, "operands(): a kernel has at most 16 operands, not 17");
  CHECK(check_operand_count(8).holds());
  expect(check_one_argument("row_sum", 2), rule::operand_is_used_in_another_way,
         "row_sum() with 2 arguments: it takes a fragment and nothing else; row_max(), row_min() and row_sum() make a "
         "number of each row, col_max() and its like of each column");
  expect(check_asked_of_sm("tile_of", C), rule::operand_is_used_in_another_way,
         "tile_of(C) is asked of the body's first argument: sm.tile_of(C)");
  expect(check_asked_at_a_launch("workspace_bytes", {k::operand, C}, "workspace_bytes<K>(A, B, C)"),
         rule::operand_is_used_in_another_way,
         "workspace_bytes() of operand C: it is asked of a launch's tensors, outside of the body: "
         "workspace_bytes<K>(A, B, C)");
  CHECK(check_asked_at_a_launch("workspace_bytes", {k::refused, {}}, "workspace_bytes<K>(A, B, C)").holds());
  CHECK(check_sums(3, true, order_of_sums::one_order).holds());
  CHECK(check_sums(3, false, any_order).holds());
  expect(check_sums(3, false, order_of_sums::one_order), rule::members_sum_in_different_orders,
         "configurations 0 and 3 sum in different orders: a row's bits would depend on which one a launch picks. Give "
         "them one tile along what is summed over, or say static constexpr auto sums = sectile::any_order");
  expect(check_sums(3, false, order_of_sums::one_order, false, true), rule::members_sum_in_different_orders,
         "configurations 0 and 3 sum in different orders: a row's bits would depend on which one a launch picks. Give "
         "them one number of consumers, or say static constexpr auto sums = sectile::any_order");
  expect(check_sums(3, false, order_of_sums::one_order, true), rule::members_sum_in_different_orders,
         "configuration 3 combines by add_in_any_order: its bits differ from run to run, so they hang on no "
         "configuration either; say static constexpr auto sums = sectile::any_order");
  expect(check_sums(3, false, order_of_sums::one_order, false, false, true), rule::members_sum_in_different_orders,
         "configuration 3 cuts tiles by their place (.streamed = true): a row's bits hang on how many rows are beside "
         "it; say static constexpr auto sums = sectile::any_order");
}

TEST_CASE("products") {
  CHECK(check_product({{128, 64, M, N}, {128, 32, M, K}, {32, 64, K, N}}).holds());
  expect(check_product({{128, 64, M, N}, {128, 32, M, K}, {64, 32, N, K}}), rule::shapes_do_not_match,
         "acc += a * b: a is 128 x 32 and b is 64 x 32; the columns of a must equal the rows of b: write a * "
         "transpose(b)");
  expect(check_product({{128, 64, M, N}, {32, 128, K, M}, {32, 64, K, N}}), rule::shapes_do_not_match,
         "acc += a * b: a is 32 x 128 and b is 32 x 64; the columns of a must equal the rows of b: write transpose(a) "
         "* b");
  expect(check_product({{128, 64, M, N}, {128, 32, M, K}, {48, 64, K, N}}), rule::shapes_do_not_match,
         "acc += a * b: a is 128 x 32 and b is 48 x 64; the columns of a must equal the rows of b");
  expect(check_product({{128, 128, M, N}, {128, 32, M, K}, {32, 64, K, N}}), rule::shapes_do_not_match,
         "acc += a * b: the accumulator is 128 x 128, the product 128 x 64; they must have the same shape");
  expect(check_product({{128, 64, M, N}, {128, 32, M, K}, {32, 64, M, N}}), rule::values_are_along_other_modes,
         "a * b: the columns of a are along K, the rows of b along M; is a transpose() missing? What is summed over "
         "has one name");
  expect(check_product({{128, 128, N, M}, {128, 32, M, K}, {32, 128, K, N}}), rule::values_are_along_other_modes,
         "acc += a * b: the accumulator is along N x M, the product along M x N; write transpose(b) * transpose(a)");
  expect(check_product({{128, 64, M, K}, {128, 32, M, K}, {32, 64, K, N}}), rule::values_are_along_other_modes,
         "acc += a * b: the accumulator is along M x K, the product along M x N; one along the product's modes is "
         "sm.accumulator(a * b)");
}

TEST_CASE("values that do not combine") {
  expect(check_values("a + b", {2, {{k::operand, A}, {k::fragment, F}}}), rule::a_tile_must_be_loaded_first,
         "a + b with operand A and a fragment of f32, 128 x 64: load a tile first: sm.load(A, {..})");
  expect(check_values("a + b", {2, {{k::unfinished_rows, rows_of_F}, {k::rows, rows_of_F}}}), rule::row_sums_need_total,
         "a + b with an unfinished row_sum() and a number per row: four lanes hold a part of it each; "
         "row_sum(x).total() adds them up");
  expect(check_values("a * b", {2, {{k::tile, B}, {k::fragment, F}}}), rule::values_do_not_combine,
         "a * b with a tile of B and a fragment of f32, 128 x 64: the right factor must be a tile in shared memory; "
         "swap the factors, or transpose the product; element by element: cast<float>(in_registers(a)) * b");
  operand_facts f32_tile = B;
  f32_tile.type = element_of<float>();
  expect(check_values("a * b", {2, {{k::tile, f32_tile}, {k::fragment, F}}}), rule::values_do_not_combine,
         "a * b with a tile of B and a fragment of f32, 128 x 64: the right factor must be a tile in shared memory; "
         "swap the factors, or transpose the product; element by element: in_registers(a) * b");
  expect(check_values("a * b", {2, {{k::fragment, F}, {k::tile, B}}}), rule::values_do_not_combine,
         "a * b with a fragment of f32, 128 x 64 and a tile of B: an accumulator is no operand yet; write "
         "cast<bf16>(a) * b; element by element: a * cast<float>(in_registers(b))");
  expect(check_values("a * b", {2, {{k::fragment, F}, {k::tile, W}}}), rule::values_do_not_combine,
         "a * b with a fragment of f32, 128 x 64 and a tile of W: an accumulator is no operand yet; write "
         "cast<e4m3>(a) * b");
  expect(check_values("a * b", {2, {{k::fragment, F}, {k::tile, F}}}), rule::values_do_not_combine,
         "a * b with a fragment of f32, 128 x 64 and a tile of F: no product takes f32: declare F as bf16 or tf32; "
         "element by element: a * in_registers(b)");
  expect(check_values("a * b", {2, {{k::fragment, F}, {k::tile, Q}}}), rule::values_do_not_combine,
         "a * b with a fragment of f32, 128 x 64 and a tile of Q: an accumulator is no operand yet; and none becomes "
         "b1: declare Q as a type that cast has: f16, bf16, tf32, e4m3, e5m2, s8, u8");
  expect(check_values("a * b", {2, {{k::negated_tile, A}, {k::rows, rows_of_F}}}),
         rule::a_tile_is_a_factor_or_brought_into_registers,
         "a * b with a negated factor and a number per row: a tile in shared memory can only be multiplied by a tile; "
         "its numbers are cast<float>(in_registers(tile))");
  expect(check_values("a * b", {2, {{k::product, {}}, {k::fragment, F}}}), rule::a_product_needs_an_accumulator,
         "a * b with a product and a fragment of f32, 128 x 64: a product needs an accumulator: acc += a * b, or "
         "sm.accumulator(a * b); element by element one of both is in_registers()");
  expect(check_values("a + b", {2, {{k::fragment, F}, {k::fragment, C}}}), rule::fragments_are_combined_as_f32,
         "a + b with a fragment of f32, 128 x 64 and a fragment of bf16, 128 x 64: fragments are combined in f32: "
         "write cast<float>() of the one of bf16");
  expect(check_values("a + b", {2, {{k::fragment, F}, {k::fragment, T}}}), rule::values_do_not_combine,
         "a + b with a fragment of f32, 128 x 64 and a fragment of tf32, 128 x 64: what is packed as tf32 can only be "
         "the left factor of a product; for its numbers declare the same memory a second time, as float");
  expect(check_values("a + b", {2, {{k::fragment, F}, {k::indices, rows_of_F}}}), rule::an_index_is_stored_or_cast,
         "a + b with a fragment of f32, 128 x 64 and an index per row: it is stored to a vector of s32; to compute "
         "with it, write cast<float>() of it");
  expect(check_values("max(a, b)", {2, {{k::placed_rows, rows_of_F}, {k::rows, rows_of_F}}}),
         rule::an_element_has_a_value_and_a_column,
         "max(a, b) with an element per row and its column and a number per row: take one of the two: auto [value, "
         "column] = .., or its .value or .column; max() and min() take two of these");
  expect(check_values("max(a, b)", {2, {{k::placed_rows, rows_of_L}, {k::placed_rows, rows_of_F}}}),
         rule::values_are_along_other_modes,
         "max(a, b) with elements of rows: a is along L, b along M; what is gathered in a loop begins with "
         "sm.no_elements() of a matrix with the same rows");
  expect(check_values("a + b", {2, {{k::placed_rows, rows_of_F}, {k::placed_rows, rows_of_F}}}),
         rule::an_element_has_a_value_and_a_column,
         "a + b with an element per row and its column and an element per row and its column: take one of the two: "
         "auto [value, column] = .., or its .value or .column; max() and min() take two of these");
  expect(check_values("a * b", {2, {{k::fragment, F}, {k::fragment, of_its_columns}}}),
         rule::a_tile_is_a_factor_or_brought_into_registers,
         "a * b with a fragment of f32, 128 x 64 and a fragment of f32, 64 x 32: the right factor must be a tile in "
         "shared memory, as sm.load() gives it; in registers only the left one can be");
  expect(check_values("a + b", {2, {{k::vector, bias}, {k::vector, bias}}}), rule::values_do_not_combine,
         "a + b with a part of bias and a part of bias: a vector is spread over the fragment that it meets, as in acc "
         "* scale + bias: begin with the fragment; a function of its numbers is map(acc, v, f)");
  expect(check_values("a + b", {2, {{k::vector, sums}, {k::cols, cols_of_F}}}), rule::values_are_along_other_modes,
         "a + b with a part of sums and a number per column: sums is along M (128), what it meets along N (64); a "
         "vector goes along one of its modes; of a fragment x along both, map(x, a, b, f) takes the two");
  expect(check_values("a + b", {2, {{k::vector, bias}, {k::rows, rows_of_F}}}), rule::values_are_along_other_modes,
         "a + b with a part of bias and a number per row: bias is along N (64), what it meets along M (128); a vector "
         "goes along one of its modes; of a fragment x along both, map(x, a, b, f) takes the two");
  expect(check_values("a + b", {2, {{k::vector, wide}, {k::fragment, F}}}), rule::values_are_along_other_modes,
         "a + b with a part of w and a fragment of f32, 128 x 64: w is along N (256), what it meets along M (128) x N "
         "(64); a vector goes along one of its modes");
  expect(check_values("a + b", {2, {{k::fragment, F}, {k::fragment, across}}}), rule::values_are_along_other_modes,
         "a + b with a fragment of f32, 128 x 64 and a fragment of f32, 128 x 64: a is along M x N, b along N x M; in "
         "registers nothing is transposed: load or sum one of them the other way");
  expect(check_values("a + b", {2, {{k::rows, rows_of_F}, {k::rows, rows_of_L}}}), rule::values_are_along_other_modes,
         "a + b with a number per row and a number per row: a is along M, b along L; in registers nothing is "
         "transposed: load or sum one of them the other way");
  expect(check_values("a + b", {2, {{k::fragment, F}, {k::fragment, half_of_it}}}), rule::shapes_do_not_match,
         "a + b with a fragment of f32, 128 x 64 and a fragment of f32, 64 x 64: they must have the same shape, or the "
         "same rows");
  expect(
      check_values("a + b", {2, {{k::cols, cols_of_F}, {k::rows, rows_of_F}}}), rule::shapes_do_not_match,
      "a + b with a number per column and a number per row: a number per column meets a fragment of the same columns");
  expect(check_values("exp2(a)", {1, {{k::number, {}}}}), rule::values_do_not_combine,
         "exp2(a) with a number: a number that a run decides meets + - * /, min, max and select alone; give its "
         "function as a scalar, or map(x, number, f)");
  expect(check_values("map(a, b, f)", {3, {{k::fragment, F}, {k::none, {}}, {k::vector, bias}}}),
         rule::values_do_not_combine,
         "map(a, b, f) with a fragment of f32, 128 x 64, something else and a part of bias: there is no such "
         "operation; values are fragments, numbers per row and numbers");
  expect(check_values("a * b", {2, {{k::tile, W}, {k::cols, cols_of_F}}}),
         rule::a_tile_is_a_factor_or_brought_into_registers,
         "a * b with a tile of W and a number per column: a tile in shared memory can only be multiplied by a tile; "
         "its numbers are cast<float>(in_registers(tile))");
  expect(check_values("a + b", {2, {{k::tile, Q}, {k::cols, cols_of_F}}}),
         rule::a_tile_is_a_factor_or_brought_into_registers,
         "a + b with a tile of Q and a number per column: a tile in shared memory can only be multiplied by a tile; "
         "only tiles of f32, bf16, f16 and 8 bits can be computed with");
  CHECK(check_values("a + b", {2, {{k::tile, A}, {k::refused, {}}}}).holds());
  expect(check_values("a + b", {2, {{k::fragment, F, true}, {k::tile, W}}}),
         rule::a_tile_is_a_factor_or_brought_into_registers,
         "a + b with a fragment of f32, 64 x 128 and a tile of W: a tile in shared memory can only be multiplied by a "
         "tile; its numbers are cast<float>(in_registers(tile))");
  expect(check_in_place("a += b", {k::rows, rows_of_F}, {k::operand, A}, false), rule::a_tile_must_be_loaded_first,
         "a += b with a number per row and operand A: load a tile first: sm.load(A, {..})");
  expect(check_in_place("a += b", {k::fragment, F}, {k::rows, rows_of_F}, true), rule::values_do_not_combine,
         "a += b: a is const; declare it auto, not const auto");
  expect(check_in_place("a *= b", {k::rows, rows_of_F}, {k::fragment, F}, false), rule::values_do_not_combine,
         "a *= b with a number per row and a fragment of f32, 128 x 64: the result is larger than a; name it: auto x = "
         "a * b");
  CHECK(check_in_place("a *= b", {k::fragment, F}, {k::rows, rows_of_F}, false).holds());
  CHECK(check_in_place("a *= b", {k::rows, rows_of_F}, {k::number, {}}, false).holds());
  CHECK(check_in_place("a *= b", {k::refused, {}}, {k::number, {}}, true).holds());
}

TEST_CASE("casts and reductions, what is brought into registers and what is transposed") {
  expect(check_cast({k::operand, A}, element_of<float>()), rule::a_tile_must_be_loaded_first,
         "cast to f32 of operand A: load a tile first: sm.load(A, {..})");
  expect(check_cast({k::tile, A}, element_of<float>()), rule::values_do_not_combine,
         "cast to f32 of a tile of A: cast takes registers: cast<float>(in_registers(tile))");
  expect(check_cast({k::tile, W}, element_of<bf16>()), rule::values_do_not_combine,
         "cast to bf16 of a tile of W: cast takes registers: cast<bf16>(in_registers(tile))");
  expect(check_cast({k::tile, F}, element_of<bf16>()), rule::values_do_not_combine,
         "cast to bf16 of a tile of F: cast takes registers, and these hold f32 as they are: in_registers(tile)");
  expect(check_cast({k::tile, Q}, element_of<float>()), rule::values_do_not_combine,
         "cast to f32 of a tile of Q: tiles of b1 are factors of products only: there is no cast of their elements");
  expect(
      check_cast({k::rows, rows_of_F}, element_of<bf16>()), rule::values_do_not_combine,
      "cast to bf16 of a number per row: only fragments are cast; this is f32 until it is stored, to a vector of that "
      "type");
  expect(
      check_cast({k::rows, rows_of_F}, element_of<float>()), rule::values_do_not_combine,
      "cast to f32 of a number per row: only fragments are cast; this is f32 already wherever it meets one: leave the "
      "cast out");
  expect(check_cast({k::fragment, C}, element_of<f16>()), rule::values_do_not_combine,
         "cast to f16 of a fragment of bf16, 128 x 64: bf16 becomes f32 and nothing else: cast<float>() first");
  expect(check_cast({k::fragment, W}, element_of<s8>()), rule::values_do_not_combine,
         "cast to s8 of a fragment of e4m3, 128 x 64: e4m3 becomes f32, bf16 or f16: cast<float>() first");
  expect(check_cast({k::fragment, F}, element_of<s32>()), rule::values_do_not_combine,
         "cast to s32 of a fragment of f32, 128 x 64: f32 becomes f16, bf16, tf32, e4m3, e5m2, s8 or u8");
  expect(
      check_cast({k::fragment, T}, element_of<bf16>()), rule::values_do_not_combine,
      "cast to bf16 of a fragment of tf32, 128 x 64: what is packed as tf32 can only be the left factor of a product; "
      "for its numbers declare the same memory a second time, as float");
  CHECK(check_cast({k::refused, {}}, element_of<bf16>()).holds());
  expect(check_reduction("row_sum(a)", {k::rows, rows_of_F}), rule::values_do_not_combine,
         "row_sum(a) with a number per row: it takes a fragment of f32, whose rows have many numbers");
  expect(check_reduction("col_sum(a)", {k::cols, cols_of_F}), rule::values_do_not_combine,
         "col_sum(a) with a number per column: it takes a fragment of f32, whose columns have many numbers");
  expect(check_reduction("row_sum(a)", {k::tile, F}), rule::a_tile_is_a_factor_or_brought_into_registers,
         "row_sum(a) with a tile of F: a tile in shared memory can only be multiplied by a tile; its numbers are "
         "in_registers(tile)");
  CHECK(check_reduction("row_sum(a)", {k::refused, {}}).holds());
  CHECK(check_center({k::refused, {}}, 1).holds());
  expect(check_center({k::fragment, F}, 2), rule::operand_is_used_in_another_way,
         "center() with 2 arguments: write center(x, rows, columns), of a fragment and two numbers");
  expect(check_center({k::fragment, F}, 3), rule::values_do_not_combine,
         "center(x, rows, columns) changes x, which is const here or has no name; write auto y = x; center(y, rows, "
         "columns)");
  expect(check_in_registers({k::fragment, F}), rule::values_do_not_combine,
         "in_registers() takes a tile in shared memory, not a fragment of f32, 128 x 64, which is in registers");
  expect(check_in_registers({k::operand, A}), rule::values_do_not_combine,
         "in_registers() takes a tile in shared memory, not operand A; write in_registers(sm.load(A, {..}))");
  expect(check_in_registers({k::rows, rows_of_F}), rule::values_do_not_combine,
         "in_registers() takes a tile in shared memory, not a number per row");
  expect(check_in_registers({k::vector, bias}), rule::values_do_not_combine,
         "in_registers() takes a tile in shared memory, not a part of bias; of vectors it takes those along the rows or "
         "the columns of the work's tiles, others meet a fragment as they are");
  CHECK(check_in_registers({k::refused, {}}).holds());
  expect(check_transpose({k::operand, A}), rule::values_do_not_combine,
         "transpose() takes a tile in shared memory, not operand A; write transpose(sm.load(A, {..}))");
  expect(check_transpose({k::product, {}}), rule::values_do_not_combine,
         "transpose() takes a tile in shared memory, not a product; the transpose of a * b is transpose(b) * "
         "transpose(a)");
  expect(check_transpose({k::fragment, C}), rule::values_do_not_combine,
         "transpose() takes a tile in shared memory, not a fragment of bf16, 128 x 64; an output that is declared "
         "col_major is stored as its transpose, and that of a * b is transpose(b) * transpose(a)");
  CHECK(check_transpose({k::refused, {}}).holds());
}

TEST_CASE("what is set, printed, chosen and asked for") {
  expect(check_number({k::fragment, F}), rule::a_fragment_is_no_number_use_map,
         "a fragment of f32, 128 x 64 is no number: every thread holds some of its elements; a function of each is "
         "map(x, [](float a) { return ..; })");
  expect(check_number({k::tile, F}), rule::a_tile_is_a_factor_or_brought_into_registers,
         "a tile of F is no number: a tile in shared memory can only be multiplied by a tile; its numbers are "
         "in_registers(tile)");
  expect(check_number({k::vector, bias}), rule::values_do_not_combine,
         "a part of bias is no number: a vector is spread over the fragment that it meets, as in acc * scale + bias: "
         "begin with the fragment; a function of its numbers is map(acc, v, f)");
  CHECK(check_number({k::refused, {}}).holds());
  expect(check_element({k::fragment, F}), rule::a_fragment_is_no_number_use_map,
         "a fragment of f32, 128 x 64 has no elements to name: they are spread over threads; map() and mask() reach "
         "each, row_max() and row_sum() rows");
  expect(check_filling({k::fragment, F}, {k::rows, rows_of_F}), rule::values_do_not_combine,
         "a fragment of f32, 128 x 64 is set to a number per row: only a fragment of the same type and shape, a "
         "product, or a number for all of f32 can be assigned");
  CHECK(check_filling({k::fragment, F}, {k::number, {}}).holds());
  CHECK(check_filling({k::fragment, F}, {k::refused, {}}).holds());
  expect(check_rows_set({k::rows, rows_of_F}, {k::cols, cols_of_F}), rule::values_do_not_combine,
         "a number per row is set to a number per column: only another of the same rows can be assigned");
  expect(check_rows_set({k::cols, cols_of_F}, {k::none, {}}), rule::values_do_not_combine,
         "a number per column is set to something else: only another of the same columns can be assigned");
  expect(check_rows_set({k::rows, rows_of_F, true}, {k::number, {}}), rule::values_do_not_combine,
         "a number per column is set to a number: only another of the same columns can be assigned");
  expect(check_rows_set({k::rows, rows_of_F}, {k::unfinished_rows, rows_of_F}), rule::row_sums_need_total,
         "a number per row is set to an unfinished row_sum(): four lanes hold a part of it each; row_sum(x).total() "
         "adds them up");
  CHECK(check_rows_set({k::rows, rows_of_F}, {k::refused, {}}).holds());
  expect(check_printing({k::cols, cols_of_F, true}), rule::values_do_not_combine,
         "a number per row cannot be printed: a body is read at compile time and runs on the GPU; store it, and print "
         "what was stored");
  expect(check_choice({k::truth, {}}, {k::fragment, F}, {k::number, {}}), rule::values_do_not_combine,
         "select(c, a, b) with a fragment of f32, 128 x 64 and a number: it chooses between numbers; element by "
         "element it is map(x, y, f), by their place mask(x, at, visible, value)");
  expect(check_tile_loop({k::operand, B}), rule::loops_over_tiles_are_pipelined,
         "a loop over tiles is for (auto k : sm.pipelined(tiles<\"K\">(B)))");
  expect(check_tile_loop({k::number, {}}), rule::loops_over_tiles_are_pipelined,
         "a loop over tiles is for (auto k : sm.pipelined(tiles<\"K\">(A)))");
  expect(check_mode_named(B), rule::operand_is_used_in_another_way,
         "tiles, sizes and extents of B are asked for by the name of a mode: tiles<\"K\">(B), size<\"K\">(B), "
         "extent<\"K\">(B)");
}

TEST_CASE("coordinates and operands of calls") {
  CHECK(check_coordinates(C, 2).holds());
  expect(check_coordinates(C, 1), rule::operand_is_used_in_another_way,
         "a tile of C is named by 2 coordinates, one for each mode; 1 is given");
  expect(check_coordinates(bias, 2), rule::operand_is_used_in_another_way,
         "a tile of bias is named by 1 coordinate, one for each mode; 2 are given");
  CHECK(check_modes(C, {{M, N}}).holds());
  expect(check_modes(C, {{N, M}}), rule::coordinate_is_along_another_mode,
         "coordinate 0 of a tile of C counts tiles along M, but the one given counts along N: are they in another "
         "order? Where it is meant: as<\"M\">(x)");
  expect(check_modes(C, {{mode_id::any, mode_id::mixed}}), rule::coordinate_is_along_another_mode,
         "coordinate 1 of a tile of C counts tiles along N, but the one given is made of several modes; where that is "
         "meant, say so: as<\"N\">(x)");
  expect(check_modes(gram, {{M, M}}), rule::coordinate_is_along_another_mode,
         "coordinate 1 of a tile of C counts tiles along M', but the one given counts along M: are they in another "
         "order? Where it is meant: as<\"M'\">(x)");
  expect(check_modes(gram, {{prime, prime}}), rule::coordinate_is_along_another_mode,
         "coordinate 0 of a tile of C counts tiles along M, but the one given counts along M': are they in another "
         "order? Where it is meant: as<\"M\">(x)");
  CHECK(check_modes(C, {{prime, N}}).holds());
  CHECK(check_modes(facts("K", operand_kind::input, element_of<bf16>(), {{"M'", 64}, {"N", 64}}), {{M, N}}).holds());
  const operand_facts mean = facts("mean", operand_kind::vector, element_of<float>(), {{"B", 1}, {"M", 128}});
  expect(
      check_modes(mean, {{mode_id::any, prime}}), rule::coordinate_is_along_another_mode,
      "the numbers of mean go along M, as it is declared, but coordinate 1 counts along M': declare it a second time "
      "for that mode, in the same memory; where M is meant: as<\"M\">(x)");
  CHECK(check_modes(mean, {{mode_named("B'"), M}}).holds());  // a batch says nothing of the way they go
  CHECK(check_modes(facts("one", operand_kind::vector, element_of<float>(), {{"M", 1}}), {{prime}}).holds());
  CHECK(check_place(gram, M, prime).holds());
  CHECK(check_place(gram, M, M).holds());
  expect(
      check_place(gram, prime, M), rule::coordinate_is_along_another_mode,
      "x at {row, col}: x is along M x M', its place along M' x M; name the place in x's order; where another mode is "
      "meant: as<\"M\">(m)");
  expect(check_grouped_coordinates("load", C, 0), rule::operand_is_used_in_another_way,
         "a tile of C is named by 2 coordinates, one for each mode; 0 are given");
  expect(check_grouped_coordinates("load", most, 0), rule::operand_is_used_in_another_way,
         "load(most): most is a number, which has no coordinates; write load(most, {})");
  expect(check_grouped_coordinates("store", most, 0), rule::operand_is_used_in_another_way,
         "store(most): most is a number, which has no coordinates; write store(most, {}, x)");
  expect(check_grouped_coordinates("load", A, 2), rule::operand_is_used_in_another_way,
         "load(A, ..): the coordinates of a tile stand in braces: load(A, {m, n})");
  expect(check_grouped_coordinates("store", C, 2), rule::operand_is_used_in_another_way,
         "store(C, ..): the coordinates of a tile stand in braces: store(C, {m, n}, x)");
  expect(check_coordinate(C, {k::rows, rows_of_F}), rule::operand_is_used_in_another_way,
         "a coordinate of a tile of C is a number per row: coordinates count tiles, as those of sm.tile_of(C), the "
         "trips of a loop and plain numbers do");
  CHECK(check_coordinate(C, {k::refused, {}}).holds());
  expect(check_operand_first("load", {k::tile, A}), rule::operand_is_used_in_another_way,
         "load() begins with an operand of the body, not with a tile of A");
  CHECK(check_operand_first("load", {k::refused, {}}).holds());
  CHECK(check_load(A).holds());
  expect(check_load(sums), rule::operand_is_used_in_another_way,
         "load(sums): sums is an output; load() takes an input: declare it with input<>() to read it");
  expect(check_load(C), rule::operand_is_used_in_another_way,
         "load(C): C is an output; load() takes an input: declare it with input<>() to read it");
  const operand_table stored{5, {A, B, C, sums, batched}}, alone{3, {A, B, sums}};
  CHECK(check_tile_of(stored, 2).holds());
  CHECK(check_tile_of(alone, 0).holds());
  expect(check_tile_of(alone, 1), rule::operand_is_used_in_another_way,
         "tile_of(B): no matrix is stored, so the work is divided by the tiles of the first one that is read: take "
         "tile_of(A), or declare the other in front of it");
  expect(check_tile_of(alone, 2, "rows_of"), rule::operand_is_used_in_another_way,
         "rows_of(sums): no matrix is stored, so the work is divided by the tiles of the first one that is read: take "
         "rows_of(A), or declare a matrix that is stored");
  expect(check_tile_of(stored, 3), rule::operand_is_used_in_another_way,
         "tile_of(sums): sums is written element by element; the work is divided by the tiles of a matrix, "
         "output<\"sums(M,N)\", ..>()");
  expect(check_tile_of(stored, 0, "rows_of"), rule::operand_is_used_in_another_way,
         "rows_of(A): A is an input; the work is divided by the tiles of the output: take rows_of() of that");
  CHECK(check_block_of(stored, 4, "block_of").holds());
  expect(check_block_of(stored, 2, "block_of"), rule::operand_is_used_in_another_way,
         "block_of(C): a block is counted along the modes before its rows and columns, and C(M,N) has none; declare "
         "one, as in output<\"C(B,M,N)\", ..>()");
  expect(
      check_block_of(stored, 0, "wide_block_of"), rule::operand_is_used_in_another_way,
      "wide_block_of(A): A is an input; the work is divided by the tiles of the output: take wide_block_of() of that");
  expect(check_trips({k::operand, B}), rule::values_do_not_combine,
         "pipelined() takes a number of trips, not operand B; all tiles of B along a mode are tiles<\"K\">(B)");
  expect(check_trips({k::fragment, F}), rule::values_do_not_combine,
         "pipelined() takes a number of trips, not a fragment of f32, 128 x 64; all tiles of A along a mode are "
         "tiles<\"K\">(A)");
  expect(check_form_of("sm.store", 1, "sm.store(C, {m, n}, x)"), rule::operand_is_used_in_another_way,
         "sm.store() with 1 argument: write sm.store(C, {m, n}, x)");
  expect(check_form_of("sm.load", 3, "sm.load(A, {m, k})"), rule::operand_is_used_in_another_way,
         "sm.load() with 3 arguments: write sm.load(A, {m, k})");
  expect(check_accumulator({k::fragment, F}), rule::values_do_not_combine,
         "accumulator() takes the output whose shape it has, or a product a * b, not a fragment of f32, 128 x 64");
}

TEST_CASE("stores") {
  expect(check_store(A, {k::fragment, F}, true, false), rule::operand_is_used_in_another_way,
         "store to A: A is an input; store() takes an output: declare it with output<>() to write it");
  CHECK(check_store(C, {k::refused, {}}, true, false).holds());
  expect(check_store(C, {k::product, {}}, true, false), rule::operand_is_used_in_another_way,
         "store to C: the value is a product; a product needs an accumulator: sm.accumulator(a * b); element by "
         "element it "
         "is cast<float>(in_registers(a)) * cast<float>(in_registers(b))");
  expect(
      check_store(C, {k::rows, rows_of_F}, true, false), rule::operand_is_used_in_another_way,
      "store to C: the value is a number per row; what is stored to a matrix is a fragment; numbers of rows or columns "
      "go to a vector, as output<\"v(M)\", float>()");
  CHECK(check_store(C, {k::fragment, F}, true, false).holds());
  expect(check_store(C, {k::fragment, half_of_it}, true, false), rule::store_shape_differs_from_the_output_tile,
         "store to C: the value is 64 x 64, the tile of C is 128 x 64; they must have the same shape");
  expect(check_store(C, {k::fragment, across}, true, false), rule::values_are_along_other_modes,
         "store to C: the value is along N x M, C along M x N; declare it C(N,M), or sum transpose(b) * transpose(a)");
  expect(check_store(C, {k::fragment, across}, true, true), rule::store_shape_differs_from_the_output_tile,
         "store to C: the value is 64 x 128, the tile of C is 128 x 64; they must have the same shape");
  expect(
      check_store(C, {k::fragment, whole_numbers}, true, false), rule::store_type_differs_from_the_output,
      "store to C: a value of s32 cannot become an output of bf16; store an accumulator of f32, or declare C as s32");
  CHECK(check_store(C, {k::fragment, whole_numbers}, false, false).holds());
  expect(check_store(counts, {k::fragment, F}, true, false), rule::store_type_differs_from_the_output,
         "store to counts: a value of f32 cannot become an output of s32; only sums of integers are s32, or declare "
         "counts as f32");
  expect(check_store(F_out, {k::fragment, C}, true, false), rule::store_type_differs_from_the_output,
         "store to D: a value of bf16 cannot become an output of f32; store cast<float>(value), or declare D as bf16");
  CHECK(check_vector_store(sums, {k::rows, rows_of_F}).holds());
  CHECK(check_vector_store(sums, {k::unfinished_rows, rows_of_F}).holds());
  CHECK(check_vector_store(sums, {k::refused, {}}).holds());
  expect(check_vector_store(sums, {k::placed_rows, rows_of_F}), rule::an_element_has_a_value_and_a_column,
         "store to sums: the value is an element per row and its column: take one of the two: auto [value, column] = "
         ".., or its .value or .column; max() and min() take two of these");
  expect(check_vector_store(sums, {k::fragment, F}), rule::operand_is_used_in_another_way,
         "store to sums: the value is a fragment of f32, 128 x 64; a vector takes a number per row, as row_sum(x) is, "
         "or what is combined: sm.combine(sums, {..}, x, reduction::max)");
  expect(check_vector_store(most, {k::rows, rows_of_F}), rule::operand_is_used_in_another_way,
         "store to most: the value is a number per row; one number takes what is combined: sm.combine(most, {..}, x, "
         "reduction::max)");
  expect(check_vector_store(sums, {k::cols, cols_of_F}), rule::values_are_along_other_modes,
         "sums is along M (128), what it meets along N (64); a vector goes along one of its modes");
  const auto square = facts("acc", operand_kind::output, element_of<float>(), {{"M", 128}, {"M'", 128}});
  const auto of_rows = facts("r", operand_kind::vector_output, element_of<float>(), {{"M", 128}});
  CHECK(check_vector_store(of_rows, {k::rows, square}).holds());
  expect(check_vector_store(of_rows, {k::cols, square}), rule::values_are_along_other_modes,
         "r is along M (128), what it meets along M' (128); a vector goes along one of its modes");
  expect(check_vector_store(one_per_tile, {k::rows, rows_of_F}), rule::values_are_along_other_modes,
         "parts is along T (1), what it meets along M (128); a vector goes along one of its modes; a tile's one number "
         "is combined: sm.combine(parts, {..}, x, ..)");
  expect(check_vector_store(sums, {k::indices, rows_of_F}), rule::store_type_differs_from_the_output,
         "store to sums: indices are s32, not f32; declare sums as s32");
  CHECK(check_vector_store(where, {k::indices, rows_of_F}).holds());
  expect(check_vector_store(where, {k::rows, rows_of_F}), rule::store_type_differs_from_the_output,
         "store to where: rows' numbers are f32 and become f32, bf16 or f16, not s32; declare where as one of these");
  expect(check_vector_store(codes, {k::cols, cols_of_F}), rule::store_type_differs_from_the_output,
         "store to codes: columns' numbers are f32 and become f32, bf16 or f16, not s8; declare codes as one of these");
}

TEST_CASE("what is combined in memory") {
  expect(check_combine(work, C, {k::fragment, F}), rule::operand_is_used_in_another_way,
         "combine into C: C is a matrix, which is stored; only vectors are combined: output<\"C(N)\", float>()");
  expect(check_combine(work, A, {k::fragment, F}), rule::operand_is_used_in_another_way,
         "combine into A: A is an input; combine() takes an output: output<\"A(N)\", float>()");
  CHECK(check_combine(work, sums, {k::refused, {}}).holds());
  expect(
      check_combine(work, sums, {k::number, {}}), rule::operand_is_used_in_another_way,
      "combine into sums: the value is a number; what is combined is a fragment of f32, or a number per row or column");
  expect(check_combine(work, sums, {k::product, {}}), rule::a_product_needs_an_accumulator,
         "combine into sums: the value is a product; a product needs an accumulator: acc += a * b, or sm.accumulator(a "
         "* b); element by element one of both is in_registers()");
  expect(check_combine(work, where, {k::rows, rows_of_F}), rule::store_type_differs_from_the_output,
         "combine into where: memory combines f32, not s32; declare where as float");
  expect(check_combine(work, sums, {k::cols, cols_of_F}), rule::values_are_along_other_modes,
         "sums is along M (128), what it meets along N (64); a vector goes along one of its modes");
  CHECK(check_combine(work, sums, {k::rows, rows_of_F}).holds());
  CHECK(check_combine(work, sums, {k::fragment, F}).holds());
  CHECK(check_combine(work, col_sums, {k::fragment, F}).holds());
  CHECK(check_combine(work, most, {k::fragment, F}).holds());
  expect(check_combine(work, most, {k::fragment, scores}), rule::values_are_along_other_modes,
         "combine into most: the value is along L (64), which is no mode of C's tiles, so nobody knows where it ends; "
         "mask it, and reduce it by row_sum(), row_max() or row_min()");
  expect(check_combine(work, most, {k::cols, cols_of_L}), rule::values_are_along_other_modes,
         "combine into most: the value is along L (64), which is no mode of C's tiles, so nobody knows where it ends; "
         "mask it, and reduce it by row_sum(), row_max() or row_min()");
  CHECK(check_combine({0, {}}, most, {k::fragment, F}).holds());
}

TEST_CASE("nothing more is said of what was refused") {
  violation v = refuse(rule::values_do_not_combine, "row_max(a) with ", described{k::refused});
  v << ", and what is added to it, " << 1;
  CHECK(v.holds());
  CHECK(v.says.length() == 0);
  CHECK(v.numbers == 0);
}

TEST_CASE("a declaration's modes are counted in its text") {
  const auto counts = [](const char* text, int modes, operand_kind read, operand_kind written) {
    CHECK(count_modes(text) == modes);
    CHECK(kind_of_input(text) == read);
    CHECK(kind_of_output(text) == written);
  };
  counts("A(M,K)", 2, operand_kind::input, operand_kind::output);
  counts("A( B, M, K)", 3, operand_kind::input, operand_kind::output);
  counts("bias(N)", 1, operand_kind::vector, operand_kind::vector_output);
  counts("scale()", 0, operand_kind::vector, operand_kind::vector_output);
  counts("scale", 0, operand_kind::vector, operand_kind::vector_output);
  counts("A(,)", 2, operand_kind::input, operand_kind::output);
}
