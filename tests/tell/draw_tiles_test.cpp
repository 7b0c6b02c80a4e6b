// Pictures of tiles, fragments and swizzles by values: what is drawn is where wgmma reads.
#include <doctest/doctest.h>

#include <cstdio>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/draw/fragment_figures.hpp>
#include <sectile/dsl/tell/draw/tile_figures.hpp>
#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/canonical_layout.hpp>
#include <sectile/layouts/descriptor_fields.hpp>
#include <sectile/layouts/error.hpp>
#include <sectile/layouts/metadata.hpp>
#include <sectile/layouts/reachable.hpp>

#include "tests/tell/draw_kit.hpp"

using namespace sectile;
using namespace sectile::test;
using namespace sectile::tell;

namespace {

constexpr swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};

/// Tiles in both directions, in every swizzle, of every width, of one panel and of several.
std::vector<operand_tile> tiles() {
  std::vector<operand_tile> all;
  for (const swizzle_mode mode : modes) {
    all.push_back({128, 64, 16, major::k, mode});
    all.push_back({192, 64, 16, major::mn, mode});
    all.push_back({64, 256, 8, major::k, mode});
    all.push_back({256, 64, 32, major::k, mode});
    all.push_back({64, 1024, 1, major::k, mode});
  }
  all.push_back({64, 16, 16, major::k, swizzle_mode::b32});
  return all;
}

tile_subject subject(const operand_tile& t) { return subject_of(t, "any", 'm'); }

}  // namespace

TEST_CASE("every cell of memory is what wgmma reads there, and K steps begin where descriptors do") {
  for (const operand_tile& t : tiles()) {
    const tile_subject s = subject(t);
    const figure f = draw_memory(s);
    CAPTURE(f.title);
    CHECK(is_well_formed(f.svg));
    CHECK(f.svg.size() < 60'000);
    int cells = 0, steps = 0;
    for (const std::string& tip : tips(f.svg)) {
      int byte = 0, mn = 0, k = 0, step = 0, start = 0;
      const char* form = t.major == major::k ? "byte %d: m%d k%d" : "byte %d: k%d m%d";
      if (std::sscanf(tip.c_str(), form, &byte, &mn, &k) == 3) {
        if (t.major == major::mn) std::swap(mn, k);
        CHECK(static_cast<unsigned>(byte) == read_at(t, mn, k, s.mn_step, s.k_step));
        ++cells;
      } else if (std::sscanf(tip.c_str(), "K step %d starts at + %d bytes", &step, &start) == 2) {
        CHECK(static_cast<unsigned>(start) == descriptor_at(t, 0, step * s.k_step).start_bytes);
        ++steps;
      }
    }
    CHECK(cells >= 8);
    CHECK(cells % 8 == 0);
    CHECK(steps >= std::min(t.k / s.k_step, 4));
    // What is not drawn is said, and together it is the whole tile.
    int left_out = 0;
    for (const std::string& w : words(f.svg)) {
      int lines = 0;
      if (std::sscanf(w.c_str(), "... %d line", &lines) == 1) left_out += lines;
    }
    CHECK(cells * core_matrix_row_bytes + left_out * 128 == bytes(t));
    const matrix_descriptor d = descriptor_at(t, 0, 0);
    if (static_cast<int>(d.stride_bytes) < bytes(t)) CHECK(says(f.svg, std::to_string(d.stride_bytes)));
    CHECK(says(f.svg, "LBO") == (leading_counts(t.major, t.swizzle) && static_cast<int>(d.leading_bytes) < bytes(t)));
  }
}

TEST_CASE("the number of a K step stands in the cell at which its descriptor starts") {
  for (const operand_tile& t : tiles()) {
    const std::vector<tipped_rect> all = tipped_rects(draw_memory(subject(t)).svg);
    for (const tipped_rect& number : all) {
      int step = 0, start = 0, found = 0;
      if (std::sscanf(number.tip.c_str(), "K step %d starts at + %d bytes", &step, &start) != 2) continue;
      for (const tipped_rect& cell : all) {
        if (!cell.tip.starts_with(say("byte ", start, ":"))) continue;
        CHECK((number.x > cell.x && number.x + number.width < cell.x + cell.width));
        CHECK((number.y > cell.y && number.y + number.height < cell.y + cell.height));
        ++found;
      }
      CHECK(found == 1);
    }
  }
}

TEST_CASE("another swizzle is another picture") {
  std::vector<std::string> seen;
  for (const swizzle_mode mode : modes) {
    const tile_subject s = subject({128, 64, 16, major::k, mode});
    for (const figure& f :
         {draw_memory(s), draw_canonical(s), draw_descriptor(s), draw_banks(s), draw_box(s, boxes_of(s))}) {
      CHECK(std::ranges::find(seen, f.svg) == seen.end());
      seen.push_back(f.svg);
    }
  }
  CHECK(seen.size() == 20);
}

TEST_CASE("banks: the verdicts are those of the bank model, with the swizzle and without") {
  for (const operand_tile& t : tiles()) {
    const figure f = draw_banks(subject(t));
    CAPTURE(f.title);
    CHECK(is_well_formed(f.svg));
    CHECK(says(f.svg, "no two rows meet: one pass"));  // TMA's placement is free of conflicts
    const int row = t.swizzle == swizzle_mode::none ? contiguous_extent(t) * t.element_bits / 8 : span_bytes(t.swizzle);
    const int plain = matrix_conflict_degree([row](int r) { return r * row; }, 1);
    if (plain > 1) CHECK(says(f.svg, say("up to ", plain, " rows meet in a bank: ", plain, " passes")));
    int cells = 0;
    for (const std::string& tip : tips(f.svg)) {
      int r = 0, byte = 0;
      if (std::sscanf(tip.c_str(), "row %d: byte %d", &r, &byte) != 2) continue;
      const unsigned written = t.major == major::k ? written_at(t, r, 0) : written_at(t, 0, r);
      CHECK(byte == (cells++ < 8 ? static_cast<int>(written) : r * row));
    }
    CHECK(cells == 16);
  }
}

TEST_CASE("core matrices are at the bytes of the canonical layout") {
  for (const operand_tile& t : tiles()) {
    const figure f = draw_canonical(subject(t));
    CAPTURE(f.title);
    CHECK(is_well_formed(f.svg));
    int cells = 0;
    for (const std::string& tip : tips(f.svg)) {
      int mn = 0, k = 0, byte = 0;
      REQUIRE(std::sscanf(tip.c_str(), "m%d k%d: byte %d before the swizzle", &mn, &k, &byte) == 3);
      CHECK(byte_swizzle(t.swizzle)(byte) == written_at(t, mn, k));
      ++cells;
    }
    CHECK(cells > 0);
  }
}

TEST_CASE("boxes by values: slices that begin where TMA may write, or a refusal") {
  const tile_subject s = subject({256, 64, 16, major::k, swizzle_mode::b128});
  const tile_boxes four = boxes_of(s, 4);
  CHECK(four.box.extent[1] == 64);
  CHECK(draw_box(s, four).alt.find("4 boxes of 64 x 64, each 8192 bytes") != std::string::npos);
  CHECK_THROWS_WITH_AS(boxes_of(s, 5),
                       "a tile of 256 rows cannot be cut into 5 slices that begin at multiples of 128 bytes",
                       layout_error);
  const tile_subject low = subject({56, 64, 16, major::k, swizzle_mode::b128});
  CHECK(draw_box(low, boxes_of(low, 2)).alt.find("2 boxes of 64 x 28, each 3584 bytes") != std::string::npos);
  CHECK_THROWS_AS(boxes_of(subject({24, 16, 16, major::k, swizzle_mode::b32}), 4), layout_error);
  CHECK_THROWS_AS(boxes_of(s, 0), layout_error);
}

TEST_CASE("tiles that break a rule are refused in the rule's words") {
  const auto why = [](const operand_tile& t) -> std::string {
    try {
      subject(t);
    } catch (const layout_error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(why({64, 64, 8, major::mn, swizzle_mode::b128}).find("an MN-major operand needs elements of 16 bits") !=
        std::string::npos);
  CHECK(why({64, 48, 16, major::k, swizzle_mode::b128}).find("choose a narrower swizzle") != std::string::npos);
  CHECK(why({60, 64, 16, major::k, swizzle_mode::b128}).find("60") != std::string::npos);
  CHECK(why({64, 64, 2, major::k, swizzle_mode::b128}).find("elements of 2 bits") != std::string::npos);
  CHECK(why({0, 64, 16, major::k, swizzle_mode::b128}).find("an extent of 0") != std::string::npos);
  CHECK(why({64, 1 << 20, 16, major::k, swizzle_mode::b128}).find("more than the 262144") != std::string::npos);
  CHECK(why({64, 64, 0, major::k, swizzle_mode::b128}).find("elements of 0 bits") != std::string::npos);
}

TEST_CASE("fragments: every cell's thread and registers hold its elements") {
  struct drawn {
    figure f;
    register_slot (*slot)(int row, int col);
  };
  const drawn all[] = {
      {draw_accumulator(256, 32), d_slot},
      {draw_accumulator(8, 16), d16_slot},
      {draw_register_operand(16), [](int row, int col) { return a_slot(16, row, col); }},
      {draw_register_operand(8), [](int row, int col) { return a_slot(8, row, col); }},
      {draw_register_operand(32), [](int row, int col) { return a_slot(32, row, col); }},
      {draw_register_operand(1), [](int row, int col) { return a_slot(1, row, col); }},
  };
  for (const drawn& d : all) {
    CAPTURE(d.f.title);
    CHECK(is_well_formed(d.f.svg));
    int elements = 0;
    for (const std::string& tip : tips(d.f.svg)) {
      int row = 0, first = 0, last = 0, thread = 0, reg = 0;
      char mode = 0, letter = 0;
      const bool several = std::sscanf(tip.c_str(), "m%d %c%d .. %d: thread %d, %c%d", &row, &mode, &first, &last,
                                       &thread, &letter, &reg) == 7;
      if (!several)
        REQUIRE(std::sscanf(tip.c_str(), "m%d %c%d: thread %d, %c%d", &row, &mode, &first, &thread, &letter, &reg) ==
                6);
      if (!several) last = first;
      CHECK(d.slot(row, first).reg == reg);
      for (int col = first; col <= last; ++col, ++elements) CHECK(d.slot(row, col).thread == thread);
    }
    CHECK(elements % 16 == 0);
    CHECK(elements >= 16 * 8);
  }
  CHECK(all[0].f.alt.find(
            "Columns 16 to 255 are not drawn: every 8 columns are the same threads again, 4 registers on, up to "
            "d127.") != std::string::npos);
  CHECK(draw_accumulator(256, 16).alt.find("2 registers on, up to d63.") != std::string::npos);
}

TEST_CASE("metadata: every cell's word and bits are those of its groups") {
  for (const int bits : {8, 16, 32}) {
    const figure f = draw_metadata(bits);
    CAPTURE(f.title);
    CHECK(is_well_formed(f.svg));
    int groups = 0;
    for (const std::string& tip : tips(f.svg)) {
      int row = 0, first = 0, last = 0, thread = 0, low = 0, high = 0;
      REQUIRE(std::sscanf(tip.c_str(), "m%d groups %d .. %d: thread %d, bits %d..%d", &row, &first, &last, &thread,
                          &low, &high) == 6);
      CHECK(metadata_slot_of(bits, row, first) == metadata_slot{thread, low});
      CHECK(metadata_slot_of(bits, row, last) == metadata_slot{thread, high - 3});
      groups += last - first + 1;
    }
    CHECK(groups == 16 * metadata_groups);
  }
}

TEST_CASE("what there is no fragment of is refused") {
  for (const int n : {0, -8, 12, 264}) CHECK_THROWS_AS(draw_accumulator(n, 32), layout_error);
  CHECK_THROWS_WITH_AS(draw_accumulator(16, 8), "accumulator: elements of 8 bits; wgmma sums in 32 bits, or in f16",
                       layout_error);
  CHECK_THROWS_AS(draw_register_operand(64), layout_error);
  CHECK_THROWS_AS(draw_metadata(1), layout_error);
}

TEST_CASE("a swizzle's table is the swizzle") {
  for (const swizzle s :
       {byte_swizzle(swizzle_mode::b128), byte_swizzle(swizzle_mode::b32), swizzle{2, 0, -3}, swizzle{3, 3, 3}}) {
    const figure f = draw_swizzle(s);
    CAPTURE(f.title);
    CHECK(is_well_formed(f.svg));
    int cells = 0, moved = 0;
    for (const std::string& tip : tips(f.svg)) {
      int there = 0, from = 0;
      REQUIRE(std::sscanf(tip.c_str(), "at %d: what would be at %d", &there, &from) == 2);
      CHECK((from == there || s(from) == there));
      moved += from != there;
      ++cells;
    }
    CHECK(cells == 2 * static_cast<int>(s.period() >> s.base));
    CHECK(moved > 0);
  }
  CHECK(draw_swizzle({0, 4, 3}).alt.find("Nothing moves.") != std::string::npos);
  CHECK_THROWS_AS(draw_swizzle({3, 4, 2}), layout_error);
  CHECK_THROWS_AS(draw_swizzle({5, 4, 6}), layout_error);
}

TEST_CASE("a descriptor of 64 bits: reserved bits that are set are named") {
  CHECK(draw_descriptor(0x4000'0040'0001'0200).alt.find("LBO, 1 or 16 bytes") != std::string::npos);
  CHECK(draw_descriptor(0x4000'4040'0001'0200).alt.find("bits that must be 0 are set: 46.") != std::string::npos);
  CHECK(draw_descriptor(std::uint64_t{5} << 49).alt.find("base offset 5 is not 0 to 0") != std::string::npos);
  CHECK(is_well_formed(draw_descriptor(~std::uint64_t{0}).svg));
}
