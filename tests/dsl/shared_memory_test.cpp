// What TMA brings at once, and what lies where in shared memory, worked out by hand.
#include <doctest/doctest.h>

#include <algorithm>

#include <sectile/dsl/plan/shared_memory.hpp>
#include <sectile/dsl/plan/vector_boxes.hpp>

#include "tests/static_check.hpp"

namespace {

using namespace sectile;

// ---- vectors that come with tiles

constexpr operand_facts part_of_vector(element type, int cols) {
  return {.kind = operand_kind::vector, .type = type, .tile = {1, {cols}}, .path = with_tiles};
}
STATIC_CASE(vector_box(part_of_vector(element_of<float>(), 64)) == 68);
STATIC_CASE(vector_box(part_of_vector(element_of<bf16>(), 9)) == 16);
STATIC_CASE(vector_box(part_of_vector(element_of<bf16>(), 10)) == 24);
STATIC_CASE(vector_box_offset(part_of_vector(element_of<bf16>(), 10), 3) == 3 * 48);
STATIC_CASE(boxes_of_vector(part_of_vector(element_of<float>(), 253)) == 1);
STATIC_CASE(boxes_of_vector(part_of_vector(element_of<float>(), 254)) == 2);
STATIC_CASE(most_on_a_line == 0x7fffffff - 1023);

TEST_CASE("the boxes of a vector's part hold it wherever it begins, in whole pieces, and no piece more") {
  for (const element type : {element_of<float>(), element_of<bf16>(), element_of<e4m3>(), element_of<b1x8>()})
    for (int cols = 1; cols <= 600; ++cols) {
      CAPTURE(type.bits);
      CAPTURE(cols);
      const operand_facts f = part_of_vector(type, cols);
      const int piece = piece_of_vector(f), box = vector_box(f), boxes = boxes_of_vector(f);
      const int longest = piece - 1 + cols;  // from the multiple of 16 bytes before the part to its end
      REQUIRE(piece * type.bits == 128);
      REQUIRE(box % piece == 0);
      REQUIRE(box <= tma_max_box_extent);
      REQUIRE(boxes * box >= longest);
      REQUIRE((boxes - 1) * box < longest);
      REQUIRE((boxes > 1 ? box == tma_max_box_extent : box - longest < piece));
      REQUIRE(box_of_vector(f) == tma_box{.rank = 1, .extent = {box}, .element_bits = type.bits});
    }
}
TEST_CASE("the boxes of a part begin at the last multiple of 16 bytes before it") {
  const int tile[]{2, 3};
  const int stride[]{100};
  operand_facts f{.kind = operand_kind::vector, .type = element_of<float>(), .tile = {2, {1, 64}}, .path = with_tiles};
  const auto place = [&](int box, int lead) { return place_on_line(line_shape(f), tile, box, lead, stride); };
  CHECK(place(0, 1) == 392);  // of 1 + 2 * 100 + 3 * 64
  CHECK(place(0, 0) == 392);
  CHECK(place(0, 3) == 392);
  CHECK(place(0, 4) == 396);
  CHECK(place(1, 1) == 392 + vector_box(f));
  f.tile = {1, {64}};
  CHECK(place(0, 1) == 128);
}
TEST_CASE("elements of blocks, as many as a tile meets at most, and where their boxes begin") {
  operand_facts f{.block = {128, 1}, .kind = operand_kind::vector, .type = element_of<float>(), .path = with_tiles};
  struct {
    int block, extent, held;
  } const expected[]{{128, 128, 1}, {128, 192, 2}, {128, 160, 2}, {128, 96, 2},  {128, 64, 1},
                     {128, 256, 2}, {128, 320, 3}, {48, 64, 2},   {100, 128, 3}, {7, 64, 10}};
  for (const auto& e : expected) {
    CAPTURE(e.block);
    CAPTURE(e.extent);
    f.block[0] = e.block;
    f.tile = {2, {e.extent, 1}};
    int most = 0;  // over all places that a tile has in a block
    for (int tile = 0; tile < e.block; ++tile)
      most = std::max(most, (tile * e.extent + e.extent - 1) / e.block - first_of_blocks(tile, e.extent, e.block) + 1);
    CHECK(f.held(0) == e.held);
    CHECK(most == e.held);
    CHECK(f.line() == 0);
    CHECK(boxes_of_vector(f) == e.held);
    CHECK(vector_box(f) == 4);
  }
  f.block[0] = 128;
  f.tile = {2, {192, 1}};
  const int tile[]{3, 5};  // from column 576 on, in block 4
  const long long stride[]{33};
  CHECK(place_on_line(line_shape(f), tile, 0, 1, stride) == 136);  // of 1 + 4 * 33 + 5 = 138
  CHECK(place_on_line(line_shape(f), tile, 1, 1, stride) == 168);  // of 138 + 33 = 171
  CHECK(vector_box_offset(f, 1) == strided_step);
}

// ---- tiles

/// The plan of one input's boxes.
constexpr plan boxes_of_input(operand_facts f, swizzle_mode swizzle, int slices = 1) {
  plan p{};
  p.operands = 1;
  p.operand[0].facts = f;
  p.operand[0].swizzle = swizzle;
  p.operand[0].slices = slices;
  plan_boxes(p);
  return p;
}
constexpr operand_facts of_tile(element type, tile_shape tile) { return {.type = type, .tile = tile}; }
TEST_CASE("a panel that is too tall for one box comes in equal ones of whole core matrices") {
  struct {
    int rows, slices, boxes, box_rows;
  } const expected[]{{256, 1, 1, 256}, {512, 1, 2, 256},  {320, 1, 2, 160},
                     {320, 2, 1, 160}, {1024, 2, 2, 256}, {424, 1, 53, 8}};
  for (const auto& e : expected) {
    CAPTURE(e.rows);
    const plan p = boxes_of_input(of_tile(element_of<bf16>(), {2, {e.rows, 192}}), swizzle_mode::b128, e.slices);
    CHECK(p.operand[0].panels == 3);
    CHECK(p.operand[0].boxes_per_panel == e.boxes);
    CHECK(p.operand[0].box ==
          tma_box{.rank = 2, .extent = {64, e.box_rows, 1, 1, 1}, .element_bits = 16, .swizzle = swizzle_mode::b128});
  }
}
TEST_CASE("a box has one element along each batch mode, and the bytes of what is narrower than one") {
  operand_facts f = of_tile(element_of<s4x2>(), {5, {1, 1, 1, 64, 128}});
  CHECK(boxes_of_input(f, swizzle_mode::b64).operand[0].box ==
        tma_box{.rank = 5, .extent = {64, 64, 1, 1, 1}, .element_bits = 8, .swizzle = swizzle_mode::b64});
  f = of_tile(element_of<bf16>(), {2, {64, 16}});
  f.order = col_major;
  CHECK(boxes_of_input(f, swizzle_mode::b128).operand[0].box ==
        tma_box{.rank = 2, .extent = {64, 16, 1, 1, 1}, .element_bits = 16, .swizzle = swizzle_mode::b128});
}
TEST_CASE("metadata: a box has the blocks of a CTA's slice, which are whole ones") {
  operand_facts f = of_tile(element_of<bf16>(), {3, {1, 256, 2 * metadata_k(16)}});
  f.sparse = true;
  for (const int slices : {1, 2, 4}) {
    const plan p = boxes_of_input(f, swizzle_mode::b128, slices);
    const metadata_plan& m = p.operand[0].metadata;
    CHECK(p.refusal.holds());
    CHECK(m.row_blocks == 4);
    CHECK(m.k_blocks == 2);
    CHECK(m.bytes == 8 * metadata_block_bytes);
    CHECK(m.box == tma_box{.rank = 3, .extent = {128, 4 / slices, 1, 1, 1}, .element_bits = 32});
  }
  CHECK(boxes_of_input(f, swizzle_mode::b128, 8).refusal.what == rule::cluster_is_illegal);
}

// ---- sums that meet

TEST_CASE("partial sums lie where the stages were, each consumer's words and what a CTA adds up behind them") {
  plan p{};
  p.how.consumers = 2;
  p.how.split = 4;
  p.meetings = 2;
  p.sums_ring = 1;
  p.ring[1].offset = 4096;
  p.ring[1].stages = 2;
  p.ring[1].stage_bytes = 43008;
  p.meeting[0] = {.words = 20, .rounds = 2};  // of 5 quads the largest share is 2
  p.meeting[1] = {.words = 16, .rounds = 1};
  CHECK(partial_sums_bytes(p, p.meeting[0]) == 2 * 5 * 128 * 16);
  CHECK(shares_bytes(p, p.meeting[0]) == 2 * 2 * 128 * 16);
  CHECK(partial_sums_bytes(p, p.meeting[1]) == 2 * 4 * 128 * 16);
  CHECK(shares_bytes(p, p.meeting[1]) == 0);
  CHECK(partial_sums_bytes(p) == 2 * (4 + 5 + 2) * 128 * 16);
  place_partial_sums(p);
  CHECK(p.meeting[0].offset == 4096);
  CHECK(p.meeting[0].shares == 4096 + 20480);
  CHECK(p.meeting[1].offset == 4096 + 20480 + 8192);
  CHECK(p.meeting[1].shares == 4096 + 20480 + 8192 + 16384);
  CHECK(p.meeting[2] == meeting_plan{});
  p.ring[1].stage_bytes = partial_sums_bytes(p) / 2;
  CHECK(check_partial_sums(p).holds());
  p.ring[1].stage_bytes -= 8;
  CHECK(check_partial_sums(p).what == rule::stages_do_not_fit_in_shared_memory);
  p.meetings = 0;
  CHECK(partial_sums_bytes(p) == 0);
  CHECK(count_meeting_barriers(p) == 0);
}
TEST_CASE("sums that meet in the workspace take no shared memory, and no barriers") {
  plan p{};
  p.how.consumers = 2;
  p.how.split = 16;
  p.meetings = 1;
  p.meeting[0] = {.words = 64, .rounds = 0};
  CHECK(partial_sums_bytes(p) == 0);
  CHECK(check_partial_sums(p).holds());
  CHECK(count_meeting_barriers(p) == 0);
}
TEST_CASE("barriers of meetings: one for each consumer and round") {
  plan p{};
  p.how.consumers = 2;
  p.meetings = 2;
  p.meeting[0].rounds = 1;
  p.meeting[1].rounds = 2;
  CHECK(count_meeting_barriers(p) == 6);
  CHECK(place_meeting_barriers(p, 64) == 64 + 6 * 8);
  CHECK(p.meeting[0].barrier == 64);
  CHECK(p.meeting[1].barrier == 64 + 2 * 8);
  CHECK(p.meeting[2] == meeting_plan{});
  CHECK(meeting_barrier(p.meeting[1], 1, 1) == 64 + 5 * 8);
}
TEST_CASE("numbers that are drawn: two pairs of barriers, and 16 bytes for each slot behind them") {
  ticket_plan t{.slots = 2};
  CHECK(place_tickets(t, 96) == 96 + 32 + 32);
  CHECK(ticket_full_barrier(t, 1) == 96 + 8);
  CHECK(ticket_empty_barrier(t, 1) == 96 + 24);
  CHECK(ticket_offset(t, 1) == 96 + 32 + 16);
  CHECK(place_tickets(t, 104) == 112 + 32 + 32);  // a pair less before them
  t.slots = 0;
  CHECK(place_tickets(t, 104) == 104);
  plan p{};
  CHECK(count_ticket_barriers(p) == 0);
  CHECK(ticket_bytes_of(p) == 0);
  p.tickets.slots = ticket_slots;
  CHECK(count_ticket_barriers(p) == 4);
  CHECK(ticket_bytes_of(p) == 32);
  CHECK(ticket_readers({.cluster = {2, 2}, .consumers = 2}) == 4 * 3 - 1);  // all roles but the one that has drawn
}

}  // namespace
