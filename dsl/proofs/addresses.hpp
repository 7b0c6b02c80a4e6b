// What lies at an address of shared memory, or at an offset in the workspace, as the plan has laid it out: by this the
// recorder knows which barrier, stage or buffer a role means.
#pragma once
#include <cstdint>

#include <sectile/dsl/plan/shared_memory.hpp>
#include <sectile/dsl/plan/workspace.hpp>
#include <sectile/dsl/proofs/actions.hpp>

namespace sectile::protocol {

/// Places of one size, one behind the other: the buffers of an epilogue, or where the consumers leave partial sums.
/// They are numbered on from those of the ranges before.
struct place_range {
  int begin = 0, bytes = 1, count = 0;
};
/// The number of the place that contains the byte at `address`, -1 if none does.
template <int N>
constexpr int number_in(const place_range (&ranges)[N], std::uint32_t address) {
  int before = 0;
  for (const place_range& r : ranges) {
    const int inside = static_cast<int>(address) - r.begin;
    if (inside >= 0 && inside / r.bytes < r.count) return before + inside / r.bytes;
    before += r.count;
  }
  return -1;
}
/// Which mbarrier lies at this offset, and which slot or epilogue buffer contains that byte.
struct address_book {
  int first_barrier = 0, barriers = 0;
  int rings = 0;
  int copying = 1;  // threads of the producer, for which one stands
  int offset[max_rings]{}, pitch[max_rings]{}, stages[max_rings]{};
  exchange_plan exchange{};
  placed_plan placed{};
  ticket_plan tickets{};
  place_range epilogue[max_outputs]{};
  place_range sums[2 * max_meetings]{};  // of each meeting: what CTAs leave, and their shares

  // Each is -1 for an address that is none.
  constexpr int barrier_at(std::uint32_t address) const {
    const int inside = static_cast<int>(address) - first_barrier;
    return inside >= 0 && inside % 8 == 0 && inside / 8 < barriers ? inside / 8 : -1;
  }
  constexpr int slot_at(std::uint32_t address) const {
    for (int r = 0; r < rings; ++r) {
      const int inside = static_cast<int>(address) - offset[r];
      if (inside >= 0 && inside < stages[r] * pitch[r]) return slot_of(r, inside / pitch[r]);
    }
    return -1;
  }
  constexpr int panel_at(std::uint32_t address) const { return number_in(epilogue, address); }
  /// The place of a left factor.
  constexpr int factor_at(std::uint32_t address) const {
    const int at = static_cast<int>(address);
    return placed.holds(at) ? (at - placed.offset) / placed.pitch : -1;
  }
  constexpr int sums_at(std::uint32_t address) const { return number_in(sums, address); }
  constexpr int ticket_at(std::uint32_t address) const {
    const int inside = static_cast<int>(address) - tickets.offset;
    const bool begins = inside >= 0 && inside % ticket_pitch == 0;
    return begins && inside / ticket_pitch < tickets.slots ? inside / ticket_pitch : -1;
  }
};

constexpr address_book address_book_of(const plan& p) {
  address_book b{};
  b.first_barrier = p.ring[0].full_barrier;
  b.rings = p.rings;
  b.copying = producer_threads(p);
  for (int r = 0; r < p.rings; ++r) {
    b.offset[r] = p.ring[r].offset;
    b.pitch[r] = p.ring[r].stage_bytes;
    b.stages[r] = p.ring[r].stages;
  }
  for (int r = 0; r < p.rings; ++r) b.barriers += 2 * p.ring[r].stages;
  b.barriers += count_cluster_barriers(p);
  for (int n = 0; n < p.meetings; ++n) {
    const meeting_plan& m = p.meeting[n];
    if (m.rounds == 0) continue;  // not in shared memory
    b.sums[2 * n] = {m.offset, partial_sums_bytes(p, m) / p.how.consumers, p.how.consumers};
    if (m.rounds == 2) b.sums[2 * n + 1] = {m.shares, shares_bytes(p, m) / p.how.consumers, p.how.consumers};
  }
  b.exchange = p.exchange;
  b.placed = p.placed;
  b.tickets = p.tickets;
  for (int n = 0; n < p.epilogues; ++n) {
    const epilogue_plan& e = p.epilogue[n];
    b.epilogue[n] = {e.offset, e.panel_bytes, p.how.consumers * e.buffers};
  }
  return b;
}

/// To whom bytes of the workspace belong, and ticket counters.
struct part_places {
  int meetings = 0, part_bytes = 1, tiles = 1;
  int of_groups = -1;             // the meeting of what groups have become, if there is one
  int begin[max_meetings + 1]{};  // of each meeting's sums in a part; behind them the part's end
  int consumer_bytes[max_meetings]{};

  constexpr int meeting_at(long long offset) const {
    int n = 0;
    while (n + 1 < meetings && offset % part_bytes >= begin[n + 1]) ++n;
    return n;
  }
  constexpr int consumer_at(long long offset) const {
    const int n = meeting_at(offset);
    return (static_cast<int>(offset % part_bytes) - begin[n]) / consumer_bytes[n];
  }
  constexpr int meeting_of_counter(int counter) const { return counter / tiles < meetings ? counter / tiles : 0; }
};
constexpr part_places part_places_of(const plan_head& p, int tiles) {
  part_places all{};
  if (!p.how.uses_workspace()) return all;
  all.meetings = meetings_there(p);
  if (p.how.fan_in > 0) all.of_groups = p.meetings;
  all.part_bytes = bytes_of_a_part(p);
  all.tiles = tiles;
  for (int n = 0; n <= all.meetings; ++n) all.begin[n] = begin_of_sums(p, n);
  for (int n = 0; n < all.meetings; ++n) all.consumer_bytes[n] = (all.begin[n + 1] - all.begin[n]) / p.how.consumers;
  return all;
}

}  // namespace sectile::protocol
