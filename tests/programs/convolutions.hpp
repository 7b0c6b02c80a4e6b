// Convolutions in several configurations, and problems for them.
#pragma once
#include <sectile/kernels/convolution.hpp>

#include "tests/programs/kit.hpp"

namespace sectile::test::convolutions {

/// The shipped program in another configuration.
template <configuration How, class In = bf16, class Out = bf16>
struct with : kernels::convolution<In, Out> {
  static constexpr configuration how = How;
};

/// An image of C channels, K filters, and how these go over it.
struct geometry {
  int n = 1, h = 8, w = 8, c = 64, k = 64;
  filter_path path{};
  int pad = 0;  // between rows of memory, in 16 bytes

  int rows() const {
    return static_cast<int>(places(h, path.filter.rows, path.stride.rows, path.padding.rows, path.dilation.rows));
  }
  int cols() const {
    return static_cast<int>(places(w, path.filter.cols, path.stride.cols, path.padding.cols, path.dilation.cols));
  }
  int pixels() const { return n * rows() * cols(); }
  int taps() const { return path.filter.rows * path.filter.cols; }

 private:
  /// Counted, not computed: the filter's last element has to lie in the image or its padding.
  static int places(int side, int filter, int stride, int padding, int dilation) {
    int count = 0;
    for (int at = -padding; at + dilation * (filter - 1) < side + padding; at += stride) ++count;
    return count;
  }
};

/// The sum as anybody would write it: output pixel m of filter k.
template <class In>
double sum_at(const geometry& g, const host_tensor<In>& X, const host_tensor<In>& W, int m, int k) {
  const int q = m % g.cols(), p = m / g.cols() % g.rows(), n = m / g.cols() / g.rows();
  double sum = 0;
  for (int r = 0; r < g.path.filter.rows; ++r)
    for (int s = 0; s < g.path.filter.cols; ++s) {
      const int h = p * g.path.stride.rows + r * g.path.dilation.rows - g.path.padding.rows;
      const int w = q * g.path.stride.cols + s * g.path.dilation.cols - g.path.padding.cols;
      if (h < 0 || h >= g.h || w < 0 || w >= g.w) continue;
      for (int c = 0; c < g.c; ++c) sum += X.number(n, h, w, c) * W.number(k, r, s, c);
    }
  return sum;
}

/// Kernel K on the problem, held against the sum. Images have gaps between their rows, filters are KRSC.
template <class K, class In = bf16, class Out = bf16, class... More>
void check(const geometry& g, double close, int random, More&&... more) {
  INFO("image ", g.n, " x ", g.h, " x ", g.w, " x ", g.c, ", ", g.k, " filters of ", g.path.filter.rows, " x ",
       g.path.filter.cols);
  host_tensor<In> X({g.n, g.h, g.w, g.c}, row_major, g.pad), W({g.k, g.path.filter.rows, g.path.filter.cols, g.c});
  host_tensor<Out> Y({g.pixels(), g.k});
  X.fill(1), W.fill(2);
  run_on_schedules<K>(random, Y, im2col(X.in(), g.path), filters(W.in()), Y.view(), more...);
  check_close(Y, close, [&](int m, int k) { return sum_at(g, X, W, m, k); });
}

}  // namespace sectile::test::convolutions
