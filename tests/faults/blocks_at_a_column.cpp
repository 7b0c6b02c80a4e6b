// fault: scales of blocks of columns, loaded at n / 48, as if n counted columns
// caught: model
// expect: is that of tile 0 along N, but it meets a fragment that is made of tile 1: load it at the tile's own coordinate, in blocks as well
#include "running/running.hpp"

namespace blocks_at_a_column {

struct kernel : product_with_squares {
  static constexpr void body(auto& sm, auto A, auto B, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      sum += sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}))) * sm.load(SB, {n / 48, as<"KB">(k)});
    sm.store(C, {m, n}, sum);
  }
};
const running_case here([] {
  host_matrix<bf16> A(128, 64), B(128, 64), C(128, 128);
  const std::vector<float> scales(3);
  run_on_model<kernel>(A.in(), B.in(), tensor(scales.data(), 3, 1), C.view());
});

}  // namespace blocks_at_a_column
