// fault: all trips store to the first tile
// caught: compile time
// expect: trip_output P is stored at one tile by two trips; store each trip's at the trip's own number
#include "fault.hpp"

struct kernel : product_of_trips {
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    store_in_trips(sm, A, B, C, [&](auto, auto m, auto n, auto& acc) { sm.store(P, {0, m, n}, acc); });
  }
};
static_assert(verified<kernel>);
