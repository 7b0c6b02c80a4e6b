// The plan of the GEMM, number by number, as one works it out on paper.
#include <doctest/doctest.h>

#include <sectile/kernels/gemm.hpp>

namespace {

using namespace sectile;
using kernels::gemm_bf16;
using kernels::gemm_bf16_f32;

constexpr const plan& p = plan_of<gemm_bf16>;
static_assert(p.refusal.holds());

enum operand_number { a, b, c };
/// Places in the body: one loop with two loads and a product, the store, and the end of the accumulator's life.
enum place { loop, load_a, load_b, multiply, store, end_of_life, finish };

}  // namespace

TEST_CASE("A and B are loaded together, so they share one ring") {
  REQUIRE(p.rings == 1);
  CHECK(p.ring[0].stages == 4);
  CHECK(p.ring[0].members == 2);
  CHECK(p.ring[0].member[0] == a);
  CHECK(p.ring[0].member[1] == b);
  CHECK(p.operand[a].ring == 0);
  CHECK(p.operand[b].ring == 0);
  CHECK(p.operand[c].ring == -1);
}

TEST_CASE("a stage holds a tile of A and one of B") {
  CHECK(p.operand[a].tile_bytes == 128 * 64 * 2);
  CHECK(p.operand[b].tile_bytes == 256 * 64 * 2);
  CHECK(p.operand[a].stage_offset == 0);
  CHECK(p.operand[b].stage_offset == 16384);
  CHECK(p.ring[0].stage_bytes == 49152);
  CHECK(p.ring[0].transaction_bytes == 49152);  // what lands in one CTA, whoever sends it
}

TEST_CASE("the first product into the sums overwrites them, so nobody clears registers") {
  CHECK(!p.clears_accumulators);
}

TEST_CASE("rows of 64 bf16 are 128 bytes, the widest swizzle") {
  CHECK(p.operand[a].swizzle == swizzle_mode::b128);
  CHECK(p.operand[b].swizzle == swizzle_mode::b128);
  CHECK(p.operand[a].panels == 1);
  CHECK(p.operand[b].panels == 1);
}

TEST_CASE("the two CTAs of a cluster lie one above the other: they share B and halve it") {
  CHECK(p.operand[a].varies_with_row);
  CHECK(!p.operand[b].varies_with_row);
  CHECK(p.operand[a].slices == 1);
  CHECK(p.operand[b].slices == 2);
  CHECK(p.ring[0].multicast_rows);
  CHECK(!p.ring[0].multicast_cols);
}

TEST_CASE("each CTA sends one box of A and one of half of B") {
  for (const operand_number o : {a, b}) {
    CHECK(p.operand[o].boxes_per_panel == 1);
    CHECK(p.operand[o].box.rank == 2);
    CHECK(p.operand[o].box.extent[0] == 64);
    CHECK(p.operand[o].box.extent[1] == 128);  // all of A's rows, half of B's
    CHECK(p.operand[o].box.swizzle == swizzle_mode::b128);
  }
}

TEST_CASE("a stage is free when both consumers of both CTAs have released it") { CHECK(p.ring[0].empty_arrivals == 4); }

TEST_CASE("shared memory: four stages, two panels for each consumer, eight barriers") {
  CHECK(p.ring[0].offset == 0);
  CHECK(p.epilogue[0].offset == 4 * 49152);
  CHECK(p.ring[0].full_barrier == 4 * 49152 + 2 * 2 * 8192);
  CHECK(p.ring[0].empty_barrier == p.ring[0].full_barrier + 4 * 8);
  CHECK(p.barrier_bytes == 8 * 8);
  CHECK(p.shared_bytes == p.ring[0].full_barrier + 8 * 8);
  CHECK(p.shared_bytes <= shared_memory_limit);
}

TEST_CASE("a product is four instructions of 64 x 256 x 16 for each consumer") {
  REQUIRE(p.products.count == 1);
  const product_plan& q = p.products.at[0];
  CHECK(p.products.position[0] == multiply);
  CHECK(q.instruction.n == 256);
  CHECK(q.instruction.k == 16);
  CHECK(!q.instruction.a_in_registers);
  CHECK(q.m_blocks == 1);
  CHECK(q.k_steps == 4);
  CHECK(q.a_operand == a);
  CHECK(q.b_operand == b);
  CHECK(q.a.major == major::k);
  CHECK(q.b.major == major::k);
}

TEST_CASE("the trace has a loop of three places, and the store behind it") {
  CHECK(p.positions == finish + 1);
  CHECK(p.finish_position == finish);
  CHECK(p.steps[loop].kind == event_kind::loop);
  CHECK(p.steps[loop].loop_end == store);
  CHECK(p.steps[load_a].kind == event_kind::load);
  CHECK(p.steps[load_b].kind == event_kind::load);
  CHECK(p.steps[multiply].kind == event_kind::issue);
  CHECK(p.steps[store].kind == event_kind::store);
  CHECK(p.steps[end_of_life].kind == event_kind::touch);
}

TEST_CASE("after the product of a trip at most one is in flight, and one stage is kept for it") {
  CHECK(p.steps[multiply].wait == -1);
  CHECK(p.steps[multiply].wait_after == 1);
  CHECK(p.steps[multiply].keep[0] == 1);
  CHECK(p.steps[multiply].release[0] == 1);
}

TEST_CASE("the store waits for the last product and releases the last stage") {
  CHECK(p.steps[store].wait == 0);
  CHECK(p.steps[store].settle);
  CHECK(p.steps[store].keep[0] == 0);
  CHECK(p.steps[store].release[0] == 1);
}

TEST_CASE("only the product needs a wgmma fence: the epilogue has read the registers since the last tile") {
  CHECK(p.steps[multiply].fence);
  for (const place x : {loop, load_a, load_b, store, end_of_life, finish}) CHECK(!p.steps[x].fence);
}

TEST_CASE("nothing is waited for where nothing happens, and nobody takes turns") {
  for (const place x : {loop, load_a, load_b, end_of_life}) CHECK(p.steps[x].wait == -1);
  for (int x = 0; x < p.positions; ++x) {
    CHECK(!p.steps[x].wait_in_order);
    CHECK(!p.steps[x].arrive_in_order);
  }
}

TEST_CASE("the epilogue of bf16 is put off: 128 accumulators and 64 packed registers fit") {
  const epilogue_plan& e = p.epilogue[0];
  CHECK(e.operand == c);
  CHECK(e.deferred);
  CHECK(e.panel_cols == 64);  // 128 bytes
  CHECK(e.panel_bytes == 64 * 128);
  CHECK(e.panels == 4);
  CHECK(e.buffers == 2);
  CHECK(e.batch == 1);  // one is filled while the other is stored
  CHECK(e.swizzle == swizzle_mode::b128);
  CHECK(e.bank_conflicts == 1);
  CHECK(p.accumulator_registers == 128 + 64);
}

TEST_CASE("the epilogue of f32 is not; its panels are as wide, and lanes that cross over have no conflicts") {
  const epilogue_plan& e = plan_of<gemm_bf16_f32>.epilogue[0];
  CHECK(!e.deferred);
  CHECK(plan_of<gemm_bf16_f32>.accumulator_registers == 128);
  CHECK(e.swizzle == swizzle_mode::b128);
  CHECK(e.panel_cols * 4 == span_bytes(e.swizzle));
  CHECK(e.panels * e.panel_cols == 256);
  CHECK(e.panels % e.buffers == 0);
  CHECK(e.buffers % e.batch == 0);
  CHECK(e.bank_conflicts == 1);
}

TEST_CASE("registers: 65536 for three warpgroups are 168 for each thread; a heavy consumer takes all it can") {
  CHECK(p.threads == 3 * 128);
  CHECK(p.producer_registers == 24);
  CHECK(p.consumer_registers == 240);
  CHECK(p.producer_registers + 2 * p.consumer_registers <= 3 * launch_registers(p));
  CHECK(plan_of<gemm_bf16_f32>.producer_registers == 40);
  CHECK(plan_of<gemm_bf16_f32>.consumer_registers == 232);
}

TEST_CASE("the program walks along every mode of every operand") {
  for (const operand_number o : {a, b, c})
    for (int mode = 0; mode < 2; ++mode) CHECK(p.operand[o].stepped[mode]);
}
