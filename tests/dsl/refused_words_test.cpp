// Words of other languages, and values that are used like those of other languages: what is said of each. Compilers say
// it of a body in tests/faults; here each sentence is made when it runs.
#include <doctest/doctest.h>

#include <sectile/dsl/proofs/foreign_words.hpp>
#include <sectile/dsl/proofs/walk.hpp>
#include <sectile/dsl/tell/facts/variation.hpp>

#include <set>
#include <string>

#include "tests/static_check.hpp"

using namespace sectile;

namespace {
operand_facts matrix(const char* name, operand_kind kind, element type, const char* rows, const char* cols) {
  operand_facts f{.kind = kind, .type = type, .tile = {2, {128, 64}}};
  for (int i = 0; name[i]; ++i) f.name[i] = name[i];
  for (int i = 0; rows[i]; ++i) f.mode_name[0][i] = rows[i];
  for (int i = 0; cols[i]; ++i) f.mode_name[1][i] = cols[i];
  return f;
}
const operand_facts F = matrix("F", operand_kind::input, element_of<float>(), "M", "N"),
                    G = matrix("G", operand_kind::input, element_of<float>(), "L", "N");
using k = value_kind;

void expect(const violation& v, rule broken, const std::string& sentence) {
  CHECK(v.what == broken);
  CHECK(std::string(v.says.text) == sentence);
}
std::string says(const violation& v) { return v.says.text; }
}  // namespace

TEST_CASE("a word of another language is said in words of this one") {
  expect(check_foreign_word(foreign::mean_word, {k::fragment, F}), rule::body_is_written_in_another_way,
         "there is no mean(x) of a fragment of f32, 128 x 64; write row_sum(x).total() / size<\"N\">(C), or "
         "col_sum(x) / size<\"M\">(C)");
  expect(check_foreign_word(foreign::roll_word, {k::tile, F}), rule::body_is_written_in_another_way,
         "there is no roll(x) of a tile of F; write a product with a matrix that moves the columns, or load them "
         "through two views of the tensor");
  CHECK(check_foreign_word(foreign::dot_word, {k::refused, {}}).holds());
}

TEST_CASE("functions of another number of values, of floats, and members of other languages' arrays") {
  expect(check_one_value("exp2(a)", 2), rule::values_do_not_combine,
         "exp2(a) with 2 arguments: it takes one value; what hangs on more numbers is map(x, y, f)");
  expect(check_plain_number("exp(a)"), rule::values_do_not_combine,
         "exp(a) with a float: it takes a fragment or numbers per row, all elements at once: y = f(x), and then map(x, "
         "y, ..); in a function given to map() a float has those of <cmath>, as std::exp(a)");
  CHECK(is_function_of_one("exp(a)"));
  CHECK_FALSE(is_function_of_one("max(a, b)"));
  expect(check_own_cast({k::fragment, F}), rule::body_is_written_in_another_way,
         "a fragment of f32, 128 x 64 becomes another type by a function: cast<bf16>(x); what is stored is rounded to "
         "the output's type without a word");
  expect(check_total({k::rows, F}), rule::body_is_written_in_another_way,
         "total() of a number per row, which is complete: leave it out; it is for what row_sum() gives, parts that "
         "four lanes hold");
  expect(check_own_transpose({k::tile, F}), rule::operand_is_used_in_another_way,
         "a tile of F is transposed by a function: transpose(tile)");
  expect(check_own_transpose({k::operand, F}), rule::operand_is_used_in_another_way,
         "operand F is transposed by a function: transpose(sm.load(F, {..}))");
  CHECK(says(check_own_transpose({k::product, {}})) == says(check_transpose({k::product, {}})));
  expect(check_element({k::tile, F}), rule::a_fragment_is_no_number_use_map,
         "a tile of F has no elements to name: bring it into registers, x = cast<float>(in_registers(tile)); map() "
         "and mask() reach each there");
  expect(check_part_named(F), rule::a_tile_must_be_loaded_first,
         "operand F has no elements that a body could name: it is read and written in tiles, by sm.load(F, {..}) and "
         "sm.store(F, {..}, x)");
  expect(check_named_function({k::fragment, F}), rule::function_does_not_fit,
         "map(x, f): the function's name has several forms, as those of <cmath>; write [](float a) { return "
         "std::tanh(a); }");
  CHECK(check_named_function({k::refused, {}}).holds());
}

TEST_CASE("counting, and what is asked of no operand") {
  expect(check_step(true, {k::fragment, F}), rule::values_do_not_combine,
         "++ with a fragment of f32, 128 x 64: say by how much, x = x + 1");
  expect(check_step(false, {k::rows, F}), rule::values_do_not_combine,
         "-- with a number per row: say by how much, x = x - 1");
  CHECK(says(check_step(true, {k::operand, F})).find("load a tile first") != std::string::npos);
  CHECK(check_step(true, {k::refused, {}}).holds());
  expect(check_asked_of_an_operand("tiles", {k::fragment, F}), rule::operand_is_used_in_another_way,
         "tiles<\"K\">() of a fragment of f32, 128 x 64: it is asked of an operand, as tiles<\"K\">(A) is");
  CHECK(check_asked_of_an_operand("size", {k::refused, {}}).holds());
  expect(check_asked_of_nothing("size", "K"), rule::operand_is_used_in_another_way,
         "size<\"K\">() of which operand? Write size<\"K\">(A)");
}

TEST_CASE("what is set, and in place") {
  expect(check_constant("acc += a * b", {k::fragment, F}), rule::values_do_not_combine,
         "acc += a * b: acc, a fragment of f32, 128 x 64, is const; declare it auto, not const auto");
  CHECK(check_in_place("a += b", {k::refused, {}}, {k::fragment, F}, false).holds());
  CHECK(
      says(check_in_place("a += b", {k::number, {}}, {k::rows, F}, false)).starts_with("a += b with a number and a "));
  expect(check_filling({k::fragment, F}, {k::fragment, G}), rule::values_are_along_other_modes,
         "a fragment of f32, 128 x 64 is set to a fragment of f32, 128 x 64: it is along M x N, what it is set to "
         "along L x N; name the value: auto x = ..");
  expect(check_rows_set({k::unfinished_rows, F}, {k::number, {}}), rule::values_do_not_combine,
         "an unfinished row_sum() is set to a number: only another of the same rows can be assigned, unfinished as "
         "well; its total() is a number per row");
  expect(check_choice({k::fragment, F}, {k::number, {}}, {k::number, {}}), rule::a_fragment_is_no_number_use_map,
         "a fragment of f32, 128 x 64 is no number: every thread holds some of its elements; a function of each is "
         "map(x, [](float a) { return ..; })");
  CHECK(check_choice({k::truth, {}}, {k::refused, {}}, {k::number, {}}).holds());
}

// ---- walks over work and maps of groups, where they are wrong

namespace {
work_item last_trip_twice(const work_stream& s, int n) {
  work_item w = item_of(s, n);
  w.first -= w.part > 0;
  return w;
}
work_item of_no_tile(const work_stream& s, int n) {
  work_item w = item_of(s, n);
  if (w.tile == s.tiles - 1) ++w.tile;
  return w;
}
group_place at_its_end(int begin, int end, int rows) {
  group_place g = place_group(begin, end, rows);
  g.place += end > begin;
  return g;
}
}  // namespace

TEST_CASE("a stream's parts, each trip once, and rows of groups") {
  const auto stream = &check_stream;
  CHECK(stream(item_of).holds());
  CHECK(says(stream(last_trip_twice)).find("and the one before ends at") != std::string::npos);
  CHECK(says(stream(of_no_tile)).find("which is none of them, or another item's") != std::string::npos);
  const auto map = &check_group_map;
  CHECK(map(place_group).holds());
  CHECK(says(map(at_its_end)).starts_with("row "));
}

TEST_CASE("a configuration's neighbours differ from it in one constant") {
  const configuration from{.tile = {{"M", 128}, {"N", 128}, {"K", 64}}, .stages = 4, .consumers = 2};
  const tell::configuration_changes all = tell::neighbours(from);
  CHECK(all.count == 8);
  std::set<int> stages;
  for (int i = 0; i < all.count; ++i) {
    const configuration& to = all.at[i].to;
    CHECK((to.stages != from.stages) + (to.consumers != from.consumers) + !(to.cluster == from.cluster) +
              (to.persistent != from.persistent) + (to.pingpong != from.pingpong) ==
          1);
    stages.insert(to.stages);
  }
  CHECK(stages == std::set<int>{1, 3, 4, 5});
  // One consumer of one stage has fewer.
  CHECK(tell::neighbours({.tile = from.tile, .stages = 1, .consumers = 1}).count == 5);
}
