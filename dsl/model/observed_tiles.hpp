// What programs ask for, tile by tile: that CTAs which share a load mean the same tile, and that the tile that is
// stored is the one the work is about. A body that computes coordinates from data the planner has not tried can get
// both wrong.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace sectile::model {

struct cuda_thread;

/// The loads that the CTAs of one cluster share.
struct observed_tiles {
  /// The next tile of the operand that t's CTA brings for the CTAs in `sharers`, itself one of them, is `tile`
  /// (outermost mode first). Throws a hazard if another of them means another tile by its load of that number.
  void observe_load(const cuda_thread& t, int operand, std::span<const int> tile, unsigned sharers);

 private:
  struct shared_load {
    const cuda_thread* first = nullptr;  // who told of it first
    std::vector<int> tile;
    int told = 0;
  };
  std::map<std::pair<int, int>, long> loads_;                     // by operand and CTA
  std::map<std::tuple<int, unsigned, long>, shared_load> open_;  // by operand, sharers and number
};

/// Throws the hazard for a tile that is read after its stage has been released.
[[noreturn]] void report_stale_tile(const cuda_thread& t, int operand);

/// Throws the hazard for a store to another tile than the work's.
[[noreturn]] void report_wrong_store(const cuda_thread& t, int operand);

}  // namespace sectile::model
