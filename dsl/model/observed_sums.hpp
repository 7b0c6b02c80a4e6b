// Sums of which several CTAs have made a part (configuration::split): what each thread had, and what the first CTA made
// of it. The way in between leads through shared memory and other CTAs, where a register could take another one's
// place.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace sectile::model {

struct cuda_thread;

/// Which sums of a tile a thread means.
struct sums_name {
  int meeting;      ///< where in the body they meet
  int part, parts;  ///< whose they are: CTAs of one part have ranks in a row
  bool floating;    ///< float, or int, which wraps
};

/// What a thread's cluster makes of a tile.
struct tile_share {
  int tile = -1;  ///< -1: it hangs on the cluster alone
  int part = 0, parts = 1;
  int group = 0, meeting = 0;  ///< of the parts that meet at once, -1: all, later; and how many these are, 0: all

  int tickets() const { return meeting > 0 ? meeting : parts; }
};

/// The sums that meet in one cluster, or those of one cluster's tiles that meet in a workspace.
struct observed_sums {
  void observe_part(const cuda_thread& t, const sums_name& which, std::span<const std::uint32_t> words);
  /// Throws a hazard unless these are the words that the same threads of all parts have told, added in the order of the
  /// parts.
  void observe_whole(const cuda_thread& t, const sums_name& which, std::span<const std::uint32_t> words) const;
  /// The same where a program merges parts: throws a hazard unless these are the first words of the part that is next.
  void observe_merge(const cuda_thread& t, const sums_name& which, std::span<const std::uint32_t> words);
  /// And unless it was the last one.
  void observe_merged(const cuda_thread& t, const sums_name& which) const;

 private:
  using key = std::tuple<int, int, int>;  // meeting, rank of the tile's CTA in its part, thread
  static key key_of(const cuda_thread& t, const sums_name& which);
  std::map<key, std::vector<std::vector<std::uint32_t>>> parts_;
  std::map<key, int> merged_;  // parts so far
};

}  // namespace sectile::model
