// Numbers of tiles that are added up in order (plan/ordered_sums.hpp), in the workspace, between clusters that the
// model runs one after the other: who has left which, and who may read it.
//
// A number becomes another warp's to read by a chain, as in workspace.hpp: its writer is known to who takes a ticket
// behind it, that ticket comes before the reader's warp's own, and the reader knows of that one. Each number is left
// once and read once, and a thread reads those of an element in the order of the tiles: so an element that lacks a
// tile, has one twice, or is summed in another order is found as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <sectile/dsl/model/happens_before.hpp>
#include <sectile/dsl/model/workspace_range.hpp>
#include <sectile/dsl/plan/ticket_counters.hpp>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace sectile::model {

struct cuda_thread;
struct launch;

/// What all clusters of a launch know of them.
struct ordered_sums_state {
  explicit ordered_sums_state(const numbers_range& where) : range(where), numbers(where.count) {}

  struct number {
    int writer = -1;           ///< the cluster that has left it; -1: none
    std::int64_t ticket = -1;  ///< of the counter that it was handed over with; -1: it was not
    bool added = false;
  };
  numbers_range range;
  std::vector<number> numbers;
  /// By cluster, CTA, thread and how many the thread has taken before: what a ticket's answer was.
  std::map<std::tuple<int, int, int, int>, int> answers;
  std::mutex mutex;

  /// Throws a hazard if numbers were left that nobody has added.
  void check() const;
};

/// And what one run of a cluster has done.
struct ordered_sums_view {
  std::unordered_map<std::size_t, deed> left;      ///< numbers that no ticket has handed over yet
  std::map<std::tuple<int, int, int>, deed> last;  ///< by CTA, warp and counter: a ticket that was the last
  std::map<std::pair<int, int>, int> taken;        ///< by CTA and thread, how many tickets
  std::map<std::tuple<const cuda_thread*, const summed_vector*, std::size_t>, std::size_t>
      next;  ///< of a vector's element (counted in all groups), the first slot that the thread may read next
};

void store_number(cuda_thread& t, float* numbers, long long at, float x);
float load_number(cuda_thread& t, const float* numbers, long long at);
/// How many tickets were taken from the counter before this one, of `tickets`.
int take_place(cuda_thread& t, const ticket_counters& of, int counter, int tickets);
/// The same in two: numbers are handed over as the ticket is taken, and others' are known when its number is.
std::uint64_t ask_for_place(cuda_thread& t, const ticket_counters& of, int counter);
int place_asked_for(cuda_thread& t, const ticket_counters& of, int counter, std::uint64_t found, int tickets);

}  // namespace sectile::model
