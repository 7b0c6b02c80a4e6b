// fault: row operations on a fragment whose layout is not documented
// caught: compile time
// expect: row_max(), row_sum() and arithmetic by rows need to know where an element is; nvcuda::wmma does not say
// clang-lines: 31
#include <sectile/dsl/launch/portable_model.hpp>

#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto top = row_max(acc);
    acc *= top;
    sm.store(C, {m, n}, acc);
  }
};
void run(tensor_view<const bf16> a, tensor_view<bf16> c) { run_portable_on_model<kernel>(a, a, c); }
