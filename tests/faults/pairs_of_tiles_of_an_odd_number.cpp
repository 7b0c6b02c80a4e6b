// fault: two tiles in each trip, of an odd number of tiles
// caught: launch
// expect: operand A: it has 5 tiles along K, of which the body's loops take several at a time and load 4; pad the tensor, or have the body load what is left over as well
#include "running/running.hpp"

namespace pairs_of_tiles_of_an_odd_number {

struct kernel : product {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 4, .consumers = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A) / 2)) {
      acc += sm.load(A, {m, 2 * k}) * transpose(sm.load(B, {n, 2 * k}));
      acc += sm.load(A, {m, 2 * k + 1}) * transpose(sm.load(B, {n, 2 * k + 1}));
    }
    sm.store(C, {m, n}, acc);
  }
};
const running_case here([] { run_product<kernel>(); });

}  // namespace pairs_of_tiles_of_an_odd_number
