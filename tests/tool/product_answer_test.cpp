// References of layers, and what of a result's error they call rounding.
#include "tool/product_answer.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tool/problem.hpp"

namespace {

using namespace sectile::tool;

/// Right up to how much a result is off: the values of the reference, each changed by `change(value)`.
template <class Change>
bool passes(const char* kernel, Change change) {
  const problem p =
      random_problem(find_kernel(kernel), reading::wgmma, default_shape(find_kernel(kernel), machine::model), 1);
  progress tick("", 0);
  const answer right = p.reference(p.inputs, tick);
  std::vector<double> result = right.values;
  for (double& x : result) x = change(x);
  return is_within(compare(std::span<const double>(result), std::span<const double>(right.values)), right.bar);
}

constexpr const char* layers[] = {"linear_gelu_bf16",   "linear_residual_bf16", "swiglu_bf16",
                                  "scaled_linear_e4m3", "scaled_linear_s8",     "gram_bf16"};

/// The bar of linear_residual_bf16 for numbers of A and W, and a bias.
double bar_of(float number, float bias) {
  const std::vector<operand_data> in{{{2, 64}, std::vector(128, number)},
                                     {{3, 64}, std::vector(192, number)},
                                     {{3}, {bias, bias, bias}},
                                     {{2, 3}, std::vector(6, 0.0F)}};
  return product_answer(find_kernel("linear_residual_bf16"), reading::wgmma, signs::any, in).bar;
}

}  // namespace

TEST_CASE("a layer may be off by rounding and by no more") {
  for (const char* kernel : layers) {
    CAPTURE(kernel);
    CHECK(passes(kernel, [](double x) { return x * (1 + 0x1p-9); }));
    CHECK_FALSE(passes(kernel, [](double x) { return x * 1.01; }));
    CHECK_FALSE(passes(kernel, [](double x) { return std::fabs(x); }));
  }
}

TEST_CASE("the bar grows where a bias leaves little of the sums") {
  // Sums of 64; what is left of them is 64, or 1/64, of which each sum's rounding is the larger a part.
  CHECK(bar_of(1, 0) < 0.005);
  CHECK(bar_of(1, -64 + 1.0F / 64) > 2 * bar_of(1, 0));
}

TEST_CASE("a reference is the formula, element by element") {
  // Two rows, two columns, K of 2: sums 1*1 + 2*0 = 1, 1*3 + 2*4 = 11, 5 and 39.
  const std::vector<operand_data> in{{{2, 2}, {1, 2, 5, 6}}, {{2, 2}, {1, 0, 3, 4}}, {{2}, {10, 100}}, {{2}, {1, -1}}};
  for (const char* kernel : {"scaled_linear_e4m3", "scaled_linear_s8"})
    CHECK(product_answer(find_kernel(kernel), reading::wgmma, signs::any, in).values ==
          std::vector<double>{10, -110, 500, -3900});
  const std::vector<operand_data> with_residual{in[0], in[1], {{2}, {10, 100}}, {{2, 2}, {.1F, .2F, .3F, .4F}}};
  const std::vector<double> c =
      product_answer(find_kernel("linear_residual_bf16"), reading::wgmma, signs::any, with_residual).values;
  CHECK(c[0] == doctest::Approx(11.1));
  CHECK(c[1] == doctest::Approx(111.2));
  CHECK(c[2] == doctest::Approx(15.3));
  CHECK(c[3] == doctest::Approx(139.4));
}
