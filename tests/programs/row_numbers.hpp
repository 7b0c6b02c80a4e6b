// Rows of matrices as numbers, and sums of their products. References are made of millions of them, and a test is not
// optimised: what is done for each element is little, calls nothing, and is optimised by itself.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#if defined(__GNUC__) && !defined(__clang__)
#define SECTILE_TEST_OPTIMISED __attribute__((optimize("O2")))
#else
#define SECTILE_TEST_OPTIMISED
#endif

namespace sectile::test {

/// What each pattern of bits is as a T, of 8 or 16 bits. (No lambda where the table is set up: a lambda is constexpr by
/// itself, and g++ would try for 1.7 s to fill the table while it compiles.)
template <class T>
std::vector<double> make_numbers_of_patterns() {
  std::vector<double> made;
  for (unsigned pattern = 0; pattern < 1u << 8 * sizeof(T); ++pattern) {
    T x{};
    x.bits = static_cast<decltype(x.bits)>(pattern);
    made.push_back(static_cast<double>(static_cast<float>(x)));
  }
  return made;
}
template <class T>
const std::vector<double>& numbers_of_patterns() {
  static const std::vector<double> all = make_numbers_of_patterns<T>();
  return all;
}

/// `count` elements as numbers: the first at `first`, and each `step` elements behind the one before.
template <class T>
SECTILE_TEST_OPTIMISED std::vector<double> row_numbers(const T* first, std::int64_t step, std::int64_t count) {
  std::vector<double> row(static_cast<std::size_t>(count));
  double* to = row.data();
  if constexpr (std::is_arithmetic_v<T>) {
    for (std::int64_t k = 0; k < count; ++k) to[k] = static_cast<double>(first[k * step]);
  } else if constexpr (sizeof(T) <= 2) {
    const double* number_of = numbers_of_patterns<T>().data();
    for (std::int64_t k = 0; k < count; ++k) to[k] = number_of[first[k * step].bits];
  } else {
    for (std::int64_t k = 0; k < count; ++k) to[k] = static_cast<double>(static_cast<float>(first[k * step]));
  }
  return row;
}

/// x[0] * y[0] + x[1] * y[1] + ..., added in this order; of y's numbers as many as x has.
SECTILE_TEST_OPTIMISED inline double sum_of_products(const std::vector<double>& x, const std::vector<double>& y) {
  const double *a = x.data(), *b = y.data();
  const std::size_t count = x.size();
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace sectile::test
