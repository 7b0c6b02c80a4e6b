// fault: a trip stores two tiles of one matrix
// caught: compile time
// expect: trip_output P is stored at two places of the body; store it in one loop, once in each trip
#include "fault.hpp"

struct kernel : product_of_trips {
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    store_in_trips(sm, A, B, C, [&](auto k, auto m, auto n, auto& acc) {
      sm.store(P, {as<"T">(2 * k), m, n}, acc);
      sm.store(P, {as<"T">(2 * k + 1), m, n}, acc);
    });
  }
};
static_assert(verified<kernel>);
