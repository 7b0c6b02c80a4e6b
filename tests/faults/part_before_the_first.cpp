// fault: numbers of the tile before, which the first one has not
// caught: launch
// expect: operand S: with these sizes and scalars number -1 along T is loaded, which are counted from 0: what it lacks counts as zeros; max(x, 0) is the first one
#include "running/running.hpp"

namespace part_before_the_first {

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     vector_input<"S(T,M)", float>(), output<"C(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc + sm.load(S, {as<"T">(n) - 1, m}));
  }
};
const running_case here([] {
  host_matrix<bf16> A(128, 64), B(136, 64), C(128, 136);
  const std::vector<float> S(3 * 128);
  run_on_model_with<kernel>({.workers = 1}, A.in(), B.in(), tensor(S.data(), 3, 128), C.view());
});

}  // namespace part_before_the_first
