// Shared memory, barriers and registers of a plan, in words.
#pragma once
#include <string>
#include <vector>

#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/plan/build.hpp>
#include <sectile/layouts/operand_tile.hpp>

namespace sectile::tell {

inline std::string rings_text(const plan& p) {
  std::string text;
  for (int r = 0; r < p.rings; ++r) {
    const ring_plan& ring = p.ring[r];
    text += say("  ring ", r, ": ", count(ring.stages, "stage"), " of ", ring.stage_bytes, " bytes for ",
                members_text(p, ring), ring.lanes > 1 ? say(", ", ring.stages_of_lane(), " for each consumer") : "",
                ring.resident ? ", loaded by a CTA's first work alone" : "", "\n");
  }
  return text;
}

enum class memory_kind : std::uint8_t {
  tile,
  metadata,
  exchange,
  factor,
  epilogue,
  full_barriers,
  empty_barriers,
  meeting_barriers,
  ticket_barriers,
  tickets,
  notes
};

/// A range of a CTA's shared memory and what lies there. What does not apply is -1.
struct memory_range {
  memory_kind kind = memory_kind::notes;
  int offset = 0, bytes = 0, alignment = 8;
  int operand = -1, ring = -1, stage = -1, consumer = -1;
  std::string what{};
};

/// Every range of shared memory, in order. Precondition: the plan holds.
inline std::vector<memory_range> memory_ranges(const plan& p) {
  std::vector<memory_range> all;
  for (int r = 0; r < p.rings; ++r)
    for (int s = 0; s < p.ring[r].stages; ++s)
      for (int m = 0; m < p.ring[r].members; ++m) {
        const int o = p.ring[r].member[m];
        all.push_back({memory_kind::tile, tile_offset(p, o) + s * p.ring[r].stage_bytes, p.operand[o].tile_bytes,
                       pattern_bytes(p.operand[o].swizzle), o, r, s, -1,
                       say(p.operand[o].facts.name, ", stage ", s, " of ring ", r)});
        const metadata_plan& md = p.operand[o].metadata;
        if (md.bytes > 0)
          all.push_back({memory_kind::metadata, p.ring[r].offset + md.stage_offset + s * p.ring[r].stage_bytes,
                         md.bytes, shared_alignment, o, r, s, -1,
                         say("metadata of ", p.operand[o].facts.name, ", stage ", s, " of ring ", r)});
      }
  if (p.exchange.bytes > 0)
    all.push_back({memory_kind::exchange, p.exchange.offset, p.exchange.bytes, shared_alignment, -1, -1, -1, -1,
                   say(p.exchange.buffers > 1 ? "two buffers for parts of columns, a row for each of "
                                              : "parts of columns, a row for each of ",
                       count(warps_of_consumers(p.how), "warp"))});
  for (int n = 0; n < p.placed.places; ++n)
    all.push_back({memory_kind::factor, p.placed.offset + n * p.placed.pitch, p.placed.pitch, shared_alignment, -1, -1,
                   -1, p.placed.places > 1 ? n : -1, "a left factor that is written from registers"});
  for (int n = 0; n < p.epilogues; ++n) {
    const epilogue_plan& e = p.epilogue[n];
    for (int c = 0; c < p.how.consumers; ++c)
      all.push_back({memory_kind::epilogue, e.offset + c * e.buffers * e.panel_bytes, e.buffers * e.panel_bytes,
                     pattern_bytes(e.swizzle), e.operand, -1, -1, c,
                     say(p.operand[e.operand].facts.name, ", ", count(e.buffers, "panel"), " of consumer ", c)});
  }
  for (int r = 0; r < p.rings; ++r) {
    const int bytes = 8 * p.ring[r].stages;
    all.push_back({memory_kind::full_barriers, p.ring[r].full_barrier, bytes, 8, -1, r, -1, -1,
                   say("full barriers of ring ", r)});
    all.push_back({memory_kind::empty_barriers, p.ring[r].empty_barrier, bytes, 8, -1, r, -1, -1,
                   say("empty barriers of ring ", r)});
  }
  for (int n = 0; n < p.meetings; ++n) {
    if (p.meeting[n].rounds == 0) continue;  // in the workspace
    all.push_back({memory_kind::meeting_barriers, p.meeting[n].barrier, 8 * p.how.consumers * p.meeting[n].rounds, 8,
                   -1, -1, -1, -1, "barriers of the partial sums"});
  }
  if (count_exchange_barriers(p) > 0)
    all.push_back({memory_kind::meeting_barriers, p.exchange.barrier, 8 * count_exchange_barriers(p), 8, -1, -1, -1, -1,
                   "barriers of the exchange of columns"});
  if (p.tickets.slots > 0) {
    all.push_back({memory_kind::ticket_barriers, p.tickets.barrier, 8 * count_ticket_barriers(p), 8, -1, -1, -1, -1,
                   "full and empty barriers of the numbers of drawn work"});
    all.push_back({memory_kind::tickets, p.tickets.offset, ticket_bytes_of(p), ticket_pitch, -1, -1, -1, -1,
                   say("numbers of drawn work, ", count(p.tickets.slots, "slot"))});
  }
  if (p.guards.note_bytes > 0)
    all.push_back({memory_kind::notes, p.guards.notes, p.guards.note_bytes, 16, -1, -1, -1, -1,
                   "notes of the debug machine"});
  return all;
}

/// The same as a table.
inline std::string memory_text(const plan& p) {
  table t;
  t.add("offset", "bytes", "aligned to", "what");
  for (const memory_range& m : memory_ranges(p)) t.add(m.offset, m.bytes, m.alignment, m.what);
  if (p.guards.note_bytes > 0) t.add("", "", "", count(p.guards.count, "guard") + " in the gaps");
  return say("  ", p.shared_bytes, " of ", shared_memory_limit, " bytes; offsets count from the CTA's dynamic shared ",
             "memory, which is aligned to ", shared_alignment, "\n") +
         t.text();
}

/// Who gives a stage back: "4 (2 consumers of 2 CTAs)".
inline std::string empty_arrivals_text(const plan& p, const ring_plan& r) {
  const int readers = readers_in_cta(p.how, r);
  return say(r.empty_arrivals, " (", count(readers, "consumer"), " of ", count(r.empty_arrivals / readers, "CTA"), ")");
}

/// Who arrives at a full barrier, and how often.
inline std::string full_arrivals_text(const ring_plan& r) {
  return say(r.full_arrivals, " (the producer",
             r.full_arrivals > 1 ? ", and its threads when their copies are there)" : ")");
}

/// When an empty barrier completes.
inline const char* released_text(const ring_plan& r) {
  return r.resident ? "never: the tile stays" : "nobody reads the stage any more";
}

inline std::string barriers_text(const plan& p) {
  table t;
  t.add("barrier", "number", "arrivals", "bytes", "completes when");
  for (int r = 0; r < p.rings; ++r) {
    const ring_plan& ring = p.ring[r];
    t.add(say("full, ring ", r), ring.stages, full_arrivals_text(ring), ring.transaction_bytes,
          members_text(p, ring) + (ring.members == 1 ? " has landed" : " have landed"));
    t.add(say("empty, ring ", r), ring.stages, empty_arrivals_text(p, ring), "", released_text(ring));
  }
  for (int i = 0; i < p.meetings && !p.how.uses_workspace(); ++i)
    t.add("partial sums", p.how.consumers * p.meeting[i].rounds, say(p.how.split - 1, " (the other parts)"), "",
          p.meeting[i].rounds == 1 ? "the other parts have left their sums"
                                   : "the other parts have left their sums; their shares of all");
  if (count_exchange_barriers(p) > 0)
    t.add("parts of columns", count_exchange_barriers(p), "1 (a consumer of the tile)",
          4 * p.exchange.columns * p.exchange.ctas * 4 * p.how.sharers(),
          "all warps of the tile's CTAs have shown theirs");
  if (p.tickets.slots > 0) {
    const int readers = ticket_readers(p.how);
    t.add("full, drawn work", p.tickets.slots, "1 (the producer)", ticket_word, "the number has come");
    t.add("empty, drawn work", p.tickets.slots,
          say(readers, " (", p.how.ctas() > 1 ? "all other roles of the cluster)" : "the consumers)"), "",
          "everybody has read it");
  }
  std::string text = t.text();
  const int n = p.how.consumers;
  text +=
      say("  named barriers: ", epilogue_barrier(0), n > 1 ? say(" to ", epilogue_barrier(n - 1)) : std::string(),
          " for the epilogue of each consumer (", warpgroup, " threads)");
  if (p.how.takes_turns())
    text += say(", ", ordered_barrier(n, 0), n > 1 ? say(" to ", ordered_barrier(n, n - 1)) : std::string(),
                " for their turns (", 2 * warpgroup, " threads)");
  if (p.how.uses_workspace())
    text += say(", ", sums_barrier(n), " behind the sums that go to the workspace (", n * warpgroup, " threads)");
  if (p.sharers_meet() && p.how.sharers() > 1)
    text += say(", ", exchange_barrier(n),
                p.placed.places > 0 ? " for what consumers show each other (" : " for the exchange of columns (",
                n * warpgroup, " threads)");
  if (producers_meet(p))
    text += say(", ", producer_barrier(n), " for the threads of the producer (", producer_threads(p), " threads)");
  return text + "\n";
}

inline std::string registers_text(const plan& p) {
  const int launch = launch_registers(p);
  const int moved = warpgroup * (p.producer_registers + p.how.consumers * p.consumer_registers);
  std::string fragments;  // those of products, which are known
  if (p.products.count > 0)
    fragments =
        say("  fragments take ", p.accumulator_registers, " of a consumer thread's ", p.consumer_registers, "\n");
  return say("  at launch: ", p.threads, " threads of ", launch, ", ", p.threads * launch, " of ", register_pool,
             "\n") +
         (!p.moves_registers() ? std::string("  none moves: that is enough for the consumers\n")
                 : say("  then: ", p.producer_registers, " for the producer's warpgroup, ", p.consumer_registers,
             " for each consumer's, ", moved, " of ", p.threads * launch, " (setmaxnreg)\n")) +
         fragments;
}

/// What a warp writes panels with.
inline std::string stores_text(const epilogue_plan& e, int element_bits) {
  if (unit_bits(element_bits) == 16) return e.transposed ? "stmatrix.trans" : "stmatrix";
  return say(stores_of(e, element_bits).width(), "-byte stores");
}

/// How output number `n` leaves. Where there are several, each is named.
inline std::string epilogue_text(const plan& p, int n) {
  const epilogue_plan& e = p.epilogue[n];
  const operand_facts& out = p.operand[e.operand].facts;
  return say(p.epilogues > 1 ? say("  ", out.name, ": ") : std::string("  "), "each consumer writes ",
             count(e.panels, "panel"), " of ", e.panel_rows, " x ", e.panel_cols, " with ",
             stores_text(e, out.type.bits), e.panels > 1 ? say(", ", e.batch, " at a time") : std::string(), "; ",
             e.buffers, e.buffers == 1 ? " fits" : " fit", " in shared memory; ",
             e.bank_conflicts == 1 ? std::string("no bank conflicts") : say(e.bank_conflicts, "-way bank conflicts"),
             "\n") +
         (e.deferred ? "  deferred: packed in registers, and put out during the next tile's first products\n" : "");
}
/// How the results leave, in the order of the stores.
inline std::string epilogue_text(const plan& p) {
  std::string text;
  for (int n = 0; n < p.epilogues; ++n) text += epilogue_text(p, n);
  return p.epilogues > 0 ? text : "  no matrix is stored: vectors are written element by element\n";
}

}  // namespace sectile::tell
