// fault: a left factor in registers, and a right one that is loaded a tile further along what is summed over
// caught: model
// expect: sums over a mode, along which a begins at 0 and b at 64: load what they are made of at one coordinate
#include "running/running.hpp"

namespace weights_of_another_tile {

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = cast<float>(in_registers(sm.load(A, {m, k})));
      acc += cast<bf16>(a * a) * transpose(sm.load(B, {n, k + 1}));
    }
    sm.store(C, {m, n}, acc);
  }
};
const running_case here([] { run_product<kernel>(); });

}  // namespace weights_of_another_tile
