// What the tests of whole programs share: run a kernel on the model under several schedules, and hold the result against
// float64.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <sectile/dsl/launch/model.hpp>
#include <vector>

#include "tests/programs/host_tensor.hpp"

namespace sectile::test {

/// Runs K on the fair schedule and on `random` random ones. Each has to leave the same bits in `out`, and nothing beside
/// it. A hazard or a refused launch is an exception, and fails the test case.
template <class K, class Out, class... Arguments>
void run_on_schedules(int random, host_tensor<Out>& out, const Arguments&... arguments) {
  std::vector<Out> first;
  for (int i = 0; i <= random; ++i) {
    out.poison();
    run_on_model_with<K>({.random_schedule = i > 0, .seed = static_cast<std::uint64_t>(i), .workers = 2}, arguments...);
    CHECK(out.touched() == 0);
    const std::vector<Out> now = out.elements();
    if (i == 0) first = now;
    CHECK(std::memcmp(now.data(), first.data(), now.size() * sizeof(Out)) == 0);
  }
}

/// Every element is within `relative` of the reference, or within `relative` times the references' root mean square where
/// terms cancel. `reference(i...)` takes the tensor's coordinates.
template <class Out, class Reference>
void check_matrix(const host_tensor<Out>& out, double relative, Reference reference) {
  std::vector<double> expected;
  double squares = 0;
  for (int i = 0; i < out.extent[0]; ++i)
    for (int j = 0; j < out.extent[1]; ++j) {
      expected.push_back(reference(i, j));
      squares += expected.back() * expected.back();
    }
  const double rms = std::sqrt(squares / static_cast<double>(expected.size()));
  std::size_t next = 0;
  int wrong = 0;
  for (int i = 0; i < out.extent[0]; ++i)
    for (int j = 0; j < out.extent[1]; ++j) {
      const double r = expected[next++], x = out.number(i, j);
      const bool close = std::abs(x - r) <= relative * (std::abs(r) + rms);
      if (!close && wrong++ == 0) {
        INFO("element ", i, ", ", j, " is ", x, ", float64 says ", r);
        CHECK(close);
      }
    }
  CHECK(wrong == 0);
}

inline constexpr double bf16_close = 0x1p-8;   // half a unit in the last place, and the sum's own error
inline constexpr double f32_close = 0x1p-17;   // wgmma's sums are cut off below 2^-24 of the largest term

}  // namespace sectile::test
