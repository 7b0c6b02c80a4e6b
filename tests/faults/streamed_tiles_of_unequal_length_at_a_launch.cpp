// fault: tiles that are cut for the end, the last of which takes fewer trips
// caught: launch
// expect: with these sizes and scalars the loop makes 4 trips for the first tile and 3 for the last; .streamed = true shares out tiles that are alike
#include "running/running.hpp"

namespace streamed_tiles_of_unequal_length_at_a_launch {

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true, .streamed = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A) - select(m == 5, 1, 0)))
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
const running_case here([] {
  host_matrix<bf16> A(6 * 128, 256), B(64, 256), C(6 * 128, 64);
  std::vector<std::byte> memory(1 << 20);
  run_on_model_with<kernel>({.workers = 1}, A.in(), B.in(), C.view(), workspace(memory.data(), memory.size()));
});

}  // namespace streamed_tiles_of_unequal_length_at_a_launch
