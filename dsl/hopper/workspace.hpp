// The workspace in global memory where parts of a tile meet (plan/workspace.hpp). PTX ISA, "atom", "Memory Consistency
// Model".
#pragma once
#include <cstddef>
#include <cstdint>

#include <sectile/dsl/hopper/verb.hpp>

namespace sectile::hopper {

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
  /// How many tickets were taken before from this counter; the last of `tickets` sets it back to 0. What the thread
  /// has written before, or knows to be written since it met others at a barrier, is visible to who takes a later
  /// ticket and to those who meet that one at a barrier.
  SECTILE_VERB int take_ticket(std::uint32_t* counters, int counter, int tickets) {
    std::uint32_t before;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(counters + counter), "r"(tickets - 1)
                 : "memory");
    return static_cast<int>(before);
  }
  /// Returns when so many tickets have been taken from the counter. What is said of a ticket that is taken holds of
  /// this as well, but that it takes none.
  SECTILE_VERB void await_tickets(const std::uint32_t* counters, int counter, int tickets) {
    std::uint32_t taken;
    do {
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(taken) : "l"(counters + counter) : "memory");
    } while (taken < static_cast<std::uint32_t>(tickets));
  }

  // ---- work that is drawn (plan/tickets.hpp)
  /// How many were drawn from this counter before; the last of `tickets` sets it back to 0. It tells nothing of what
  /// others have written.
  SECTILE_VERB int draw_ticket(std::uint32_t* counter, int tickets) {
    std::uint32_t before;
    asm volatile("atom.relaxed.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(tickets - 1));
    return static_cast<int>(before);
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
  /// take_ticket() of a counter of these.
  SECTILE_VERB int take_place(std::uint32_t* counters, int counter, int tickets) {
    return take_ticket(counters, counter, tickets);
  }
  /// The lanes of a warp meet, and see what the others have written, or know to be written, before.
  SECTILE_VERB void warp_sync() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }
};

}  // namespace sectile::hopper
