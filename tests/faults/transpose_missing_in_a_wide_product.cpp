// fault: a product of tiles as they are stored, with K along the columns of both
// reported: cutlass#2332
// caught: compile time
// expect: acc += a * b: a is 128 x 64 and b is 32 x 64; the columns of a must equal the rows of b: write a * transpose(b)
// expect-clang: refused_because<sectile::rule::shapes_do_not_match, 128, 64, 32, 64>
// expect-nvcc: refused_because<sectile::rule::shapes_do_not_match, 128LL, 64LL, 32LL, 64LL>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how = product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 32}});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * sm.load(B, {n, k});
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
