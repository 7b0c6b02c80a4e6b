// fault: warps that write their parts of columns while others read those of the reduction before
// caught: compile time
// expect: a part of columns is overwritten while a consumer may still read it
#include "fault.hpp"

struct of_columns : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto top = col_max(acc);
    sm.store(C, {m, n}, acc - top * col_min(acc));
  }
};
static_assert(verified<of_columns>);

/// They meet behind what they write, and not before it.
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  int met = 0;
  constexpr void named_barrier_sync(int id, int threads) {
    if (id != exchange_barrier(product::how.consumers) || met++ % 2 == 1) Machine::named_barrier_sync(id, threads);
  }
};
static_assert(verified<on_machine<of_columns, faulty>>);
