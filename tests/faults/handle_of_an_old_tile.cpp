// fault: a product of a tile that was loaded before the loop, in one late trip of it: by then its stage holds another
// caught: model
// expect: reads a tile of A whose stage has been released, so that another tile is, or will be, in its place
#include "running/running.hpp"

namespace handle_of_an_old_tile {
struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    auto first = sm.load(A, {m, 0});
    acc += first * transpose(sm.load(B, {n, 0}));
    int trips = 0;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto now = trips++ == 15 ? first : a;
      acc += now * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);

const running_case run([] {
  host_matrix<bf16> A(128, 64 * 20), B(64, 64 * 20), C(128, 64);
  run_on_model_with<kernel>({.workers = 1}, A.in(), B.in(), C.view());
});
}  // namespace handle_of_an_old_tile
