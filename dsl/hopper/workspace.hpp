// The workspace in global memory where parts of a tile meet (plan/workspace.hpp). PTX ISA, "atom", "Memory Consistency
// Model".
#pragma once
#include <cstddef>
#include <cstdint>

#include <sectile/dsl/hopper/verb.hpp>
#include <sectile/dsl/plan/ticket_counters.hpp>

namespace sectile::hopper {

/// A counter's word. `Ordered`: additions release what was written before, and acquire what is released. (Between two
/// that count there are none but such: so what an earlier one releases, every later one acquires.)
template <bool Ordered>
struct ticket_word {
  std::uint64_t* at;

  SECTILE_OWN_VERB std::uint64_t add_one() const {
    std::uint64_t before;
    if constexpr (Ordered)
      asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;" : "=l"(before) : "l"(at), "l"(one()) : "memory");
    else
      asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;" : "=l"(before) : "l"(at), "l"(one()));
    return before;
  }
  /// 1, as no lane has number 32 or more. Where ptxas (13.0) sees that all lanes add the same it makes one addition of
  /// theirs, behind a vote, and waits for the answer at once to tell it to all lanes by a shuffle.
  SECTILE_VERB std::uint64_t one() {
    std::uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return 1 + lane / 32;
  }
  SECTILE_OWN_VERB std::uint64_t replace(std::uint64_t old, std::uint64_t by) const {
    std::uint64_t before;
    asm volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, %3;" : "=l"(before) : "l"(at), "l"(old), "l"(by));
    return before;
  }
  SECTILE_OWN_VERB std::uint64_t load() const {
    std::uint64_t x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(at));
    return x;
  }
  SECTILE_OWN_VERB void set(std::uint64_t x) const {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(x));
  }
};

struct workspace_verbs {
  /// Four words, `offset` bytes behind the first sums: a multiple of 16.
  SECTILE_VERB void store_workspace(std::byte* sums, long long offset, const std::uint32_t (&x)[4]) {
    asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(sums + offset), "r"(x[0]), "r"(x[1]), "r"(x[2]),
                 "r"(x[3])
                 : "memory");
  }
  /// Likewise, from L2, which is where other SMs have left them and where nobody asks for them twice.
  SECTILE_VERB void load_workspace(std::uint32_t (&r)[4], const std::byte* sums, long long offset) {
    asm volatile("ld.global.cg.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "l"(sums + offset)
                 : "memory");
  }
  /// Takes a ticket from a counter of the launch (plan/ticket_counters.hpp); returns how many were taken before. What
  /// the thread has written before, or knows to be written since it met others at a barrier, is visible to who takes a
  /// later ticket and to those who meet that one at a barrier.
  SECTILE_VERB int take_ticket(const ticket_counters& of, int counter, int tickets) {
    return take_ticket_of(ticket_word<true>{of.first + counter}, of.token, tickets);
  }
  /// Returns when so many tickets have been taken from the counter. What is said of a ticket that is taken holds of
  /// this as well, but that it takes none.
  SECTILE_VERB void await_tickets(const ticket_counters& of, int counter, int tickets) {
    std::uint64_t word;
    do {
      asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(of.first + counter) : "memory");
    } while (word != of.token + static_cast<std::uint64_t>(tickets));
  }
  /// Makes a counter the launch's, if it is not: sooner than who takes its first ticket.
  SECTILE_VERB void open_tickets(const ticket_counters& of, int counter) {
    open_counter(ticket_word<false>{of.first + counter}, of.token);
  }

  // ---- work that is drawn (plan/tickets.hpp)
  /// take_ticket() in two, so that nobody waits for an answer before it is needed: what the counter has said, and the
  /// number. It tells nothing of what others have written.
  SECTILE_VERB std::uint64_t draw_ticket(const ticket_counters& of, int counter) {
    return ticket_word<false>{of.first + counter}.add_one();
  }
  SECTILE_VERB int number_drawn(const ticket_counters& of, int counter, std::uint64_t found, int tickets) {
    return number_of_ticket(ticket_word<false>{of.first + counter}, found, of.token, tickets);
  }
  /// Behind the last ticket, where fewer were taken than number_drawn() was told of: the counter begins again.
  SECTILE_VERB void close_draws(const ticket_counters& of, int counter) {
    ticket_word<false>{of.first + counter}.set(of.token);
  }

  // ---- numbers of tiles that are added up in order (plan/ordered_sums.hpp)
  /// Number `at` of them, if it is `there`.
  SECTILE_VERB void store_number(float* numbers, long long at, float x, bool there) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.f32 [%0], %1; }" ::"l"(numbers + at), "f"(x),
                 "r"(static_cast<std::uint32_t>(there))
                 : "memory");
  }
  /// Likewise, from L2; -0 if it is not there.
  SECTILE_VERB float load_number(const float* numbers, long long at, bool there) {
    float x;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.f32 %0, 0f80000000; @p ld.global.cg.f32 %0, [%1]; }"
                 : "=f"(x)
                 : "l"(numbers + at), "r"(static_cast<std::uint32_t>(there))
                 : "memory");
    return x;
  }
  /// Four of them from number `at` on, a multiple of 4, as they are; if they are not there nothing is stored, and
  /// others are loaded. (A question in front of a load makes ptxas (13.0) wait for it at once, to choose what it would
  /// be.)
  SECTILE_VERB void store_numbers(float* numbers, long long at, const std::uint32_t (&x)[4], bool there) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %5, 0; @p st.global.v4.b32 [%0], {%1, %2, %3, %4}; }" ::"l"(numbers + at),
        "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(static_cast<std::uint32_t>(there))
        : "memory");
  }
  SECTILE_VERB void load_numbers(std::uint32_t (&r)[4], const float* numbers, long long at, bool there) {
    asm volatile("ld.global.cg.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "l"(numbers + (there ? at : 0))
                 : "memory");
  }
  /// take_ticket() of a counter of these.
  SECTILE_VERB int take_place(const ticket_counters& of, int counter, int tickets) {
    return take_ticket(of, counter, tickets);
  }
  /// The same in two: what the counter has said to a lane that is `there`, and how many were taken before. Who has the
  /// last one knows of what was written before the others only then. (A fence and an addition that orders nothing are a
  /// release, whichever addition behind the fence counts; that and a fence behind an acquire.)
  SECTILE_VERB void ask_for_place(std::uint64_t& found, const ticket_counters& of, int counter, bool there) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %3, 0; fence.acq_rel.gpu; @p atom.relaxed.gpu.global.add.u64 %0, [%1], %2; }"
        : "+l"(found)
        : "l"(of.first + counter), "l"(ticket_word<false>::one()), "r"(static_cast<std::uint32_t>(there))
        : "memory");
  }
  SECTILE_VERB int place_asked_for(const ticket_counters& of, int counter, std::uint64_t found, int tickets) {
    const int before = number_of_ticket(ticket_word<false>{of.first + counter}, found, of.token, tickets);
    if (before == tickets - 1) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    return before;
  }
  /// The lanes of a warp meet, and see what the others have written, or know to be written, before.
  SECTILE_VERB void warp_sync() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
};

}  // namespace sectile::hopper
