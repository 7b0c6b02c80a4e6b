// Loops that turn as a script says: another number of trips each time a loop is entered, in every tile and in every
// trip of the loop around it. The proof's own runs let a loop turn equally often each time.
#pragma once
#include <memory>

#include "tests/dsl/all_orders/search.hpp"

namespace sectile::orders {

/// K on a machine that reads the script.
template <class K>
struct scripted : K {};

inline std::vector<int> script;  // trips, one number each time a loop is entered; from the beginning again at its end

template <class Machine>
struct script_reader : Machine {
  int entered = 0;
  int trips(int position, int) {
    const int asked = script[static_cast<std::size_t>(entered++) % script.size()];
    const int least = this->loops.least[this->loops.find(position)];
    return asked < least ? least : asked;
  }
};

inline constexpr int script_capacity = 4096;

/// The agents of K when their loops turn as the script says, for so many tiles in a row.
template <class K>
cluster cluster_of_script(const std::vector<int>& trips, int tiles) {
  script = trips;
  cluster s = idle_cluster<K>();
  for (agent& a : s.agents) {
    using log = protocol::action_log<script_capacity>;
    const auto l =
        std::make_unique<log>(protocol::record<scripted<K>, script_capacity>(plan_of<K>.loops, tiles, a.cta, a.role));
    if (l->overflow) return {};
    a.actions.assign(l->at, l->at + l->count);
  }
  return s;
}

/// All scripts of so many numbers from 0 to `most`, one after the other; false behind the last.
inline bool next_script(std::vector<int>& trips, int most) {
  for (int& t : trips) {
    if (++t <= most) return true;
    t = 0;
  }
  return false;
}

}  // namespace sectile::orders

template <class K>
inline constexpr sectile::plan sectile::plan_of<sectile::orders::scripted<K>> = sectile::plan_of<K>;
template <class K, class Machine>
struct sectile::machine_under_test<sectile::orders::scripted<K>, Machine> {
  using type = sectile::orders::script_reader<Machine>;
};
