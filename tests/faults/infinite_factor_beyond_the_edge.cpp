// fault: a factor that is divided by what is 0 beyond the matrix's edge: infinity times the other factor's 0 is no number
// caught: model
// expect: along what it sums over, of which there are 40: the factor in registers is inf there
#include "running/running.hpp"

namespace infinite_factor_beyond_the_edge {

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += cast<bf16>(1.0f / cast<float>(in_registers(sm.load(A, {m, k})))) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);

const running_case here([] {
  host_matrix<bf16> A(128, 40), B(64, 40), C(128, 64);
  A.value.assign(A.value.size(), bf16(2.0F));
  run_on_model<kernel>(A.in(), B.in(), C.view());
});

}  // namespace infinite_factor_beyond_the_edge
