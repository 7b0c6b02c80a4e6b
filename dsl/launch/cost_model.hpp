// How long a kernel takes for a problem, predicted: from what it asks of an SM (plan/cost.hpp), the problem's sizes and
// a handful of constants of the GPU. By this a launch picks a member of a family, corrected where similar problems were
// measured (table_pick.hpp).
//
// The model. A trip of a loop takes as long as the slowest of: the tensor cores, the reading of their operands from
// shared memory, TMA's writing there, the way from L2 (of this SM, and of all together, less what the two SMs of a TPC
// ask for at once, while rows beyond a tensor's end, which become zeros, come slower than real ones), and the latency
// of a copy divided by the stages that hide it. An SM makes its share of the output tiles one after the other; a
// persistent kernel with registers to spare stores one while it multiplies the next. The whole takes no less than
// memory takes for every operand once.
#pragma once
#include <cstdint>

#include <sectile/dsl/plan/cost.hpp>

namespace sectile {

/// What a GPU reaches, fitted to what `sectile tune` measured of six families (kernels/tables): to how far what is
/// picked is from the best, more than to the times. Cycles are of the SM's clock.
struct gpu_constants {
  const char* name = "";  // as CUDA says it; a prefix
  int multiprocessors = 132;
  double cycles_per_us = 1650;        // under load
  double launch_us = 0.94;            // of a kernel that overlaps none, in CTAs without clusters
  double cluster_us = 0.26;           // more for clusters
  double prologue_us = 0.69;          // hidden by launch_overlap::prologue
  double dependents_us = 1.13;        // and by `both`
  double crowding_us = 1.82;          // lost by `both` where half of the SMs are left to the kernel behind, which
                                      // begins in two parts then; less in proportion where fewer are
  double fill_cycles = 4380;          // until the first tile has landed, besides its copy, and behind the last product
  double epilogue_bytes = 51;         // stored a cycle by an SM
  double wide_epilogue_bytes = 27.3;  // of 4-byte elements, row by row
  double meeting_cycles = 130;        // from the last product of the parts to their sum, besides reading
  double meeting_bytes = 15;          // of others' sums that a CTA reads a cycle
  double walk_cycles = 1450;          // from tile to tile of a persistent kernel
  double tensor_share = 0.89;         // of the peak, that products reach
  double arriving_bytes = 80;         // written to shared memory by TMA, a cycle
  double fetched_bytes = 94.5;        // from L2 to an SM, a cycle
  double l2_bytes = 5430;             // from L2 to all SMs, a cycle
  double beyond_bytes = 2740;         // of zeros for the rows of tiles beyond a tensor's end
  double shared_by_two = 0.655;       // of what both SMs of a TPC ask for at the same time, that L2 sends once
  double half_lines = 1.21;           // times as long from L2, where a tensor's rows begin at halves of its lines,
  double sectors = 1.24;              // at 32 bytes of them,
  double half_sectors = 1.49;         // or within these, where nothing is sent once for two
  double copy_cycles = 2640;          // of a tile's way from memory, that stages hide
  double memory_bytes_per_us = 4.37e6;
};

/// The GPU that CUDA calls so; of one that was not measured, the most like it.
const gpu_constants& constants_of(const char* device);

/// Sizes of a problem by the names of its modes, elements.
using problem_size = tile_extents;
/// Bytes of a problem's tensors, each once.
double bytes_of(const operand_table& operands, const problem_size& sizes);

/// A prediction and what it is made of.
struct predicted_time {
  double microseconds = 0;
  double computing = 0;      // microseconds of the SMs, if memory were no matter
  double copying = 0;        // and of memory, if the SMs were none
  double waves = 0;          // clusters of output tiles that an SM's share of the GPU makes, one after the other
  double trip_cycles = 0;    // of the longest loop's trip
  const char* slowest = "";  // what that trip waits for
};

/// Predicts how long kernels take for one problem on one GPU. What does not depend on the kernel is computed once, and
/// rates are turned into their reciprocals, because a pick predicts dozens of kernels within a microsecond. A mode that
/// `sizes` lacks has one element.
class predictor {
 public:
  predictor(const operand_table& operands, const problem_size& sizes, const gpu_constants& gpu);

  double microseconds(const kernel_cost& kernel) const;
  /// The same to the power of four: it orders kernels alike and takes no roots.
  double fourth_power(const kernel_cost& kernel) const;
  predicted_time explained(const kernel_cost& kernel) const;

 private:
  static constexpr int trip_parts = 6;
  struct times;
  struct grid;
  double size_along(mode_id m) const;
  void time_trip(double (&parts)[trip_parts], const kernel_cost& k, const phase_cost& q, const grid& on) const;
  template <bool Explained>
  times time(const kernel_cost& k, predicted_time* explained) const;

  const problem_size& sizes_;
  const gpu_constants& gpu_;
  int modes_ = 0;
  mode_id mode_[max_tiled_modes]{};
  double size_[max_tiled_modes]{};
  double per_tensor_cycle_, per_arriving_byte_, per_fetched_byte_, per_l2_byte_, per_beyond_byte_, per_stored_byte_,
      per_wide_byte_, per_met_byte_;  // cycles
  double sharing_, per_cycle_, memory_us_;
};

}  // namespace sectile
