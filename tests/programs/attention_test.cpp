// Attention on the CPU model against float64: lengths that are no multiple of a tile, more keys than queries and fewer,
// several batches and heads; and what forms of it do besides.
#include "tests/programs/attention_problem.hpp"
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::attention;
using kernels::attention_form;
using kernels::attention_mask;
using kernels::attention_of;
using shape = test::attention_sizes;
using test::exhaustively;

constexpr auto full = attention_mask::none;
constexpr auto causal = attention_mask::causal;

template <attention_form Form, class T = bf16, class Kernel = attention_of<Form, T>>
void check_form(const shape& n, int random = 0, float scale = test::attention_problem<Form>::usual_scale()) {
  CAPTURE(n.b);
  CAPTURE(n.h);
  CAPTURE(n.s);
  CAPTURE(n.t);
  test::attention_problem<Form, T> p(n, scale);
  p.with_arguments([&](const auto&... given) { test::run_on_schedules<Kernel>(random, p.O, given...); },
                   [](auto& tensor) { return tensor.view(); });
  CHECK(p.lse.touched() == 0);
  const test::attention_errors off = p.errors();
  CHECK(off.rows <= test::rounded_twice);
  CHECK(off.log_sums <= 1e-5);
}

template <int D, attention_mask Mask>
void check_attention(const shape& n, int random = 0, float scale = 1.4426950408889634f / std::sqrt(float{D})) {
  check_form<attention_form{.dim = D, .mask = Mask}, bf16, attention<D, Mask>>(n, random, scale);
}

TEST_CASE("d = 64: tiles of 192 queries and 128 keys") {
  check_attention<64, full>({.s = 7, .t = 129, .pad = 1});
  check_attention<64, full>({.s = 193, .t = 127});
  check_attention<64, full>({.b = 2, .h = 1, .s = 70, .t = 300, .pad = 1}, 1);
  if (exhaustively) {
    check_attention<64, full>({.s = 192, .t = 128});
    check_attention<64, full>({.s = 1, .t = 1});
  }
}
TEST_CASE("d = 64, causal") {
  if constexpr (exhaustively) {
    check_attention<64, causal>({.s = 192, .t = 192});
    check_attention<64, causal>({.s = 1, .t = 300});
    check_attention<64, causal>({.s = 400, .t = 400, .pad = 1}, 1);
    check_attention<64, causal>({.s = 300, .t = 65});
    check_attention<64, causal>({.b = 2, .h = 2, .s = 200, .t = 333});
  }
}
TEST_CASE("d = 128: tiles of 128 queries and 128 keys") {
  if constexpr (exhaustively) {
    check_attention<128, full>({.s = 128, .t = 128});
    check_attention<128, full>({.s = 1, .t = 257});
    check_attention<128, full>({.s = 130, .t = 2, .pad = 2});
    check_attention<128, full>({.b = 3, .h = 2, .s = 65, .t = 260}, 1);
  }
}
TEST_CASE("d = 128, causal") {
  if constexpr (exhaustively) {
    check_attention<128, causal>({.s = 129, .t = 129, .pad = 1}, 1);
    check_attention<128, causal>({.h = 2, .s = 65, .t = 300});
    check_attention<128, causal>({.s = 128, .t = 128});
    check_attention<128, causal>({.s = 257, .t = 100});
    check_attention<128, causal>({.b = 2, .h = 2, .s = 65, .t = 400});
  }
}
TEST_CASE("scores far apart: the running maximum keeps exponents in range") {
  check_attention<64, full>({.s = 20, .t = 300}, 0, 8.0f);
  if constexpr (exhaustively) check_attention<128, causal>({.s = 140, .t = 300}, 0, 8.0f);
}
TEST_CASE("a scale of almost nothing: the mean of the values") {
  check_attention<64, full>({.s = 10, .t = 200}, 0, 0x1p-30f);
  if constexpr (exhaustively) check_attention<128, causal>({.s = 130, .t = 130}, 0, 0x1p-30f);
}

TEST_CASE("a window that ends at the last keys, heads in groups, sinks, and logarithms") {
  check_form<test::gqa_window>({.h = 2, .s = 70, .t = 300, .g = 2, .left = 20, .unseen = 128});
  check_form<test::gqa_window>({.s = 5, .t = 390, .pad = 1, .g = 2, .left = 1 << 30}, 1);  // no end
  check_form<test::gqa_window>({.s = 200, .t = 130, .left = 3});  // the first rows see nothing but the sink
}
TEST_CASE("keys wider than values, in f16; rows that see nothing") {
  check_form<test::wide_keys, f16>({.s = 70, .t = 140, .pad = 1});
  check_form<test::wide_keys, f16>({.h = 2, .s = 150, .t = 7}, 1);
}
TEST_CASE("a window on both sides, slopes") {
  check_form<test::sloped_window>({.h = 2, .s = 130, .t = 300, .left = 9, .right = 60});
  check_form<test::sloped_window>({.s = 300, .t = 100, .left = -2, .right = 60}, 1);  // rows from 98 on see nothing
}
TEST_CASE("d = 256, capped scores") { check_form<test::capped_scores>({.s = 129, .t = 130, .pad = 1}, 1); }

}  // namespace
