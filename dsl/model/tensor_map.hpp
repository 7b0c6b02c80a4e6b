// A tensor in host memory as TMA sees it, and the box that one copy moves: the model's CUtensorMap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sectile/layouts/im2col_walk.hpp>
#include <sectile/layouts/tma_tensor.hpp>

namespace sectile::model {

/// Plain description; make_tensor_map checks it as cuTensorMapEncodeTiled would. Modes are innermost first.
struct tensor_map {
  const std::byte* base = nullptr;
  bool writable = false;
  int rank = 0;
  std::int64_t extent[5] = {};        ///< elements
  std::int64_t stride_bytes[5] = {};  ///< [0] is the element size
  tma_box box{};
  bool im2col = false;     ///< the tensor is an image, C, W, H, N, and the box channels x pixels x 1 x 1
  im2col_bounds bounds{};  ///< then
};

/// A map for loads. `extent`: `rank` extents in elements, innermost first; `stride_bytes`: rank - 1 strides in bytes,
/// of modes 1 and up, multiples of 16. `element_bits` must be the box's. Throws std::invalid_argument where the driver
/// would refuse the map.
tensor_map make_tensor_map(const void* base, int rank, const std::int64_t* extent, const std::int64_t* stride_bytes,
                           const tma_box& box, int element_bits);

/// The same for memory that may also be stored to.
tensor_map make_tensor_map(void* base, int rank, const std::int64_t* extent, const std::int64_t* stride_bytes,
                           const tma_box& box, int element_bits);

/// A map of an image for loads in im2col mode, as cuTensorMapEncodeIm2col makes it: four extents and three strides, a
/// box of channels x pixels x 1 x 1. Throws std::invalid_argument where the driver would refuse it.
tensor_map make_im2col_map(const void* base, const std::int64_t* extent, const std::int64_t* stride_bytes,
                           const tma_box& box, const im2col_bounds& bounds);

}  // namespace sectile::model
