// fault: a configuration that swaps, of consumers that take turns and have a left factor in registers
// caught: compile time
// expect: .pingpong with .swap = true and a left factor in registers: the 2 consumers that share a tile write it to shared memory together, and cannot take turns; leave out .pingpong
#include "fault.hpp"

struct kernel : turned_chain {
  static constexpr sectile::configuration how = [] {
    sectile::configuration by_turns = turned_chain::how;
    by_turns.pingpong = true;
    return by_turns;
  }();
};
static_assert(verified<kernel>);
