// fault: a triangle's mask that is said to be needed above the diagonal's tiles alone
// caught: model
// expect: is told that its tile hides nothing, but element (55, 62) of the matrix is not visible: needed, the argument in front of the function, must hold wherever the function hides something
#include "running/running.hpp"

namespace mask_not_needed_on_the_diagonal {

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    mask(
        acc, {m, n}, as<"N">(m) < n, [](int row, int col) { return col <= row; }, 0.0f);
    sm.store(C, {m, n}, acc);
  }
};
const running_case here([] { run_product<kernel>(); });

}  // namespace mask_not_needed_on_the_diagonal
