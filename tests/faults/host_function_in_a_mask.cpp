// fault: a mask that asks a function of the host, which is not constexpr
// caught: compile time
// expect: mask(..) is given a function that is, or calls, one for the host alone
// expect-clang: accepted
#include "fault.hpp"

inline bool is_kept(int row, int col) { return row < col; }

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, mask(acc, {m, n}, [=](int row, int col) { return is_kept(row, col); }, 0.0f));
  }
};
static_assert(verified<kernel>);
