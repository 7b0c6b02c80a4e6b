// How long a kernel takes for a problem, predicted: from what it asks of an SM (cost.hpp), the problem's sizes and
// the constants of Hopper and the GPU (gpu_constants.hpp). By this a launch picks a member of a family, corrected where
// similar problems were measured (table_pick.hpp).
//
// The model. A trip of a loop takes as long as the slowest of: the tensor cores, the reading of their operands from
// shared memory, TMA's writing there, the way from L2 (of this SM, and of all together, less what the two SMs of a TPC
// ask for at once, while rows beyond a tensor's end, which become zeros, come slower than real ones), and the latency
// of a copy divided by the stages that hide it. An SM makes its share of the output tiles one after the other; a
// persistent kernel with registers to spare stores one while it multiplies the next. The whole takes no less than
// memory takes for every operand once.
#pragma once
#include <sectile/dsl/launch/member_bounds.hpp>

namespace sectile {

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

/// Predicts how long kernels of one program take for one problem on one GPU. A mode that `sizes` lacks has one element.
class predictor {
 public:
  predictor(const operand_table& operands, const problem_size& sizes, const gpu_constants& gpu);

  /// Bytes of the workspace that it needs; 0: none.
  double workspace_bytes(const timed_kernel& kernel) const;
  double microseconds(const timed_kernel& kernel) const;
  /// The same to the power of four: it orders kernels alike and takes no roots.
  double fourth_power(const timed_kernel& kernel) const;
  /// Less than fourth_power() of each member that has a bound, by its number.
  void bounds(const member_bounds& of, float (&least)[member_bounds::most]) const;
  predicted_time explained(const timed_kernel& kernel) const;

 private:
  struct grid;
  struct times;
  double l2_cycles(const timed_kernel::phase& q, const grid& on) const;
  double again_us(const timed_kernel& k, const grid& on) const;
  double streamed_cycles(const timed_kernel& k, double items, const part_count& at_once, double trips,
                         double work) const;
  template <bool Explained>
  times time(const timed_kernel& k, predicted_time* explained) const;

  const gpu_constants& gpu_;
  double size_[max_sizes + 1];               // by size_number(); of modes that are there
  double fetching_, per_l2_byte_, sharing_;  // by where the tensors' rows begin
  double copying_us_;
};

}  // namespace sectile
