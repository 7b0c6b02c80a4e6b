// Every proof can fail: a plan that holds is copied, one thing in the copy is made wrong, and the proof has to name it.
//
// Proofs about bytes and budgets read a plan that is handed to them. The protocol's proof runs the lowered roles, which
// look their plan up by the kernel's type; so each wrong plan gets a kernel of its own, and that kernel runs on the
// model as well: what the proof refuses must be a hazard there.
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "tests/dsl/all_orders/tampered.hpp"
#include "tests/dsl/wrong_machine.hpp"
#include "tests/exhaustively.hpp"
#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using test::host_tensor, test::check_refused, test::exhaustively;

/// One consumer, one product per trip, two panels of output.
using tiny = test::matmul<64, 128, 64, configuration{.stages = 2, .consumers = 1}>;
/// Two CTAs above each other that share B.
using pair = test::matmul<64, 64, 64, configuration{.stages = 2, .cluster = {2, 1}, .consumers = 1}>;
/// An output of f32, whose panels are stored without stmatrix.
using floats = test::matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1}, float>;
using test::sparse_product;
static_assert(verified<tiny> && verified<pair> && verified<sparse_product>);

enum operand_number { a, b, c };

/// `kernel` with the plan `Tamper(plan_of<Kernel>)`.
template <class Kernel, auto Tamper>
struct mutant : Kernel {};

}  // namespace

template <class Kernel, auto Tamper>
inline constexpr sectile::plan sectile::plan_of<mutant<Kernel, Tamper>> = Tamper(sectile::plan_of<Kernel>);
/// So that the model will run it.
template <class Kernel, auto Tamper, int... I>
inline constexpr bool sectile::verified<mutant<Kernel, Tamper>, std::integer_sequence<int, I...>> = true;
template <class Kernel, auto Tamper>
inline constexpr sectile::violation sectile::verdict_here<mutant<Kernel, Tamper>>{};

namespace {

// ---- proofs that read a plan

TEST_CASE("the plan itself passes every proof") {
  constexpr plan p = plan_of<tiny>;
  CHECK(p.refusal.holds());
  CHECK(check_alignment(p).holds());
  CHECK(check_budgets(p).holds());
  CHECK(check_reachability(p).holds());
  CHECK(check_reachability(p, compared_rows::each).holds());
  CHECK(check_banks(p).holds());
}

TEST_CASE("alignment: nothing in shared memory overlaps or lies outside") {
  plan p = plan_of<tiny>;
  SUBCASE("B over A") {
    p.operand[b].stage_offset = 0;
    check_refused(check_alignment(p), rule::shared_memory_overlaps, "B and A both lie at byte 0");
  }
  SUBCASE("barriers over a stage") {
    p.ring[0].full_barrier = 0;
    check_refused(check_alignment(p), rule::shared_memory_overlaps, "a ring's full barriers and A both lie at byte 0");
  }
  SUBCASE("barriers of which the last lies outside") {
    p.ring[0].empty_barrier = p.shared_bytes - 8 * (p.ring[0].stages - 1);
    check_refused(check_alignment(p), rule::shared_memory_overlaps, "a ring's empty barriers: bytes");
  }
  SUBCASE("the epilogue over the ring") {
    p.epilogue[0].offset = 0;
    check_refused(check_alignment(p), rule::shared_memory_overlaps, "C and A both lie at byte 0");
  }
  SUBCASE("less memory than there are stages") {
    p.shared_bytes = 1024;
    check_refused(check_alignment(p), rule::shared_memory_overlaps, "lie outside the kernel's 1024");
  }
  SUBCASE("a panel that is not its span wide") {
    p.epilogue[0].panel_cols /= 2;
    check_refused(check_alignment(p), rule::shared_memory_is_misaligned, "an epilogue panel of");
  }
  SUBCASE("a panel whose rows are longer than its columns") {
    p.epilogue[0].swizzle = swizzle_mode::none;
    CHECK(check_alignment(p).holds());
    p.epilogue[0].row_bytes += 16;
    p.epilogue[0].panel_bytes += 16 * p.epilogue[0].panel_rows;
    check_refused(check_alignment(p), rule::shared_memory_is_misaligned, "an epilogue panel of");
  }
}

TEST_CASE("alignment: stages and panels begin where their swizzle begins") {
  plan p = plan_of<tiny>;
  SUBCASE("an operand inside a stage") {
    p.operand[b].stage_offset += 128;
    check_refused(check_alignment(p), rule::shared_memory_is_misaligned, "operand B: shared-memory offset 8320");
  }
  SUBCASE("the second stage") {
    p.ring[0].stage_bytes += 512;
    check_refused(check_alignment(p), rule::shared_memory_is_misaligned, "is not a multiple of 1024");
  }
  SUBCASE("the epilogue") {
    p.epilogue[0].offset += 16;
    check_refused(check_alignment(p), rule::shared_memory_is_misaligned, "operand C: shared-memory offset");
  }
  SUBCASE("the epilogue's second buffer") {
    p.epilogue[0].panel_bytes += 128;
    check_refused(check_alignment(p), rule::shared_memory_is_misaligned, "operand C: shared-memory offset");
  }
}

TEST_CASE("alignment: boxes and descriptors are what the hardware takes") {
  plan p = plan_of<tiny>;
  SUBCASE("a box taller than 256") {
    p.operand[b].box.extent[1] = 264;
    check_refused(check_alignment(p), rule::tma_box_is_illegal,
                  "operand B: the TMA box's mode 1 has 264, the limit is 256");
  }
  SUBCASE("a box wider than its swizzle") {
    p.operand[a].box.extent[0] = 72;
    check_refused(check_alignment(p), rule::tma_box_is_illegal, "operand A: the TMA box's mode 0 has");
  }
  SUBCASE("an epilogue box wider than its swizzle") {
    p.epilogue[0].panel_cols = 128;
    check_refused(check_alignment(p), rule::tma_box_is_illegal, "operand C: the TMA box's mode 0 has");
  }
  SUBCASE("a stage beyond the address field of a descriptor") {
    p.ring[0].offset = 262144;
    check_refused(check_alignment(p), rule::descriptor_field_is_out_of_range, "operand A: a descriptor with start");
  }
}

TEST_CASE("budgets: shared memory, threads, barriers") {
  plan p = plan_of<tiny>;
  SUBCASE("as much as there is") {
    p.shared_bytes = shared_memory_limit;
    CHECK(check_budgets(p).holds());
  }
  SUBCASE("16 bytes too many") {
    p.shared_bytes = shared_memory_limit + 16;
    check_refused(check_budgets(p), rule::stages_do_not_fit_in_shared_memory,
                  "needs 232464 bytes of shared memory, a CTA has 232448");
  }
  SUBCASE("a warp too many") {
    p.threads = 1024 + 32;
    check_refused(check_budgets(p), rule::too_many_threads, "needs 1056 threads");
  }
  SUBCASE("a stage that one barrier cannot count") {
    p.ring[0].transaction_bytes = 1 << 20;
    check_refused(check_budgets(p), rule::too_many_barriers, "a stage of 1048576 bytes exceeds");
  }
  SUBCASE("more named barriers than there are") {
    p.how.consumers = 8;
    p.how.pingpong = true;
    p.producer_registers = p.consumer_registers = 128;
    check_refused(check_budgets(p), rule::too_many_barriers, "17 named barriers are needed, a CTA has 16");
  }
}

TEST_CASE("budgets: registers") {
  plan p = plan_of<tiny>;
  SUBCASE("a consumer with more than the CTA was launched with") {
    p.consumer_registers = 256;
    check_refused(check_budgets(p), rule::registers_exceed_the_pool, "setmaxnreg would wait forever");
  }
  SUBCASE("setmaxnreg cannot lower a consumer") {
    p.producer_registers = 40;
    p.consumer_registers = 240;
    check_refused(check_budgets(p), rule::registers_exceed_the_pool, "can only raise a consumer from 248");
  }
  SUBCASE("setmaxnreg takes multiples of 8") {
    p.producer_registers = p.consumer_registers = 100;
    check_refused(check_budgets(p), rule::registers_exceed_the_pool, "multiples of 8 from 24 to 256, not 100 and 100");
  }
  SUBCASE("setmaxnreg takes up to 256") {
    p.producer_registers = 240, p.consumer_registers = 256;
    CHECK(check_budgets(p).holds());
    p.producer_registers = 232, p.consumer_registers = 264;
    check_refused(check_budgets(p), rule::registers_exceed_the_pool, "multiples of 8 from 24 to 256, not 232 and 264");
  }
  SUBCASE("setmaxnreg takes at least 24") {
    p.producer_registers = p.consumer_registers = 16;
    check_refused(check_budgets(p), rule::registers_exceed_the_pool, "multiples of 8 from 24 to 256, not 16 and 16");
  }
  SUBCASE("accumulators that leave nothing for addresses") {
    p.accumulator_registers = 248 - consumer_overhead;
    CHECK(check_budgets(p).holds());
    p.accumulator_registers += 1;
    check_refused(check_budgets(p), rule::accumulators_do_not_fit_in_registers, "fragments of 221 registers");
  }
  SUBCASE("accumulators larger than a thread") {
    p.accumulator_registers = 300;
    check_refused(check_budgets(p), rule::accumulators_do_not_fit_in_registers, "a consumer has 248");
  }
}

/// By the rows that the proof compares as by all of them.
void check_unreachable(const plan& p, const char* fragment) {
  for (const compared_rows which : {compared_rows::first_of_eight, compared_rows::each})
    check_refused(check_reachability(p, which), rule::wgmma_does_not_read_what_tma_wrote, fragment);
}

TEST_CASE("reachability: wgmma reads what TMA wrote") {
  plan p = plan_of<tiny>;
  SUBCASE("TMA swizzles by 64 bytes, the descriptor says 128") {
    p.operand[a].box.swizzle = swizzle_mode::b64;
    check_unreachable(p, "operand A, element");
  }
  SUBCASE("TMA does not swizzle B") {
    p.operand[b].box.swizzle = swizzle_mode::none;
    check_unreachable(p, "operand B, element");
  }
  SUBCASE("the descriptor does not swizzle") {
    p.products.at[0].a.swizzle = swizzle_mode::none;
    check_unreachable(p, "operand A, element");
  }
  SUBCASE("the descriptor takes rows for columns") {
    p.products.at[0].b.major = major::mn;
    check_unreachable(p, "operand B, element");
  }
  SUBCASE("a second product that takes B otherwise") {
    p.products.at[1] = p.products.at[0];
    p.products.count = 2;
    CHECK(check_reachability(p).holds());
    p.products.at[1].b.swizzle = swizzle_mode::none;
    check_unreachable(p, "operand B, element");
  }
  SUBCASE("boxes half a panel wide, placed as whole panels") {
    p.operand[a].box.extent[0] /= 2;
    check_unreachable(p, "operand A, element");
  }
  SUBCASE("boxes that end within eight rows: TMA swizzles by the bits of an address, wherever a box begins") {
    p.operand[a].box.extent[1] = p.operand[a].facts.strided() - 4;
    for (const compared_rows which : {compared_rows::first_of_eight, compared_rows::each})
      CHECK(check_reachability(p, which).holds());
  }
}

TEST_CASE("legality: instructions that exist, tiles that are whole") {
  plan p = plan_of<tiny>;
  CHECK(check_legality(p).holds());
  SUBCASE("N = 264") {
    p.products.at[0].instruction.n = 264;
    check_refused(check_legality(p), rule::n_has_no_wgmma_instruction, "operand B: tile N = 264");
  }
  SUBCASE("K = 40") {
    p.products.at[0].b.k = 40;
    check_refused(check_legality(p), rule::tile_is_not_a_multiple_of_the_instruction, "tile K = 40");
  }
  SUBCASE("a batch of two matrices in a tile") {
    p.operand[a].facts.tile = {3, {2, 64, 64}};
    check_refused(check_legality(p), rule::batch_modes_must_have_tile_extent_1, "operand A: tile extent 2");
  }
  SUBCASE("an output that is not stored as it lies") {
    p.operand[c].facts.type = element_of<tf32>();
    check_refused(check_legality(p), rule::types_have_no_wgmma_instruction,
                  "operand C: outputs are bf16, f16, f32, s32, e4m3, e5m2, s8 or u8");
  }
  SUBCASE("a plan that could not be made") {
    p.refusal = refuse(rule::too_many_threads, "why");
    check_refused(check_legality(p), rule::too_many_threads, "why");
  }
}

TEST_CASE("fragments: the epilogue stores every element once") {
  plan p = plan_of<tiny>;
  CHECK(check_fragments(p).holds());
  CHECK(check_fragments(plan_of<floats>).holds());
  SUBCASE("a panel is left out") {
    p.epilogue[0].panels -= 1;
    check_refused(check_fragments(p), rule::epilogue_misses_or_doubles_elements, "are stored 0 times");
  }
  SUBCASE("a panel too many") {
    p.epilogue[0].panels += p.epilogue[0].batch;
    check_refused(check_fragments(p), rule::epilogue_misses_or_doubles_elements, "reaches out of the tile");
  }
  SUBCASE("batches that do not divide the panels") {
    p.epilogue[0].batch = p.epilogue[0].buffers = 3;
    check_refused(check_fragments(p), rule::epilogue_misses_or_doubles_elements, "are stored 0 times");
  }
  SUBCASE("consumers that store the same rows") {
    p.how.consumers = 2;
    check_refused(check_fragments(p), rule::epilogue_misses_or_doubles_elements, "operand C: ");
  }
  SUBCASE("panels that TMA takes from other bytes") {
    p.epilogue[0].panel_cols = 32;  // half of what the swizzle spans
    p.epilogue[0].panels *= 2;
    check_refused(check_fragments(p), rule::epilogue_misses_or_doubles_elements, "of a panel is written to byte");
  }
}

TEST_CASE("fragments: operands in registers are whole, and what they are made from lines up") {
  plan p = plan_of<tiny>;
  product_plan& q = p.products.at[0];
  q.instruction.a_in_registers = true;
  CHECK(check_fragments(p).holds());
  SUBCASE("a fragment of fewer columns than the tile has rows") {
    q.k_steps -= 1;
    check_refused(check_fragments(p), rule::fragments_do_not_line_up,
                  "a fragment of 48 columns of bf16 meets a tile of 64");
  }
  SUBCASE("an accumulator of half a core matrix") {
    q.instruction.n = 132;
    check_refused(check_fragments(p), rule::fragments_do_not_line_up, "an accumulator of 64 x 132 f32");
  }
  SUBCASE("bytes that ldmatrix cannot turn") {
    p.products.read[p.products.reads++] = {a, {.mn = 64, .k = 64, .element_bits = 8, .major = major::mn}};
    p.operand[a].facts.type = element_of<e4m3>();
    check_refused(check_fragments(p), rule::fragments_do_not_line_up, "ldmatrix does not bring e4m3");
  }
}

TEST_CASE("banks: rows of an even number of 16 bytes meet without a swizzle") {
  plan p = plan_of<tiny>;
  epilogue_plan& e = p.epilogue[0];
  e.swizzle = swizzle_mode::none;
  for (e.row_bytes = 16; e.row_bytes <= 240; e.row_bytes += 32) CHECK(check_banks(p).holds());
  for (e.row_bytes = 32; e.row_bytes <= 256; e.row_bytes += 32)
    check_refused(check_banks(p), rule::epilogue_has_bank_conflicts, "operand C: the epilogue's stores meet");
}

TEST_CASE("banks: pairs of f32 meet in spans wider than 32 bytes, but where lanes cross over") {
  plan p = plan_of<floats>;
  epilogue_plan& e = p.epilogue[0];
  for (const swizzle_mode mode : {swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128}) {
    e.swizzle = mode;
    e.row_bytes = span_bytes(mode);
    e.panel_cols = e.row_bytes / 4;
    CHECK(check_banks(p).holds());
    warp_stores straight = stores_of(e, 32);
    straight.crossing = 0;
    CHECK(panel_conflicts(mode, e.row_bytes, straight) == (mode == swizzle_mode::b32 ? 1 : 2));
  }
  e.swizzle = swizzle_mode::none;
  check_refused(check_banks(p), rule::epilogue_has_bank_conflicts,
                "operand C: the epilogue's stores meet 4 times in a bank");
}

// ---- the protocol

/// The first run that the proof refuses, or `holds`.
template <class K>
violation protocol_of() {
  for (int run = 0; run < protocol::protocol_runs(plan_of<K>); ++run)
    if (const violation v = test::verdict_on_run<K>(run); !v.holds()) return v;
  return {};
}

/// Runs K with five trips; returns the report of what the model finds, nothing if the run is right.
template <class K>
std::optional<model::hazard> hazard_of() {
  host_tensor<bf16> A({130, 320}), B({200, 320}), C({130, 200});
  A.fill(1);
  B.fill(2);
  try {
    run_on_model_with<K>({.workers = 1}, A.in(), B.in(), C.view());
  } catch (const model::hazard& h) {
    return h;
  }
  return {};
}

/// The proof refuses the plan with this sentence, and a run on the model ends in this hazard.
template <class Kernel, auto Tamper>
void check_mutant(rule what, const char* fragment, model::hazard_kind kind) {
  using K = mutant<Kernel, Tamper>;
  check_refused(protocol_of<K>(), what, fragment);
  const std::optional<model::hazard> found = hazard_of<K>();
  REQUIRE(found);
  CAPTURE(std::string(found->what()));
  CHECK(found->kind == kind);
}

constexpr plan untouched(plan p) { return p; }
constexpr plan arrivals(plan p, int more) {
  p.ring[0].empty_arrivals += more;
  return p;
}
constexpr plan one_arrival_more(plan p) { return arrivals(p, 1); }
constexpr plan one_arrival_less(plan p) { return arrivals(p, -1); }
constexpr plan more_bytes(plan p) {
  p.ring[0].transaction_bytes += 16;
  return p;
}
constexpr plan fewer_bytes(plan p) {
  p.ring[0].transaction_bytes -= 16;
  return p;
}
constexpr plan half_a_tile(plan p) {
  p.operand[b].box.extent[1] /= 2;
  return p;
}
using orders::release_while_reading;
/// All waits of the kernel allow one more product in flight.
constexpr plan one_more_in_flight(plan p) {
  for (step& s : p.steps) {
    if (s.wait >= 0) ++s.wait;
    if (s.wait_after >= 0) ++s.wait_after;
  }
  return p;
}
constexpr plan no_wait_before_products(plan p) {
  for (step& s : p.steps)
    if (s.kind == event_kind::issue) s.wait = s.wait_after = -1;
  return p;
}
constexpr plan no_fence(plan p) {
  for (step& s : p.steps) s.fence = false;
  return p;
}
constexpr plan never_released(plan p) {
  for (step& s : p.steps) {
    s.keep[0] = -1;
    s.release[0] = 0;
  }
  return p;
}
constexpr plan a_is_shared(plan p) {  // although each CTA of the cluster has rows of its own
  operand_plan& op = p.operand[a];
  op.varies_with_row = false;
  op.slices = 2;
  op.box.extent[1] /= 2;
  return p;
}
constexpr plan one_buffer(plan p) {  // the second panel has to wait until TMA has read the first
  p.epilogue[0].buffers = 1;
  p.epilogue[0].batch = 1;
  return p;
}

TEST_CASE("protocol: the plans themselves pass, and run") {
  check_refused(protocol_of<mutant<tiny, untouched>>(), rule::holds, "");
  CHECK(!hazard_of<mutant<tiny, untouched>>());
  if constexpr (exhaustively) {
    check_refused(protocol_of<mutant<pair, untouched>>(), rule::holds, "");
    CHECK(!hazard_of<mutant<pair, untouched>>());
  }
}

TEST_CASE("protocol: a smaller epilogue that reuses its buffer is right as well") {
  if constexpr (exhaustively) {
    check_refused(protocol_of<mutant<tiny, one_buffer>>(), rule::holds, "");
    CHECK(!hazard_of<mutant<tiny, one_buffer>>());
  }
}

TEST_CASE("protocol: an empty barrier that counts one arrival too many") {
  check_mutant<tiny, one_arrival_more>(
      rule::protocol_deadlocks, "stage 0 of A is not released as often as it is filled", model::hazard_kind::deadlock);
}
TEST_CASE("protocol: an empty barrier that does not count the peer's consumer") {
  check_mutant<pair, one_arrival_less>(rule::arrivals_differ_from_the_barrier_count, "than the 1 that it counts",
                                       model::hazard_kind::overwrite_while_read);
}
TEST_CASE("protocol: a full barrier that expects more bytes than come") {
  if constexpr (exhaustively)  // see lowering_mutants_test.cpp
    check_mutant<tiny, more_bytes>(rule::transaction_bytes_differ_from_the_copies, "16 of them never come",
                                   model::hazard_kind::deadlock);
}
TEST_CASE("protocol: a full barrier that expects fewer bytes than come") {
  check_mutant<tiny, fewer_bytes>(rule::transaction_bytes_differ_from_the_copies, "16 more come",
                                  model::hazard_kind::transaction_count);
}
TEST_CASE("protocol: boxes that bring half of a tile") {
  if constexpr (exhaustively) {  // otherwise see map_check_test.cpp
    using K = mutant<tiny, half_a_tile>;
    check_refused(protocol_of<K>(), rule::transaction_bytes_differ_from_the_copies, "8192 of them never come");
    CHECK_THROWS_WITH_AS(hazard_of<K>(),
                         "the tensor map of operand B is not what the plan says: its boxes in bytes is 8192, not "
                         "16384; this is a mistake of Sectile",
                         launch_error);
  }
}
TEST_CASE("protocol: a stage released while a product reads it") {
  if constexpr (exhaustively)  // otherwise see all_orders/tampered_test.cpp
    check_mutant<tiny, release_while_reading>(rule::protocol_races, "is overwritten while a consumer may still read it",
                                              model::hazard_kind::overwrite_while_read);
}
TEST_CASE("protocol: registers that are used while a product runs") {
  if constexpr (exhaustively)  // see lowering_mutants_test.cpp
    check_mutant<tiny, one_more_in_flight>(rule::registers_are_in_use, "are used while a product on them may still run",
                                           model::hazard_kind::overwrite_while_read);
}
TEST_CASE("protocol: registers that no fence has handed over") {
  if constexpr (exhaustively)  // see lowering_mutants_test.cpp
    check_mutant<tiny, no_fence>(rule::registers_are_in_use, "a wgmma.fence is missing",
                                 model::hazard_kind::missing_wgmma_fence);
}
TEST_CASE("protocol: metadata that is overwritten while a sparse product reads it") {
  check_refused(protocol_of<mutant<sparse_product, no_wait_before_products>>(), rule::registers_are_in_use,
                "registers of metadata are used while a product on them may still run");
}
TEST_CASE("protocol: stages that are never released") {
  if constexpr (exhaustively)  // see lowering_mutants_test.cpp
    check_mutant<tiny, never_released>(rule::protocol_deadlocks,
                                       "stage 0 of A is not released as often as it is filled: fills 1, releases 0",
                                       model::hazard_kind::deadlock);
}
TEST_CASE("loads: multicast of tiles that differ between the CTAs") {
  check_refused(protocol::check_loads<mutant<pair, a_is_shared>>(), rule::multicast_peers_disagree,
                "operand A: CTA 0 copies the box at");
}

}  // namespace
