// fault: a kernel whose body cannot be read, launched without a static_assert
// caught: compile time
// expect: store to B: B is an input; store() takes an output
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way
// clang-lines: 19
#include "running/running.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(B, {m, n}, acc);
  }
};

void launch_it(host_matrix<bf16>& A, host_matrix<bf16>& B, host_matrix<bf16>& C) {
  run_on_model<kernel>(A.in(), B.in(), C.view());
}
