// What the agents of the protocol's proof share: barriers and stages, and what is known of them.
#pragma once
#include <cstdint>

#include <sectile/dsl/program/operand.hpp>

namespace sectile::protocol {

/// How many events of each agent an agent knows to have happened.
template <int Agents>
struct clock {
  int at[Agents]{};
  constexpr void join(const clock& other) {
    for (int i = 0; i < Agents; ++i)
      if (other.at[i] > at[i]) at[i] = other.at[i];
  }
};

template <int Agents>
struct mbarrier {
  int expected = 0, pending = 0;  // arrivals; 0: not initialised
  int author = 0, authored_at = 0;  // the agent that initialised it, and its time then
  bool published = false;           // by a fence of that agent
  int transactions = 0;
  int phases = 0;               // completed
  clock<Agents> gathered{};     // of the arrivals of the open phase
  clock<Agents> released{};     // of the last completed phase
  int passed[Agents]{};         // phases that an agent has waited for
  int passed_at[Agents]{};      // and its time then
  bool waits[Agents]{};
};

template <int Agents>
struct hardware_barrier {
  int threads = 0;   // that have come in this round
  int expected = 0;  // of this round, as its first arrival said
  bool waits[Agents]{};
  clock<Agents> gathered{}, released{};
  int rounds = 0;
  int alone = -1;  // the agent that made the last round by itself
  bool arrived[Agents]{};  // in this round
};

/// A stage of a ring in one CTA.
template <int Agents>
struct stage_state {
  int fills = 0;             // the phase of its full barrier that completes what was loaded last
  int barrier = -1;          // that barrier
  int bytes = 0;             // of the last fill
  int read_until[Agents]{};  // time at which the agent's last product on it was retired
  bool reading[Agents]{};
  int read_fill[Agents]{};   // the fill that the agent last read
  int item = -1;             // the work item that it was filled for
};

}  // namespace sectile::protocol
