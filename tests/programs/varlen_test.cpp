// Attention of packed sequences on the model: against float64, and bit by bit against the plain kernel on each sequence
// alone.
#include "tests/programs/varlen.hpp"

#include <random>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::attention_form;
using kernels::attention_mask;
using kernels::attention_of;
using test::varlen_sizes;

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <attention_form Form, class T = bf16>
void check_varlen(const varlen_sizes& n, int random = 0) {
  using kernel = attention_of<Form, T>;
  static_assert(verified<kernel>);
  test::varlen_problem<Form, T> p(n);
  using problem = decltype(p);
  const auto query_ends = tensor(p.query_ends.data(), p.sequences()),
             key_ends = tensor(p.key_ends.data(), p.sequences());
  p.with_arguments([&](const auto&... given) { test::run_on_schedules<kernel>(random, p.O, given...); },
                   [](auto& tensor) { return tensor.view(); }, query_ends, key_ends);
  CHECK(p.lse.touched() == 0);
  const test::attention_errors off = p.errors();
  CHECK(off.rows <= test::rounded_twice);
  CHECK(off.log_sums <= 1e-5);

  test::host_tensor<T> rows({p.query_ends.back(), n.h, Form.values}, row_major, n.pad);
  test::host_tensor<float> sums({n.h, p.query_ends.back()});
  for (int e = 0; e < p.sequences(); ++e) {
    CAPTURE(e);
    const int s = problem::size_of(p.query_ends, e), t = problem::size_of(p.key_ends, e);
    if (s == 0) continue;
    if (t > 0)
      p.with_sequence(e, rows, sums,
                      [](const auto&... given) { run_on_model<attention_of<problem::plain, T>>(given...); });
    int different = 0;
    for (int i = problem::begin_of(p.query_ends, e); i < p.query_ends[static_cast<std::size_t>(e)]; ++i)
      for (int h = 0; h < n.h; ++h) {
        for (int x = 0; x < Form.values; ++x)
          different += !(t > 0 ? same_bits(p.O(i, h, x), rows(i, h, x)) : p.O.number(i, h, x) == 0);
        different +=
            Form.lse && !(t > 0 ? same_bits(p.lse(h, i), sums(h, i)) : (Form.sinks || p.lse(h, i) == -infinity));
      }
    CHECK(different == 0);
  }
}

constexpr attention_form causal{.dim = 128, .mask = attention_mask::causal, .lse = true, .varlen = true};
constexpr attention_form wide{
    .dim = 192, .values = 128, .mask = attention_mask::causal_window, .from_end = true, .lse = true, .varlen = true};

constexpr attention_form all_of_it{.dim = 96,
                                   .mask = attention_mask::window,
                                   .from_end = true,
                                   .grouped = true,
                                   .lse = true,
                                   .sinks = true,
                                   .capped = true,
                                   .slopes = true,
                                   .varlen = true};

TEST_CASE("sequences of any length, also empty ones, in which rows see all keys") {
  check_varlen<test::packed>({.queries = {70, 0, 1, 193, 0, 5, 64}, .keys = {129, 3, 1, 300, 0, 0, 7}, .pad = 1}, 1);
  check_varlen<test::packed>({.queries = {0, 0, 3}, .keys = {5, 0, 1}, .h = 3, .key_heads = 3});
}
TEST_CASE("rows of a sequence that see keys up to their own") {
  check_varlen<causal>({.queries = {130, 1, 0, 257}, .keys = {130, 1, 9, 100}, .h = 2, .key_heads = 2});
}
TEST_CASE("sequences with their last rows' own keys at the end, whose heads share keys") {
  check_varlen<test::packed_causal>(
      {.queries = {1, 200, 0, 70, 3}, .keys = {300, 130, 1, 70, 0}, .h = 6, .key_heads = 2}, 1);
  check_varlen<test::packed_causal>({.queries = {5, 1}, .keys = {2, 390}, .h = 4, .key_heads = 1, .pad = 1});
}
/// So many lengths, of which some are 0 and 1.
std::vector<int> some_lengths(int count, int most, std::uint32_t seed) {
  std::vector<int> all;
  std::minstd_rand next(seed);
  for (int i = 0; i < count; ++i)
    all.push_back(i % 5 == 3 ? static_cast<int>(next() % 2) : static_cast<int>(next() % most));
  return all;
}
TEST_CASE("sequences of random lengths") {
  for (std::uint32_t seed = 1; seed <= (test::exhaustively ? 12 : 2); ++seed) {
    CAPTURE(seed);
    check_varlen<test::packed_causal>(
        {.queries = some_lengths(12, 300, seed), .keys = some_lengths(12, 300, seed + 100), .h = 2});
    const std::vector<int> own = some_lengths(9, 260, seed);
    check_varlen<causal>({.queries = own, .keys = own});
  }
}
TEST_CASE("windows in sequences") {
  check_varlen<test::packed_window>({.queries = {300, 2, 193}, .keys = {100, 0, 400}, .left = 9, .right = 60});
  check_varlen<wide, f16>({.queries = {3, 150, 40}, .keys = {0, 140, 300}, .h = 2, .key_heads = 2, .left = 17});
}

TEST_CASE("sinks, capped scores and slopes in sequences") {
  check_varlen<all_of_it>(
      {.queries = {130, 0, 7, 40}, .keys = {300, 5, 0, 20}, .h = 4, .key_heads = 2, .left = 90, .right = 3});
}

}  // namespace
