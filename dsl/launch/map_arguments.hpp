// What cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col are called with, as numbers: it takes no CUDA to look at
// them. device.hpp holds the numbers against cuda.h.
#pragma once
#include <sectile/dsl/launch/prepare.hpp>

namespace sectile::hopper {

/// CUtensorMapDataType, as far as Sectile's elements go, and those that round on the way.
enum class map_type : std::uint8_t {
  uint8 = 0,
  int32 = 3,
  float16 = 6,
  float32 = 7,
  bfloat16 = 9,
  float32_ftz = 10,
  tfloat32 = 11,
};

constexpr map_type map_type_of(const element& e) {
  if (e == element_of<bf16>()) return map_type::bfloat16;
  if (e == element_of<f16>()) return map_type::float16;
  if (e == element_of<s32>()) return map_type::int32;
  if (e.bits == 32) return map_type::float32;  // tf32, too: TMA would round it, wgmma cuts it itself
  return map_type::uint8;
}

/// CUtensorMapSwizzle enumerates swizzles in the opposite order of the matrix descriptor.
constexpr int map_swizzle(swizzle_mode m) { return static_cast<int>(m); }

/// The arguments for a request, and what they tell, read back from them.
struct map_arguments {
  map_type type;
  std::uint32_t rank;
  std::uint64_t extent[max_rank]{}, stride[max_rank]{};  // stride[0] is that of dimension 1
  std::uint32_t box[max_rank]{}, step[max_rank]{1, 1, 1, 1, 1};
  int swizzle;
  // CUtensorMapL2promotion: how much L2 fetches from memory for what it lacks. Of 256 bytes (3) half is for another time
  // where a tile has a part of a row, and where rows begin anywhere that costs more than it brings
  // (docs/design/hardware.md): 128 bytes there (2).
  int promotion;
  bool zeros = true;  // CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE
  bool im2col = false;  // of cuTensorMapEncodeIm2col: boxes are of channels and pixels, corners of W and H
  int lower[2]{}, upper[2]{};

  constexpr explicit map_arguments(const map_request& r)
      : type(map_type_of(r.type)),
        rank(static_cast<std::uint32_t>(r.box.rank)),
        swizzle(map_swizzle(r.box.swizzle)),
        promotion(r.in_pieces ? 2 : 3) {
    for (int i = 0; i < r.box.rank; ++i) {
      extent[i] = static_cast<std::uint64_t>(r.extent[i]);
      box[i] = static_cast<std::uint32_t>(r.box.extent[i]);
      if (i) stride[i - 1] = static_cast<std::uint64_t>(r.stride_bytes[i]);
    }
    im2col = r.im2col;
    for (int d = 0; im2col && d < 2; ++d) {
      lower[d] = r.bounds.lower[d];
      upper[d] = r.bounds.upper[d];
      step[d + 1] = static_cast<std::uint32_t>(r.bounds.stride[d]);
    }
  }

  constexpr told_map told(const void* base) const {
    constexpr int bits[] = {8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32};  // of CUtensorMapDataType
    constexpr swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};
    told_map m{.base = base, .rank = static_cast<int>(rank)};
    m.element_bits = bits[static_cast<int>(type)];
    m.rounds = type == map_type::float32_ftz || type == map_type::tfloat32;
    m.zeros = zeros;
    m.swizzle = modes[swizzle];
    m.im2col = im2col;
    for (int d = 0; im2col && d < 2; ++d) {
      m.bounds.lower[d] = lower[d];
      m.bounds.upper[d] = upper[d];
      m.bounds.stride[d] = static_cast<int>(step[d + 1]);
    }
    for (int i = 0; i < m.rank; ++i) {
      m.extent[i] = static_cast<std::int64_t>(extent[i]);
      if (i) m.stride_bytes[i] = static_cast<std::int64_t>(stride[i - 1]);
      m.box[i] = static_cast<int>(im2col ? box[i] : box[i] / step[i]);
    }
    return m;
  }
};

}  // namespace sectile::hopper
