// fault: a merge that asks where elements lie, of which it may be given a piece
// caught: compile time
// expect: where each part does so, or behind it; so does what hangs on an element's place
#include "fault.hpp"

struct kernel : product_in_parts {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    const auto at = sm.tile_of(C);
    const auto m = at.template get<0>();
    const auto n = at.template get<1>();
    auto acc = sm.accumulator(C);
    add_own_trips(acc, sm, A, B, m, n);
    const auto by_column = [](float y, int, int col) { return y * static_cast<float>(col); };
    sm.merge([&](auto& x, auto& other) { x += map_at(other, {m, n}, by_column); }, acc);
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);
