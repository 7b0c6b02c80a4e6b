// fault: the sum of all of a tile's numbers, which every row has, added once for each row
// caught: compile time
// expect: combine into total: what is added is one number that all 128 rows have, as col_sum() of rows' numbers leaves it: it would be added 128 times; combine rows' own numbers, as row_sum(x), or x
// expect-clang: refused_because<sectile::rule::operand_is_used_in_another_way, 128, 128>
#include "fault.hpp"

struct kernel : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), output<"total", float>());

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto total) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(total, {}, 0.5f * col_sum(row_sum(acc)), reduction::add);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
