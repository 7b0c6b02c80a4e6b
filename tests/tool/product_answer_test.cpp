// References of layers, and what of a result's error they call rounding.
#include "tool/product_answer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/tool/random_answers.hpp"

namespace {

using namespace sectile;
using namespace sectile::tool;

constexpr const char* layers[] = {
    "linear_gelu_bf16",   "linear_residual_bf16", "swiglu_bf16",          "scaled_linear_e4m3",
    "scaled_linear_s8",   "chained_linear_bf16",  "scaled_sum_bf16",      "gram_bf16",
    "quantized_linear_s8", "quantized_linear_e4m3", "quantized_linear_s4",
    "relu_gradient_bf16", "linear_amax_e4m3",     "linear_gelu_aux_bf16", "linear_cross_entropy_bf16"};

std::vector<answer> references(const char* kernel, const std::vector<operand_data>& in,
                               const std::vector<float>& given = {}) {
  return product_answers(find_kernel(kernel), reading::wgmma, signs::any, in, given);
}

/// The bar of linear_residual_bf16 for numbers of A and W, and a bias.
double bar_of(float number, float bias) {
  const std::vector<operand_data> in{{{2, 64}, std::vector(128, number)},
                                     {{3, 64}, std::vector(192, number)},
                                     {{3}, {bias, bias, bias}},
                                     {{2, 3}, std::vector(6, 0.0F)}};
  return references("linear_residual_bf16", in)[0].bar;
}

}  // namespace

TEST_CASE("a layer may be off by rounding and by no more") {
  for (const char* kernel : layers) {
    CAPTURE(kernel);
    const random_answers of{find_kernel(kernel)};
    CHECK(of.passes(0, [](double x, std::size_t) { return x * (1 + 0x1p-9); }));
    CHECK_FALSE(of.passes(0, [](double x, std::size_t) { return x * 1.01; }));
    CHECK_FALSE(of.passes(0, [](double x, std::size_t) { return std::fabs(x); }));
  }
}

TEST_CASE("a matrix behind the first may be off by rounding and by no more") {
  const random_answers of{find_kernel("linear_gelu_aux_bf16")};
  CHECK(of.passes(1, [](double x, std::size_t) { return x * (1 + 0x1p-9); }));
  CHECK_FALSE(of.passes(1, [](double x, std::size_t) { return x * 1.01; }));
  CHECK_FALSE(of.passes(1, [](double x, std::size_t) { return std::max(x, 0.0) * 0.99; }));
  CHECK_FALSE(of.passes(1, [&](double, std::size_t i) { return of.right[0].values[i]; }));  // the first once more
}

TEST_CASE("a layer of 8-bit results may be off by what their rounding explains") {
  const random_answers floats{find_kernel("scaled_linear_e4m3_e4m3")}, integers{find_kernel("scaled_linear_s8_s8")};
  const auto rounded = [](double x, std::size_t) {
    return static_cast<double>(static_cast<float>(e4m3(static_cast<float>(x))));
  };
  CHECK(floats.passes(0, rounded));
  CHECK_FALSE(floats.passes(0, [](double x, std::size_t) { return x * 1.1; }));
  CHECK(integers.passes(0, [](double x, std::size_t) { return std::nearbyint(x); }));
  CHECK_FALSE(integers.passes(0, [](double x, std::size_t i) { return std::nearbyint(x) + (i == 77 ? 1 : 0); }));
  const auto clamped = [](const std::vector<double>& all, double least, double most) {
    CHECK(*std::ranges::min_element(all) == least);
    CHECK(*std::ranges::max_element(all) == most);
    return std::ranges::count(all, most) < std::ssize(all) / 20;  // most have a place
  };
  CHECK(clamped(integers.right[0].values, -128, 127));
  CHECK(references("scaled_linear_e4m3_e4m3", {{{1, 1}, {400}}, {{2, 1}, {2, -2}}, {{1}, {1}}, {{2}, {1, 1}}})[0]
            .values == std::vector<double>{448, -448});
}

TEST_CASE("each number beside a matrix is judged by itself") {
  const random_answers gradient{find_kernel("relu_gradient_bf16")}, scaled{find_kernel("linear_amax_e4m3")};
  const random_answers logits{find_kernel("linear_cross_entropy_bf16")};
  for (const auto& [of, o] : {std::pair{&gradient, 1U}, {&scaled, 1U}, {&logits, 1U}, {&logits, 2U}}) {
    CAPTURE(of->kernel.name);
    CAPTURE(o);
    CHECK(of->passes(o, [](double x, std::size_t) { return x * (1 + 0x1p-22); }));
    CHECK_FALSE(of->passes(o, [](double x, std::size_t i) { return i == 0 ? x * 1.04 + 0.01 : x; }));
    CHECK_FALSE(of->passes(o, [](double x, std::size_t i) { return i == 0 ? std::nan("") : x; }));
  }
  // A sum that lacks one element of its column, as far as these are about as large as most.
  const double element = *std::ranges::max_element(gradient.right[0].values) / 8;
  CHECK_FALSE(gradient.passes(1, [&](double x, std::size_t i) { return i == 300 ? x - element : x; }));
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
    CHECK(references(kernel, in)[0].values == std::vector<double>{10, -110, 500, -3900});
  const std::vector<operand_data> with_residual{in[0], in[1], {{2}, {10, 100}}, {{2, 2}, {.1F, .2F, .3F, .4F}}};
  const std::vector<double> c = references("linear_residual_bf16", with_residual)[0].values;
  CHECK(c[0] == doctest::Approx(11.1));
  CHECK(c[1] == doctest::Approx(111.2));
  CHECK(c[2] == doctest::Approx(15.3));
  CHECK(c[3] == doctest::Approx(139.4));
}

TEST_CASE("a reference takes the numbers that the kernel is given") {
  // Sums 1 and 11, of which alpha is taken, and beta of R.
  const std::vector<operand_data> in{{{1, 2}, {1, 2}}, {{2, 2}, {1, 0, 3, 4}}, {{1, 2}, {100, 1000}}};
  CHECK(references("scaled_sum_bf16", in, {2, -1})[0].values == std::vector<double>{-98, -978});
  CHECK(references("scaled_sum_bf16", in, {0, 0.5F})[0].values == std::vector<double>{50, 500});
}

TEST_CASE("a reference of two matrices: what is behind the first is made of the same sums") {
  const std::vector<answer> both =
      references("linear_gelu_aux_bf16", {{{1, 2}, {1, 2}}, {{2, 2}, {1, 0, 3, 4}}, {{2}, {-1, -10}}});
  CHECK(both[0].values == std::vector<double>{0, 1});
  CHECK(both[1].values[0] == 0);
  CHECK(both[1].values[1] == doctest::Approx(0.8413447460685429));
}

TEST_CASE("a reference of what is beside a matrix: of columns, of all, of rows and tiles") {
  // A W is 1, 3 and 5, 39; Z lets three through.
  const std::vector<answer> gradient =
      references("relu_gradient_bf16", {{{2, 2}, {1, 2, 5, 6}}, {{2, 2}, {1, 3, 0, 4}}, {{2, 2}, {1, 1, -1, 2}}});
  CHECK(gradient[0].values == std::vector<double>{1, 11, 0, 39});
  CHECK(gradient[1].values == std::vector<double>{1, 50});
  const std::vector<answer> scaled =
      references("linear_amax_e4m3", {{{2, 2}, {1, 2, 5, 6}}, {{2, 2}, {1, 0, 3, 4}}, {{}, {-0.5F}}});
  CHECK(scaled[0].values == std::vector<double>{-0.5, -5.5, -2.5, -19.5});
  CHECK(scaled[1].values == std::vector<double>{19.5});
  // Two rows of 130 logits, in two tiles: row 0 has 0, 1 .. 129, row 1 the negatives.
  std::vector<float> counted(130);
  for (std::size_t i = 0; i < counted.size(); ++i) counted[i] = static_cast<float>(i);
  const std::vector<answer> logits = references("linear_cross_entropy_bf16", {{{2, 1}, {1, -1}}, {{130, 1}, counted}});
  CHECK(logits[1].values == std::vector<double>{127, 0, 129, -128});
  const double halves = 1 / (1 - std::exp(-1.0)), two = 1 + std::exp(-1.0);
  const double expected[] = {halves, halves, two, two};
  for (std::size_t i = 0; i < 4; ++i) CHECK(logits[2].values[i] == doctest::Approx(expected[i]));
}

TEST_CASE("a reference of two products rounds the first") {
  // 257 has no place in bf16, which has 256 and 258: a tie, so it becomes 256.
  const std::vector<answer> c =
      references("chained_linear_bf16", {{{1, 2}, {256, 1}}, {{2, 2}, {1, 1, 0, 3}}, {{2, 2}, {1, 0, 2, 5}}});
  CHECK(c[0].values == std::vector<double>{256, 527});
}
