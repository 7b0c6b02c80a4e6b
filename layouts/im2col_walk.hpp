#pragma once
// The walk of TMA's im2col mode over an image: what a tensor map says of it, what the hardware takes, and pixel after
// pixel. What it is for im2col.hpp says.
//
// Source: PTX ISA, "Tensors" (im2col mode); CUDA driver API, cuTensorMapEncodeIm2col.

#include <sectile/layouts/im2col.hpp>

namespace sectile {

/// What a tensor map says of the walk, besides the tensor: along W and H, in this order.
struct im2col_bounds {
  int lower[2]{};  // where the filter's first element begins
  int upper[2]{};  // it goes as far as the last pixel and so many more (less, below 0)
  int stride[2]{1, 1};
  friend constexpr bool operator==(const im2col_bounds&, const im2col_bounds&) = default;
};
constexpr im2col_bounds bounds_of(const filter_path& f) {
  return {
      {-f.padding.cols, -f.padding.rows},
      {f.padding.cols - f.dilation.cols * (f.filter.cols - 1), f.padding.rows - f.dilation.rows * (f.filter.rows - 1)},
      {f.stride.cols, f.stride.rows}};
}

/// Corners of an image of four dimensions, steps, and offsets, which are not negative.
inline constexpr int im2col_least_corner = -128, im2col_most_corner = 127;
inline constexpr int im2col_most_stride = 8;
inline constexpr int im2col_most_offset = 255;

/// The rules of the walk.
enum class im2col_rule : std::uint8_t {
  holds,
  lower_corner,  ///< value = lower[dimension]; from im2col_least_corner to im2col_most_corner
  upper_corner,  ///< value = upper[dimension]; the same
  no_place,      ///< value = the last place along `dimension`, which is before the first
  stride,        ///< value = stride[dimension]; 1 to im2col_most_stride
};
/// The rule that is broken; dimension 0 is W, 1 is H.
struct im2col_violation {
  im2col_rule rule = im2col_rule::holds;
  int dimension = 0;
  std::int64_t value = 0;
  constexpr bool ok() const { return rule == im2col_rule::holds; }
  friend constexpr bool operator==(const im2col_violation&, const im2col_violation&) = default;
};
/// Of an image of these extents: C, W, H, N.
constexpr im2col_violation check(const im2col_bounds& b, const std::int64_t (&extent)[5]) {
  const auto corner = [](int x) { return x >= im2col_least_corner && x <= im2col_most_corner; };
  for (int d = 0; d < 2; ++d) {
    if (!corner(b.lower[d])) return {im2col_rule::lower_corner, d, b.lower[d]};
    if (!corner(b.upper[d])) return {im2col_rule::upper_corner, d, b.upper[d]};
    const std::int64_t last = extent[d + 1] - 1 + b.upper[d];
    if (last < b.lower[d]) return {im2col_rule::no_place, d, last};
    if (b.stride[d] < 1 || b.stride[d] > im2col_most_stride) return {im2col_rule::stride, d, b.stride[d]};
  }
  return {};
}

/// The walk over an image of extents C, W, H, N: where the filter's first element is.
struct im2col_walk {
  std::int64_t w = 0, h = 0, n = 0;
  constexpr void step(const im2col_bounds& b, const std::int64_t (&extent)[5]) {
    w += b.stride[0];
    if (w <= extent[1] - 1 + b.upper[0]) return;
    w = b.lower[0];
    h += b.stride[1];
    if (h <= extent[2] - 1 + b.upper[1]) return;
    h = b.lower[1];
    ++n;
  }
};

}  // namespace sectile
