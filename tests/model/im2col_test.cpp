// TMA's im2col mode on the model: which bytes a copy brings and where they land, for every swizzle, and misuse. What it
// has to bring is written here as convolutions are, pixel by pixel.
#include <doctest/doctest.h>

#include <vector>

#include "kit.hpp"

using kit::hazard_of;
using kit::swizzle_mode;
using sectile::bounds_of;
using sectile::filter_path;
using sectile::im2col_bounds;
using sectile::places_along;
using sectile::tma_box;
using sectile::model::grid;
using sectile::model::hazard_kind;
using sectile::model::machine;
using sectile::model::make_im2col_map;
using sectile::model::make_tensor_map;
using sectile::model::simulate;
using sectile::model::tensor_map;

namespace {

constexpr std::uint32_t bar = 1024, data = 2048;
const grid small{.clusters = 1, .cluster_size = 1, .threads = 32, .shared_bytes = 65536};

/// Images of 16-bit elements, with a gap behind each row of pixels.
struct images {
  int n, h, w, c;
  std::vector<std::uint16_t> element{};
  images(int count, int rows, int cols, int channels) : n(count), h(rows), w(cols), c(channels) {
    element.resize(static_cast<std::size_t>(n * h * pitch()));
    for (std::size_t i = 0; i < element.size(); ++i) element[i] = static_cast<std::uint16_t>(i * 7 + 1);
  }
  int pitch() const { return (w + 1) * c; }
  /// Zero outside, where there is no element.
  std::uint16_t at(int i, int y, int x, int channel) const {
    if (i >= n || y < 0 || y >= h || x < 0 || x >= w || channel >= c) return 0;
    return element[static_cast<std::size_t>((i * h + y) * pitch() + x * c + channel)];
  }
  tensor_map map(const tma_box& box, const im2col_bounds& bounds) const {
    const std::int64_t extent[]{c, w, h, n}, stride[]{2 * c, 2 * pitch(), 2 * h * pitch()};
    return make_im2col_map(element.data(), extent, stride, box, bounds);
  }
};

tma_box box_of(int channels, int pixels, swizzle_mode swizzle) { return {4, {channels, pixels, 1, 1}, 16, swizzle}; }

/// Loads once from these coordinates, and returns shared memory's bytes without the swizzle: pixel by pixel.
std::vector<std::uint16_t> load(const tensor_map& map, const int (&at)[4], const std::uint16_t (&offset)[2]) {
  std::vector<std::uint16_t> found(static_cast<std::size_t>(bytes(map.box) / 2));
  const int wide = map.box.extent[0];
  simulate(small, kit::schedules(1)[0], [&](machine& hw) {
    if (hw.thread() != 0) return;
    hw.mbarrier_init(bar, 1);
    hw.mbarrier_init_fence();
    hw.mbarrier_arrive_expect(bar, bytes(map.box));
    hw.tma_load_im2col(data, map, bar, at, offset);
    hw.mbarrier_wait(bar, 0);
    for (std::size_t i = 0; i < found.size(); i += 2) {
      const int x = static_cast<int>(i) % wide, row = static_cast<int>(i) / wide;
      const std::uint32_t word = hw.load_shared(data + static_cast<std::uint32_t>(smem_offset(map.box, x, row, 0, 0)));
      found[i] = static_cast<std::uint16_t>(word);
      found[i + 1] = static_cast<std::uint16_t>(word >> 16);
    }
  });
  return found;
}

struct side {
  int filter, stride, padding, dilation;
};

/// Copies of `pixels` pixels from every `every`-th pixel of the output on, through every place of the filter.
void check_all(const images& x, const side& rows, const side& cols, swizzle_mode swizzle, int channels, int pixels,
               int every) {
  const filter_path path{{rows.filter, cols.filter},
                         {rows.stride, cols.stride},
                         {rows.padding, cols.padding},
                         {rows.dilation, cols.dilation}};
  const int p = static_cast<int>(places_along(x.h, rows.filter, rows.stride, rows.padding, rows.dilation));
  const int q = static_cast<int>(places_along(x.w, cols.filter, cols.stride, cols.padding, cols.dilation));
  const tensor_map map = x.map(box_of(channels, pixels, swizzle), bounds_of(path));
  int wrong = 0;
  for (int first = 0; first < x.n * p * q; first += every)
    for (int r = 0; r < rows.filter; ++r)
      for (int s = 0; s < cols.filter; ++s) {
        const int c = channels, at[]{c, first % q * cols.stride - cols.padding,
                                     first / q % p * rows.stride - rows.padding, first / q / p};
        const auto found = load(
            map, at, {static_cast<std::uint16_t>(s * cols.dilation), static_cast<std::uint16_t>(r * rows.dilation)});
        for (int i = 0; i < pixels; ++i)
          for (int j = 0; j < channels; ++j) {
            const int m = first + i, h = m / q % p * rows.stride + r * rows.dilation - rows.padding,
                      w = m % q * cols.stride + s * cols.dilation - cols.padding;
            wrong += found[static_cast<std::size_t>(i * channels + j)] != x.at(m / q / p, h, w, c + j);
          }
      }
  CHECK(wrong == 0);
}

TEST_CASE(
    "copies bring what filters meet: strides, paddings, dilations, swizzles, channels and images behind the last") {
  const side sides[] = {{1, 1, 0, 1}, {3, 1, 1, 1}, {3, 2, 1, 1}, {5, 1, 2, 1},
                        {7, 2, 3, 1}, {3, 1, 0, 2}, {2, 3, 1, 3}};
  for (const side& rows : sides) check_all({2, 9, 8, 24}, rows, {3, 1, 1, 1}, swizzle_mode::b32, 16, 24, 11);
  for (const side& cols : sides) check_all({2, 8, 9, 40}, {3, 2, 0, 1}, cols, swizzle_mode::b64, 32, 16, 7);
  check_all({3, 5, 6, 72}, {3, 1, 1, 1}, {3, 1, 1, 1}, swizzle_mode::b128, 64, 64, 17);
  check_all({3, 5, 6, 12 * 4}, {3, 1, 1, 1}, {1, 1, 0, 1}, swizzle_mode::none, 24, 40, 13);
}

tensor_map good_map(const images& x) {
  return x.map(box_of(16, 16, swizzle_mode::b32), bounds_of({{3, 3}, {1, 1}, {1, 1}}));
}

/// What a load from these coordinates is reported as; it may also be of a map of boxes.
auto misuse(const tensor_map& map, const int (&at)[4], const std::uint16_t (&offset)[2], bool as_box = false) {
  return hazard_of(small,
                   [&](machine& hw) {
                     if (hw.thread() != 0) return;
                     hw.mbarrier_init(bar, 1);
                     hw.mbarrier_init_fence();
                     hw.mbarrier_arrive_expect(bar, bytes(map.box));
                     if (as_box)
                       hw.tma_load(data, map, bar, at);
                     else
                       hw.tma_load_im2col(data, map, bar, at, offset);
                     hw.mbarrier_wait(bar, 0);
                   })
      .value();
}

TEST_CASE("a walk begins in its bounding box, and offsets are of 8 bits") {
  const images x(1, 6, 8, 16);
  const tensor_map map = good_map(x);
  const auto check = [&](const int(&at)[4], const std::uint16_t(&offset)[2], const char* says) {
    const auto found = misuse(map, at, offset);
    CHECK(found.kind == hazard_kind::out_of_range);
    CHECK(found.message.find(says) != std::string::npos);
  };
  check({0, -2, 0, 0}, {0, 0}, "coordinate -2 along W is outside of the bounding box, -1 to 6");
  check({0, 7, 0, 0}, {0, 0}, "coordinate 7 along W is outside of the bounding box, -1 to 6");
  check({0, 0, 5, 0}, {0, 0}, "coordinate 5 along H is outside of the bounding box, -1 to 4");
  check({0, 0, 0, 0}, {256, 0}, "an offset of 256 along W, up to 255 are possible");
  check({0, 0, 0, 0}, {0, 256}, "an offset of 256 along H, up to 255 are possible");
}
TEST_CASE("each mode has maps of its own") {
  const images x(1, 6, 8, 16);
  const std::int64_t extent[]{16, 8, 6, 1}, stride[]{32, 2 * x.pitch(), 12 * x.pitch()};
  const tensor_map boxes = make_tensor_map(x.element.data(), 4, extent, stride, box_of(16, 8, swizzle_mode::b32), 16);
  CHECK(misuse(boxes, {0, 0, 0, 0}, {0, 0}).message.find("a tensor map of boxes is given the offsets") !=
        std::string::npos);
  CHECK(misuse(good_map(x), {0, 0, 0, 0}, {0, 0}, true).message.find("is given a box's coordinates alone") !=
        std::string::npos);
}
TEST_CASE("maps that the driver refuses") {
  const images x(1, 6, 8, 16);
  const auto refused = [&](const tma_box& box, const im2col_bounds& bounds) {
    try {
      x.map(box, bounds);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const tma_box right = box_of(16, 16, swizzle_mode::b32);
  CHECK(refused(right, {}) == "");
  CHECK(refused(right, {{-129, 0}, {0, 0}}) == "tensor map: the lower corner -129 along W is not in -128..127");
  CHECK(refused(right, {{0, 0}, {0, 128}}) == "tensor map: the upper corner 128 along H is not in -128..127");
  CHECK(refused(right, {{0, 0}, {0, -6}}) == "tensor map: the bounding box ends along H at -1, before it begins");
  CHECK(refused(right, {{0, 0}, {0, 0}, {9, 1}}) == "tensor map: the step 9 along W is not in 1..8");
  CHECK(refused({4, {16, 16, 2, 1}, 16, swizzle_mode::b32}, {}) ==
        "tensor map: a copy in im2col mode brings pixels of one walk, channels x pixels x 1 x 1");
}

}  // namespace
