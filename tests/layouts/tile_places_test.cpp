// Core matrix, TMA box and register of every element of small tiles, against what TMA writes and the boxes bring.
#include <doctest/doctest.h>

#include <map>
#include <sectile/layouts/reachable.hpp>
#include <sectile/layouts/tile_places.hpp>
#include <set>
#include <tuple>
#include <vector>

#include "tests/static_check.hpp"

using namespace sectile;

namespace {

constexpr swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};

/// Tiles of every element width, both majors, every swizzle; some taller than a box.
std::vector<operand_tile> small_tiles() {
  std::vector<operand_tile> tiles;
  for (const swizzle_mode mode : modes) {
    for (const int bits : {1, 8, 16, 32}) {
      for (const int mn : {8, 24, 64, 128, 264, 512}) {
        for (const int k_bytes : {16, 32, 64, 128, 256})
          tiles.push_back({mn, k_bytes * 8 / bits, bits, major::k, mode});
      }
    }
    for (const int mn : {8, 16, 64, 128, 192}) {
      for (const int k : {8, 16, 64, 272}) tiles.push_back({mn, k, 16, major::mn, mode});
    }
  }
  std::erase_if(tiles, [](const operand_tile& t) { return !check(t).ok(); });
  return tiles;
}

/// How many elements (mn, k) break a law.
template <class Law>
int broken(const operand_tile& t, Law law) {
  int count = 0;
  for (int mn = 0; mn < t.mn; ++mn)
    for (int k = 0; k < t.k; ++k) count += law(mn, k) ? 0 : 1;
  return count;
}

}  // namespace

STATIC_CASE(core_matrix_at({64, 64, 16, major::k, swizzle_mode::b128}, 9, 20) == core_matrix_place{1, 2, 1, 4});
STATIC_CASE(core_matrix_at({64, 64, 16, major::mn, swizzle_mode::b128}, 20, 9) == core_matrix_place{2, 1, 1, 4});
STATIC_CASE(box_at({512, 128, 16, major::k, swizzle_mode::b128}, 300, 70) == box_coordinate{3, 6, 44});

TEST_CASE("a core matrix is eight rows of 16 bytes of what TMA writes, before the swizzle one span apart") {
  std::size_t looked_at = 0;
  for (const operand_tile& t : small_tiles()) {
    std::map<std::pair<int, int>, std::int64_t> first;  // byte of a core matrix, before the swizzle
    const swizzle pattern = byte_swizzle(t.swizzle);
    const int found = broken(t, [&](int mn, int k) {
      const core_matrix_place at = core_matrix_at(t, mn, k);
      const std::int64_t byte = pattern(written_at(t, mn, k));
      const std::int64_t begin = byte - at.row * span_bytes(t.swizzle) - at.column * t.element_bits / 8;
      const bool inside = at.row >= 0 && at.row < core_matrix_rows && begin % core_matrix_row_bytes == 0;
      return inside && first.try_emplace({at.mn, at.k}, begin).first->second == begin;
    });
    CHECK(found == 0);
    std::set<std::int64_t> begins;
    for (const auto& [at, begin] : first) begins.insert(begin);
    CHECK(begins.size() == first.size());
    CHECK(static_cast<int>(first.size()) * core_matrix_bytes == bytes(t));
    looked_at += first.size();
  }
  CHECK(looked_at > 10000);
}

TEST_CASE("the box of an element is the one that place_of_box says brings it") {
  int most_boxes = 0;
  for (const operand_tile& t : small_tiles()) {
    const tma_box box = box_of(t);
    const int per_box_element = box.element_bits / t.element_bits;
    most_boxes = boxes(t) > most_boxes ? boxes(t) : most_boxes;
    CHECK(broken(t, [&](int mn, int k) {
            const box_coordinate at = box_at(t, mn, k);
            if (at.box < 0 || at.box >= boxes(t) || at.x >= box.extent[0] || at.y >= box.extent[1]) return false;
            const box_place place = place_of_box(t, at.box);
            const bool k_major = t.major == major::k;
            const int along = k_major ? k - place.k : mn - place.mn, row = k_major ? mn - place.mn : k - place.k;
            if (along / per_box_element != at.x || row != at.y || along < 0) return false;
            return written_at(t, mn, k) == static_cast<unsigned>(place.offset_bytes + smem_offset(box, at.x, at.y));
          }) == 0);
  }
  CHECK(most_boxes > 8);
}

TEST_CASE("the registers of operand A hold every element once") {
  int filled = 0;
  for (const operand_tile& t : small_tiles()) {
    if (!fills_registers(t)) continue;
    ++filled;
    std::set<std::tuple<int, int, int, int, int>> taken;
    CHECK(broken(t, [&](int mn, int k) {
            const operand_slot at = operand_slot_at(t, mn, k);
            taken.insert({at.instruction.row, at.instruction.col, at.slot.thread, at.slot.reg, at.slot.part});
            return element_in(t, at) == coord{mn, k};
          }) == 0);
    CHECK(static_cast<int>(taken.size()) == t.mn * t.k);
  }
  CHECK(filled > 20);
  CHECK(!fills_registers({64, 8, 16, major::k, swizzle_mode::none}));
  CHECK(!fills_registers({24, 64, 16, major::k, swizzle_mode::b128}));
}

TEST_CASE("the step of operand A") {
  CHECK(operand_a_step({128, 64, 16, major::k, swizzle_mode::b128}) == coord{64, 16});
  CHECK(operand_a_step({24, 64, 8, major::k, swizzle_mode::b64}) == coord{24, 32});
}
