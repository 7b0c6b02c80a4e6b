// Which threads of a CTA do the same and count as one, and in which order what they did follows each other.
#pragma once

#include <sectile/dsl/model/verb_log.hpp>
#include <vector>

namespace sectile::tell {

/// Threads of one warpgroup that make one lane.
struct thread_group {
  int cta = 0, first_thread = 0, last_thread = 0;
  int warps = 1;
  /// What the group did: the leader's verbs, and where others do something on their own (an arrival at another CTA,
  /// a copy), that, right behind the last verb before it which all have in common.
  std::vector<const model::verb_record*> verbs{};
};

/// The groups of all CTAs, by CTA and first thread. Threads that only wait for the cluster are left out. The result
/// points into the log.
std::vector<thread_group> group_threads(const model::verb_log& log);

}  // namespace sectile::tell
