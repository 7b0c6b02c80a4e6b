// Kernels whose trips store tiles of an output of their own: each tile is what the sums were in its trip, whatever
// hangs over the edges; what no trip stores stays as it was.
#include "tests/programs/trip_outputs.hpp"

#include <sectile/dsl/launch/checked.hpp>
#include <string>

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <class T, configuration How, storage_order Order = row_major>
void check_sums(int m, int n, int k) {
  CAPTURE(m);
  CAPTURE(n);
  using kernel = sums_so_far<T, How, Order>;
  static_assert(verified<kernel>);
  const int trips = (k + 63) / 64;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<T> P({trips, m, n}, Order, 1);
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  run_on_schedules<kernel>(2, P, A.in(), B.in(), P.view(), C.view());
  check_close(P, sizeof(T) == 4 ? f32_close : bf16_close, [&](int t, int i, int j) {
    return sum_of_products(A.row(i, std::min(k, 64 * (t + 1))), B.row(j, std::min(k, 64 * (t + 1))));
  });
  check_close(C, f32_close, [&](int i, int j) { return dot(A, B, i, j); });
}

TEST_CASE("each trip's sums are stored, of tiles that hang over, in every configuration") {
  check_sums<float, trips_of_two>(150, 100, 200);
  check_sums<bf16, trips_walked>(300, 100, 130);
  check_sums<bf16, trips_turned, col_major>(100, 200, 200);
  check_sums<float, trips_of_clusters>(300, 130, 130);
  check_sums<bf16, trips_by_turns, col_major>(200, 200, 130);
  check_sums<bf16, trips_of_own_tiles>(200, 130, 130);
  check_sums<float, trips_turned>(70, 70, 64);
}

TEST_CASE("a loop that stores may make no trip") {
  static_assert(verified<sums_before_the_last> && verified<checked<sums_before_the_last>>);
  for (const int k : {64, 130}) {
    CAPTURE(k);
    host_tensor<bf16> A({300, k}), B({100, k});
    host_tensor<float> P({3, 300, 100}), C({300, 100});
    A.fill(1), B.fill(2);
    run_on_schedules<sums_before_the_last>(2, P, A.in(), B.in(), P.view(), C.view());
    const int trips = (k + 63) / 64 - 1;
    int wrong = 0;
    P.for_each_number([&](double x, int t, int i, int j) {
      const double right = t < trips ? sum_of_products(A.row(i, 64 * (t + 1)), B.row(j, 64 * (t + 1))) : 0;
      wrong += t < trips ? !(std::abs(x - right) <= 1e-3) : !std::isnan(x);
    });
    CHECK(wrong == 0);
    CHECK(C.number(299, 99) == (trips > 0 ? P.number(trips - 1, 299, 99) : 0));
  }
}

constexpr configuration of_keys(configuration how) {
  how.tile = {{"T", 128}, {"S", 64}, {"D", 64}};
  if (how.swap) how.consumers = 1;
  return how;
}

template <configuration How>
void check_scores(int s, int t) {
  CAPTURE(s);
  CAPTURE(t);
  using kernel = scores_kept<of_keys(How)>;
  static_assert(verified<kernel>);
  host_tensor<bf16> Q({s, 64}), K({t, 64}), P({t, s}, col_major, 1);
  host_tensor<float> X({t, 64});
  Q.fill(1), K.fill(2);
  run_on_schedules<kernel>(2, P, Q.in(), K.in(), P.view(), X.view());
  int wrong = 0;
  P.for_each_number([&](double x, int j, int i) {
    const double right = j <= i ? dot(K, Q, j, i) : 0;
    const bool stored = i / 64 >= std::min(j / 128 * 2, (s - 1) / 64);
    wrong += stored ? !(std::abs(x - right) <= 0.1) : !std::isnan(x);
  });
  CHECK(wrong == 0);
}

TEST_CASE("of a matrix whose trips begin somewhere the rest stays as it was") {
  check_scores<trips_of_two>(200, 300);
  check_scores<trips_walked>(330, 140);
  check_scores<trips_turned>(200, 140);
}

std::string why_not(auto&& launch) {
  try {
    launch();
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("a launch refuses sizes of which trips would store the same tiles, or none that is there") {
  host_tensor<bf16> A({64, 130}), B({100, 130}), P({64, 130});
  host_tensor<float> few({2, 64, 100}), C({64, 100});
  CHECK(why_not([&] { run_on_model<sums_so_far<float, trips_of_two>>(A.in(), B.in(), few.view(), C.view()); }) ==
        "operand P: with these sizes and scalars number 2 along T is stored, of 2, which are counted from 0; min(x, "
        "size<\"T\">(P) - 1) is the last one");
  CHECK(why_not([&] { run_on_model<factor_kept>(A.in(), B.in(), P.view(), C.view()); }) ==
        "operand P: N = 100 takes 2 tiles of 64, whose trips would store the same tiles; take a configuration whose "
        "tile spans N");
}

TEST_CASE("a left factor may be stored as it is made") {
  static_assert(verified<factor_kept>);
  host_tensor<bf16> A({200, 130}), B({40, 130}), P({200, 130});
  host_tensor<float> C({200, 40});
  A.fill(1), B.fill(2);
  run_on_schedules<factor_kept>(2, P, A.in(), B.in(), P.view(), C.view());
  check_close(P, 0, [&](int i, int k) { return std::max(A.number(i, k), 0.0); });
  check_close(C, f32_close, [&](int i, int j) { return dot(P, B, i, j); });
}

}  // namespace
