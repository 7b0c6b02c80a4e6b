// What the tests of whole programs share: run a kernel on the model under several schedules, and hold the result
// against float64.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sectile/dsl/launch/model.hpp>
#include <vector>

#include "tests/exhaustively.hpp"
#include "tests/programs/host_tensor.hpp"

namespace sectile::test {

/// Runs K on the fair schedule and on `random` random ones (one of them, if not exhaustively). Each has to leave the
/// same bits in `out`, and nothing beside it. A hazard or a refused launch is an exception, and fails the test case. K
/// has a workspace made for it if it needs one and none is given.
template <class K, class Out, class... Arguments>
void run_on_schedules(int random, host_tensor<Out>& out, const Arguments&... arguments) {
  if constexpr (!exhaustively) random = std::min(random, 1);
  std::vector<Out> first;
  for (int i = 0; i <= random; ++i) {
    CAPTURE(i);  // 0 is the fair schedule, i > 0 the random one with seed i
    out.poison();
    const auto how = i > 0 ? schedule_mode::random : schedule_mode::fair;
    const model_options options{.schedule = how, .seed = static_cast<std::uint64_t>(i), .workers = 2};
    if constexpr ((std::is_same_v<Arguments, workspace> || ...))
      run_on_model_with<K>(options, arguments...);
    else
      run_on_model_by_itself<K>(options, arguments...);
    CHECK(out.touched() == 0);
    const std::vector<Out> now = out.elements();
    if (i == 0) first = now;
    CHECK(std::memcmp(now.data(), first.data(), now.size() * sizeof(Out)) == 0);
  }
}

/// Every element is within `relative` of the reference, or within `relative` times the references' root mean square
/// where terms cancel. `reference(i...)` takes the tensor's coordinates.
template <class Out, class Reference>
void check_close(const host_tensor<Out>& out, double relative, Reference reference) {
  struct pair {
    double found, expected;
  };
  std::vector<pair> all;
  double squares = 0;
  const auto add = [&](double x, auto... at) {
    all.push_back({x, static_cast<double>(reference(at...))});
    squares += all.back().expected * all.back().expected;
  };
  if constexpr (std::is_invocable_v<Reference&, int, int>)
    out.for_each_number([&](double x, int i, int j) { add(x, i, j); });
  else if constexpr (std::is_invocable_v<Reference&, int, int, int>)
    out.for_each_number([&](double x, int g, int i, int j) { add(x, g, i, j); });
  else
    out.for_each_number([&](double x, int g, int h, int i, int j) { add(x, g, h, i, j); });

  const double rms = std::sqrt(squares / static_cast<double>(all.size()));
  int wrong = 0;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const bool close = std::abs(all[n].found - all[n].expected) <= relative * (std::abs(all[n].expected) + rms);
    if (!close && wrong++ == 0) {
      INFO("element number ", n, " is ", all[n].found, ", float64 says ", all[n].expected);
      CHECK(close);
    }
  }
  CHECK(wrong == 0);
}

inline constexpr double bf16_close = 0x1p-8;     // half a unit in the last place, and the sum's own error
inline constexpr double f32_close = 0x1p-17;     // wgmma's sums are cut off below 2^-24 of the largest term
inline constexpr double rounded_twice = 0x1p-6;  // an intermediate result was rounded to bf16 as well

/// Element (i, j) of A * B^T in float64.
inline double dot(const host_tensor<bf16>& A, const host_tensor<bf16>& B, int i, int j) {
  return sum_of_products(A.row(i, A.extent[1]), B.row(j, A.extent[1]));
}

/// A whole matrix in float64.
struct numbers {
  int rows, cols;
  std::vector<double> at;

  double& operator()(int i, int j) { return at[static_cast<std::size_t>(i * cols + j)]; }
  double operator()(int i, int j) const { return at[static_cast<std::size_t>(i * cols + j)]; }
};
inline numbers product(const host_tensor<bf16>& A, const host_tensor<bf16>& B) {
  numbers c{static_cast<int>(A.extent[0]), static_cast<int>(B.extent[0]), {}};
  for (int i = 0; i < c.rows; ++i)
    for (int j = 0; j < c.cols; ++j) c.at.push_back(dot(A, B, i, j));
  return c;
}

}  // namespace sectile::test
