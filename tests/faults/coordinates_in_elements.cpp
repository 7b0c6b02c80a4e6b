// fault: coordinates that count elements
// caught: launch
// expect: operand B: with these sizes and scalars tile 64 along K is loaded, of 5; coordinates count tiles, not elements: {m, k}
#include "running/running.hpp"

namespace coordinates_in_elements {

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += sm.load(A, {m * 128, k * 64}) * transpose(sm.load(B, {n * 128, k * 64}));
    sm.store(C, {m, n}, acc);
  }
};
const running_case here([] { run_product<kernel>(); });

}  // namespace coordinates_in_elements
