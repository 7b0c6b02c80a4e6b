// Attention's gradients on the CPU model against float64.
#include "tests/programs/attention_gradients.hpp"
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using shape = test::attention_sizes;

template <kernels::attention_form Form, class T = bf16>
void check(const shape& n) {
  CAPTURE(n.s);
  CAPTURE(n.t);
  static_assert(verified<kernels::attention_delta<Form, T>>);
  static_assert(verified<kernels::attention_keys_backward<Form, T>>);
  static_assert(verified<kernels::attention_queries_backward<Form, T>>);
  test::attention_gradients<Form, T> g(n);
  g.pass([]<class K>(named_type<K>, const auto&... given) { run_on_model<K>(given...); },
         [](auto& tensor) { return tensor.view(); });
  CHECK(g.touched() == 0);
  CHECK(g.error() <= 0x1p-5);
}

// One form that has everything: others, and what a GPU makes of them, are in tests/gpu/attention_backward.cu.
constexpr kernels::attention_form all_of_it{.dim = 64,
                                            .mask = kernels::attention_mask::window,
                                            .from_end = true,
                                            .grouped = true,
                                            .lse = true,
                                            .capped = true,
                                            .slopes = true};

TEST_CASE("the gradients are right, keys that no row sees and rows that see nothing included") {
  check<all_of_it>({.h = 2, .s = 70, .t = 200, .g = 2, .left = 70, .right = 20});
  check<all_of_it>({.b = 2, .h = 1, .s = 140, .t = 130, .pad = 1, .left = 40, .right = 20});
  check<all_of_it>({.s = 1, .t = 3, .left = 1, .right = 1});
}

}  // namespace
