// fault: the part of a bias that goes with a tile, by the number of its first element
// caught: launch
// expect: operand bias: with these sizes and scalars part 192 along N is loaded, of 4; coordinates count tiles, not elements: {n}
#include "running/with_bias.hpp"

namespace vector_by_elements {

struct kernel : with_bias {
  static constexpr void body(auto& sm, auto A, auto B, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(bias, {n * 64}));
  }
};

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(200, 64);
  host_matrix<float> C(128, 200);
  const std::vector<float> bias(200);
  run_on_model<kernel>(A.in(), B.in(), tensor(bias.data(), 200), C.view());
});

}  // namespace vector_by_elements
