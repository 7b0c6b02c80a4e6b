// fault: numbers of rows, declared as a matrix that has batches
// caught: compile time
// expect: outputs C(T,M,N) and sums(T,M): the matrices that a kernel stores have the same modes in the same order; a number for each row or column is vector_output<"sums(T,M)", ..>()
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"A(T,M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(T,M,N)", bf16>(), output<"sums(T,M)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 128}}, .stages = 3, .consumers = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto sums) {
    auto [t, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {t, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(sums, {t, m}, row_sum(acc));
    sm.store(C, {t, m, n}, acc);
  }
};
static_assert(verified<kernel>);
