// The states that the stages of rings go through in a replay.
#pragma once

#include <map>
#include <sectile/dsl/tell/timeline/timeline.hpp>
#include <tuple>

namespace sectile::tell {

/// Writes changes into a timeline. All take the time, the CTA whose stages they are, and the event that brings it
/// about.
struct stage_states {
  explicit stage_states(timeline& to) : t(to) {}

  /// A copy into a stage has been asked for.
  void fill(cycles now, int cta, int event);
  /// A phase of a ring's barrier is complete: the stage is full, or empty.
  void complete(cycles now, int cta, int barrier, int event);
  /// Products, or ordinary loads, begin to read their stages, or have ended.
  void begin_reading(cycles now, int cta, int event);
  void end_reading(cycles now, int cta, int event);

 private:
  struct stage_now {
    stage_change last{};
    int readers = 0;
  };
  using place = std::tuple<int, int, int>;  // CTA, ring, stage

  void change(cycles now, const place& at, stage_change to, int event);
  const operation& did(int event) const { return t.events[static_cast<std::size_t>(event)].did; }

  timeline& t;
  std::map<place, stage_now> stages_{};
};

}  // namespace sectile::tell
