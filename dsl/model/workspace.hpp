// The workspace in which parts of tiles meet (plan/workspace.hpp), between clusters that the model runs one after the
// other: who has left what there, and who may read it.
//
// What a thread writes becomes another cluster's to read by a chain: the writer is known to who takes a ticket of the
// tile, that ticket comes before the reader's cluster's own, and the reader knows of that one. Both ends are what
// happened before in the cluster's clocks; tickets are in between. So a missing barrier on either side is found,
// whichever cluster comes last.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <sectile/dsl/model/happens_before.hpp>
#include <sectile/dsl/model/observed_sums.hpp>
#include <sectile/dsl/model/workspace_range.hpp>
#include <sectile/dsl/plan/ticket_counters.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sectile::model {

struct cuda_thread;
struct grid;

/// What all clusters of a launch know of it.
struct workspace_state {
  workspace_state(const grid& shape, const workspace_range& where);

  /// 16 bytes: the cluster that wrote them, and the counter with a ticket of which they were handed over; -1: none.
  struct piece {
    int writer = -1, counter = -1;
  };
  workspace_range range;
  std::vector<piece> pieces;
  std::map<std::pair<int, int>, int> tickets;  ///< by cluster and counter, how many were taken before its own
  /// By counter: the clusters' tiles, the CTA's rank among them, who meets at once, and the meeting.
  std::map<int, std::array<int, 4>> counted;
  std::vector<observed_sums> sums;  ///< of each cluster's tiles: the clusters that make the same ones share them
  std::mutex mutex;
};

/// And what one run of a cluster has done there.
struct workspace_view {
  std::unordered_map<std::size_t, deed> written;  ///< by piece
  std::unordered_map<int, deed> taken, awaited;   ///< tickets, by counter
  using made = std::array<int, 3>;  ///< the tile, the rank of the CTA among those that make it, and who meets at once
  /// Of each the counter of its first ticket, which tells whether it comes last. A later one tells nothing: that the
  /// others have come before is how the model runs them, and not what a GPU promises.
  std::map<made, int> telling;
  std::map<made, int> meetings;  ///< tickets that it has taken
};

/// Clusters between those that make the same tiles: as many as there are of one part. (1 where any may.)
int clusters_of_a_part(const grid& shape);

/// What t's cluster makes now.
tile_share share_of(const cuda_thread& t);

/// Four words, `offset` bytes behind `sums`.
void store_workspace(cuda_thread& t, std::byte* sums, long long offset, const std::uint32_t (&words)[4]);
void load_workspace(cuda_thread& t, std::uint32_t (&words)[4], const std::byte* sums, long long offset);
/// How many tickets were taken from the counter before this one, of `tickets`.
int take_ticket(cuda_thread& t, const ticket_counters& of, int counter, int tickets);
/// Throws a hazard unless so many were taken: clusters that could still do so have run.
void await_tickets(cuda_thread& t, const ticket_counters& of, int counter, int tickets);
/// The sums of which t's cluster makes a part, if they meet in the workspace, else those of its cluster alone.
observed_sums& sums_observed_by(const cuda_thread& t);

}  // namespace sectile::model
