// The float64 references against the same sums written as plainly as possible, and the distance between two results.
#include "tool/reference.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "tool/random.hpp"

namespace {

using namespace sectile::tool;

std::vector<float> normal(std::int64_t count, std::uint64_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  fill_standard_normal(values, seed);
  return values;
}

/// c[i] is an int64 index into a vector.
template <class T>
T at(const std::vector<T>& values, std::int64_t index) {
  return values[static_cast<std::size_t>(index)];
}

std::vector<double> plain_gemm(const std::vector<float>& a, const std::vector<float>& b, gemm_shape shape) {
  std::vector<double> c;
  for (std::int64_t i = 0; i < shape.m; ++i) {
    for (std::int64_t j = 0; j < shape.n; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < shape.k; ++k) {
        sum += static_cast<double>(at(a, i * shape.k + k)) * static_cast<double>(at(b, j * shape.k + k));
      }
      c.push_back(sum);
    }
  }
  return c;
}

attention_result plain_attention(const std::vector<float>& q, const std::vector<float>& k, const std::vector<float>& v,
                                 const attention_shape& shape, const attention_rules& rules) {
  attention_result out;
  for (std::int64_t head = 0; head < shape.batch * shape.heads; ++head) {
    const std::int64_t h = head % shape.heads,
                       of_keys = head / shape.heads * shape.key_heads + h * shape.key_heads / shape.heads;
    for (std::int64_t i = 0; i < shape.queries; ++i) {
      const std::int64_t own = rules.from_end ? i + shape.keys - shape.queries : i;
      std::vector<double> weights(static_cast<std::size_t>(shape.keys));
      double total = rules.sinks.empty() ? 0 : std::exp(static_cast<double>(rules.sinks[static_cast<std::size_t>(h)]));
      for (std::int64_t j = 0; j < shape.keys; ++j) {
        if (j < own - rules.left || j > own + rules.right) continue;
        double score = 0;
        for (std::int64_t d = 0; d < shape.dimension; ++d)
          score += static_cast<double>(at(q, (head * shape.queries + i) * shape.dimension + d)) *
                   static_cast<double>(at(k, (of_keys * shape.keys + j) * shape.dimension + d));
        score /= std::sqrt(static_cast<double>(shape.dimension));
        if (rules.cap != 0) score = std::tanh(score / rules.cap) * rules.cap;
        if (!rules.slopes.empty())
          score -= static_cast<double>(rules.slopes[static_cast<std::size_t>(h)]) *
                   static_cast<double>(j > own ? j - own : own - j);
        total += weights[static_cast<std::size_t>(j)] = std::exp(score);
      }
      for (std::int64_t d = 0; d < shape.values; ++d) {
        double sum = 0;
        for (std::int64_t j = 0; j < shape.keys; ++j)
          sum += weights[static_cast<std::size_t>(j)] *
                 static_cast<double>(at(v, (of_keys * shape.keys + j) * shape.values + d));
        out.rows.push_back(total == 0 ? 0 : sum / total);
      }
      out.log_sums.push_back(std::log(total));
    }
  }
  return out;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("GEMM agrees with three plain loops, block edges included") {
  for (gemm_shape shape : {gemm_shape{1, 1, 1}, gemm_shape{4, 4, 256}, gemm_shape{33, 65, 257}, gemm_shape{31, 63, 255},
                           gemm_shape{70, 3, 600}, gemm_shape{2, 130, 5}, gemm_shape{64, 64, 512}}) {
    CAPTURE(shape.m);
    CAPTURE(shape.n);
    CAPTURE(shape.k);
    const std::vector<float> a = normal(shape.m * shape.k, 1);
    const std::vector<float> b = normal(shape.n * shape.k, 2);
    CHECK(distance(reference_gemm(a, b, shape), plain_gemm(a, b, shape)) < 1e-12);
  }
}

TEST_CASE("GEMM over no K is zero, and over no rows is empty") {
  CHECK(reference_gemm({}, {}, {2, 3, 0}) == std::vector<double>(6, 0.0));
  CHECK(reference_gemm({}, normal(6, 1), {0, 2, 3}).empty());
}

/// Sums of whole numbers, clamped after every `step` columns, or not.
std::vector<double> plain_integers(const std::vector<float>& a, const std::vector<float>& b, gemm_shape shape,
                                   overflow rule, std::int64_t step) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::vector<double> c;
  for (std::int64_t i = 0; i < shape.m; ++i)
    for (std::int64_t j = 0; j < shape.n; ++j) {
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < shape.k; ++k) {
        sum += static_cast<std::int64_t>(at(a, i * shape.k + k)) * static_cast<std::int64_t>(at(b, j * shape.k + k));
        if (rule == overflow::clamps && ((k + 1) % step == 0 || k + 1 == shape.k))
          sum = std::clamp(sum, -most - 1, most);
      }
      c.push_back(rule == overflow::clamps ? static_cast<double>(sum)
                                           : static_cast<double>(static_cast<std::int32_t>(sum)));
    }
  return c;
}

TEST_CASE("integers are exact, and wrap or are clamped where they leave 32 bits") {
  // 200000 products of up to 2^14 with a drift leave 32 bits in both directions.
  const gemm_shape shape{3, 4, 200000};
  std::vector<float> a, b;
  for (std::int64_t i = 0; i < shape.m * shape.k; ++i) {
    const auto any = static_cast<float>(static_cast<int>(hash(1, static_cast<std::uint64_t>(i)) % 256) - 128);
    a.push_back(i < shape.k ? -128.0F : any);
  }
  for (std::int64_t i = 0; i < shape.n * shape.k; ++i)
    b.push_back((i % shape.k < 190000) == (i / shape.k % 2 == 0) ? 127.0F : -128.0F);
  for (const overflow rule : {overflow::wraps, overflow::clamps}) {
    const std::vector<double> c = reference_integer_gemm(a, b, shape, rule, 32);
    CHECK(c == plain_integers(a, b, shape, rule, 32));
    CHECK(c != reference_gemm(a, b, shape));  // some did leave them
  }
  // Where a sum comes back from beyond, clamping on the way is not clamping at the end.
  std::vector<double> at_the_end = reference_gemm(a, b, shape);
  for (double& x : at_the_end) x = std::clamp(x, -0x1p31, 0x1p31 - 1);
  CHECK(reference_integer_gemm(a, b, shape, overflow::clamps, 32) != at_the_end);
  const gemm_shape small{5, 7, 33};
  const std::vector<float> x(5 * 33, 3), y(7 * 33, -2);
  CHECK(reference_integer_gemm(x, y, small, overflow::clamps, 32) == std::vector<double>(35, -198));
}

TEST_CASE("sums of blocks are scaled, each by itself") {
  const gemm_shape shape{37, 70, 300};
  const std::vector<float> a = normal(shape.m * shape.k, 1), b = normal(shape.n * shape.k, 2);
  const std::vector<float> of_a = normal(3 * shape.m, 3), of_b = normal(3 * shape.n, 4);
  const std::vector<double> c =
      reference_scaled_gemm(a, b, shape, {128, {of_a.begin(), of_a.end()}, {of_b.begin(), of_b.end()}});
  double worst = 0;
  for (std::int64_t i = 0; i < shape.m; ++i)
    for (std::int64_t j = 0; j < shape.n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < shape.k; ++l)
        sum += 1.0 * at(a, i * shape.k + l) * at(b, j * shape.k + l) * at(of_a, l / 128 * shape.m + i) *
               at(of_b, l / 128 * shape.n + j);
      worst = std::max(worst, std::fabs(sum - at(c, i * shape.n + j)));
    }
  CHECK(worst < 1e-11);
  CHECK_THROWS_AS(reference_scaled_gemm(a, b, shape, {64, {of_a.begin(), of_a.end()}, {of_b.begin(), of_b.end()}}),
                  std::invalid_argument);
}

TEST_CASE("attention agrees with plain loops, whatever a row sees") {
  const std::vector<float> numbers = normal(3, 4);
  const attention_rules causal{.right = 0}, none{};
  for (const attention_rules& rules :
       {none, causal, attention_rules{.left = 5, .right = 2}, attention_rules{.left = 9, .right = 0, .from_end = true},
        attention_rules{.right = 0, .from_end = true, .cap = 1.5, .sinks = numbers},
        attention_rules{.left = -2, .right = 40, .slopes = numbers}}) {
    for (const attention_shape& shape :
         {attention_shape{1, 3, 1, 1}, attention_shape{2, 3, 33, 8}, attention_shape{1, 3, 70, 4, 33},
          attention_shape{2, 3, 33, 8, 70, 3}, attention_shape{2, 3, 20, 8, 20, 8, 1}}) {
      CAPTURE(shape.queries);
      CAPTURE(shape.keys);
      const std::vector<float> q = normal(shape.batch * shape.heads * shape.queries * shape.dimension, 1);
      const std::vector<float> k = normal(shape.batch * shape.key_heads * shape.keys * shape.dimension, 2);
      const std::vector<float> v = normal(shape.batch * shape.key_heads * shape.keys * shape.values, 3);
      const attention_result found = reference_attention(q, k, v, shape, rules);
      const attention_result expected = plain_attention(q, k, v, shape, rules);
      CHECK(distance(found.rows, expected.rows) < 1e-13);
      REQUIRE(found.log_sums.size() == expected.log_sums.size());
      for (std::size_t i = 0; i < found.log_sums.size(); ++i) {
        const bool same = found.log_sums[i] == expected.log_sums[i];  // of a row that sees nothing: -infinity
        CHECK((same || std::abs(found.log_sums[i] - expected.log_sums[i]) < 1e-13));
      }
    }
  }
}

TEST_CASE("attention's gradients are what sum(O * dO) changes by, element by element") {
  const std::vector<float> numbers = normal(3, 4);
  const attention_shape shape{1, 3, 5, 4, 6, 4, 1};
  for (const attention_rules& rules :
       {attention_rules{}, attention_rules{.right = 0, .from_end = true}, attention_rules{.left = 1, .right = 1},
        attention_rules{.left = 2, .right = 40, .cap = 1.5, .slopes = numbers}}) {
    std::vector<float> q = normal(3 * 5 * 4, 1), k = normal(6 * 4, 2), v = normal(6 * 4, 3);
    const std::vector<float> of_rows = normal(3 * 5 * 4, 5);
    const auto total = [&] {
      const attention_result o = reference_attention(q, k, v, shape, rules);
      double sum = 0;
      for (std::size_t i = 0; i < of_rows.size(); ++i) sum += o.rows[i] * static_cast<double>(of_rows[i]);
      return sum;
    };
    const attention_result o = reference_attention(q, k, v, shape, rules);
    std::vector<float> offset, delta(o.log_sums.size());
    for (const double x : o.log_sums) offset.push_back(static_cast<float>(-std::numbers::log2e * x));
    for (std::size_t i = 0; i < of_rows.size(); ++i) delta[i / 4] += static_cast<float>(o.rows[i]) * of_rows[i];
    const attention_row_gradients given{of_rows, offset, delta};
    const auto [of_k, of_v] = reference_key_gradients(q, k, v, given, shape, rules);
    const std::vector<double> of_q = reference_query_gradients(q, k, v, given, shape, rules);
    const auto check = [&](std::vector<float>& x, const std::vector<double>& gradients) {
      REQUIRE(x.size() == gradients.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        const float middle = x[i];
        x[i] = middle + 0x1p-8F;
        const double above = total(), upper = static_cast<double>(x[i]);
        x[i] = middle - 0x1p-8F;
        CHECK(gradients[i] == doctest::Approx((above - total()) / (upper - static_cast<double>(x[i]))).epsilon(1e-4));
        x[i] = middle;
      }
    };
    check(q, of_q);
    check(k, of_k);
    check(v, of_v);
  }
}

TEST_CASE("attention survives scores that overflow exp") {
  const std::vector<float> large(2 * 4, 1000.0F);
  const std::vector<float> v{1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(reference_attention(large, large, v, {1, 1, 2, 4}).rows == std::vector<double>{3, 4, 5, 6, 3, 4, 5, 6});
}

TEST_CASE("every step is ticked") {
  progress gemm_ticks("gemm", reference_steps(gemm_shape{100, 8, 8}));
  reference_gemm(normal(800, 1), normal(64, 2), {100, 8, 8}, &gemm_ticks);
  CHECK(gemm_ticks.done() == 4);
  CHECK(gemm_ticks.done() == reference_steps(gemm_shape{100, 8, 8}));

  const attention_shape shape{2, 2, 40, 4};
  const std::vector<float> x = normal(2 * 2 * 40 * 4, 1);
  progress ticks("attention", reference_steps(shape));
  reference_attention(x, x, x, shape, {}, &ticks);
  CHECK(ticks.done() == reference_steps(shape));
  const std::vector<float> rows = normal(2 * 2 * 40, 1);
  progress of_keys("keys", reference_steps(shape)), of_queries("queries", reference_steps(shape));
  reference_key_gradients(x, x, x, {x, rows, rows}, shape, {}, &of_keys);
  reference_query_gradients(x, x, x, {x, rows, rows}, shape, {}, &of_queries);
  CHECK(of_keys.done() == reference_steps(shape));
  CHECK(of_queries.done() == reference_steps(shape));
}

TEST_CASE("operands of another size are refused") {
  CHECK_THROWS_WITH_AS(reference_gemm(normal(5, 1), normal(6, 1), {2, 2, 3}), "A holds 5 elements; its shape has 6",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(reference_gemm(normal(6, 1), normal(7, 1), {2, 2, 3}), "B holds 7 elements; its shape has 6",
                       std::invalid_argument);
  const std::vector<float> x = normal(6, 1);
  CHECK_THROWS_WITH_AS(reference_attention(x, x, normal(5, 1), {1, 1, 2, 3}), "V holds 5 elements; its shape has 6",
                       std::invalid_argument);
  CHECK_THROWS_AS(compare(normal(2, 1), std::vector<double>(3)), std::invalid_argument);
}

TEST_CASE("a report says how far, where, and whether all is finite") {
  const std::vector<double> reference{3, 0, 4, 0};
  const error_report exact = compare(std::vector<float>{3, 0, 4, 0}, reference);
  CHECK(exact.relative_l2 == 0);
  CHECK(exact.max_abs == 0);
  CHECK(exact.worst_index == -1);
  CHECK(exact.finite);

  const error_report off = compare(std::vector<float>{3, 0.5F, 4, -1}, reference);
  CHECK(off.relative_l2 == doctest::Approx(std::sqrt(1.25) / 5));
  CHECK(off.max_abs == 1);
  CHECK(off.worst_index == 3);
  CHECK(off.finite);
}

TEST_CASE("a result is right within its bar, and where that is 0 only if nothing differs") {
  const std::vector<double> reference{3, 0, 4, 0};
  const error_report exact = compare(reference, reference);
  CHECK(is_within(exact, 0));
  CHECK(is_within(exact, 1e-9));
  const error_report off = compare(std::vector<double>{3, 0, 4, 1}, reference);  // by 1 of 5
  CHECK(is_within(off, 0.2));
  CHECK_FALSE(is_within(off, 0.19));
  CHECK_FALSE(is_within(off, 0));
  const error_report infinite = compare(std::vector<double>{3, 0, 4, HUGE_VAL}, reference);
  CHECK_FALSE(is_within(infinite, 1e30));
  CHECK_FALSE(is_within(infinite, 0));
}

TEST_CASE("infinities and NaNs are never within a bound") {
  const float infinity = std::numeric_limits<float>::infinity();
  for (float bad : {infinity, -infinity, std::nanf("")}) {
    const error_report report = compare(std::vector<float>{1, 2, bad, 9}, std::vector<double>{1, 2, 3, 4});
    CHECK_FALSE(report.finite);
    CHECK(report.worst_index == 2);
    CHECK_FALSE(report.relative_l2 < 1e30);
    CHECK_FALSE(report.max_abs < 1e30);
  }
  const double huge = std::numeric_limits<double>::infinity();
  CHECK_FALSE(compare(std::vector<float>{infinity}, std::vector<double>{huge}).finite);
}

TEST_CASE("an infinity below all numbers is no error where the reference has it, and one elsewhere is") {
  const std::vector<double> reference{-HUGE_VAL, 4};
  const error_report both = compare(std::vector<double>{-HUGE_VAL, 4}, reference);
  CHECK(both.finite);
  CHECK(both.relative_l2 == 0);
  CHECK_FALSE(compare(std::vector<double>{HUGE_VAL, 4}, reference).finite);
  CHECK_FALSE(compare(std::vector<double>{-HUGE_VAL, -HUGE_VAL}, reference).finite);
  CHECK_FALSE(compare(std::vector<double>{0, 4}, reference).finite);
}

TEST_CASE("anything but zero is infinitely far from a reference of zeros") {
  CHECK(compare(std::vector<float>{0, 0}, std::vector<double>{0, 0}).relative_l2 == 0);
  CHECK(std::isinf(compare(std::vector<float>{0, 1e-30F}, std::vector<double>{0, 0}).relative_l2));
  CHECK(compare(std::vector<float>{}, {}).relative_l2 == 0);
}
