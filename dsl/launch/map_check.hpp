// What a machine was told of a tensor, held against the plan and the tensor itself: a map that is a little wrong copies
// the wrong bytes, and nothing on the device notices.
#pragma once
#include <sectile/dsl/launch/tensor_facts.hpp>
#include <sectile/dsl/plan/plan.hpp>

namespace sectile {

/// A tensor map as it was handed to a machine, dimensions innermost first.
struct told_map {
  const void* base = nullptr;
  int rank = 0;
  int element_bits = 0;
  bool rounds = false;                    // elements on their way, as a map of tf32 does
  bool zeros = true;                      // stand for what lies beyond the edges
  std::int64_t extent[max_rank]{};        // elements
  std::int64_t stride_bytes[max_rank]{};  // [0] does not count
  int box[max_rank]{};
  swizzle_mode swizzle = swizzle_mode::none;
  bool im2col = false;     // it is of an image, and its boxes are channels x pixels x 1 x 1
  im2col_bounds bounds{};  // then
};

/// Throws launch_error unless the map brings (or takes) the elements of operand `o` of a plan where the plan has them.
void check_map(const plan& p, int o, const tensor_facts& t, const told_map& m);
/// The same for the metadata of a sparse operand.
void check_metadata_map(const plan& p, int o, const tensor_facts& t, const told_map& m);

}  // namespace sectile
