// fault: the largest number of each row is stored to a matrix
// caught: compile time
// expect: store to C: the value is a number per row; what is stored to a matrix is a fragment; numbers of rows or columns go to a vector, as output<"v(M)", float>()
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, row_max(acc));
  }
};
static_assert(verified<kernel>);
