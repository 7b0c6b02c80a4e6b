#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <random>
#include <sectile/layouts/reachable.hpp>
#include <sectile/layouts/rule_text.hpp>
#include <sectile/layouts/tma_tensor.hpp>
#include <vector>

#include "tests/static_check.hpp"

using namespace sectile;

namespace {

constexpr swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};

constexpr operand_tile k_major(int mn, int k, int bits, swizzle_mode mode) { return {mn, k, bits, major::k, mode}; }
constexpr operand_tile mn_major(int mn, int k, swizzle_mode mode) { return {mn, k, 16, major::mn, mode}; }

/// K of one dense instruction: 32 bytes.
constexpr int k32(int element_bits) { return 256 / element_bits; }

/// Tiles of both majors, every swizzle and element width, and many extents, that pass check(tile, m, k).
std::vector<operand_tile> legal_tiles() {
  std::vector<operand_tile> tiles;
  for (swizzle_mode mode : modes) {
    for (int bits : {1, 8, 16, 32}) {
      for (int mn : {8, 24, 64, 96, 128, 192, 256, 320, 512}) {
        for (int k_bytes : {32, 64, 96, 128, 256}) tiles.push_back(k_major(mn, k_bytes * 8 / bits, bits, mode));
      }
    }
    for (int mn : {8, 16, 64, 96, 128, 192, 256}) {
      for (int k : {16, 32, 48, 64, 128, 272, 320}) tiles.push_back(mn_major(mn, k, mode));
    }
  }
  std::erase_if(tiles, [](const operand_tile& t) { return !check(t, t.mn, k32(t.element_bits)).ok(); });
  return tiles;
}

/// The proof without its shortcuts: every element of the tile.
template <class DescriptorOf>
bool reachable_element_by_element(const operand_tile& t, int m_instruction, int k_instruction,
                                  DescriptorOf descriptor_of) {
  for (int mn = 0; mn < t.mn; ++mn) {
    for (int k = 0; k < t.k; ++k) {
      const int mn_in = mn % m_instruction;
      const int k_in = k % k_instruction;
      const matrix_descriptor d = decode(encode(descriptor_of(mn - mn_in, k - k_in)));
      if (read_offset(d, t.major, mn_in, k_in, t.element_bits) != written_at(t, mn, k)) return false;
    }
  }
  return true;
}

/// The proof for descriptors that `edit` has changed.
template <class Edit>
constexpr reach_result reachable_if(const operand_tile& t, int m, int k, Edit edit) {
  return reachable_through(t, m, k, [&](int mn0, int k0) {
    matrix_descriptor d = descriptor_at(t, mn0, k0);
    edit(d);
    return d;
  });
}

constexpr bool proven(const operand_tile& t, int m, int k) { return check(t, m, k).ok() && reachable(t, m, k).ok; }

constexpr auto swap_offsets = [](matrix_descriptor& d) {
  const unsigned lbo = d.leading_bytes;
  d.leading_bytes = d.stride_bytes;
  d.stride_bytes = lbo;
};

}  // namespace

// Each swizzle and major in constant evaluation; the run-time cases below go through far more extents.
STATIC_CASE(proven(k_major(128, 64, 16, swizzle_mode::b128), 64, 16));
STATIC_CASE(proven(k_major(256, 128, 16, swizzle_mode::b128), 256, 16));
STATIC_CASE(proven(k_major(128, 64, 16, swizzle_mode::b64), 64, 16));
STATIC_CASE(proven(k_major(128, 64, 16, swizzle_mode::b32), 64, 16));
STATIC_CASE(proven(k_major(64, 64, 16, swizzle_mode::none), 64, 16));
STATIC_CASE(proven(k_major(320, 128, 8, swizzle_mode::b128), 64, 32));
STATIC_CASE(proven(k_major(128, 32, 32, swizzle_mode::b128), 128, 8));
STATIC_CASE(proven(k_major(128, 1024, 1, swizzle_mode::b128), 64, 256));
STATIC_CASE(proven(mn_major(128, 64, swizzle_mode::b128), 64, 16));
STATIC_CASE(proven(mn_major(256, 64, swizzle_mode::b128), 256, 16));
STATIC_CASE(proven(mn_major(96, 64, swizzle_mode::b64), 96, 16));
STATIC_CASE(proven(mn_major(128, 64, swizzle_mode::b32), 64, 16));
STATIC_CASE(proven(mn_major(128, 64, swizzle_mode::none), 64, 16));
STATIC_CASE(proven(mn_major(128, 512, swizzle_mode::b128), 64, 16));

TEST_CASE("every legal tile is reachable, by the proof and element by element") {
  const std::vector<operand_tile> tiles = legal_tiles();
  CHECK(tiles.size() > 500);
  for (const operand_tile& t : tiles) {
    const int k_instruction = k32(t.element_bits);
    const auto descriptor_of = [&](int mn0, int k0) { return descriptor_at(t, mn0, k0); };
    for (int m_instruction : {8, 64, t.mn}) {
      if (!check(t, m_instruction, k_instruction).ok()) continue;
      CHECK(reachable(t, m_instruction, k_instruction).ok);
      CHECK(reachable_element_by_element(t, m_instruction, k_instruction, descriptor_of));
    }
  }
}

TEST_CASE("the elements of a tile fill its bytes, each once") {
  for (const operand_tile& t : legal_tiles()) {
    if (t.element_bits < 8) continue;
    std::vector<int> count(static_cast<std::size_t>(bytes(t)), 0);
    const tile_writer write(t);
    for (int mn = 0; mn < t.mn; ++mn) {
      for (int k = 0; k < t.k; ++k) {
        const unsigned first = write(mn, k);
        // Not a REQUIRE for every element: there are millions.
        if (first + static_cast<unsigned>(t.element_bits) / 8 > count.size()) FAIL("byte ", first, " is past the tile");
        for (unsigned b = 0; b < static_cast<unsigned>(t.element_bits) / 8; ++b) ++count[first + b];
      }
    }
    CHECK(bytes(t) == t.mn * t.k * t.element_bits / 8);
    CHECK(std::vector<int>(count.size(), 1) == count);
  }
}

TEST_CASE("boxes are legal, aligned and cover the tile where written_at says") {
  for (const operand_tile& t : legal_tiles()) {
    const tma_box box = box_of(t);
    CHECK(check(box).ok());
    CHECK(boxes(t) * bytes(box) == bytes(t));
    for (int i = 0; i < boxes(t); ++i) {
      const box_place place = place_of_box(t, i);
      CHECK(check_destination(t.swizzle, static_cast<std::uint32_t>(place.offset_bytes)).ok());
      CHECK(written_at(t, place.mn, place.k) == static_cast<unsigned>(place.offset_bytes));
      // The last element of the box, by the box's own model.
      const int x = box.extent[0] - 1;
      const int y = box.extent[1] - 1;
      const int along = x * box.element_bits / t.element_bits;
      const int mn = place.mn + (t.major == major::k ? y : along);
      const int k = place.k + (t.major == major::k ? along : y);
      CHECK(written_at(t, mn, k) == static_cast<unsigned>(place.offset_bytes + smem_offset(box, x, y)));
    }
  }
}

TEST_CASE("64 rows further is always as many bytes, but where they are half of a span") {
  std::vector<operand_tile> tiles = legal_tiles();
  for (swizzle_mode mode : modes) tiles.push_back({256, 8, 32, major::mn, mode});  // read into registers
  for (const operand_tile& t : tiles) {
    CHECK(has_whole_blocks(t));
    int elsewhere = 0;
    for (int mn = 0; mn + 64 < t.mn; ++mn)
      for (int k = 0; k < t.k; ++k) elsewhere += written_at(t, mn + 64, k) - written_at(t, mn, k) != bytes_of_block(t);
    CHECK(elsewhere == 0);
  }
  const operand_tile bytes{256, 32, 8, major::mn, swizzle_mode::b128};
  CHECK(!has_whole_blocks(bytes));
  CHECK(written_at(bytes, 64, 0) - written_at(bytes, 0, 0) != written_at(bytes, 64, 4) - written_at(bytes, 0, 4));
}

TEST_CASE("an absolute base only shifts both models, if it is aligned to the pattern") {
  const operand_tile t = k_major(128, 64, 16, swizzle_mode::b128);
  for (unsigned base : {0x400u, 0x2000u, 0x1C400u}) {
    CHECK(base % static_cast<unsigned>(alignment(t)) == 0);
    matrix_descriptor d = descriptor_at(t, 64, 48);
    d.start_bytes += base;
    for (int mn = 0; mn < 64; ++mn) {
      for (int k = 0; k < 16; ++k) CHECK(read_offset(d, t.major, mn, k, 16) == base + written_at(t, 64 + mn, 48 + k));
    }
  }
  // The same at a base of 512 goes wrong: the hardware XORs absolute address bits.
  matrix_descriptor d = descriptor_at(t, 0, 0);
  d.start_bytes += 512;
  CHECK(read_offset(d, t.major, 0, 0, 16) != 512 + written_at(t, 0, 0));
}

TEST_CASE("descriptors are those of the worked values") {
  const auto at = [](const operand_tile& t, unsigned base, int mn0, int k0) {
    matrix_descriptor d = descriptor_at(t, mn0, k0);
    d.start_bytes += base;
    return encode(d);
  };
  const operand_tile k128 = k_major(128, 64, 16, swizzle_mode::b128);
  CHECK(at(k128, 0x2000, 0, 0) == 0x4000004000010200);
  CHECK(at(k128, 0x2000, 0, 16) == 0x4000004000010202);
  CHECK(at(k128, 0x2000, 0, 48) == 0x4000004000010206);
  CHECK(at(k128, 0x2000, 64, 0) == 0x4000004000010400);
  const operand_tile k64 = k_major(128, 64, 16, swizzle_mode::b64);
  CHECK(at(k64, 0x2000, 0, 0) == 0x8000002000010200);
  CHECK(at(k64, 0x2000, 0, 16) == 0x8000002000010202);
  const operand_tile k32_swizzle = k_major(128, 64, 16, swizzle_mode::b32);
  CHECK(at(k32_swizzle, 0x2000, 0, 0) == 0xC000001000010200);
  CHECK(at(k32_swizzle, 0x2000, 0, 16) == 0xC000001000010300);
  CHECK(at(mn_major(128, 64, swizzle_mode::b128), 0x4000, 0, 0) == 0x4000004002000400);
  CHECK(at(mn_major(128, 64, swizzle_mode::b128), 0x4000, 0, 16) == 0x4000004002000480);
  CHECK(at(mn_major(128, 64, swizzle_mode::b64), 0x4000, 0, 0) == 0x8000002001000400);
  CHECK(at(mn_major(128, 64, swizzle_mode::b64), 0x4000, 0, 16) == 0x8000002001000440);
  CHECK(at(mn_major(128, 64, swizzle_mode::b32), 0x4000, 0, 0) == 0xC000001000800400);
  CHECK(at(mn_major(128, 64, swizzle_mode::b32), 0x4000, 0, 16) == 0xC000001000800420);
  CHECK(at(k_major(128, 128, 8, swizzle_mode::b128), 0x400, 0, 0) == 0x4000004000010040);
  CHECK(at(k_major(128, 128, 8, swizzle_mode::b128), 0x400, 0, 32) == 0x4000004000010042);
  CHECK(at(k_major(128, 32, 32, swizzle_mode::b128), 0x400, 0, 8) == 0x4000004000010042);
  CHECK(at(k_major(64, 64, 16, swizzle_mode::none), 0x400, 0, 0) == 0x0000000800400040);
  CHECK(at(k_major(64, 64, 16, swizzle_mode::none), 0x400, 0, 16) == 0x00000008004000C0);
  CHECK(at(mn_major(128, 64, swizzle_mode::none), 0x8000, 0, 0) == 0x0000004000080800);
  CHECK(at(mn_major(128, 64, swizzle_mode::none), 0x8000, 0, 16) == 0x0000004000080810);
  CHECK(at(k_major(128, 128, 8, swizzle_mode::b128), 0xC000, 0, 64) == 0x4000004000010C04);
  // Sparse f16 B steps by 64 bytes of K.
  CHECK(at(k128, 0x10000, 0, 32) == 0x4000004000011004);
}

TEST_CASE("read_at and written_at are the two sides of the proof") {
  const operand_tile t = mn_major(128, 64, swizzle_mode::b64);
  CHECK(read_at(t, 77, 21, 64, 16) == written_at(t, 77, 21));
  CHECK(read_at(t, 77, 21, 16) == written_at(t, 77, 21));
  const operand_tile along_k = k_major(128, 64, 16, swizzle_mode::b64);
  CHECK(read_at(along_k, 77, 21, 64, 16) == written_at(along_k, 77, 21));
  CHECK(written_at(t, 77, 21) == 2 * 4096 + 21 * 64 + ((1 ^ ((21 / 2) & 3)) * 16) + 5 * 2);
}

TEST_CASE("wrong descriptors are caught, with the first element that they misread") {
  const operand_tile k128 = k_major(128, 64, 16, swizzle_mode::b128);
  constexpr operand_tile mn128 = mn_major(128, 64, swizzle_mode::b128);
  constexpr operand_tile k_none = k_major(128, 64, 16, swizzle_mode::none);
  const operand_tile mn_none = mn_major(128, 64, swizzle_mode::none);

  // SBO of another swizzle.
  CHECK(reachable_if(k128, 64, 16, [](auto& d) { d.stride_bytes = 512; }) ==
        reach_result{false, 8, 0, 1024, 512 ^ (4 << 4)});
  CHECK(!reachable_if(mn128, 64, 16, [](auto& d) { d.stride_bytes = 512; }).ok);
  // LBO matters where there is more than one panel along MN, or no swizzle.
  CHECK(!reachable_if(mn128, 128, 16, [](auto& d) { d.leading_bytes = 4096; }).ok);
  CHECK(reachable_if(mn128, 64, 16, [](auto& d) { d.leading_bytes = 4096; }).ok);
  CHECK(!reachable_if(k_none, 64, 16, [](auto& d) { d.leading_bytes += 16; }).ok);
  CHECK(!reachable_if(mn_none, 64, 16, [](auto& d) { d.leading_bytes += 128; }).ok);
  // LBO and SBO swapped.
  CHECK(!reachable_if(k128, 64, 16, swap_offsets).ok);
  CHECK(!reachable_if(mn128, 128, 16, swap_offsets).ok);
  CHECK(!reachable_if(k_none, 64, 16, swap_offsets).ok);
  CHECK(!reachable_if(mn_none, 64, 16, swap_offsets).ok);
  STATIC_CHECK(!reachable_if(mn128, 128, 16, swap_offsets).ok);
  STATIC_CHECK(!reachable_if(k_none, 64, 16, swap_offsets).ok);
  // A swizzle on one side only, and the wrong one.
  for (swizzle_mode tile_mode : modes) {
    for (swizzle_mode descriptor_mode : modes) {
      const auto set_mode = [=](auto& d) { d.swizzle = descriptor_mode; };
      CHECK(reachable_if(k_major(128, 64, 16, tile_mode), 64, 16, set_mode).ok == (tile_mode == descriptor_mode));
      CHECK(reachable_if(mn_major(128, 64, tile_mode), 64, 16, set_mode).ok == (tile_mode == descriptor_mode));
    }
  }
  // A start that is one chunk or one row off.
  CHECK(!reachable_if(k128, 64, 16, [](auto& d) { d.start_bytes += 16; }).ok);
  CHECK(!reachable_if(mn128, 64, 16, [](auto& d) { d.start_bytes += 128; }).ok);
}

TEST_CASE("the proof looks at few elements and decides as if it had looked at all") {
  std::mt19937 random(20240917);
  const auto any = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const std::vector<operand_tile> tiles = legal_tiles();
  int refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const operand_tile t = tiles[static_cast<std::size_t>(any(static_cast<int>(tiles.size())))];
    if (bytes(t) > 32768) continue;
    const int what = any(5);
    const unsigned amount = 16u << any(9);
    const swizzle_mode mode = modes[any(4)];
    const auto mutant = [&](int mn0, int k0) {
      matrix_descriptor d = descriptor_at(t, mn0, k0);
      if (what == 0) d.start_bytes += amount;
      if (what == 1) d.leading_bytes = amount;
      if (what == 2) d.stride_bytes = amount;
      if (what == 3) d.swizzle = mode;
      if (what == 4 && mn0 + k0 > 0) d.start_bytes ^= amount;
      return d;
    };
    const bool by_proof = reachable_through(t, t.mn, k32(t.element_bits), mutant).ok;
    CHECK(by_proof == reachable_element_by_element(t, t.mn, k32(t.element_bits), mutant));
    if (!by_proof) ++refused;
  }
  CHECK(refused > 500);
}

TEST_CASE("rules of a tile, with the numbers that break them") {
  STATIC_CHECK(check(k_major(128, 64, 16, swizzle_mode::b128), 64, 16).ok());
  STATIC_CHECK(check(k_major(128, 64, 2, swizzle_mode::b128)) == tile_violation{tile_rule::element_bits, 2, 16});
  STATIC_CHECK(check(operand_tile{128, 64, 8, major::mn, swizzle_mode::b128}) ==
                tile_violation{tile_rule::mn_major_needs_16_bit, 8, 16});
  STATIC_CHECK(check(k_major(128, 0, 16, swizzle_mode::b128)) == tile_violation{tile_rule::extent, 0, 1});
  STATIC_CHECK(check(k_major(100, 64, 16, swizzle_mode::b128)) ==
                tile_violation{tile_rule::rows_of_core_matrix, 100, 8});
  STATIC_CHECK(check(mn_major(64, 20, swizzle_mode::b64)) == tile_violation{tile_rule::rows_of_core_matrix, 20, 8});
  STATIC_CHECK(check(k_major(128, 96, 16, swizzle_mode::b128)) == tile_violation{tile_rule::panel_width, 96, 64});
  STATIC_CHECK(check(k_major(128, 96, 16, swizzle_mode::b64)).ok());
  STATIC_CHECK(check(mn_major(96, 64, swizzle_mode::b128)) == tile_violation{tile_rule::panel_width, 96, 64});
  STATIC_CHECK(check(k_major(512, 512, 16, swizzle_mode::b128)) ==
                tile_violation{tile_rule::tile_bytes, 524288, 262144});
  STATIC_CHECK(check(k_major(128, 64, 16, swizzle_mode::b128), 96, 16) ==
                tile_violation{tile_rule::instruction_mn, 128, 96});
  STATIC_CHECK(check(k_major(128, 64, 16, swizzle_mode::b128), 64, 24) ==
                tile_violation{tile_rule::instruction_k, 64, 24});
  STATIC_CHECK(check(k_major(128, 64, 16, swizzle_mode::b128), 4, 16) ==
                tile_violation{tile_rule::instruction_granule, 4, 8});
  STATIC_CHECK(check(k_major(128, 64, 16, swizzle_mode::b128), 64, 4) ==
                tile_violation{tile_rule::instruction_granule, 4, 8});
  // Sparse B of 64 bytes along K does not fit a 32-byte span.
  STATIC_CHECK(check(k_major(128, 64, 16, swizzle_mode::b32), 64, 32) ==
                tile_violation{tile_rule::instruction_exceeds_span, 64, 32});
  STATIC_CHECK(check(k_major(128, 64, 16, swizzle_mode::b64), 64, 32).ok());
  // N = 24 per instruction starts inside a panel of 16.
  STATIC_CHECK(check(mn_major(48, 64, swizzle_mode::b32), 24, 16) ==
                tile_violation{tile_rule::instruction_splits_panel, 24, 16});
  STATIC_CHECK(check(mn_major(48, 64, swizzle_mode::b32), 48, 16).ok());
  // Panels of 2^18 bytes: LBO does not fit its field.
  STATIC_CHECK(check(mn_major(64, 2048, swizzle_mode::b128), 64, 16) ==
                tile_violation{tile_rule::leading_bytes, 262144, 262144});
  CHECK(check(k_major(100, 64, 16, swizzle_mode::b128)).value == 100);
}

TEST_CASE("the widest swizzle that divides the contiguous extent") {
  STATIC_CHECK(largest_swizzle(major::k, 128) == swizzle_mode::b128);
  STATIC_CHECK(largest_swizzle(major::k, 384) == swizzle_mode::b128);
  STATIC_CHECK(largest_swizzle(major::mn, 192) == swizzle_mode::b64);
  STATIC_CHECK(largest_swizzle(major::k, 96) == swizzle_mode::b32);
  STATIC_CHECK(largest_swizzle(major::mn, 48) == swizzle_mode::none);
  CHECK(largest_swizzle(major::k, 64) == swizzle_mode::b64);
}

TEST_CASE("panels taller than 256 rows take several equal boxes") {
  STATIC_CHECK(boxes_per_panel(k_major(256, 64, 16, swizzle_mode::b128)) == 1);
  STATIC_CHECK(boxes_per_panel(k_major(512, 64, 16, swizzle_mode::b128)) == 2);
  STATIC_CHECK(box_of(k_major(320, 64, 16, swizzle_mode::b128)).extent[1] == 160);
  // 8 * 53 rows: 53 groups cannot be halved, so one box for each group of eight.
  STATIC_CHECK(boxes_per_panel(k_major(424, 64, 16, swizzle_mode::b128)) == 53);
  STATIC_CHECK(boxes(mn_major(256, 64, swizzle_mode::b128)) == 4);
  CHECK(place_of_box(k_major(512, 128, 16, swizzle_mode::b128), 3) == box_place{256, 64, 512 * 128 + 256 * 128});
}

TEST_CASE("violations as sentences") {
  const auto text = [](const auto& value) { return message{}.add(value); };
  CHECK(
      text(check(k_major(128, 96, 16, swizzle_mode::b128))) ==
      "a contiguous extent of 96 elements is not a multiple of the 64 of one swizzle span; choose a narrower swizzle");
  CHECK(text(check(k_major(128, 64, 16, swizzle_mode::b32), 64, 32)) ==
        "an instruction's 64 bytes along K do not divide the swizzle span of 32; choose a wider swizzle");
  CHECK(text(reachable_if(k_major(128, 64, 16, swizzle_mode::b128), 64, 16, [](auto& d) { d.stride_bytes = 2048; })) ==
        "element (8, 0) is written to byte 1024 of the tile but read from byte 2048");
  CHECK(text(check(k_major(128, 64, 16, swizzle_mode::b128))) == "");
  for (int rule = 1; rule <= static_cast<int>(tile_rule::tile_bytes); ++rule) {
    CHECK(text(tile_violation{static_cast<tile_rule>(rule), 40, 16}).length > 20);
  }
}
