// Attention's gradients by way of the scores' gradients in memory, on the CPU model: against float64, and bit for bit
// those of the kernels that make the scores twice.
#include "tests/programs/attention_gradients.hpp"
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::attention_form, kernels::attention_mask;

template <attention_form Form, class T = bf16>
void check(const test::attention_sizes& n) {
  CAPTURE(n.s);
  CAPTURE(n.t);
  static_assert(verified<kernels::attention_keys_backward<Form, T, true>>);
  static_assert(verified<kernels::attention_queries_of_scores<Form, T>>);
  test::attention_gradients<Form, T> g(n);
  auto scores = g.scores();
  const auto run = []<class K>(named_type<K>, const auto&... given) { run_on_model<K>(given...); };
  const auto view = [](auto& tensor) { return tensor.view(); };
  g.pass(run, view, scores);
  CHECK(g.touched() + scores.touched() == 0);
  CHECK(g.error() <= 0x1p-5);
  const auto found = g.found();
  g.pass(run, view);  // which makes the scores twice
  CHECK(g.found() == found);
}

TEST_CASE("gradients by way of dS are right, of sizes that no tile divides") {
  check<attention_form{.dim = 128, .lse = true}>({.h = 2, .s = 150, .t = 200});
  check<attention_form{.dim = 64, .mask = attention_mask::causal, .grouped = true, .lse = true, .capped = true}>(
      {.h = 2, .s = 300, .t = 270, .g = 2});
}

}  // namespace
