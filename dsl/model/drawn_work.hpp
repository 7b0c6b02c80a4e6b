// Work that clusters draw (plan/tickets.hpp), on the model: which cluster gets which number.
//
// On a GPU that hangs on who is done when. Here clusters run one after the other, and the first would draw everything;
// so the numbers are dealt out beforehand, as some GPU might: each to any cluster, in an order that a cluster could have
// drawn them in. Another seed deals them out in another way, and a run can be repeated.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sectile/dsl/model/workspace_range.hpp>
#include <sectile/dsl/plan/ticket_counters.hpp>
#include <vector>

namespace sectile::model {

struct cuda_thread;
struct grid;

/// What all clusters of a launch know of it.
struct drawn_work {
  drawn_work(const grid& shape, const drawn_range& where, std::uint64_t seed);

  /// The numbers of `cluster`, of which the last one is beyond the work.
  const std::vector<int>& of(int cluster) const { return dealt_[static_cast<std::size_t>(cluster)]; }
  /// Behind the last cluster: throws unless all numbers have been drawn from the launch's counters.
  void check(const ticket_counters& of) const;
  /// Cluster `cluster` closes the counter, behind its own last number. (Clusters that run later here draw from it
  /// still, though these numbers are lower; so the counter begins again when it is checked.)
  void close(int cluster);

  const drawn_range range;

 private:
  std::vector<std::vector<int>> dealt_;
  std::atomic<int> closed_ = 0;
};

/// What t's cluster has found in the counter, and the next number of the cluster, of so many.
std::uint64_t draw_ticket(cuda_thread& t, const ticket_counters& of, int counter);
int number_drawn(cuda_thread& t, const ticket_counters& of, int counter, std::uint64_t found, int tickets);
void close_draws(cuda_thread& t, const ticket_counters& of, int counter);

}  // namespace sectile::model
