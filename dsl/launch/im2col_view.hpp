// An image and the way of a filter over it: what a launch takes for an operand that im2col_input() declares.
#pragma once
#include <sectile/dsl/launch/tensor_view.hpp>
#include <sectile/layouts/im2col_walk.hpp>

namespace sectile {

/// N images of H x W pixels and C channels, channels contiguous, and how a filter goes over them. A launch refuses what
/// TMA has no numbers for (layouts/im2col.hpp).
template <class T>
struct im2col_view {
  tensor_view<T> image{};  // N, H, W, C
  filter_path path{};
};
/// im2col(tensor(x, N, H, W, C), {.filter = {3, 3}, .stride = {2, 2}, .padding = {1, 1}}).
template <class T>
constexpr im2col_view<T> im2col(const tensor_view<T>& image, const filter_path& path) {
  return {image, path};
}

/// The size of an output's images, P x Q; 0 along a side where the filter has no place.
struct output_pixels {
  std::int64_t rows = 0, cols = 0;
};
template <class T>
constexpr output_pixels pixels_of(const im2col_view<T>& v) {
  const filter_path& f = v.path;
  const auto along = [](std::int64_t pixels, int filter, int stride, int padding, int dilation) {
    const bool countable = pixels >= 1 && pixels <= 0x7FFFFFFF && filter >= 1 && stride >= 1;  // else it is refused
    return countable ? places_along(pixels, filter, stride, padding, dilation) : 0;
  };
  return {along(v.image.extent[1], f.filter.rows, f.stride.rows, f.padding.rows, f.dilation.rows),
          along(v.image.extent[2], f.filter.cols, f.stride.cols, f.padding.cols, f.dilation.cols)};
}

/// Filters KRSC as the matrices of the places, W(T,K,C).
template <class T>
constexpr tensor_view<T> filters(const tensor_view<T>& krsc) {
  const auto& e = krsc.extent;
  return {krsc.data, 3, {size_of_all(e[1], e[2]), e[0], e[3]}, {krsc.stride[2], krsc.stride[0], krsc.stride[3]}};
}

}  // namespace sectile
