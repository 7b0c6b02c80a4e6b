#pragma once
// TMA's im2col mode: a convolution as a product of matrices, none of whose factors is stored as it is multiplied. An
// image has dimensions C, W, H, N, innermost first. One copy brings some channels of so many pixels, a row of shared
// memory for each; the rows lie as those of a box do (tma_box.hpp), of extents channels x pixels x 1 x 1.
//
// Which pixels these are is a walk. It begins at the copy's coordinates and goes along W in steps; behind the last
// place of the bounding box it goes on at the first place of the next row, and behind the last row at the first one of
// the next image. Each pixel is read at an offset from where the walk is, the same for all of a copy: the walk is that
// of a filter's first element over the image, an offset is another element of the filter. A pixel outside of the image
// is zeros, channels behind the last one are, and so are images behind the last.
//
// Source: PTX ISA, "Tensors" (im2col mode: bounding box, traversal strides, im2col offsets); CUDA driver API,
// cuTensorMapEncodeIm2col.

#include <cstdint>

namespace sectile {

/// A number for the rows of an image or a filter, and one for the columns.
struct of_image {
  int rows = 0, cols = 0;
  friend constexpr bool operator==(const of_image&, const of_image&) = default;
};

/// How a filter goes over an image, in pixels: its own size, its steps, by how much it begins outside (and ends there
/// on the other side), and how far its elements are apart.
struct filter_path {
  of_image filter{1, 1};
  of_image stride{1, 1};
  of_image padding{0, 0};
  of_image dilation{1, 1};
  friend constexpr bool operator==(const filter_path&, const filter_path&) = default;
};
/// Places along one side of so many pixels; 0: the filter is longer than the side and its padding.
constexpr std::int64_t places_along(std::int64_t pixels, int filter, int stride, int padding, int dilation) {
  const std::int64_t room = pixels + 2 * std::int64_t{padding} - std::int64_t{dilation} * (filter - 1) - 1;
  return room < 0 ? 0 : room / stride + 1;
}

}  // namespace sectile
