// fault: warps that read each other's parts of columns before these are written
// caught: compile time
// expect: a part of columns is read before all consumers are known to have written
#include "fault.hpp"

struct of_columns : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc - col_max(acc));
  }
};
static_assert(verified<of_columns>);

/// They meet before they write, and not behind it.
template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  using Machine::store_shared;
  bool shown = false;
  constexpr void store_shared(std::uint32_t to, std::uint32_t x) {
    shown = true;
    Machine::store_shared(to, x);
  }
  constexpr void named_barrier_sync(int id, int threads) {
    if (id != exchange_barrier(product::how.consumers) || !shown) Machine::named_barrier_sync(id, threads);
  }
};
static_assert(verified<on_machine<of_columns, faulty>>);
