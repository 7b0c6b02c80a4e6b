// expect: the body has no product
#include "kernel.hpp"

struct kernel {
  static constexpr auto operands = st::operands(st::input<"A(M,K)", bf16>(st::row_major, st::tile(128, 64)),
                                                st::input<"B(N,K)", bf16>(st::row_major, st::tile(128, 64)),
                                                st::output<"C(M,N)", bf16>(st::row_major, st::tile(128, 128)),
                                                st::scalar<"trips", int>());
  static constexpr st::schedule schedule{};

  static constexpr void body(auto& sm, auto A, auto B, auto C, int trips) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(trips)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(st::verified<kernel>);
