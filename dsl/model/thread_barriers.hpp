// Barriers at which only threads meet: the 16 named barriers of a CTA (PTX `barrier`) and the barrier of the cluster.
#pragma once

#include <cstdint>
#include <sectile/dsl/model/happens_before.hpp>
#include <vector>

namespace sectile::model {

struct cluster;
struct cta;
struct cuda_thread;

/// Complete when `expected` threads have arrived; then it is free for the next use.
struct named_barrier {
  int expected = 0;  ///< 0 while nobody is there
  int arrived = 0;
  std::uint32_t uses = 0;  ///< completions so far
  bool yes = false;        ///< somebody of this use has said so,
  bool said_yes = false;   ///< or of the one before
  gathering arriving;
  std::vector<cuda_thread*> waiters;
  std::vector<const cuda_thread*> came, came_before;  ///< to this use and to the one before, for the reports
};

/// Complete when all threads of the cluster that have not exited wait.
struct cluster_barrier {
  std::uint32_t uses = 0;
  gathering arriving;
  std::vector<cuda_thread*> waiters;
};

/// Whether any of the threads that meet says `yes`.
bool sync_named(cuda_thread& t, int id, int threads, bool yes = false);
void arrive_named(cuda_thread& t, int id, int threads);
void sync_cluster(cuda_thread& t);
/// Throws if threads have arrived at a named barrier of a CTA that has run to its end, and nobody takes it.
void check_named_at_exit(const cta& c);
/// Lets the barrier go on without a thread that has exited.
void leave_cluster(cluster& c, cuda_thread& t);

}  // namespace sectile::model
