// fault: a reduction by a function that counts its calls in a variable of the body
// caught: model
// expect: the function given to row_reduce answers
#include "running/running.hpp"

namespace counter_in_a_row_reduce {

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    int calls = 0;
    const auto sums = row_reduce(acc, [&](float a, float b) { return a + b + static_cast<float>(calls++); });
    sm.store(C, {m, n}, acc - sums);
  }
};
static_assert(verified<kernel>);

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(64, 64), C(128, 64);
  run_on_model<kernel>(A.in(), B.in(), C.view());
});

}  // namespace counter_in_a_row_reduce
