// fault: a trip stores to a tile beside that of its work
// caught: compile time
// expect: trip_output P is stored at another tile along N than the work's, which others store
#include "fault.hpp"

struct kernel : product_of_trips {
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    store_in_trips(sm, A, B, C, [&](auto k, auto m, auto n, auto& acc) { sm.store(P, {as<"T">(k), m, n + 1}, acc); });
  }
};
static_assert(verified<kernel>);
