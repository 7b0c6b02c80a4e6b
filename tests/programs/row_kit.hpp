// What tests of softmax and norms share, whichever way a row comes.
#pragma once
#include <array>

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
  for (int j = 0; j < n; ++j) s.mean += X.number(i, j) / n, s.of_squares += X.number(i, j) * X.number(i, j) / n;
  return s;
}

/// check(m, n) for rows of less than a tile, of whole tiles, and of several and a part. In bf16 a test runs the
/// family, whose member the sizes pick: see sampled.
void for_sizes(auto check) {
  for (const auto& [m, n] : {std::array{130, 600}, {64, 256}, {1, 8}, {70, 136}}) {
    CAPTURE(m);
    CAPTURE(n);
    check(m, n);
  }
}

/// Family P, or member I of it alone: what of another type than bf16 is compiled for.
template <class P, int I>
using sampled = std::conditional_t<exhaustively, P, member<P, I>>;

/// check.operator()<I>() for the members of program P; of another type than bf16 if exhaustively.
template <class P, class Check, int... I>
void for_members(Check check, std::integer_sequence<int, I...>) {
  (check.template operator()<I>(), ...);
}
template <class P, class Check>
void for_members(Check check) {
  if constexpr (exhaustively || std::is_same_v<element_of_rows<P>, bf16>)
    for_members<P>(check, member_numbers<P>{});
}

}  // namespace sectile::test
