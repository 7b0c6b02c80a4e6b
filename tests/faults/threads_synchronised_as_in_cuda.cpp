// fault: CUDA's barrier of all threads in a body
// caught: compile time
// expect: there is no __syncthreads(); leave it out: who waits for whom is derived from what the body loads, multiplies and stores
// expect-clang: refused_because<sectile::rule::body_is_written_in_another_way>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    __syncthreads();
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
