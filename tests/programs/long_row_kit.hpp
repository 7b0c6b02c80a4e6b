// What the tests of long rows share: their sizes, and runs of kernels that take rows in parts.
#pragma once
#include <sectile/kernels/long_rows.hpp>
#include <vector>

#include "tests/programs/row_kit.hpp"

namespace sectile::test {

/// check(rows, columns, parts): less than a tile of every member, more than one CTA has at a time, and parts that leave
/// some of a tile's rows empty.
void for_long_sizes(auto check) {
  for (const auto& [m, n, parts] : {std::array{6, 512, 8}, {exhaustively ? 2 : 1, 20480, 8}, {5, 160, 5}}) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(parts);
    check(m, n, parts);
  }
}

/// Runs K, whose last arguments are `more`, once on the fair schedule and once on a random one: the longest rows there
/// only exhaustively.
template <class K, class T, class... More>
void run_folded(host_tensor<T>& Y, const host_tensor<T>& X, int parts, const More&... more) {
  std::vector<T> first;
  for (const auto schedule : {schedule_mode::fair, schedule_mode::random}) {
    if (!exhaustively && schedule == schedule_mode::random && X.extent[1] > 8192) break;
    Y.poison();
    run_on_model_with<K>({.schedule = schedule, .seed = 3, .workers = 2}, folded(X.in(), parts), more...);
    CHECK(Y.touched() == 0);
    if (schedule == schedule_mode::fair)
      first = Y.elements();
    else
      CHECK(std::memcmp(Y.elements().data(), first.data(), first.size() * sizeof(T)) == 0);
  }
}

}  // namespace sectile::test
