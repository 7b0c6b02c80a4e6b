// fault: what trips store lacks a mode along which there are several tiles
// caught: launch
// expect: operand P: N = 136 takes 3 tiles of 64, whose trips would store the same tiles
#include "running/running.hpp"

namespace trips_of_several_tiles {

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     trip_output<"P(M,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = cast<bf16>(relu(cast<float>(in_registers(sm.load(A, {m, k})))));
      sm.store(P, {m, k}, a);
      acc += a * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {m, n}, acc);
  }
};

const running_case here([] {
  host_matrix<bf16> A(200, 312), B(136, 312), C(200, 136), P(200, 312);
  run_on_model<kernel>(A.in(), B.in(), P.view(), C.view());
});

}  // namespace trips_of_several_tiles
