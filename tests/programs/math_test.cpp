// The functions of each element against float64, over all of their range: the machine's own numbers, no kernel around.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <sectile/dsl/model/machine.hpp>
#include <sectile/dsl/program/functions.hpp>

namespace {

using namespace sectile;

/// Calls check(x) for numbers of every sign and exponent, from -most to most.
template <class F>
void for_many_numbers(float most, F check) {
  for (std::uint64_t i = 0; i < 400'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(i * 10'737);  // 2^32 / 400,000
    const float x = std::bit_cast<float>(bits);
    if (std::abs(x) <= most) check(x);
    check(most * (static_cast<float>(i) - 200'000.0f) / 200'000.0f);
  }
}

struct numbers_only {};  // a machine: its verbs are static
model::machine& machine() { return *static_cast<model::machine*>(nullptr); }

/// The largest error of Operation against f, relative but for results below `floor`, which count as that.
template <class Operation, class F>
double largest_error(F f, float most, double floor = std::numeric_limits<float>::min()) {
  double worst = 0;
  for_many_numbers(most, [&](float x) {
    const double right = f(static_cast<double>(x));
    const double found = static_cast<double>(Operation{}(machine(), x));
    if (std::isnan(right) || std::isinf(right)) return;
    const double error = std::abs(found - right) / std::max(std::abs(right), floor);
    if (!(error <= worst)) worst = error;
  });
  return worst;
}

constexpr double ulp = 0x1p-23;  // of 1

// In a function that is given to map(), abs(x) is found in C's namespace, where <cmath> alone has that of an int.
static_assert(std::is_same_v<decltype(::abs(0.5f)), float>);

}  // namespace

TEST_CASE("functions of each element are near float64") {
  CHECK(largest_error<exponential_of_one>([](double x) { return std::exp(x); }, 87.0f) < 1.5 * ulp);
  CHECK(largest_error<logarithm_of_one>([](double x) { return std::log(x); }, 3e38f) < 1.5 * ulp);
  CHECK(largest_error<binary_logarithm_of_one>([](double x) { return std::log2(x); }, 3e38f) < 2.0 * ulp);
  CHECK(largest_error<square_root_of_one>([](double x) { return std::sqrt(x); }, 3e38f) < 0.6 * ulp);
  CHECK(largest_error<reciprocal_square_root_of_one>([](double x) { return 1 / std::sqrt(x); }, 3e38f) < 1.5 * ulp);
  CHECK(largest_error<tanh_of_one>([](double x) { return std::tanh(x); }, 50.0f) < 2.0 * ulp);
  CHECK(largest_error<erf_of_one>([](double x) { return std::erf(x); }, 20.0f) < 2.0 * ulp);
  CHECK(largest_error<sigmoid_of_one>([](double x) { return 1 / (1 + std::exp(-x)); }, 80.0f, 1e-3) < 6.0 * ulp);
  CHECK(largest_error<silu_of_one>([](double x) { return x / (1 + std::exp(-x)); }, 80.0f, 1e-2) < 6.0 * ulp);
  const auto gelu = [](double x) { return x * std::erfc(-x / std::sqrt(2.0)) / 2; };
  CHECK(largest_error<gelu_of_one>(gelu, 100.0f, 0.1) < 6.0 * ulp);
  CHECK(largest_error<gelu_of_one>(gelu, 5.0f) <
        32 * ulp);  // far into the tail, where 1 + erf would have no digit left
  const auto gelu_tanh = [](double x) {
    return x / (1 + std::exp(-std::sqrt(8 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
  };
  CHECK(largest_error<gelu_tanh_of_one>(gelu_tanh, 100.0f, 0.1) < 4.0 * ulp);
}

TEST_CASE("functions of each element where there is no number to compute") {
  const float nan = std::nanf(""), inf = infinity;
  const auto is = [](float found, float right) { return std::isnan(right) ? std::isnan(found) : found == right; };
  const auto check = [&]<class Operation>(Operation, float of_minus, float of_inf) {
    CHECK(is(Operation{}(machine(), nan), nan));
    CHECK(is(Operation{}(machine(), -inf), of_minus));
    CHECK(is(Operation{}(machine(), inf), of_inf));
  };
  check(exponential_of_one{}, 0, inf);
  check(logarithm_of_one{}, nan, inf);
  check(binary_logarithm_of_one{}, nan, inf);
  check(square_root_of_one{}, nan, inf);
  check(reciprocal_square_root_of_one{}, nan, 0);
  check(magnitude_of_one{}, inf, inf);
  check(tanh_of_one{}, -1, 1);
  check(erf_of_one{}, -1, 1);
  check(sigmoid_of_one{}, 0, 1);
  check(relu_of_one{}, 0, inf);
  CHECK(logarithm_of_one{}(machine(), 0.0f) == -inf);
  CHECK(logarithm_of_one{}(machine(), 1.0f) == 0.0f);
  CHECK(binary_logarithm_of_one{}(machine(), 0x1p-149f) == -149.0f);
  CHECK(binary_logarithm_of_one{}(machine(), 8.0f) == 3.0f);
  CHECK(relu_of_one{}(machine(), -3.0f) == 0.0f);
  CHECK(std::signbit(tanh_of_one{}(machine(), -0.0f)));
  CHECK(gelu_of_one{}(machine(), 1e30f) == 1e30f);
  CHECK(gelu_of_one{}(machine(), -100.0f) == 0.0f);
}
