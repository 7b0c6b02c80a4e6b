// fault: a row that is compared with the number of a trip
// caught: compile time
// expect: a < b: a counts along M, b along K; where that is meant, say so: as<"K">(a)
// expect-clang: refused_because<sectile::rule::coordinate_is_along_another_mode>
// expect-nvcc: refused_because<sectile::rule::coordinate_is_along_another_mode>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      acc *= select(m < k, 0.0f, 1.0f);
    }
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
