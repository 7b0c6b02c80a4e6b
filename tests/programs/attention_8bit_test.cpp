// Attention of e4m3 on the CPU model against float64: scales of heads, forms, what keeps small probabilities; and the
// copy of values that it reads.
#include <sectile/dsl/model/verb_log.hpp>
#include <sectile/kernels/turned_values.hpp>
#include <vector>

#include "tests/programs/attention_problem.hpp"
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::attention_form;
using kernels::attention_mask;
using kernels::attention_of;
using test::attention_sizes;
using test::exhaustively;

/// Probabilities are rounded by up to 1/16 of their size: all of O by 0.03 of its norm, one element by a quarter of
/// what it and the root mean square of all are. Scores of e4m3 are sums that keep 13 bits of each addend.
constexpr double whole = 0.03, element = 0.25, of_scores = 2e-4;

template <attention_form Form, class T = e4m3>
test::attention_errors errors_of(const attention_sizes& n, int random = 0,
                                 float scale = test::attention_problem<Form, T>::usual_scale()) {
  test::attention_problem<Form, T> p(n, scale);
  p.with_arguments([&](const auto&... given) { test::run_on_schedules<attention_of<Form, T>>(random, p.O, given...); },
                   [](auto& tensor) { return tensor.view(); });
  CHECK(p.lse.touched() == 0);
  return p.errors();
}
template <attention_form Form>
void check_form(const attention_sizes& n, int random = 0) {
  CAPTURE(n.s);
  CAPTURE(n.t);
  const test::attention_errors off = errors_of<Form>(n, random);
  CHECK(off.l2 <= whole);
  CHECK(off.rows <= element);
  CHECK(off.log_sums <= of_scores);
}

constexpr attention_form plain{.dim = 64, .lse = true};

TEST_CASE("each head of keys has its scales") {
  check_form<plain>({.b = 2, .h = 2, .s = 70, .t = 300, .pad = 1}, 1);
  if constexpr (exhaustively) check_form<plain>({.b = 2, .h = 3, .s = 193, .t = 127});
}
TEST_CASE("causal") {
  if constexpr (exhaustively) check_form<test::eight_bit_causal>({.b = 2, .h = 2, .s = 200, .t = 333});
  check_form<test::eight_bit_causal>({.s = 129, .t = 150, .pad = 1});
}
TEST_CASE("heads in groups, in a window, beside sinks") {
  check_form<test::eight_bit_grouped>({.h = 2, .s = 70, .t = 500, .g = 2, .left = 120, .unseen = 160});
  check_form<test::eight_bit_grouped>({.s = 200, .t = 130, .left = 3}, 1);  // the first rows see nothing but the sink
}
TEST_CASE("d = 256, and keys wider than values") {
  check_form<attention_form{.dim = 256}>({.s = 129, .t = 130, .pad = 1});
  if constexpr (exhaustively)
    check_form<attention_form{.dim = 192, .values = 128, .mask = attention_mask::causal, .lse = true}>(
        {.h = 2, .s = 150, .t = 140});
}
// 2^8 has a place in e4m3, so what is off here is what sums of values and bf16 lose.
TEST_CASE("a scale of almost nothing: the mean of the values, which probabilities of 1 do not round") {
  const test::attention_errors off = errors_of<plain>({.s = 10, .t = 200}, 0, 0x1p-30F);
  CHECK(off.l2 <= 0x1p-8);
  CHECK(off.log_sums <= 1e-6);
}
TEST_CASE("scores far apart: the running maximum keeps exponents in range") {
  const test::attention_errors off = errors_of<plain>({.s = 20, .t = 300}, 0, 8.0F);
  CHECK(off.l2 <= whole);
  CHECK(off.log_sums <= 1e-3);
}

// One score of each row is 10 above the others in powers of two, of which there are 1,000: each of these weighs 2^-10,
// less than the least e4m3, and all of them together half as much as the one.
TEST_CASE("many small probabilities count, since all are multiplied by 2^8") {
  constexpr attention_form form{.dim = 64};
  constexpr int keys = 1001;
  test::host_tensor<e4m3> Q({1, 1, 16, 64}), K({1, 1, keys, 64}), V({1, 1, keys, 64}, col_major);
  test::host_tensor<bf16> O({1, 1, 16, 64});
  test::host_tensor<float> scale({1, 1}), value_scale({1, 1});
  const auto set = [](auto& x, int row, float value) {
    const auto v = x.view();
    for (int d = 0; d < 64; ++d) v.data[row * v.stride[2] + d * v.stride[3]] = e4m3(value);
  };
  for (int i = 0; i < 16; ++i) set(Q, i, 1);
  for (int j = 0; j < keys; ++j) set(K, j, j == 3 ? 1.0F : 0.0F), set(V, j, j == 3 ? 0.0F : 1.0F);
  *scale.view().data = 10.0F / 64, *value_scale.view().data = 4;
  test::run_on_schedules<attention_of<form, e4m3>>(0, O, Q.view(), K.view(), V.view(), O.view(), scale.view(),
                                                   value_scale.view());
  const double exact = 4 * (1000 * 0x1p-10) / (1 + 1000 * 0x1p-10);
  O.for_each_number([&](double x, int, int, int, int) { CHECK(std::abs(x - exact) <= exact * 0x1p-7); });
}

/// With turns that are full, or not.
template <bool Full>
struct by_turns : attention_of<attention_form{.dim = 128}, e4m3> {
  static constexpr configuration how = [] {
    configuration c = attention_of<attention_form{.dim = 128}, e4m3>::how;
    c.full_turns = Full;
    return c;
  }();
};
/// What the first consumer did last before it passed a turn on, each time; and the elements of O.
template <bool Full>
std::vector<model::verb> before_turns_of_others(std::vector<double>& o) {
  test::attention_problem<attention_form{.dim = 128}, e4m3> p({.s = 128, .t = 700});
  model::verb_log log;
  p.with_arguments(
      [&](const auto&... given) {
        const model::watching watch(log);
        test::run_on_schedules<by_turns<Full>>(0, p.O, given...);
      },
      [](auto& tensor) { return tensor.view(); });
  CHECK(p.errors().l2 <= whole);
  p.O.for_each_number([&](double x, int, int, int, int) { o.push_back(x); });
  std::vector<model::verb> found;
  auto last = model::verb::mbarrier_wait;
  for (const model::verb_record& r : log.records) {
    if (r.thread != warpgroup) continue;
    if (r.what == model::verb::named_barrier_arrive) found.push_back(last);
    last = r.what;
  }
  return found;
}
TEST_CASE("a full turn ends behind the first wait and another one behind the last product; the bits are the same") {
  std::vector<double> o, same;
  const auto full = before_turns_of_others<true>(o), issued = before_turns_of_others<false>(same);
  CHECK(full == std::vector(5, model::verb::wgmma_wait));  // 700 keys are four tiles, whose values are a turn late
  CHECK(issued == std::vector(5, model::verb::wgmma_commit));
  CHECK(!o.empty());
  CHECK(o == same);
}

TEST_CASE("values stored the usual way are refused") {
  test::attention_problem<plain, e4m3> p({.s = 64, .t = 128});
  test::host_tensor<e4m3> rows({1, 1, 128, 64});
  const auto launch = [&] {
    run_on_model<attention_of<plain, e4m3>>(p.Q.view(), p.K.view(), rows.view(), p.O.view(), p.scales.view(),
                                            p.lse.view(), p.value_scales.view());
  };
  CHECK_THROWS_WITH_AS(launch(),
                       "operand V: T must be contiguous (stride 1), its stride is 64; that of D is 1: give it a "
                       "copy that is stored the other way round",
                       launch_error);
}

template <class From>
void check_turned(int b, int h, int t, int d) {
  test::host_tensor<From> V({b, h, t, d}, row_major, 1);
  test::host_tensor<e4m3> W({b, h, t, d}, col_major);
  V.fill(7);
  test::run_on_schedules<kernels::turned_values<From>>(1, W, V.in(), W.view());
  int differ = 0;
  W.for_each_number([&](double x, int i, int j, int k, int l) {
    differ += x != static_cast<double>(static_cast<float>(e4m3(static_cast<float>(V(i, j, k, l)))));
  });
  CHECK(differ == 0);
}
TEST_CASE("values are turned, e4m3 as they are and bf16 rounded") {
  check_turned<e4m3>(2, 2, 200, 64);
  check_turned<bf16>(1, 2, 48, 136);
}

}  // namespace
