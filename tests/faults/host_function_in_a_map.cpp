// fault: map() of a function that is not constexpr, which a GPU does not have
// caught: compile time
// expect: map(..) is given a function that is, or calls, one for the host alone, and nvcc would leave that out: declare it constexpr; if it is __host__ __device__, write host_device(f)
// expect-clang: accepted
#include "fault.hpp"

inline float squared(float x) { return x * x; }

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map(acc, squared));
  }
};
static_assert(verified<kernel>);
