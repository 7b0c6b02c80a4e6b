// fault: a tile that is loaded again in a trip that the planner has not tried
// caught: model
// expect: producer (thread 0, k = 15) comes to an operation that was not planned there: the body took another path than in the runs that the planner tried; loads, products, uses and stores must not stand under a run-time if
#include "running/running.hpp"

namespace load_in_a_late_trip {
struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    int trips = 0;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      if (trips++ == 15) a = sm.load(A, {m, 0});
      acc += a * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);

const running_case run([] {
  host_matrix<bf16> A(128, 64 * 20), B(64, 64 * 20), C(128, 64);
  run_on_model_with<kernel>({.workers = 1}, A.in(), B.in(), C.view());
});
}  // namespace load_in_a_late_trip
