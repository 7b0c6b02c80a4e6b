// What the debug machine writes down as it runs, and the report that reaches the host when something is wrong. Plain
// data: the device fills it in, the host puts it into words (dsl/launch/checked_report.hpp).
//
// The notes of a CTA are words in its shared memory (their places: dsl/plan/guards.hpp). Each role says what it is
// doing, each barrier counts what has come to it. What a role does and what is wrong are told in one word: the kind in
// the upper 4 bits, a detail in the lower 28. Most details are byte offsets in shared memory, possibly negative.
#pragma once
#include <cstdint>

namespace sectile::hopper {

constexpr int detail_bits = 28;
constexpr std::uint32_t detail_mask = (1u << detail_bits) - 1;
constexpr std::uint32_t parity_bit = 1u << 27;

/// What a role is doing.
enum class doing : std::uint32_t {
  nothing_yet,
  running,
  waiting_for_phase,      // of the mbarrier at this offset, with parity_bit if its parity is 1
  waiting_at_barrier,     // of this number, for as many threads as the bits from 8 on say
  waiting_for_stores,     // until at most so many store groups are in flight
  waiting_for_registers,  // so many per thread (setmaxnreg)
  done,                   // and waiting for the cluster to leave together
};

/// What is wrong.
enum class fault : std::uint32_t {
  none,
  wait_expired,       // as doing::waiting_for_phase
  nothing_moves,      // no role has done anything for twice the limit
  guard_overwritten,  // at this offset
  wrong_descriptor,   // a wgmma descriptor starts at this offset, outside of all stages
  wrong_store,        // an ordinary store of the epilogue to this offset
  wrong_load,         // an ordinary load of an operand from this offset
  wrong_copy,         // a TMA copy goes to or comes from this offset
  wrong_coordinate,   // a TMA copy of this offset has a negative coordinate
  wrong_barrier,      // an mbarrier is used at this offset, where none is
  wrong_launch,       // threads of the CTA, CTAs of the cluster from bit 16 on
  wrong_base,         // shared memory begins so many bytes behind a multiple of 1024
  bytes_differ,       // into the stage of the full barrier at this offset: not as many bytes were copied as announced
  arrivals_differ,    // the stage of the empty barrier at this offset was not released as often as it was filled
  wrong_group,        // the group of this number ends before it begins, or behind the last row
  wrong_row,          // an index, operand number `detail` >> row_bits, picks a row that there is not: its lower bits
};

constexpr std::uint32_t tell(doing what, std::uint32_t detail) {
  return static_cast<std::uint32_t>(what) << detail_bits | (detail & detail_mask);
}
constexpr std::uint32_t tell(fault what, std::uint32_t detail) {
  return static_cast<std::uint32_t>(what) << detail_bits | (detail & detail_mask);
}
constexpr int offset_in(std::uint32_t told) {
  return static_cast<std::int32_t>(told << (32 - detail_bits)) >> (32 - detail_bits);
}

/// Bits of the number of a row that is told; those that are not below most_told_row are told as that.
constexpr int row_bits = 24;
constexpr std::uint32_t most_told_row = (1u << row_bits) - 1;

/// The first words of the notes.
namespace complaint {
constexpr int owner = 0;  // 1 + the thread that complains; 0: nobody
constexpr int told = 1;   // tell(fault, detail)
constexpr int done = 2;   // warps that have reached the end
}  // namespace complaint

/// The words of a role.
namespace role_words_of {
constexpr int told = 0;   // tell(doing, detail)
constexpr int trip = 1;   // of the innermost loop, -1 outside
constexpr int loops = 2;  // that have ended
constexpr int item = 3;   // of a kernel that draws its work: 1 + the work item; 0: it has not begun any
}  // namespace role_words_of

/// The words of an mbarrier, each a sum since the kernel began.
namespace barrier_words_of {
constexpr int arrivals = 0;
constexpr int announced = 1;  // bytes
constexpr int copied = 2;     // bytes of the copies that were issued
}  // namespace barrier_words_of

/// In memory of the host that the device can write to: it outlives a trap.
struct fault_report {
  static constexpr int most_ctas = 8, most_words = 4 + 4 * 8 + 3 * 128;
  std::uint32_t complete = 0;  // 1 when the rest is written
  std::uint32_t trapped = 0;
  std::uint32_t cluster = 0, clusters = 0, cta = 0;
  std::uint32_t found = 0;                       // fault::guard_overwritten: what is there now
  std::uint32_t notes[most_ctas][most_words]{};  // of every CTA of the cluster; of `cta` only where nothing trapped
};

/// How a checked kernel is watched.
struct watch {
  fault_report* report = nullptr;  // as the device sees it
  std::uint32_t* claim = nullptr;  // 0 until a CTA takes the report
  std::uint64_t limit_ns = 0;      // how long a wait may last
};

}  // namespace sectile::hopper
