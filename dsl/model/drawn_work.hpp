// Work that clusters draw (plan/tickets.hpp), on the model: which cluster gets which number.
//
// On a GPU that hangs on who is done when. Here clusters run one after the other, and the first would draw everything;
// so the numbers are dealt out beforehand, as some GPU might: each to any cluster, in an order that a cluster could have
// drawn them in. Another seed deals them out in another way, and a run can be repeated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <sectile/dsl/model/workspace_range.hpp>
#include <vector>

namespace sectile::model {

struct cuda_thread;
struct grid;

/// What all clusters of a launch know of it.
struct drawn_work {
  drawn_work(const grid& shape, const drawn_range& where, std::uint64_t seed);

  /// The numbers of `cluster`, of which the last one is beyond the work.
  const std::vector<int>& of(int cluster) const { return dealt_[static_cast<std::size_t>(cluster)]; }
  /// A cluster has drawn once more.
  void count();
  /// Behind the last cluster: throws unless the counter stands where it stood, for the next launch.
  void check() const;

  const drawn_range range;

 private:
  std::vector<std::vector<int>> dealt_;
  std::mutex mutex_;
};

/// The next number of t's cluster, from a counter that gives so many.
int draw_ticket(cuda_thread& t, std::uint32_t* counter, int tickets);

}  // namespace sectile::model
