// cp.async: what a thread copies to shared memory by itself, 16 bytes at a time, and the mbarrier that is told when it
// has come (PTX ISA, "cp.async", "cp.async.mbarrier.arrive").
//
// The copies of a thread land some time behind its arrival at the barrier, all at once. They are ordinary writes:
// whoever has waited for the barrier reads them with ordinary loads, and behind a fence.proxy.async by TMA and wgmma.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sectile/dsl/model/shared_memory.hpp>

namespace sectile::model {

struct cuda_thread;

/// One that no barrier has been told of.
struct thread_copy {
  std::uint32_t to;
  const std::byte* from;  ///< nullptr: zeros
  observer who;           ///< when it was issued
};

/// `from`: nullptr for zeros.
void copy_async(cuda_thread& t, std::uint32_t to, const std::byte* from);
/// Arrives at the barrier when what the thread has copied since its last arrival is there.
void arrive_copied(cuda_thread& t, std::uint32_t barrier);
/// fence.proxy.async: what the thread knows of copies TMA and wgmma see from now on.
void show_copies(cuda_thread& t);
/// Throws if the thread exits with copies of which no barrier has been told.
void check_copies_at_exit(const cuda_thread& t);

}  // namespace sectile::model
