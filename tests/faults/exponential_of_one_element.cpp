// fault: exp() of a fragment's elements in a function given to map(), where std::exp() is meant
// caught: compile time
// expect: exp(a) with a float: it takes a fragment or numbers per row, all elements at once: y = f(x), and then map(x, y, ..); in a function given to map() a float has those of <cmath>, as std::exp(a)
// expect-clang: refused_because<sectile::rule::values_do_not_combine>
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map(acc, [](float x) { return x * sectile::exp(-x); }));
  }
};
static_assert(verified<kernel>);
