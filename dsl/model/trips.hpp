// Where in its loops a thread is, now and when it did what the clocks remember: the k of the reports.
#pragma once

#include <cstdint>
#include <sectile/dsl/model/happens_before.hpp>
#include <vector>

namespace sectile::model {

inline constexpr int outside_of_loops = -1;
inline constexpr int unknown_trip = -2;  ///< nothing has been told

/// The trips of the innermost loop that one thread has told of.
struct trip_log {
  int now = unknown_trip;

  /// A trip begins. Counts of `clock` from here on belong to it.
  void begin(int trip, thread_clock& clock) {
    if (trip == now) return;
    now = trip;
    const bool unused = !changes_.empty() && changes_.back().from > clock.marked;
    if (!unused) changes_.push_back({++clock.now, trip});
    changes_.back().trip = trip;
  }

  /// The trip in which the thread's clock stood at `count`.
  int at(std::uint32_t count) const {
    int trip = unknown_trip;
    for (const change& c : changes_) {
      if (c.from > count) break;
      trip = c.trip;
    }
    return trip;
  }

 private:
  struct change {
    std::uint32_t from;
    int trip;
  };
  std::vector<change> changes_;  // only those that an access may refer to
};

}  // namespace sectile::model
