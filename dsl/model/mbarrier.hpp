// mbarrier: arrivals and transaction bytes, counted as the hardware counts them (PTX ISA, "mbarrier").
#pragma once

#include <cstddef>
#include <cstdint>
#include <sectile/dsl/model/happens_before.hpp>
#include <string>
#include <vector>

namespace sectile::model {

struct cta;
struct cuda_thread;

/// The phase completes when `pending` and `transactions` are both zero; then phase += 1 and pending = expected.
struct mbarrier {
  cta* home = nullptr;
  std::uint32_t address = 0;
  int expected = 0;               ///< arrivals of each phase
  int pending = 0;                ///< arrivals still to come; 0..2^20 - 1
  std::int64_t transactions = 0;  ///< bytes expected minus bytes arrived; may be negative while arrivals are pending
  std::uint32_t phase = 0;        ///< the phase that is open; only its parity can be seen by the kernel
  int loads_in_flight = 0;        ///< TMA loads issued on the open phase that have not landed

  /// A thread that did something, and in which trip of its loop.
  struct actor {
    const cuda_thread* thread;
    int trip;
  };
  /// A TMA load that reports here, or copies of a thread, somewhere in these bytes.
  struct copy {
    std::uint32_t phase, to, bytes;
    actor by;
    bool landed = false;
    bool of_thread = false;  ///< a thread's own copies (thread_copies.hpp)
  };

  std::vector<cuda_thread*> waiters;  ///< for the open phase
  int waiters_to_resume = 0;          ///< woken by the last completion, not yet run

  // For the checker.
  component id = 0;     ///< counts completed phases
  component copies = 0;  ///< the same of those that tell of threads' copies; the next one: that a fence has shown
  knowledge shown;       ///< of copies, behind a fence behind the last completed phase
  gathering arriving;   ///< what those who arrived know
  knowledge completed;  ///< what is known after the last completed phase
  const cuda_thread* initialised_by = nullptr;
  event initialised, init_fenced;      ///< {} while it was not fenced
  std::uint32_t last_load_phase = 0;   ///< count of `id` that covers the last TMA load; 0: none
  std::vector<event> remote_arrivals;  ///< the last of each thread of another CTA

  // For the reports.
  std::vector<actor> arrived, arrived_before;  ///< in the open phase and in the one that completed last
  std::vector<copy> loads;                     ///< of all phases, in order
};

void initialise_barrier(cuda_thread& t, std::uint32_t address, int arrivals);
void fence_initialised_barriers(cuda_thread& t);
/// Whether wait_for_phase would hold the thread up now.
bool would_wait(const cuda_thread& t, std::uint32_t address, int parity);
void wait_for_phase(cuda_thread& t, std::uint32_t address, int parity);
/// Throws if all threads of `target`, a CTA that t's `verb` goes to, have exited.
void require_running(const cuda_thread& t, const cta& target, const char* verb);
/// At the barrier in `target`, which may be another CTA of the cluster.
void arrive(cuda_thread& t, cta& target, std::uint32_t address);
void arrive_and_expect(cuda_thread& t, std::uint32_t address, int bytes);
/// Bytes that thread t has written to the shared memory of `target` have arrived there: complete_tx.
void complete_transaction(cuda_thread& t, cta& target, std::uint32_t address, int bytes);

/// The barrier in `target` that a TMA load of thread t reports to; counts the load, of `bytes` to `to`, as in flight.
/// It is the last one of mbarrier::loads.
mbarrier& begin_load(cuda_thread& t, cta& target, std::uint32_t address, std::uint32_t to, std::uint32_t bytes);
/// Load number `load` of mbarrier::loads has landed: complete_tx.
void end_load(mbarrier& b, std::size_t load);

/// The barrier of its CTA at which thread t arrives when its copies, somewhere in `bytes` bytes from `to` on, have
/// landed.
mbarrier& begin_copies(cuda_thread& t, std::uint32_t address, std::uint32_t to, std::uint32_t bytes);
/// Number `load` of mbarrier::loads has landed: arrives.
void end_copies(mbarrier& b, std::size_t load);

/// "4096 bytes of B stage 0 by producer (thread 0, k = 2)"
std::string describe(const mbarrier& b, const mbarrier::copy& load);
/// The load of that phase that writes `address`, or nullptr.
const mbarrier::copy* find_load(const mbarrier& b, std::uint32_t phase, std::uint32_t address);

/// Throws if a CTA whose threads have all exited leaves loads or arrivals behind.
void check_barriers_at_exit(const cta& c);

}  // namespace sectile::model
