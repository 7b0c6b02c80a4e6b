// fault: a count that chooses between the results of two products, in a trip that the planner has not tried
// caught: model
// expect: a condition chooses between fragments; use both and choose by mask() or a factor of 0 or 1
#include "running/running.hpp"

namespace fragment_chosen_in_a_late_trip {
struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    int trips = 0;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = sm.load(B, {n, k});
      auto p = sm.accumulator(a * transpose(b));
      auto q = sm.accumulator(a * transpose(b));
      auto& first = trips++ == 15 ? q : p;
      sum += exp2(first);
      sum += exp2(q);
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(verified<kernel>);

const running_case run([] {
  host_matrix<bf16> A(128, 64 * 20), B(64, 64 * 20), C(128, 64);
  run_on_model_with<kernel>({.workers = 1}, A.in(), B.in(), C.view());
});
}  // namespace fragment_chosen_in_a_late_trip
