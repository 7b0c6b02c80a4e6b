// fault: the part of a bias that goes with another tile of columns
// caught: model
// expect: is that of tile 0 along N, but it meets a fragment that is made of tile 1: load it at the tile's own coordinate
#include "running/with_bias.hpp"

namespace bias_of_another_tile {

struct kernel : with_bias {
  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(bias, {n / 2}));
  }
};
const running_case here([] {
  host_matrix<bf16> A(128, 64), B(128, 64);
  host_matrix<float> C(128, 128);
  const std::vector<float> bias(128);
  run_on_model<kernel>(A.in(), B.in(), tensor(bias.data(), 128), C.view());
});

}  // namespace bias_of_another_tile
