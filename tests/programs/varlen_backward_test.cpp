// Gradients of attention of packed sequences on the model: against float64, and bit by bit against the plain kernels on
// each sequence alone.
#include "tests/programs/kit.hpp"
#include "tests/programs/varlen_gradients.hpp"

namespace {

using namespace sectile;
using test::varlen_sizes;

constexpr auto run = []<class K>(named_type<K>, const auto&... given) { run_on_model_by_itself<K>({}, given...); };
template <class Gradients>
void pass(Gradients& g) {
  g.pass(
      run, [](auto& tensor) { return tensor.view(); }, tensor(g.p.query_ends.data(), g.p.sequences()),
      tensor(g.p.key_ends.data(), g.p.sequences()));
  CHECK(g.touched() == 0);
}

template <kernels::attention_form Form, class T = bf16>
void check(const varlen_sizes& n) {
  static_assert(verified<kernels::attention_delta<Form, T>>);
  static_assert(verified<kernels::attention_keys_backward<Form, T>>);
  static_assert(verified<kernels::attention_queries_backward<Form, T>>);
  test::varlen_gradients<Form, T> g(n);
  pass(g);
  // Of few keys one has nearly all the weight: dP - delta is a difference of numbers that are nearly equal.
  CHECK(g.error() <= 0x1p-4);
  CHECK(g.not_as_alone(run) == 0);
}

TEST_CASE("sequences of any length, without queries, without keys, and without both") {
  check<test::packed_apart>({.queries = {70, 0, 1, 193, 0, 5}, .keys = {129, 3, 1, 140, 0, 0}, .pad = 1});
  check<test::packed_apart>({.queries = {0, 0, 3}, .keys = {5, 0, 4}, .h = 2, .key_heads = 2});
}
TEST_CASE("causal sequences whose heads share keys") {
  check<test::packed_causal>({.queries = {1, 150, 0, 70, 3}, .keys = {200, 130, 1, 70, 0}, .h = 4, .key_heads = 2});
  check<test::packed_causal>({.queries = {5, 60}, .keys = {2, 50}, .h = 3, .key_heads = 1, .pad = 1});
}
TEST_CASE("windows, capped scores and slopes in sequences") {
  check<test::packed_all_of_it>(
      {.queries = {130, 0, 7, 40}, .keys = {200, 5, 0, 20}, .h = 4, .key_heads = 2, .left = 90, .right = 3});
}

/// Each row's weights have the sum 1, so the columns of dV have the sums of those of dO.
void check_sums(int heads, int key_heads, std::initializer_list<int> first_head) {
  constexpr kernels::attention_form form{.dim = 64, .grouped = true, .lse = true, .varlen = true};
  test::varlen_gradients<form> g({.queries = {20, 0, 3}, .keys = {7, 2, 40}, .h = heads, .key_heads = key_heads});
  pass(g);
  for (int group = 0; group < key_heads; ++group)
    for (int d = 0; d < 64; ++d) {
      double given = 0, found = 0;
      for (int h = first_head.begin()[group]; h < first_head.begin()[group + 1]; ++h)
        for (int i = 0; i < g.p.query_ends.back(); ++i) given += g.dO.number(i, h, d);
      for (int j = 0; j < g.p.key_ends.back(); ++j) found += g.dV.number(j, group, d);
      CHECK(found == doctest::Approx(given).epsilon(0.02).scale(2));
    }
}
TEST_CASE("heads of which some keys have more than others, or none") {
  check_sums(3, 2, {0, 2, 3});
  check_sums(1, 2, {0, 1, 1});
}

}  // namespace
