#include <doctest/doctest.h>

#include <initializer_list>
#include <sectile/layouts/canonical_layout.hpp>
#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/descriptor.hpp>
#include <sectile/layouts/descriptor_fields.hpp>
#include <sectile/layouts/notation.hpp>
#include <sectile/layouts/operand_tile.hpp>

#include "small_layouts.hpp"
#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;

namespace {

constexpr swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};

/// The byte that the layout value gives for (mn, k): offset in elements, from `start`, then the swizzle.
std::int64_t byte_of(const layout& l, unsigned start, swizzle_mode mode, int mn, int k, int element_bits) {
  return byte_swizzle(mode)(start + l(mn, k) * element_bits / 8);
}

/// Elements for which layout value and byte function disagree, with these LBO and SBO in bytes.
int disagreements(major direction, swizzle_mode mode, int bits, int mn, int k, int lbo, int sbo) {
  const layout l = canonical_layout(direction, mode, bits, mn, k, lbo * 8 / bits, sbo * 8 / bits);
  const matrix_descriptor d{0x2000, static_cast<unsigned>(lbo), static_cast<unsigned>(sbo), 0, mode};
  int count = 0;
  for (int i = 0; i < mn; ++i) {
    for (int j = 0; j < k; ++j) {
      if (byte_of(l, 0x2000, mode, i, j, bits) != read_offset(d, direction, i, j, bits)) ++count;
    }
  }
  return count;
}

}  // namespace

STATIC_CASE(core_matrix_bytes == 128);
STATIC_CASE(core_matrix_row_elements(1) == 128 && core_matrix_row_elements(8) == 16);
STATIC_CASE(core_matrix_row_elements(16) == 8 && core_matrix_row_elements(32) == 4);

TEST_CASE("the eight canonical layouts, as the PTX ISA and CuTe write them") {
  constexpr auto k = major::k;
  constexpr auto mn = major::mn;
  // 16-bit elements, T = 8; 64 x 16, LBO and SBO as they come out of panels of 64 rows (K-major) or 64 k (MN-major).
  STATIC_CHECK(canonical_layout(k, swizzle_mode::none, 16, 64, 16, 512, 64) ==
                "((8,8),(8,2)):((8,64),(1,512))"_layout);
  STATIC_CHECK(canonical_layout(k, swizzle_mode::b32, 16, 64, 16, 8, 128) == "((8,8),(8,2)):((16,128),(1,8))"_layout);
  STATIC_CHECK(canonical_layout(k, swizzle_mode::b64, 16, 64, 16, 8, 256) == "((8,8),(8,2)):((32,256),(1,8))"_layout);
  STATIC_CHECK(canonical_layout(k, swizzle_mode::b128, 16, 64, 16, 8, 512) == "((8,8),(8,2)):((64,512),(1,8))"_layout);
  STATIC_CHECK(canonical_layout(mn, swizzle_mode::none, 16, 64, 16, 64, 512) ==
                "((8,1,8),(8,2)):((1,8,512),(8,64))"_layout);
  STATIC_CHECK(canonical_layout(mn, swizzle_mode::b32, 16, 64, 16, 1024, 128) ==
                "((8,2,4),(8,2)):((1,8,1024),(16,128))"_layout);
  STATIC_CHECK(canonical_layout(mn, swizzle_mode::b64, 16, 64, 16, 2048, 256) ==
                "((8,4,2),(8,2)):((1,8,2048),(32,256))"_layout);
  STATIC_CHECK(canonical_layout(mn, swizzle_mode::b128, 16, 64, 16, 4096, 512) ==
                "((8,8,1),(8,2)):((1,8,4096),(64,512))"_layout);
}

TEST_CASE("a tile that core matrices do not fill has no canonical layout") {
  const auto refused = [](major direction, int mn, int k) {
    return sectile_tests::refusal([&] { canonical_layout(direction, swizzle_mode::b64, 16, mn, k, 512, 512); });
  };
  CHECK(refused(major::k, 12, 16) == "canonical layout: MN = 12 is not a multiple of the 8 rows of a core matrix");
  CHECK(refused(major::k, 64, 12) == "canonical layout: K = 12 is not a multiple of 8 elements");
  CHECK(refused(major::k, 64, 4) == "canonical layout: K = 4 is not a multiple of 8 elements");
  CHECK(refused(major::mn, 48, 16) == "canonical layout: MN = 48 is not a multiple of 32 elements");
  CHECK(refused(major::k, 64, 64) == "canonical layout: K = 64 extends past the swizzle span of 32 elements");
}

TEST_CASE("worked layouts of the PTX ISA, with their encoded offsets") {
  // The ISA prints strides in elements and the descriptor's two fields encoded, in units of 16 bytes.
  const auto encoded = [](unsigned lbo, unsigned sbo, unsigned bits) {
    return encode({0, lbo * bits / 8, sbo * bits / 8, 0, swizzle_mode::none});
  };
  constexpr layout tf32_none = canonical_layout(major::k, swizzle_mode::none, 32, 16, 16, 64, 32);
  STATIC_CHECK(tf32_none == "((8,2),(4,4)):((4,32),(1,64))"_layout);
  CHECK(encoded(64, 32, 32) == 0x0000'0008'0010'0000);
  STATIC_CHECK(canonical_layout(major::mn, swizzle_mode::none, 16, 16, 16, 128, 64) ==
                "((8,1,2),(8,2)):((1,8,64),(8,128))"_layout);
  CHECK(encoded(128, 64, 16) == 0x0000'0008'0010'0000);
  STATIC_CHECK(canonical_layout(major::mn, swizzle_mode::b32, 16, 32, 16, 128, 256) ==
                "((8,2,2),(8,2)):((1,8,128),(16,256))"_layout);
  CHECK(encoded(128, 256, 16) == 0x0000'0020'0010'0000);
  STATIC_CHECK(canonical_layout(major::mn, swizzle_mode::b64, 16, 64, 16, 256, 512) ==
                "((8,4,2),(8,2)):((1,8,256),(32,512))"_layout);
  CHECK(encoded(256, 512, 16) == 0x0000'0040'0020'0000);
}

TEST_CASE("layout values and byte functions agree") {
  for (swizzle_mode mode : modes) {
    const int span = span_bytes(mode);
    for (int bits : {1, 8, 16, 32}) {
      for (int mn : {8, 64, 96, 256}) {
        const int k = mode == swizzle_mode::none ? 512 / bits : span * 8 / bits;
        const int lbo = mode == swizzle_mode::none ? 16 * mn : 16;
        CHECK(disagreements(major::k, mode, bits, mn, k, lbo, 8 * span) == 0);
      }
    }
    for (int mn : {64, 192}) {
      for (int k : {8, 16, 64}) {
        const bool swizzled = mode != swizzle_mode::none;
        const int lbo = swizzled ? 64 * span : 128;
        const int sbo = swizzled ? 8 * span : 16 * 64;
        CHECK(disagreements(major::mn, mode, 16, mn, k, lbo, sbo) == 0);
      }
    }
  }
}

TEST_CASE("the canonical layout of an instruction is what its descriptor in a tile names") {
  for (swizzle_mode mode : modes) {
    for (major direction : {major::k, major::mn}) {
      const operand_tile t{128, 64, 16, direction, mode};
      const matrix_descriptor d = descriptor_at(t, 64, 48);
      const layout l = canonical_layout(direction, mode, 16, 64, 16, d.leading_bytes / 2, d.stride_bytes / 2);
      for (int mn = 0; mn < 64; ++mn) {
        for (int k = 0; k < 16; ++k)
          CHECK(byte_of(l, d.start_bytes, mode, mn, k, 16) == written_at(t, 64 + mn, 48 + k));
      }
    }
  }
}

TEST_CASE("where LBO and SBO lead is as far from a core matrix as they say") {
  for (swizzle_mode mode : modes) {
    for (major direction : {major::k, major::mn}) {
      const matrix_descriptor d = descriptor_at({128, 64, 16, direction, mode}, 0, 0);
      const layout l = canonical_layout(direction, mode, 16, 128, 16, d.leading_bytes / 2, d.stride_bytes / 2);
      const auto bytes_to = [&](const descriptor_step& s) { return 2 * l(8 * s.core_matrices * (s.along_k ? 128 : 1)); };
      CHECK(bytes_to(stride_step(direction, mode)) == d.stride_bytes);
      if (leading_counts(direction, mode)) CHECK(bytes_to(leading_step(direction, mode)) == d.leading_bytes);
    }
  }
}

TEST_CASE("canonical layouts refuse what no descriptor can name") {
  CHECK_THROWS_WITH_AS(canonical_layout(major::k, swizzle_mode::b128, 16, 60, 16, 8, 512),
                       "canonical layout: MN = 60 is not a multiple of the 8 rows of a core matrix", layout_error);
  CHECK_THROWS_WITH_AS(canonical_layout(major::k, swizzle_mode::b32, 16, 64, 32, 8, 128),
                       "canonical layout: K = 32 extends past the swizzle span of 16 elements", layout_error);
  CHECK_THROWS_WITH_AS(canonical_layout(major::mn, swizzle_mode::b128, 16, 32, 16, 4096, 512),
                       "canonical layout: MN = 32 is not a multiple of 64 elements", layout_error);
}
