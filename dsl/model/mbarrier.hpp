// mbarrier: arrivals and transaction bytes, counted as the hardware counts them (PTX ISA, "mbarrier").
#pragma once

#include <cstdint>
#include <sectile/dsl/model/happens_before.hpp>
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

  std::vector<cuda_thread*> waiters;  ///< for the open phase
  int waiters_to_resume = 0;          ///< woken by the last completion, not yet run

  // For the checker.
  component id = 0;     ///< counts completed phases
  gathering arriving;   ///< what those who arrived know
  knowledge completed;  ///< what is known after the last completed phase
  const cuda_thread* initialised_by = nullptr;
  event initialised, init_fenced;      ///< {} while it was not fenced
  std::uint32_t last_load_phase = 0;   ///< count of `id` that covers the last TMA load; 0: none
  std::vector<event> remote_arrivals;  ///< the last of each thread of another CTA
};

void initialise_barrier(cuda_thread& t, std::uint32_t address, int arrivals);
void fence_initialised_barriers(cuda_thread& t);
void wait_for_phase(cuda_thread& t, std::uint32_t address, int parity);
/// At the barrier in `target`, which may be another CTA of the cluster.
void arrive(cuda_thread& t, cta& target, std::uint32_t address);
void arrive_and_expect(cuda_thread& t, std::uint32_t address, int bytes);

/// The barrier in `target` that a TMA load of thread t reports to; counts the load as in flight.
mbarrier& begin_load(cuda_thread& t, cta& target, std::uint32_t address);
/// The load has landed: complete_tx.
void end_load(mbarrier& b, int bytes);

/// Throws if a CTA whose threads have all exited leaves loads or arrivals behind.
void check_barriers_at_exit(const cta& c);

}  // namespace sectile::model
