// What follows from a staging layout by the algebra, against the closed forms by which kernels are compiled and against
// the byte models of what TMA writes and wgmma reads.
#include <doctest/doctest.h>

#include <random>
#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/operand_tile_layout.hpp>
#include <sectile/layouts/staging.hpp>
#include <string>

#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;

namespace {

constexpr operand_tile weights{128, 64, 16, major::k, swizzle_mode::b128};
constexpr operand_tile transposed{128, 64, 16, major::mn, swizzle_mode::b64};

// Rows of 64 bf16, swizzled by 128 bytes, as one layout; the same that tile_layout() makes of the tile.
constexpr swizzled_layout rows = "Sw<3,3,3> o 0 o (128,64):(64,1)"_swizzled;
STATIC_CASE(coalesce(tile_layout(weights).inner, make_shape(1, 1)) == rows.inner);
STATIC_CASE(descriptor_of(rows, major::k, 16, 64, 16, 64, 48) == descriptor_at(weights, 64, 48));
STATIC_CASE(boxes_of(rows, major::k, 16).box == box_of(weights));
STATIC_CASE(boxes_of(tile_layout(transposed), major::mn, 16).starts == "(4,1):(2048,0)"_layout);

// Core matrices with 16 bytes between them: LBO 144, SBO 1152; no box brings them.
constexpr swizzled_layout padded =
    with_swizzle("((8,8),(8,2)):((8,576),(1,72))"_layout, byte_swizzle(swizzle_mode::none));
STATIC_CASE(descriptor_of(padded, major::k, 16, 64, 16) ==
              matrix_descriptor{.leading_bytes = 144, .stride_bytes = 1152});

/// Calls f(tile, rows of an instruction, its K) for what check() lets pass: every swizzle, major and width of element,
/// MN up to 512.
template <class F>
void for_all_tiles(F f) {
  for (const swizzle_mode mode : {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128})
    for (const major direction : {major::k, major::mn})
      for (const int bits : {1, 8, 16, 32})
        for (int mn = 8; mn <= 512; mn += mn < 256 ? 8 : 64)
          for (int spans = 1; spans <= 16; ++spans) {
            const int step = 256 / bits;  // K of a dense instruction
            const operand_tile t{mn, direction == major::k ? spans * step : spans * 16, bits, direction, mode};
            for (const int instruction : {8, 64, mn})
              if (check(t, instruction, step).ok()) f(t, instruction, step);
          }
}

/// Where the box begins that brings element (mn, k): its offset in elements.
std::int64_t start_of_box(const staged_boxes& boxes, major direction, int mn, int k) {
  const int width = boxes.box.extent[0], height = boxes.box.extent[1];
  return direction == major::k ? boxes.starts(mn / height, k / width) : boxes.starts(mn / width, k / height);
}

bool reads_the_same(const matrix_descriptor& a, const matrix_descriptor& b, const operand_tile& t, int mn, int k) {
  for (int i = 0; i < mn; ++i)
    for (int j = 0; j < k; ++j)
      if (read_offset(a, t.major, i, j, t.element_bits) != read_offset(b, t.major, i, j, t.element_bits)) return false;
  return true;
}

/// Layouts of 64 x 32 bytes that are operands or nearly so: core matrices at strides of all kinds, some of them cut
/// anew.
struct random_stagings {
  std::mt19937 random{5};
  int pick(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

  struct staging {
    swizzled_layout place;
    major direction;
    int bits, mn, k;
  };
  staging next() {
    const auto mode = static_cast<swizzle_mode>(pick(4));
    const major direction = pick(2) ? major::k : major::mn;
    const int bits = direction == major::mn ? 16 : 8 << pick(3), chunk = 128 / bits, k = 256 / bits;
    const int span = span_bytes(mode) * 8 / bits, mn = 64 << pick(2);
    const std::int64_t strides[] = {1, chunk, 2 * chunk, 8 * chunk, 9 * chunk, span, 8 * span, 64 * span, 4096, 2, 0};
    const auto any = [&] { return strides[pick(11)]; };
    const auto mostly = [&](std::int64_t stride) { return pick(8) == 0 ? any() : stride; };
    const auto cut = [&](int inside, int all, std::int64_t stride) {
      return make_layout(make_shape(inside, all / inside), make_stride(mostly(stride), any()));
    };
    const layout along_mn = cut(direction == major::k ? 8 : span, mn, direction == major::k ? span : 1);
    const layout along_k = cut(direction == major::k ? chunk : 8, k, direction == major::k ? 1 : span);
    return {with_swizzle(make_layout(along_mn, along_k), recast(byte_swizzle(mode), 8, bits)), direction, bits, mn, k};
  }
};

std::string refusal_of(auto f) {
  try {
    f();
  } catch (const layout_error& e) {
    return e.what();
  }
  return "not refused";
}
bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the descriptor that division gives is the closed form's, for every tile") {
  int tiles = 0, differ = 0;
  for_all_tiles([&](const operand_tile& t, int mn, int k) {
    const swizzled_layout staged = tile_layout(t);
    for (const int mn0 : {0, t.mn - mn})
      for (const int k0 : {0, t.k - k}) {
        const matrix_descriptor found = descriptor_of(staged, t.major, t.element_bits, mn, k, mn0, k0);
        const matrix_descriptor closed = descriptor_at(t, mn0, k0);
        // A stride that no element of the instruction takes may be another one.
        differ += found.start_bytes != closed.start_bytes || found.swizzle != closed.swizzle ||
                  (found != closed && !reads_the_same(found, closed, t, mn, k));
      }
    ++tiles;
  });
  CHECK(tiles > 5000);
  CHECK(differ == 0);
}

TEST_CASE("wgmma reads through it the byte where the staging has each element") {
  for_all_tiles([&](const operand_tile& t, int mn, int k) {
    if (t.mn > 128 || t.k > 4 * k) return;
    const swizzled_layout staged = tile_layout(t);
    const matrix_descriptor d = descriptor_of(staged, t.major, t.element_bits, mn, k, t.mn - mn, t.k - k);
    int wrong = 0;
    for (int i = 0; i < mn; ++i)
      for (int j = 0; j < k; j += t.element_bits == 1 ? 8 : 1)
        wrong +=
            read_offset(d, t.major, i, j, t.element_bits) != staged(t.mn - mn + i, t.k - k + j) * t.element_bits / 8;
    CHECK(wrong == 0);
  });
}

TEST_CASE("the boxes that inversion gives are the closed form's, for every tile") {
  for_all_tiles([&](const operand_tile& t, int mn, int) {
    if (mn != t.mn) return;
    const staged_boxes found = boxes_of(tile_layout(t), t.major, t.element_bits);
    CHECK(found.box == box_of(t));
    CHECK(size(found.starts) == boxes(t));
    const int bytes_along = t.element_bits < 8 ? 8 : 1, bits = t.element_bits < 8 ? 8 : t.element_bits;
    for (int i = 0; i < boxes(t); ++i) {
      const box_place place = place_of_box(t, i);
      CHECK(start_of_box(found, t.major, place.mn, place.k / bytes_along) * bits / 8 == place.offset_bytes);
    }
  });
}

TEST_CASE("the rows of ldmatrix that composition gives are where TMA writes them") {
  for_all_tiles([&](const operand_tile& t, int mn, int) {
    if (mn != t.mn || mn % 16 != 0 || t.element_bits < 8) return;
    const swizzled_layout found = ldmatrix_rows(tile_layout(t), t.major, t.element_bits);
    for (int lane = 0; lane < 32; ++lane) {
      const coord at = t.major == major::k ? ldmatrix_row_address(lane) : ldmatrix_column_address(lane);
      const int k = t.major == major::k ? at.col * 128 / t.element_bits : at.col;
      CHECK(found(lane) * t.element_bits / 8 == written_at(t, at.row, k));
    }
  });
}

TEST_CASE("whatever layout is given: wgmma reads through a descriptor that is found, and TMA writes boxes that are") {
  random_stagings all;
  int found = 0, boxed = 0, wrong = 0;
  for (int round = 0; round < 20000; ++round) {
    const auto [place, direction, bits, mn, k] = all.next();
    try {
      const matrix_descriptor d = descriptor_of(place, direction, bits, 64, k);
      for (int i = 0; i < 64; ++i)
        for (int j = 0; j < k; ++j) wrong += read_offset(d, direction, i, j, bits) != place(i, j) * bits / 8;
      ++found;
    } catch (const layout_error&) {
    }
    try {
      const staged_boxes boxes = boxes_of(place, direction, bits);
      const int width = boxes.box.extent[0], height = boxes.box.extent[1];
      for (int i = 0; i < mn; ++i)
        for (int j = 0; j < k; ++j) {
          const int along = direction == major::k ? j : i, across = direction == major::k ? i : j;
          const auto start = start_of_box(boxes, direction, i, j);
          const tma_box one{2, {width, height}, bits, swizzle_mode::none};
          wrong += byte_swizzle(boxes.box.swizzle)(
                       start * bits / 8 + smem_offset(one, along % width, across % height)) != place(i, j) * bits / 8;
        }
      ++boxed;
    } catch (const layout_error&) {
    }
  }
  CHECK(found > 4000);
  CHECK(boxed > 100);
  CHECK(wrong == 0);
}

TEST_CASE("a staging without such a form is refused at the step that fails") {
  const auto descriptor = [](const swizzled_layout& s, int mn = 64, int k = 16, int mn0 = 0, int k0 = 0) {
    return refusal_of([&] { descriptor_of(s, major::k, 16, mn, k, mn0, k0); });
  };
  CHECK(says(descriptor("Sw<2,3,3> o 8 o (64,64):(64,1)"_swizzled), "Sw<2,4,3> or Sw<3,4,3>, from 0"));
  CHECK(says(descriptor("Sw<3,4,3> o 0 o (64,64):(64,1)"_swizzled), "wgmma and TMA swizzle bytes by"));
  CHECK(says(descriptor("(4,4,4):(16,4,1)"_swizzled), "has 3 modes; they are MN and K"));
  CHECK(says(descriptor(rows, 96), "is not cut evenly into instructions of 96 x 16"));
  CHECK(says(descriptor(rows, 64, 16, 32), "no instruction of 64 x 16 begins at (32,0)"));
  CHECK(says(descriptor(rows, 64, 16, -64), "no instruction of 64 x 16 begins at (-64,0)"));
  CHECK(says(descriptor(rows, 64, 16, 0, -16), "no instruction of 64 x 16 begins at (0,-16)"));
  CHECK(says(descriptor("Sw<3,3,3> o 0 o (64,64):(72,1)"_swizzled), "no descriptor reads"));
  CHECK(
      says(descriptor("(64,64):(64,1)"_swizzled), "no descriptor reads (64,16):(64,1): with its strides wgmma reads"));
  CHECK(says(descriptor("((8,2,4),(8,2)):((8,64,512),(1,4096))"_swizzled),
             "the core matrices along MN of an instruction begin at"));
  CHECK(says(refusal_of([] { descriptor_of("Sw<3,4,3> o 0 o (128,64):(1,128)"_swizzled, major::mn, 8, 64, 32); }),
             "MN-major operands of 16-bit elements, not of 8 bits"));
  static constexpr swizzled_layout three =
      "(8,8,2):(16,1,8)"_swizzled;  // a row of 16 bytes at a time, but for its modes
  CHECK(says(refusal_of([] { boxes_of(three, major::k, 16); }), "has 3 modes; they are MN and K"));
  CHECK(says(refusal_of([] { ldmatrix_rows(three, major::k, 16); }), "has 3 modes; they are MN and K"));
  CHECK(says(refusal_of([] { boxes_of(padded, major::k, 16); }), "do not lie side by side, in rows of 8"));
  CHECK(says(refusal_of([] { boxes_of(rows, major::mn, 16); }), "TMA brings rows of 64 elements along MN"));
  CHECK(says(refusal_of([] { boxes_of("Sw<3,3,3> o 0 o (257,64):(64,1)"_swizzled, major::k, 16); }),
             "257 rows take several TMA boxes"));
}
