#pragma once
// Which tensors in global memory TMA takes, and which addresses of shared memory a box may be copied to.
//
// Source: CUDA driver API, cuTensorMapEncodeTiled.

#include <sectile/layouts/tma_box.hpp>

namespace sectile {

/// A tensor in global memory as a tensor map describes it. extent: elements, innermost first. stride_bytes[d] is the
/// distance of neighbours along dimension d; stride_bytes[0] does not count (the innermost dimension is contiguous).
struct tma_tensor {
  int rank = 0;
  std::int64_t extent[5] = {};
  std::int64_t stride_bytes[5] = {};
  std::uint64_t base = 0;
};

/// Whether a box with this swizzle may be copied to this shared-memory address with its pattern at phase zero.
constexpr box_violation check_destination(swizzle_mode mode, std::uint32_t address) {
  const int alignment = destination_alignment(mode);
  if (address % static_cast<std::uint32_t>(alignment) != 0) return {box_rule::destination, 0, address, alignment};
  return {};
}

/// The first rule that the tensor in global memory breaks.
constexpr box_violation check(const tma_tensor& tensor) {
  constexpr std::int64_t max_extent = std::int64_t{1} << 32;
  constexpr std::int64_t stride_end = std::int64_t{1} << 40;
  if (tensor.rank < 1 || tensor.rank > 5) return {box_rule::rank, 0, tensor.rank, 5};
  if (tensor.base % 16 != 0) return {box_rule::global_base, 0, static_cast<std::int64_t>(tensor.base), 16};
  for (int d = 0; d < tensor.rank; ++d) {
    const std::int64_t extent = tensor.extent[d];
    if (extent < 1 || extent > max_extent) return {box_rule::global_extent, d, extent, max_extent};
    if (d == 0) continue;
    const std::int64_t stride = tensor.stride_bytes[d];
    if (stride % 16 != 0) return {box_rule::global_stride, d, stride, 16};
    if (stride < 0 || stride >= stride_end) return {box_rule::global_stride_size, d, stride, stride_end};
  }
  return {};
}

}  // namespace sectile
