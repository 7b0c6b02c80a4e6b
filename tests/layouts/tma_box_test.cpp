#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <sectile/layouts/rule_text.hpp>
#include <sectile/layouts/tma_tensor.hpp>
#include <vector>

#include "tests/static_check.hpp"

using namespace sectile;

namespace {

/// The swizzle tables of the PTX ISA: for each 128-byte line, which 16-byte chunk of the box lies at each position.
constexpr int table_b128[8][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5},
                                  {3, 2, 1, 0, 7, 6, 5, 4}, {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
                                  {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};
constexpr int table_b64[4][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4}};
constexpr int table_b32[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}};

/// Whether chunk c of line l (128 bytes of a box with rows of one span) lies where the table has it.
template <std::size_t Lines>
constexpr bool follows_table(const int (&table)[Lines][8], swizzle_mode mode) {
  const int chunks_per_row = span_bytes(mode) / 16;
  const tma_box box{2, {span_bytes(mode), 256}, 8, mode};
  for (int line = 0; line < 16; ++line) {
    for (int position = 0; position < 8; ++position) {
      const int chunk = line * 8 + table[line % static_cast<int>(Lines)][position];
      const int offset = smem_offset(box, chunk % chunks_per_row * 16, chunk / chunks_per_row);
      if (offset != line * 128 + position * 16) return false;
    }
  }
  return true;
}

constexpr tma_box good{2, {64, 128}, 16, swizzle_mode::b128};

constexpr tma_box with(tma_box box, int dimension, int extent) {
  box.extent[dimension] = extent;
  return box;
}

constexpr tma_tensor tensor{2, {4096, 8192}, {0, 8192}, 0x7000'0000'0000};

}  // namespace

STATIC_CASE(follows_table(table_b128, swizzle_mode::b128));
STATIC_CASE(follows_table(table_b64, swizzle_mode::b64));
STATIC_CASE(follows_table(table_b32, swizzle_mode::b32));

STATIC_CASE(bytes(good) == 16384 && row_bytes(good) == 128);
STATIC_CASE(smem_offset(good, 0, 0) == 0);
STATIC_CASE(smem_offset(good, 1, 0) == 2);
STATIC_CASE(smem_offset(good, 0, 1) == 128 + 16);
STATIC_CASE(smem_offset(good, 9, 7) == 7 * 128 + (1 ^ 7) * 16 + 2);
STATIC_CASE(smem_offset(good, 8, 8) == 1024 + 16);

TEST_CASE("a box lies densely, innermost dimension fastest") {
  constexpr tma_box box{3, {8, 3, 5}, 32, swizzle_mode::none};
  CHECK(bytes(box) == 480);
  int expected = 0;
  for (int z = 0; z < 5; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 8; ++x) {
        CHECK(smem_offset(box, x, y, z) == expected);
        CHECK(smem_offset(box, {x, y, z, 7, 9}) == expected);
        expected += 4;
      }
    }
  }
}

TEST_CASE("a swizzled box is a bijection onto its bytes, and moves whole 16-byte chunks") {
  for (swizzle_mode mode : {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128}) {
    const tma_box box{2, {span_bytes(mode), 64}, 8, mode};
    std::vector<int> written(static_cast<std::size_t>(bytes(box)), 0);
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < box.extent[0]; ++x) {
        const int at = smem_offset(box, x, y);
        REQUIRE(at >= 0);
        REQUIRE(at < bytes(box));
        ++written[static_cast<std::size_t>(at)];
        CHECK(at % 16 == x % 16);
        CHECK(smem_offset(box, {x, y, 0, 0, 0}) == at);
      }
    }
    for (int count : written) CHECK(count == 1);
  }
}

TEST_CASE("a three-dimensional box of panels is the panels back to back") {
  constexpr tma_box panel{2, {64, 128}, 16, swizzle_mode::b128};
  constexpr tma_box all{3, {64, 128, 3}, 16, swizzle_mode::b128};
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 128; y += 3) {
      for (int x = 0; x < 64; x += 5) {
        CHECK(smem_offset(all, x, y, z) == z * bytes(panel) + smem_offset(panel, x, y));
      }
    }
  }
}

TEST_CASE("rules of a box, with the numbers that break them") {
  STATIC_CHECK(check(good).ok());
  STATIC_CHECK(check(tma_box{0, {}, 16, swizzle_mode::none}) == box_violation{box_rule::rank, 0, 0, 5});
  STATIC_CHECK(check(tma_box{6, {8, 1, 1, 1, 1}, 16, swizzle_mode::none}) == box_violation{box_rule::rank, 0, 6, 5});
  STATIC_CHECK(check(tma_box{5, {8, 1, 1, 1, 1}, 16, swizzle_mode::none}).ok());
  STATIC_CHECK(check(tma_box{1, {128}, 1, swizzle_mode::none}) == box_violation{box_rule::element_bits, 0, 1, 8});
  STATIC_CHECK(check(with(good, 1, 257)) == box_violation{box_rule::extent, 1, 257, 256});
  STATIC_CHECK(check(with(good, 1, 256)).ok());
  STATIC_CHECK(check(with(good, 1, 0)) == box_violation{box_rule::extent, 1, 0, 256});
  STATIC_CHECK(check(with(good, 0, 4)) == box_violation{box_rule::row_granule, 0, 8, 16});
  STATIC_CHECK(check(with(good, 0, 72)) == box_violation{box_rule::row_exceeds_span, 0, 144, 128});
  STATIC_CHECK(check(tma_box{2, {32, 8}, 16, swizzle_mode::b32}) ==
                box_violation{box_rule::row_exceeds_span, 0, 64, 32});
  // Without a swizzle there is no span to exceed.
  STATIC_CHECK(check(tma_box{2, {256, 8}, 32, swizzle_mode::none}).ok());
  // As large as a box can be, and one row more.
  constexpr int rows = tma_max_box_bytes / 128 / 256;
  STATIC_CHECK(check(tma_box{3, {64, 256, rows}, 16, swizzle_mode::b128}).ok());
  STATIC_CHECK(check(tma_box{3, {64, 256, rows + 1}, 16, swizzle_mode::b128}) ==
               box_violation{box_rule::extent, 2, rows + 1, rows});
  // Entries past the rank do not count.
  STATIC_CHECK(check(tma_box{1, {64, 999}, 16, swizzle_mode::b128}).ok());
  CHECK(!check(with(good, 1, 257)).ok());
}

TEST_CASE("rules of a destination") {
  STATIC_CHECK(check_destination(swizzle_mode::b128, 0x2400).ok());
  STATIC_CHECK(check_destination(swizzle_mode::b128, 0x2200) == box_violation{box_rule::destination, 0, 0x2200, 1024});
  STATIC_CHECK(check_destination(swizzle_mode::b64, 0x2200).ok());
  STATIC_CHECK(check_destination(swizzle_mode::b32, 0x2180) == box_violation{box_rule::destination, 0, 0x2180, 256});
  STATIC_CHECK(check_destination(swizzle_mode::none, 0x80).ok());
  STATIC_CHECK(check_destination(swizzle_mode::none, 0x40) == box_violation{box_rule::destination, 0, 0x40, 128});
}

TEST_CASE("rules of a tensor in global memory") {
  STATIC_CHECK(check(tensor).ok());
  const auto broken = [](auto edit) {
    tma_tensor t = tensor;
    edit(t);
    return check(t);
  };
  CHECK(broken([](auto& t) { t.base += 8; }).rule == box_rule::global_base);
  CHECK(broken([](auto& t) { t.rank = 6; }) == box_violation{box_rule::rank, 0, 6, 5});
  CHECK(broken([](auto& t) { t.rank = 0; }) == box_violation{box_rule::rank, 0, 0, 5});
  CHECK(broken([](auto& t) {
          t.rank = 5;
          for (int d = 0; d < 5; ++d) t.extent[d] = 1;
          for (int d = 1; d < 5; ++d) t.stride_bytes[d] = 16;
        }).ok());
  CHECK(broken([](auto& t) { t.extent[1] = 0; }) ==
        box_violation{box_rule::global_extent, 1, 0, std::int64_t{1} << 32});
  CHECK(broken([](auto& t) { t.extent[0] = std::int64_t{1} << 32; }).ok());
  CHECK(broken([](auto& t) { t.extent[0] = (std::int64_t{1} << 32) + 1; }).rule == box_rule::global_extent);
  CHECK(broken([](auto& t) { t.stride_bytes[1] = 0; }).ok());  // one row for all
  CHECK(broken([](auto& t) { t.stride_bytes[1] = -16; }).rule == box_rule::global_stride_size);
  CHECK(broken([](auto& t) { t.stride_bytes[1] = 8200; }) == box_violation{box_rule::global_stride, 1, 8200, 16});
  CHECK(broken([](auto& t) { t.stride_bytes[1] = std::int64_t{1} << 40; }).rule == box_rule::global_stride_size);
  CHECK(broken([](auto& t) { t.stride_bytes[1] = (std::int64_t{1} << 40) - 16; }).ok());
  CHECK(broken([](auto& t) { t.stride_bytes[0] = 7; }).ok());
}

TEST_CASE("violations as sentences") {
  const auto text = [](const box_violation& v) { return message{}.add(v); };
  CHECK(text(check(with(good, 1, 257))) == "box extent 257 of dimension 1 is not in 1 to 256");
  CHECK(text(check(with(good, 0, 72))) ==
        "the innermost row of the box is 144 bytes, more than the 128 of the swizzle span");
  CHECK(text(check_destination(swizzle_mode::b128, 512)) ==
        "shared-memory address 512 is not a multiple of 1024, which this swizzle needs");
  CHECK(text({}) == "");
  for (int rule = 1; rule <= static_cast<int>(box_rule::global_extent); ++rule) {
    CHECK(text({static_cast<box_rule>(rule), 1, 40, 16}).length > 15);
  }
}
