// Work that is drawn: `.dynamic = true`. No cluster has tiles of its own but the first. Which one it makes next is a
// ticket, a number that a counter in the workspace has given to nobody else, and that comes to all roles of the cluster
// through a ring of two slots (docs/design/drawn-and-streamed.md).
//
// Of `count` tiles the clusters, C of them, begin with the first C. Tickets count from 0, and number C + ticket is the
// tile; one that is `count` or more says that nothing is left, and its cluster draws no further. Each tile that is made
// has drawn once: that is `count` draws, as many as the counter has tickets (ticket_counters.hpp). How many tiles groups
// have (groups.hpp) no launch knows, only that they are no more than `count`: a role knows it that has looked for a tile
// behind the last one. Each cluster does so once, and the one whose ticket is the last of as many as there are tiles
// leaves the counter as the launch has found it.
#pragma once
#include <sectile/dsl/plan/plan.hpp>

namespace sectile {

constexpr int ticket_slots = 2;  // one that is read while the next one is drawn
constexpr int ticket_word = 4;   // bytes
constexpr int ticket_pitch = 16; // from slot to slot: what is watched on the model as one

/// Roles of a cluster that read each number, but for the one that has drawn it.
constexpr int ticket_readers(const configuration& how) { return how.ctas() * (1 + how.consumers) - 1; }

constexpr int count_ticket_barriers(const plan_head& p) { return 2 * p.tickets.slots; }
constexpr int ticket_bytes_of(const plan_head& p) { return ticket_pitch * p.tickets.slots; }
constexpr int ticket_offset(const ticket_plan& t, int slot) { return t.offset + ticket_pitch * slot; }
/// Where they lie: barriers from `at` on, and the words behind them. Returns where that ends.
constexpr int place_tickets(ticket_plan& t, int at) {
  t.barrier = at;
  if (t.slots == 0) return at;
  t.offset = round_up(at + 16 * t.slots, ticket_pitch);
  return ticket_offset(t, t.slots);
}
constexpr int ticket_full_barrier(const ticket_plan& t, int slot) { return t.barrier + 8 * slot; }
constexpr int ticket_empty_barrier(const ticket_plan& t, int slot) { return t.barrier + 8 * (t.slots + slot); }

/// What goes with drawn work.
constexpr violation check_dynamic(const configuration& s) {
  if (s.dynamic && s.split > 1)
    return refuse(rule::configuration_does_not_fit_the_program, "split = ", s.split,
                  " and .dynamic = true: the parts of a tile meet when its loops are over, so its CTAs make one tile and "
                  "draw no other; leave out one of the two");
  if (s.dynamic && !s.persistent)
    return refuse(rule::configuration_does_not_fit_the_program,
                  ".dynamic = true: a cluster draws its next tile when it is done with one, so it must walk over "
                  "several: add .persistent = true");
  return {};
}

/// What goes with batches that are visited together; `modes`: of the work.
constexpr violation check_batches(const configuration& s, int modes, const char* name) {
  if (s.batches < 1 || s.batches > 65535)
    return refuse(rule::program_is_not_traceable, "batches = ", s.batches,
                  ": batches visited together, from 1 to 65535");
  if (s.batches > 1 && modes < 3)
    return refuse(rule::configuration_does_not_fit_the_program, "batches = ", s.batches, " visited together, but ",
                  name, " has ", modes, " modes and no batches; leave it out");
  return {};
}

}  // namespace sectile
