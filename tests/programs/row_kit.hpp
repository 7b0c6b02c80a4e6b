// What tests of softmax and norms share, whichever way a row comes.
#pragma once
#include <array>
#include <vector>

#include "tests/programs/kit.hpp"

namespace sectile::test {

/// What a program reads.
template <class P>
using element_of_rows = std::remove_const_t<typename operand_at<P, 0>::element_type>;
template <class T>
constexpr double near_enough = std::is_same_v<T, float> ? 0x1p-16 : bf16_close;

struct moments {
  double mean = 0, of_squares = 0;
  double variance() const { return of_squares - mean * mean; }
};
/// Of the first n elements of row i.
template <class T>
moments moments_of(const host_tensor<T>& X, int i, int n) {
  moments s{};
  for (const double x : X.row(i, n)) s.mean += x / n, s.of_squares += x * x / n;
  return s;
}
/// Of every row.
template <class T>
std::vector<moments> moments_of_rows(const host_tensor<T>& X) {
  std::vector<moments> all;
  for (int i = 0; i < X.extent[0]; ++i) all.push_back(moments_of(X, i, static_cast<int>(X.extent[1])));
  return all;
}

/// Softmax of X by rows: a function of an element's place.
template <class T>
auto softmax_of(const host_tensor<T>& X) {
  std::vector<double> sums(static_cast<std::size_t>(X.extent[0]));
  X.for_each_number([&](double x, int i, int) { sums[static_cast<std::size_t>(i)] += std::exp(x); });
  return [sums, &X](int i, int j) { return std::exp(X.number(i, j)) / sums[static_cast<std::size_t>(i)]; };
}

/// check(m, n) for rows of less than a tile, of whole tiles, and of several and a part. Exhaustively a test runs the
/// family, whose member the sizes pick: see sampled.
void for_sizes(auto check) {
  for (const auto& [m, n] : {std::array{70, 600}, {64, 256}, {1, 8}}) {
    CAPTURE(m);
    CAPTURE(n);
    check(m, n);
  }
}

/// Family P, exhaustively, or member I of it alone. Between them the kernels of rows_test and row_norms_test take
/// rows in loops and by wide tiles, upright and swapped, in bf16 and in float.
template <class P, int I>
using sampled = std::conditional_t<exhaustively, P, member<P, I>>;

/// check.operator()<I>() for members Few of program P in bf16; for all of every type, exhaustively.
template <class Check, int... I>
void for_each_of(Check check, std::integer_sequence<int, I...>) {
  (check.template operator()<I>(), ...);
}
template <class P, int... Few, class Check>
void for_members(Check check) {
  if constexpr (exhaustively)
    for_each_of(check, member_numbers<P>{});
  else if constexpr (std::is_same_v<element_of_rows<P>, bf16>)
    for_each_of(check, std::integer_sequence<int, Few...>{});
}

}  // namespace sectile::test
