// fault: weights of the next batch, which the last one has not
// caught: launch
// expect: operand B: with these sizes and scalars number 3 along E is loaded, of 3, which are counted from 0; min(x, size<"E">(B) - 1) is the last one
#include "running/running.hpp"

namespace batch_behind_the_last {

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(E,M,K)", bf16>(), input<"B(E,N,K)", bf16>(), output<"C(E,M,N)", bf16>());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [e, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {e, m, k}) * transpose(sm.load(B, {e + 1, n, k}));
    sm.store(C, {e, m, n}, acc);
  }
};
const running_case here([] {
  host_matrix<bf16> A(3 * 64, 64), B(3 * 64, 64), C(3 * 64, 64);
  run_on_model_with<kernel>({.workers = 1}, tensor(A.value.data(), 3, 64, 64), tensor(B.value.data(), 3, 64, 64),
                            tensor(C.value.data(), 3, 64, 64));
});

}  // namespace batch_behind_the_last
