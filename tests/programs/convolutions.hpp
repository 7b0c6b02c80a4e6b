// Convolutions in several configurations, and problems for them.
#pragma once
#include <sectile/dsl/launch/im2col_view.hpp>
#include <sectile/kernels/convolution.hpp>

namespace sectile::test::convolutions {

/// The shipped program in another configuration.
template <configuration How, class In = bf16, class Out = bf16>
struct with : kernels::convolution<In, Out> {
  static constexpr configuration how = How;
};

constexpr configuration small{.tile = {{"M", 64}, {"K", 64}, {"C", 64}}, .stages = 3, .consumers = 1};
constexpr configuration pair{
    .tile = {{"M", 128}, {"K", 64}, {"C", 32}}, .stages = 3, .cluster = {2, 1}, .consumers = 2, .persistent = true};
constexpr configuration side_by_side{
    .tile = {{"M", 64}, {"K", 32}, {"C", 64}}, .stages = 3, .cluster = {1, 2}, .consumers = 1};
constexpr configuration narrow{.tile = {{"M", 64}, {"K", 64}, {"C", 16}}, .stages = 4, .consumers = 1};
constexpr configuration tall{
    .tile = {{"M", 320}, {"K", 32}, {"C", 64}}, .stages = 2, .consumers = 1, .persistent = true};  // of two boxes
constexpr configuration swapped{.tile = {{"M", 24}, {"K", 64}, {"C", 64}}, .stages = 3, .consumers = 1, .swap = true};
constexpr configuration in_parts{.tile = {{"M", 64}, {"K", 64}, {"C", 64}}, .stages = 3, .consumers = 1, .split = 3};
constexpr configuration streamed =
    configuration{.tile = {{"M", 64}, {"K", 64}, {"C", 16}}, .stages = 4, .consumers = 1, .persistent = true}
        .with_streamed_tiles();
constexpr configuration of_bytes{.tile = {{"M", 64}, {"K", 32}, {"C", 64}}, .stages = 3, .consumers = 1};
constexpr configuration of_words{.tile = {{"M", 64}, {"K", 32}, {"C", 16}}, .stages = 3, .consumers = 1};

/// Images of C channels, K filters, and how these go over them.
struct geometry {
  int n = 1, h = 8, w = 8, c = 64, k = 64;
  filter_path path{};
  int pad = 0;  // between rows of memory, in 16 bytes

  int rows() const { return places(h, path.filter.rows, path.stride.rows, path.padding.rows, path.dilation.rows); }
  int cols() const { return places(w, path.filter.cols, path.stride.cols, path.padding.cols, path.dilation.cols); }
  int pixels() const { return n * rows() * cols(); }
  int terms() const { return path.filter.rows * path.filter.cols * c; }

 private:
  /// Counted, not computed: the filter's last element has to lie in the image or its padding.
  static int places(int side, int filter, int stride, int padding, int dilation) {
    int count = 0;
    for (int at = -padding; at + dilation * (filter - 1) < side + padding; at += stride) ++count;
    return count;
  }
};

inline constexpr filter_path three{.filter = {3, 3}, .padding = {1, 1}};
inline constexpr filter_path three_by_two{.filter = {3, 3}, .stride = {2, 2}, .padding = {1, 1}};
inline constexpr filter_path stem{.filter = {7, 7}, .stride = {2, 2}, .padding = {3, 3}};
/// Whose numbers differ along rows and columns.
inline constexpr filter_path uneven[] = {
    {.filter = {3, 2}, .stride = {2, 3}, .padding = {1, 0}, .dilation = {2, 1}},
    {.filter = {1, 5}, .stride = {1, 2}, .padding = {0, 2}},
    {.filter = {5, 1}, .stride = {3, 1}, .padding = {2, 0}, .dilation = {1, 4}},
    {.filter = {2, 2}, .stride = {8, 7}, .padding = {3, 2}, .dilation = {3, 2}},
};

}  // namespace sectile::test::convolutions
