// fault: an element of a loaded tile is named
// caught: compile time
// expect: a tile of A has no elements to name: bring it into registers, x = cast<float>(in_registers(tile)); map() and mask() reach each there
// expect-clang: a_fragment_is_no_number_use_map
#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    acc += sm.load(A, {m, 0})(0, 0);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
