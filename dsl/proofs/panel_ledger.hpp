// The epilogues' buffers of a consumer, one bit each: written, fenced, published, read by TMA.
#pragma once
#include <sectile/dsl/plan/plan.hpp>

namespace sectile::protocol {

constexpr int max_stores = max_store_groups + 1;

struct panel_ledger {
  std::uint64_t written = 0, fenced = 0, published = 0;
  std::uint64_t reading[max_stores]{};  // by store groups, oldest first; the last is open
  int stores = 0;
  std::uint64_t reclaimed = 0;          // read, as thread 0 knows; the others do when the warpgroup meets

  constexpr violation write(int panel) {
    const std::uint64_t bit = std::uint64_t{1} << panel;
    written |= bit;
    fenced &= ~bit;
    published &= ~bit;
    for (int g = 0; g <= stores; ++g)
      if ((reading[g] | reclaimed) & bit)
        return refuse(rule::protocol_races, "an epilogue buffer is written while TMA may still read it");
    return {};
  }
  constexpr void fence() { fenced |= written; }
  /// The warpgroup meets at a barrier.
  constexpr void meet() {
    published |= fenced;
    reclaimed = 0;
  }
  constexpr violation store(int panel) {
    const std::uint64_t bit = std::uint64_t{1} << panel;
    reading[stores] |= bit;
    if (published & bit) return {};
    return refuse(rule::protocol_races, "an epilogue buffer is stored before its writers' proxy fence and barrier");
  }
  constexpr violation close() {
    if (stores + 1 == max_stores)
      return refuse(rule::protocol_races, "a consumer has more than ", max_stores - 1, " stores in flight");
    ++stores;
    return {};
  }
  /// At most `in_flight` groups still read.
  constexpr void reclaim(int in_flight) {
    const int done = stores - in_flight;
    if (done <= 0) return;
    for (int g = 0; g < done; ++g) reclaimed |= reading[g];
    for (int g = done; g <= stores; ++g) reading[g - done] = reading[g];
    for (int g = stores - done + 1; g <= stores; ++g) reading[g] = 0;
    stores -= done;
  }
  constexpr violation leave() const {
    for (const std::uint64_t panels : reading)
      if (panels) return refuse(rule::protocol_races, "a consumer ends while TMA may still read its epilogue buffers");
    return {};
  }
};

}  // namespace sectile::protocol
