// The walk of im2col mode, which knows a bounding box and steps, against convolutions as they are written: which pixel
// of the image a place of the filter meets for a pixel of the output.
#include <doctest/doctest.h>

#include <initializer_list>
#include <sectile/layouts/im2col_walk.hpp>

#include "tests/static_check.hpp"

using namespace sectile;

namespace {

struct side {
  int pixels, filter, stride, padding, dilation;
  /// First elements of the filter, in order, that let all of it lie in the image or its padding.
  constexpr int places() const {
    int n = 0;
    for (int at = -padding; at + dilation * (filter - 1) <= pixels - 1 + padding; at += stride) ++n;
    return n;
  }
};

/// From every pixel of the output on the walk comes to all behind it, and then to images behind the last.
constexpr bool walks_as_written(const side& h, const side& w, int images) {
  const filter_path path{{h.filter, w.filter}, {h.stride, w.stride}, {h.padding, w.padding}, {h.dilation, w.dilation}};
  const std::int64_t extent[5]{8, w.pixels, h.pixels, images};
  const int rows = h.places(), cols = w.places();
  if (rows != places_along(h.pixels, h.filter, h.stride, h.padding, h.dilation) ||
      cols != places_along(w.pixels, w.filter, w.stride, w.padding, w.dilation))
    return false;
  const im2col_bounds bounds = bounds_of(path);
  if (rows == 0 || cols == 0) return check(bounds, extent).rule == im2col_rule::no_place;
  if (!check(bounds, extent).ok()) return false;
  im2col_walk walk{-w.padding, -h.padding, 0};
  for (int n = 0; n <= images; ++n)
    for (int p = 0; p < rows; ++p)
      for (int q = 0; q < cols; ++q) {
        if (walk.w != q * w.stride - w.padding || walk.h != p * h.stride - h.padding || walk.n != n) return false;
        walk.step(bounds, extent);
      }
  return true;
}

constexpr bool all_sides() {
  for (const int pixels : {1, 2, 5, 8})
    for (const int filter : {1, 2, 3, 5, 7})
      for (const int stride : {1, 2, 3, 8})
        for (const int padding : {0, 1, 3})
          for (const int dilation : {1, 2}) {
            const side one{pixels, filter, stride, padding, dilation};
            if (!walks_as_written(one, {6, 3, 1, 1, 1}, 2) || !walks_as_written({4, 1, 1, 0, 1}, one, 2)) return false;
          }
  return true;
}

constexpr std::int64_t image[5]{8, 10, 12, 2};
constexpr im2col_violation of(const im2col_bounds& b) { return check(b, image); }

}  // namespace

STATIC_CASE(all_sides());

// What is not said is a plain product of matrices.
STATIC_CASE(filter_path{} == filter_path{{1, 1}, {1, 1}, {0, 0}, {1, 1}} && of_image{} == of_image{0, 0});
STATIC_CASE(bounds_of({}) == im2col_bounds{} && im2col_bounds{} == im2col_bounds{{0, 0}, {0, 0}, {1, 1}});
STATIC_CASE(im2col_violation{} == im2col_violation{im2col_rule::holds, 0, 0} && im2col_violation{}.ok());
STATIC_CASE(im2col_walk{}.w == 0 && im2col_walk{}.h == 0 && im2col_walk{}.n == 0);

// Rules, at both sides of each limit: along W, then along H.
STATIC_CASE(of({{-128, 0}, {-9, 0}}).ok());
STATIC_CASE(of({{-129, 0}, {0, 0}}) == im2col_violation{im2col_rule::lower_corner, 0, -129});
STATIC_CASE(of({{0, 127}, {127, 127}}).ok());
STATIC_CASE(of({{0, 128}, {127, 127}}) == im2col_violation{im2col_rule::lower_corner, 1, 128});
STATIC_CASE(of({{-128, 0}, {-129, 0}}) == im2col_violation{im2col_rule::upper_corner, 0, -129});
STATIC_CASE(of({{0, 0}, {0, 128}}) == im2col_violation{im2col_rule::upper_corner, 1, 128});
STATIC_CASE(of({{0, 0}, {-9, -11}}).ok());
STATIC_CASE(of({{0, 0}, {-10, 0}}) == im2col_violation{im2col_rule::no_place, 0, -1});
STATIC_CASE(of({{0, 0}, {0, -12}}) == im2col_violation{im2col_rule::no_place, 1, -1});
STATIC_CASE(of({{0, 0}, {0, 0}, {8, 8}}).ok());
STATIC_CASE(of({{0, 0}, {0, 0}, {0, 1}}) == im2col_violation{im2col_rule::stride, 0, 0});
STATIC_CASE(of({{0, 0}, {0, 0}, {1, 9}}) == im2col_violation{im2col_rule::stride, 1, 9});
