// The debug machine's checks: a wait with a limit, and comparisons that complain. PTX ISA, "mbarrier.try_wait", "atom".
//
// Roles call these between the instructions of tensor cores. So a check is one asm statement without a branch: branches
// that may diverge make ptxas give up the wgmma pipeline, and a role that grows too long is no longer inlined.
#pragma once
#include <cstdint>

#include <sectile/dsl/hopper/notes.hpp>
#include <sectile/dsl/hopper/verb.hpp>

namespace sectile::hopper {

// The end of a check: if `wrong`, thread + 1 and the word `told` go to the front of the notes, unless they are taken.
#define SECTILE_COMPLAIN(base, notes) \
  "mov.u32 who, %%tid.x;\n"           \
  "add.u32 who, who, 1;\n"            \
  "mov.b64 complaint, {who, told};\n" \
  "add.u32 who, %" #base ", %" #notes \
  ";\n"                               \
  "@wrong atom.relaxed.cta.shared::cta.cas.b64 complaint, [who], 0, complaint;\n"
#define SECTILE_COMPLAINT ".reg .pred wrong; .reg .b32 who, told; .reg .b64 complaint;\n"
// Where the words of this thread's role are, `role` bytes behind the front, and whether the thread `leads` it.
#define SECTILE_ROLE(base)             \
  "mov.u32 thread, %%tid.x;\n"         \
  "shr.u32 role, thread, 7;\n"         \
  "mad.lo.u32 role, role, 16, %" #base \
  ";\n"                                \
  "and.b32 thread, thread, 127;\n"     \
  "setp.eq.u32 leads, thread, 0;\n"

/// Checks of a CTA whose notes begin `Notes` bytes behind `base`, the first byte of its dynamic shared memory.
template <int Notes>
struct check_verbs {
  /// What this thread's role is doing, if the thread is the first of its warpgroup.
  SECTILE_VERB void say(std::uint32_t base, std::uint32_t told) { note_role<role_words_of::told>(base, told); }
  template <int Word>
  SECTILE_VERB void note_role(std::uint32_t base, std::uint32_t x) {
    asm volatile("{ .reg .pred leads; .reg .b32 thread, role;\n"
                 SECTILE_ROLE(0)
                 "@leads st.volatile.shared.u32 [role+%2], %1; }" ::"r"(base),
                 "r"(x), "n"(Notes + 4 * (first_role + Word))
                 : "memory");
  }
  /// The same, adding.
  template <int Word>
  SECTILE_VERB void count_in_role(std::uint32_t base, std::uint32_t more) {
    asm volatile("{ .reg .pred leads; .reg .b32 thread, role;\n"
                 SECTILE_ROLE(0)
                 "@leads red.relaxed.cta.shared::cta.add.u32 [role+%2], %1; }" ::"r"(base),
                 "r"(more), "n"(Notes + 4 * (first_role + Word))
                 : "memory");
  }

  /// Waits for the phase of this parity, and notes that it waits if that takes longer. Complains behind `limit_ns`, and
  /// waits on.
  SECTILE_VERB void mbarrier_wait(std::uint32_t barrier, int parity, std::uint32_t base, std::uint64_t limit_ns) {
    asm volatile(
        "{ .reg .pred done, leads; .reg .b32 thread, role; .reg .b64 begun, now; " SECTILE_COMPLAINT
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@done bra.uni past_%=;\n"
        "sub.u32 told, %0, %2;\n"
        "shl.b32 who, %1, 27;\n"
        "or.b32 told, told, who;\n" SECTILE_ROLE(2)
        "or.b32 who, told, %5;\n"
        "@leads st.volatile.shared.u32 [role+%4], who;\n"
        "or.b32 told, told, %7;\n"
        "mov.u64 begun, %%globaltimer;\n"
        "again_%=: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1, 20000;\n"
        "mov.u64 now, %%globaltimer;\n"
        "sub.u64 now, now, begun;\n"
        "setp.gt.u64 wrong, now, %3;\n"
        "@done setp.ne.u32 wrong, 0, 0;\n" SECTILE_COMPLAIN(2, 8)
        "@!done bra.uni again_%=;\n"
        "mov.u32 who, %6;\n"
        "@leads st.volatile.shared.u32 [role+%4], who;\n"
        "past_%=: }" ::"r"(barrier),
        "r"(parity), "r"(base), "l"(limit_ns), "n"(Notes + 4 * first_role),
        "n"(tell(doing::waiting_for_phase, 0)), "n"(tell(doing::running, 0)), "n"(tell(fault::wait_expired, 0)),
        "n"(Notes)
        : "memory");
  }

  /// Complains if `wrong` is not 0.
  SECTILE_VERB void complain_if(std::uint32_t wrong, std::uint32_t told, std::uint32_t base) {
    asm volatile("{ " SECTILE_COMPLAINT
                 "setp.ne.u32 wrong, %0, 0;\n"
                 "mov.u32 told, %1;\n" SECTILE_COMPLAIN(2, 3) "}" ::"r"(wrong),
                 "r"(told), "r"(base), "n"(Notes)
                 : "memory");
  }
  /// Complains unless `address` is one of the Bytes bytes from First on, counted from the base.
  template <fault What, int First, int Bytes>
  SECTILE_VERB void require_inside(std::uint32_t address, std::uint32_t base) {
    asm volatile("{ " SECTILE_COMPLAINT
                 "sub.u32 told, %0, %1;\n"
                 "sub.u32 who, told, %3;\n"
                 "setp.ge.u32 wrong, who, %4;\n"
                 "and.b32 told, told, %6;\n"
                 "or.b32 told, told, %5;\n" SECTILE_COMPLAIN(1, 2) "}" ::"r"(address),
                 "r"(base), "n"(Notes), "n"(First), "n"(Bytes), "n"(tell(What, 0)), "n"(detail_mask)
                 : "memory");
  }
  /// The same of the `bytes` bytes of this thread's consumer: those of consumer 0 begin at `first`.
  template <fault What>
  SECTILE_VERB void require_inside_own(std::uint32_t address, std::uint32_t base, int first, int bytes) {
    asm volatile("{ .reg .b32 share; " SECTILE_COMPLAINT
                 "sub.u32 told, %0, %1;\n"
                 "mov.u32 share, %%tid.x;\n"
                 "shr.u32 share, share, 7;\n"
                 "mul.lo.u32 share, share, %4;\n"
                 "sub.u32 who, told, %3;\n"
                 "sub.u32 who, who, share;\n"
                 "setp.ge.u32 wrong, who, %4;\n"
                 "and.b32 told, told, %6;\n"
                 "or.b32 told, told, %5;\n" SECTILE_COMPLAIN(1, 2) "}" ::"r"(address),
                 "r"(base), "n"(Notes), "r"(first - bytes), "r"(bytes), "n"(tell(What, 0)), "n"(detail_mask)
                 : "memory");
  }
  /// Keeps a wgmma descriptor in mind that does not start inside: `suspect` becomes what to complain about. Its lowest
  /// 14 bits are an address in units of 16 bytes. (A predicated atom between wgmmas would cost a wgmma.fence each.)
  template <int First, int Bytes>
  SECTILE_VERB void suspect_descriptor(std::uint64_t descriptor, std::uint32_t base, std::uint32_t& suspect) {
    asm("{ .reg .pred wrong; .reg .b32 told, inside;\n"
        "cvt.u32.u64 told, %1;\n"
        "shl.b32 told, told, 4;\n"
        "sub.u32 told, told, %2;\n"
        "and.b32 told, told, 0x3FFFF;\n"
        "sub.u32 inside, told, %3;\n"
        "setp.ge.u32 wrong, inside, %4;\n"
        "or.b32 told, told, %5;\n"
        "selp.b32 %0, told, %0, wrong; }"
        : "+r"(suspect)
        : "l"(descriptor), "r"(base), "n"(First), "n"(Bytes), "n"(tell(fault::wrong_descriptor, 0)));
  }

  /// If `barrier` is one of a ring's full ones, which begin Full bytes behind the base: looks at the guard behind a
  /// tile of its stage, 8 bytes for each thread of the warpgroup. That of stage 0 has Bytes bytes from Guard on, the
  /// other stages' follow Pitch bytes apart. Factor and Mask make the words (guard_word).
  template <int Full, int Stages, int Guard, int Bytes, int Pitch, std::uint32_t Factor, std::uint32_t Mask>
  SECTILE_VERB void require_guard(std::uint32_t barrier, std::uint32_t base) {
    asm volatile("{ .reg .pred looks; .reg .b32 at, slot, found, next, word; " SECTILE_COMPLAINT
                 "sub.u32 at, %0, %1;\n"
                 "sub.u32 at, at, %3;\n"
                 "setp.lt.u32 looks, at, %4;\n"
                 "mov.u32 slot, %%tid.x;\n"
                 "and.b32 slot, slot, 127;\n"
                 "shl.b32 slot, slot, 3;\n"
                 "setp.lt.and.u32 looks, slot, %6, looks;\n"
                 "shr.u32 at, at, 3;\n"
                 "mad.lo.u32 at, at, %7, slot;\n"
                 "add.u32 at, at, %5;\n"
                 "add.u32 slot, at, %1;\n"
                 "mov.u32 found, 0;\n"
                 "mov.u32 next, 0;\n"
                 "@looks ld.volatile.shared.v2.u32 {found, next}, [slot];\n"
                 "mul.lo.u32 word, at, %8;\n"
                 "xor.b32 word, word, %9;\n"
                 "setp.ne.and.u32 wrong, found, word, looks;\n"
                 "or.b32 told, at, %10;\n" SECTILE_COMPLAIN(1, 2)
                 "add.u32 at, at, 4;\n"
                 "mul.lo.u32 word, at, %8;\n"
                 "xor.b32 word, word, %9;\n"
                 "setp.ne.and.u32 wrong, next, word, looks;\n"
                 "or.b32 told, at, %10;\n" SECTILE_COMPLAIN(1, 2) "}" ::"r"(barrier),
                 "r"(base), "n"(Notes), "n"(Full), "n"(8 * Stages), "n"(Guard), "n"(Bytes), "n"(Pitch), "n"(Factor),
                 "n"(Mask), "n"(tell(fault::guard_overwritten, 0))
                 : "memory");
  }

 private:
  static constexpr int first_role = 4;  // words of a complaint come before it
};

#undef SECTILE_COMPLAIN
#undef SECTILE_COMPLAINT
#undef SECTILE_ROLE

}  // namespace sectile::hopper
