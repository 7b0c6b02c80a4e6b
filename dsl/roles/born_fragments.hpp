// Which fragments a consumer's uses are planned for, where it follows the order in which a compiler evaluates a body.
#pragma once
#include <sectile/dsl/plan/build.hpp>

namespace sectile {

/// The fragments that uses are planned for: the last one that came into being in each place, and the one before,
/// which a trip may have from the last.
template <class K>
struct born_fragments : birth_names {
  int latest[max_positions]{}, before[max_positions]{};
  constexpr born_fragments() {
    for (int i = 0; i < max_positions; ++i) latest[i] = before[i] = -1;
  }
  constexpr void add(int value, int position) {
    const int named = name(position);
    for (int i = 0; i < head_of<K>.positions; ++i)
      if (plan_of<K>.steps[i].born == named) before[i] = latest[i], latest[i] = value;
  }
  /// -1: no use of it is planned.
  constexpr int of(int value) const {
    for (int i = 0; i < head_of<K>.positions; ++i)
      if (latest[i] == value || before[i] == value) return plan_of<K>.steps[i].born;
    return -1;
  }
};

}  // namespace sectile
