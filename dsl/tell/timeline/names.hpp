// Names of barriers, rings, stages and roles in a log: those that the launcher gave, or such as can be told from what
// copies do.
#pragma once

#include <sectile/dsl/tell/timeline/recording.hpp>

namespace sectile::tell {

struct recorded_names {
  std::vector<recorded_barrier> barriers{};
  std::vector<recorded_ring> rings{};
  model::label_set labels{};

  explicit recorded_names(const model::verb_log& log);

  /// Number of the barrier at that address; it is added if nobody initialised it.
  int barrier_at(std::uint32_t address);
  /// The stage, or the epilogue's buffer (ring -1), that contains that byte of shared memory; operand "" if none does.
  stage_use stage_at(std::uint32_t address) const;
  /// "consumer 1", or "warpgroup 2" where threads have no label.
  std::string role_of(int first_thread, int last_thread) const;

 private:
  int ring_of(const std::string& operands);
  void name_barriers();
  void find_members(const model::verb_log& log);
};

}  // namespace sectile::tell
