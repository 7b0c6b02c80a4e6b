// fault: a launch with a fraction in place of a whole number
// caught: compile time
// expect: argument 4: scalar window is an int, which would cut off a fraction; pass an int, or declare it as float
#include "running/running.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), scalar<"window", int>());
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto window) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * window);
  }
};

void launch(host_matrix<bf16>& A, host_matrix<bf16>& B, host_matrix<bf16>& C) {
  run_on_model<kernel>(A.in(), B.in(), C.view(), 2.5);
}
