// What the debug machine found, in words: one sentence that says what is wrong, then what every role of the cluster was
// doing, so that a deadlock shows its cycle. Made from the notes that the device left and the kernel's plan.
#pragma once
#include <functional>
#include <stdexcept>
#include <string>

#include <sectile/dsl/hopper/notes.hpp>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/plan/guards.hpp>

namespace sectile {

/// Thrown by the launch of a checked kernel that went wrong; what() is the report. After a trap the CUDA context is
/// lost: every further call fails until the process ends, or calls cudaDeviceReset.
struct device_fault : std::runtime_error {
  device_fault(hopper::fault what_fault, bool context_lost, const std::string& report)
      : std::runtime_error(report), what_is_wrong(what_fault), trapped(context_lost) {}
  hopper::fault what_is_wrong;  // none: the kernel broke off, and no check saw why
  bool trapped;
};

/// What a report says of the launch.
struct launch_facts {
  std::string kernel;                                                        // its name
  std::uint64_t number = 0;                                                  // among the process's launches
  double seconds = 0;                                                        // that a wait may last
  /// "output tile (2, 3)", "" if unknown; `drawn`: the role's own note of its work item, of a kernel that draws it.
  std::function<std::string(int cluster, int cta, int loops_ended, int drawn)> tile{};
};

namespace tell {

using hopper::doing;
using hopper::fault;
using hopper::fault_report;

struct fault_text {
  const plan& p;
  const fault_report& report;
  const launch_facts& launch;
  shared_map map = map_shared_memory(p);

  int ctas() const { return p.how.ctas(); }
  int own_cta() const { return static_cast<int>(report.cta); }
  std::uint32_t word(int cta, int note) const { return report.notes[cta][note]; }
  std::uint32_t complaint(int note) const { return word(own_cta(), note); }
  std::uint32_t role_word(int cta, int role, int which) const { return word(cta, role_note(role) + which); }
  std::uint32_t told() const { return complaint(hopper::complaint::told); }
  fault what() const { return static_cast<fault>(told() >> hopper::detail_bits); }

  // ---- names

  /// "cta 1, " where there is more than one.
  std::string of_cta(int cta) const { return ctas() > 1 ? say("cta ", cta, ", ") : ""; }
  std::string role_name(int cta, int role) const {
    if (role == 0) return say("producer (", of_cta(cta), "thread 0)");
    return say("consumer ", role - 1, " (", of_cta(cta), "threads ", role * warpgroup, "-", (role + 1) * warpgroup - 1,
               ")");
  }
  /// Who complains: the role of a thread.
  std::string thread_name() const {
    const int thread = static_cast<int>(complaint(hopper::complaint::owner)) - 1;
    const std::string who = thread < warpgroup ? "producer" : say("consumer ", thread / warpgroup - 1);
    return say(who, " (", of_cta(own_cta()), "thread ", thread, ")");
  }
  std::string stage_text(const std::string& whose, int stage, int stages) const {
    return stages > 1 ? say("stage ", stage, " of ", whose) : whose;
  }
  /// "stage 2 of B", "the epilogue's buffers of consumer 0".
  std::string piece_text(int piece, int index) const {
    const shared_piece& s = map.at[piece];
    const std::string operand = s.operand < 0 ? "" : p.operand[s.operand].facts.name;
    switch (s.kind) {
      case piece_kind::tile:
        return stage_text(operand, index, s.count);
      case piece_kind::metadata:
        return stage_text(say("the metadata of ", operand), index, s.count);
      case piece_kind::exchange:
        return "the exchange of columns";
      case piece_kind::factors:
        return "a left factor";
      case piece_kind::epilogue:
        return say("consumer ", index, "'s buffers for ", operand);
      case piece_kind::barriers:
        return "the barriers";
      case piece_kind::tickets:
        return "the numbers of drawn work";
      case piece_kind::notes:
        return "the debug machine's notes";
    }
    return "";
  }
  std::string place_text(int offset) const {
    const std::string byte = say("byte ", offset, " of shared memory");
    if (offset < 0 || offset >= map.bytes) return say(byte, ", which is outside of the kernel's ", map.bytes);
    if (const int piece = map.find(offset); piece >= 0)
      return say(piece_text(piece, map.at[piece].index_of(offset)), " (", byte, ")");
    return say(guard_text(guard_at(map, offset)), " (", byte, ")");
  }
  std::string guard_text(const guard& g) const {
    return g.behind >= 0 ? say("the guard behind ", piece_text(g.behind, g.behind_index))
                         : say("the guard before ", piece_text(g.before, g.before_index));
  }

  // ---- mbarriers

  struct barrier_place {
    int ring = 0, stage = 0, number = 0;
    bool full = false;
    int meeting = -1;  // of partial sums: no ring's
    int slot = -1;     // of drawn work: likewise
  };
  /// Which barrier lies at `offset`.
  barrier_place barrier_at(int offset) const {
    barrier_place b{};
    b.number = (offset - p.ring[0].full_barrier) / 8;
    for (int r = 0; r < p.rings; ++r)
      for (const bool full : {true, false}) {
        const int inside = offset - (full ? p.ring[r].full_barrier : p.ring[r].empty_barrier);
        if (inside >= 0 && inside < 8 * p.ring[r].stages) b = {r, inside / 8, b.number, full};
      }
    for (int n = 0; n < p.meetings; ++n)
      if (offset >= p.meeting[n].barrier) b.meeting = n;
    for (int s = 0; s < p.tickets.slots; ++s)
      for (const bool full : {true, false})
        if (offset == (full ? ticket_full_barrier(p.tickets, s) : ticket_empty_barrier(p.tickets, s))) {
          b.full = full;
          b.slot = s;
          b.meeting = -1;
        }
    return b;
  }
  std::string barrier_name(const barrier_place& b) const {
    if (b.meeting >= 0) return say("sums[", b.meeting, "]");
    if (b.slot >= 0) return say(b.full ? "drawn[" : "read[", b.slot, "]");
    return say(b.full ? "full[" : "empty[", b.stage, "]");
  }
  /// "stage 1 of A and B to be full", "stage 1 of A and B to be free".
  std::string wish_text(const barrier_place& b) const {
    if (b.meeting >= 0) return "the partial sums of the other CTAs";
    if (b.slot >= 0) return b.full ? "the number of its next work item" : "all roles to have read the number before";
    return say(stage_text(members_text(p, p.ring[b.ring]), b.stage, p.ring[b.ring].stages), " to be ",
               b.full ? "full" : "free");
  }
  /// What has come to a barrier that does not complete its phase of this parity, and what would release it.
  std::string missing_text(int cta, const barrier_place& b, int parity) const {
    const int first = barrier_note(p, b.number);
    const std::uint32_t arrivals = word(cta, first + hopper::barrier_words_of::arrivals);
    const auto expected = static_cast<std::uint32_t>(b.meeting >= 0 ? p.how.split - 1
                                                     : b.full       ? 1
                                                     : b.slot >= 0  ? ticket_readers(p.how)
                                                                    : p.ring[b.ring].empty_arrivals);
    const std::uint32_t here = arrivals % expected;
    if (static_cast<int>(arrivals / expected % 2) == parity)
      return say(here, " of ", count(expected, "arrival"), "; ", count(expected - here, "more arrival"),
                 " would release it");
    if (!b.full) return say(arrivals, " of ", count(expected, "arrival"), " have come: it is free");
    const int each = b.slot >= 0 ? ticket_word : p.ring[b.ring].transaction_bytes;
    const std::uint32_t announced = word(cta, first + hopper::barrier_words_of::announced);
    const std::uint32_t copied = word(cta, first + hopper::barrier_words_of::copied);
    if (announced > copied)
      return say("it expects ", each, " bytes; ", announced - copied,
                 " more were announced than copies bring, they never come");
    if (announced < copied)
      return say("it expects ", each, " bytes; copies bring ", copied - announced,
                 " more than were announced");
    return say("its arrival and copies of ", each,
               " bytes were issued, but not all bytes have landed");
  }

  // ---- what a role is doing

  std::string named_barrier_text(std::uint32_t detail) const {
    const int id = static_cast<int>(detail & 0xFF), n = p.how.consumers;
    const std::string use = id >= 1 && id <= n      ? say(" (consumer ", id - 1, "'s own)")
                            : id > n && id <= 2 * n ? say(" (consumer ", id - 1 - n, "'s turn)")
                                                    : "";
    return say("named barrier ", id, use, " for ", count(detail >> 8, "thread"));
  }
  std::string at_trip(int cta, int role) const {
    const auto trip = static_cast<std::int32_t>(role_word(cta, role, hopper::role_words_of::trip));
    const auto loops = static_cast<int>(role_word(cta, role, hopper::role_words_of::loops));
    const bool begun = role_word(cta, role, hopper::role_words_of::told) != 0 || trip != 0 || loops != 0;
    const std::string k = begun && trip >= 0 ? say(" at k = ", trip) : "";
    const auto drawn = static_cast<int>(role_word(cta, role, hopper::role_words_of::item));
    const std::string tile = launch.tile ? launch.tile(static_cast<int>(report.cluster), cta, loops, drawn) : "";
    return tile.empty() ? k : say(k, k.empty() ? " at " : " of ", tile);
  }
  /// "stage 1 of A and B to be full (full[1], parity 0)"
  std::string phase_text(std::uint32_t detail) const {
    const barrier_place b = barrier_at(static_cast<int>(detail & ~hopper::parity_bit));
    return say(wish_text(b), " (", barrier_name(b), ", parity ", parity_of(detail), ")");
  }
  std::string missing_text(int cta, std::uint32_t detail) const {
    return missing_text(cta, barrier_at(static_cast<int>(detail & ~hopper::parity_bit)), parity_of(detail));
  }
  static int parity_of(std::uint32_t detail) { return detail & hopper::parity_bit ? 1 : 0; }

  std::string doing_text(int cta, int role) const {
    const std::uint32_t word_of_role = role_word(cta, role, hopper::role_words_of::told);
    const std::uint32_t detail = word_of_role & hopper::detail_mask;
    switch (static_cast<doing>(word_of_role >> hopper::detail_bits)) {
      case doing::nothing_yet:
        return say("has not had to wait yet", at_trip(cta, role));
      case doing::running:
        return say("runs", at_trip(cta, role));
      case doing::waiting_for_phase:
        return say("waits for ", phase_text(detail), at_trip(cta, role), ": ", missing_text(cta, detail));
      case doing::waiting_at_barrier:
        return say("waits at ", named_barrier_text(detail), at_trip(cta, role));
      case doing::waiting_for_stores:
        return say("waits until at most ", count(detail, "store group"), " of TMA are in flight");
      case doing::waiting_for_registers:
        return say("waits for setmaxnreg.inc to ", detail, " registers per thread: ", p.producer_registers, " + ",
                   p.how.consumers, " x ", p.consumer_registers, " are asked for, the CTA was launched with ",
                   count_roles(p), " x ", launch_registers(p));
      case doing::done:
        return "has ended, and waits for the cluster to leave together";
    }
    return "";
  }

  // ---- the report

  const operand_facts& wrong_ends(std::uint32_t detail) const {
    return p.operand[p.cuts.ends[detail % static_cast<std::uint32_t>(p.cuts.count)]].facts;
  }
  std::string sentence() const {
    const std::uint32_t detail = told() & hopper::detail_mask;
    const int offset = hopper::offset_in(told());
    const int role = (static_cast<int>(complaint(hopper::complaint::owner)) - 1) / warpgroup;
    const std::string when =
        report.trapped ? say("; seen by ", thread_name(), at_trip(own_cta(), role)) : "; seen at the end of the kernel";
    switch (what()) {
      case fault::none:
        break;
      case fault::wait_expired:
        return say(thread_name(), " has waited ", seconds(1), " for ", phase_text(detail), at_trip(own_cta(), role),
                   ": ", missing_text(own_cta(), detail));
      case fault::nothing_moves:
        return say("no role of ", ctas() > 1 ? say("cta ", own_cta(), " of ") : "", "cluster ", report.cluster,
                   " has gone on for ", seconds(2));
      case fault::guard_overwritten:
        return say(place_text(offset), " was overwritten: ", hexadecimal(report.found, 8), " stands where ",
                   hexadecimal(guard_word(offset), 8), " was", when);
      case fault::wrong_descriptor:
        return say("a wgmma descriptor starts in ", place_text(offset), when);
      case fault::wrong_store:
        return say("the epilogue writes to ", place_text(offset), when);
      case fault::wrong_load:
        return say("an operand is read from ", place_text(offset), when);
      case fault::wrong_copy:
        return say("a TMA copy begins in ", place_text(offset), when);
      case fault::wrong_coordinate:
        return say("a TMA copy of ", place_text(offset), " has a negative coordinate", when);
      case fault::wrong_barrier:
        return say("an mbarrier is used in ", place_text(offset), ", where none is", when);
      case fault::wrong_launch:
        return say("the kernel was launched with ", detail & 0xFFFF, " threads in clusters of ", detail >> 16,
                   ", its plan has ", p.threads, " in clusters of ", ctas());
      case fault::wrong_base:
        return say("shared memory begins ", count(detail, "byte"), " behind a multiple of ", shared_alignment);
      case fault::bytes_differ: {
        const int first = barrier_note(p, barrier_at(offset).number);
        return say("copies into ", stage_words(offset), " brought ",
                   complaint(first + hopper::barrier_words_of::copied), " bytes, its barrier was told of ",
                   complaint(first + hopper::barrier_words_of::announced), when);
      }
      case fault::arrivals_differ: {
        const barrier_place b = barrier_at(offset);
        const int full = barrier_note(p, barrier_at(p.ring[b.ring].full_barrier + 8 * b.stage).number);
        return say(stage_words(offset), " was filled ", count(complaint(full), "time"), " and received ",
                   count(complaint(barrier_note(p, b.number)), "arrival"),
                   " that give it back, where its barrier counts ", p.ring[b.ring].empty_arrivals, " for each fill",
                   when);
      }
      case fault::wrong_group:
        return say("group ", detail / static_cast<std::uint32_t>(p.cuts.count), " of ", wrong_ends(detail).name,
                   wrong_ends(detail).counts_rows ? " has less than no rows, or more than its room"
                                                  : " ends before it begins, or behind the last row",
                   when);
      case fault::wrong_row: {
        const std::uint32_t row = detail & hopper::most_told_row;
        return say("an element of ", p.operand[detail >> hopper::row_bits].facts.name, " is ",
                   row < hopper::most_told_row ? say(row) : say("below -1, or ", hopper::most_told_row, " or more"),
                   names_rows(p, static_cast<int>(detail >> hopper::row_bits))
                       ? ": there is no such row to add to"
                       : ": there is no such row to pick; -1 picks a row of zeros",
                   when);
      }
    }
    return "something is wrong that the report does not know";
  }

  std::string text() const {
    std::string lines = sentence();
    lines += say("\n  kernel ", launch.kernel, ", launch ", launch.number, ", cluster ", report.cluster, " of ",
                 report.clusters, ctas() > 1 ? say(", cta ", report.cta, " of ", ctas()) : "");
    if (p.guards.count) lines += say("; ", count(p.guards.count, "guard"), " in shared memory");
    if (!report.trapped) return lines;
    for (int cta = 0; cta < ctas(); ++cta)
      for (int role = 0; role < count_roles(p); ++role)
        lines += say("\n  ", role_name(cta, role), ": ", doing_text(cta, role));
    return lines;
  }

 private:
  std::string stage_words(int offset) const {
    const barrier_place b = barrier_at(offset);
    return stage_text(members_text(p, p.ring[b.ring]), b.stage, p.ring[b.ring].stages);
  }
  std::string seconds(int limits) const {
    const auto tenths = static_cast<std::int64_t>(launch.seconds * limits * 10 + 0.5);
    return say(tenths / 10, tenths % 10 ? say(".", tenths % 10) : "", " s");
  }
};

}  // namespace tell

/// The report in words. Precondition: report.complete, and the notes are those of a kernel with plan p.
inline std::string describe(const plan& p, const hopper::fault_report& report, const launch_facts& launch) {
  return tell::fault_text{p, report, launch}.text();
}

}  // namespace sectile
