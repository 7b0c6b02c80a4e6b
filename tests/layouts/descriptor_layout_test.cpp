// The layout that a descriptor says is what wgmma reads through it; and the bits of no field.
#include <doctest/doctest.h>

#include <sectile/layouts/descriptor_fields.hpp>
#include <sectile/layouts/descriptor_layout.hpp>
#include <sectile/layouts/notation.hpp>

#include "tests/static_check.hpp"

using namespace sectile;
using namespace sectile::literals;

namespace {

/// Elements that wgmma reads elsewhere than the layout says.
int disagreements(const matrix_descriptor& d, major direction, int bits, int mn, int k) {
  const swizzled_layout l = descriptor_layout(d, direction, bits, mn, k);
  const std::int64_t origin = std::int64_t{d.start_bytes} - bytes_into_pattern(d);
  int count = 0;
  for (int i = 0; i < mn; ++i)
    for (int j = 0; j < k; ++j)
      count += origin + l(i, j) * bits / 8 == std::int64_t{read_offset(d, direction, i, j, bits)} ? 0 : 1;
  return count;
}

}  // namespace

STATIC_CASE(canonical_layout(decode(0x4000004000010200), major::k, 16, 64, 16) ==
            "((8,8),(8,2)):((64,512),(1,8))"_layout);
STATIC_CASE(bytes_into_pattern({.start_bytes = 0x2020, .swizzle = swizzle_mode::b128}) == 0x20);
STATIC_CASE(bytes_into_pattern({.start_bytes = 0x2080, .base_offset = 1, .swizzle = swizzle_mode::b128}) == 0);
STATIC_CASE(bytes_into_pattern({.start_bytes = 0x2000, .base_offset = 1, .swizzle = swizzle_mode::b128}) == 0x380);
STATIC_CASE(bytes_into_pattern({.start_bytes = 0x2020}) == 0);

TEST_CASE("the layout of a descriptor is what wgmma reads, wherever it starts in the pattern") {
  int looked_at = 0;
  for (const swizzle_mode mode : {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128}) {
    for (const int bits : {8, 16, 32}) {
      for (const major direction : {major::k, major::mn}) {
        const int span = span_bytes(mode) * 8 / bits;
        const int mn = direction == major::k ? 64 : 2 * span;
        const int k = direction == major::k ? (mode == swizzle_mode::none ? 2 * span : span) : 16;
        for (unsigned start = 0x800; start < 0xC00; start += 16) {
          for (int base = 0; base < (mode == swizzle_mode::none ? 1 : 8); ++base) {
            const matrix_descriptor d{start, 4096, 2048, base, mode};
            REQUIRE(check(d).ok());
            CHECK(disagreements(d, direction, bits, mn, k) == 0);
            ++looked_at;
          }
        }
      }
    }
  }
  CHECK(looked_at > 9000);
}

TEST_CASE("the fields are where PTX has them") {
  const auto fields = descriptor_fields(encode({.start_bytes = 0x2400, .leading_bytes = 16, .stride_bytes = 1024}));
  REQUIRE(fields.size() == 5);
  constexpr int bits[5][2] = {{0, 13}, {16, 29}, {32, 45}, {49, 51}, {62, 63}};
  for (int i = 0; i < 5; ++i) {
    CHECK(fields[static_cast<std::size_t>(i)].first_bit == bits[i][0]);
    CHECK(fields[static_cast<std::size_t>(i)].last_bit == bits[i][1]);
  }
  CHECK(fields[0].value == 0x240);
  CHECK(fields[2].bytes == 1024);
}
TEST_CASE("the gaps are the reserved bits") {
  const auto gaps = descriptor_gaps();
  std::uint64_t covered = 0;
  for (const bit_range& gap : gaps)
    for (int bit = gap.first_bit; bit <= gap.last_bit; ++bit) covered |= std::uint64_t{1} << bit;
  CHECK(covered == descriptor_reserved_bits);
  REQUIRE(gaps.size() == 4);
  CHECK(gaps[0] == bit_range{14, 15});
  CHECK(gaps[3] == bit_range{52, 61});
  CHECK(gap_text(gaps[1]) == "bits 30 to 31 must be 0");
}

TEST_CASE("what the offsets of a descriptor lead to") {
  const auto texts = [](major direction, swizzle_mode mode) {
    return leading_text(direction, mode) + "; " + stride_text(direction, mode);
  };
  CHECK(texts(major::k, swizzle_mode::none) == "from 16 bytes along K to the next; from 8 rows to the next");
  CHECK(texts(major::k, swizzle_mode::b128) == "not used by this layout; from 8 rows to the next");
  CHECK(texts(major::mn, swizzle_mode::none) == "from 8 of K to the next; from 16 bytes along M or N to the next");
  CHECK(texts(major::mn, swizzle_mode::b64) == "from 64 bytes along M or N to the next; from 8 of K to the next");
}
