// Every condition of a proof can be broken: what the tests of mutants do not reach has a case of its own here.
#include <doctest/doctest.h>

#include <sectile/dsl/proofs/verified.hpp>
#include <string>
#include <utility>

#include "tests/dsl/all_orders/plans.hpp"
#include "tests/dsl/wrong_machine.hpp"

namespace {

using namespace sectile;

using tiny = test::matmul<64, 128, 64, configuration{.stages = 2, .consumers = 1}>;
using tall = test::matmul<128, 64, 64, configuration{.stages = 2, .consumers = 1}>;
using pair = test::matmul<64, 64, 64, configuration{.stages = 2, .cluster = {2, 1}, .consumers = 1}>;
using turned = test::matmul<16, 128, 64, configuration{.stages = 2, .consumers = 1, .swap = true}>;
/// Two buffers for four panels.
using crowded = test::matmul<64, 256, 64, configuration{.stages = 5, .consumers = 1}>;
static_assert(plan_of<crowded>.epilogue[0].panels == 4 && plan_of<crowded>.epilogue[0].buffers == 2);
using turns = orders::attention_like<true>;
using test::sparse_product;

using test::on, test::check_refused;

/// Two parts of a split loop: CTA 1 leaves its sums where its stages were.
using halves = test::matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1, .split = 2}>;
using both = test::matmul<128, 64, 64, configuration{.stages = 2, .consumers = 2}>;

/// Work that is drawn.
using drawn = orders::drawn_gemm<2, 1, 2>;
constexpr ticket_plan tickets = plan_of<drawn>.tickets;

constexpr bool is_number(std::uint32_t address) {
  return static_cast<int>(address) >= tickets.offset && static_cast<int>(address) < tickets.offset + 32;
}

/// What the machines below get wrong: see lowering_mutants_test.cpp.
enum mistake {
  none,
  // the protocol
  copies_beyond_shared_memory,
  barriers_of_the_next_cta,
  arrives_outside_of_the_cluster,
  barriers_that_count_nobody,
  announced_to_nobody,
  announced_for_three,
  producer_leaves_early,  // without the cluster barrier at the end
  nobody_meets_at_the_end,
  nothing_is_loaded,
  stages_are_kept,
  fences_without_end,
  loads_over_partial_sums,
  waits_for_an_old_phase,
  keys_that_signal_for_values,
  b_in_the_next_stage,  // whose barrier it signals
  half_in_the_next_stage,
  fills_for_one_consumer,
  // numbers of drawn work
  draws_once_more,  // when nothing is left
  hands_out_to_nobody,
  keeps_the_numbers,
  announces_no_number,
  says_twice_that_it_has_read,
  announces_what_never_comes,
  // what products are given
  other_leading_offset,
  b_between_k_steps,
  a_between_k_steps,
  blocks_change_places,
  every_product_twice,
  the_last_step_twice,
  one_store_more,
  one_load_more,
  // the epilogue
  warps_on_top_of_each_other,
  half_a_matrix_on,
  a_byte_on,
  a_panel_on,
  sixteen_rows_on,
  the_last_matrix_lost,
  every_panel_stored_twice,
  panels_between_their_places,
  columns_copied_too_early,
  the_last_column_copied_twice
};
mistake made = none;

/// The machine that writes down what roles do.
template <class M>
struct wrong_branch_recorder : M {
  using tensor_map = typename M::tensor_map;
  int met = 0, keys = 0, filled = 0, products = 0;

  constexpr void mbarrier_init(std::uint32_t barrier, int arrivals) {
    M::mbarrier_init(barrier, made == barriers_that_count_nobody ? 0 : made == fills_for_one_consumer ? 1 : arrivals);
  }
  constexpr void named_barrier_sync(int id, int threads) {
    M::named_barrier_sync(made == barriers_of_the_next_cta ? id + 16 : id, threads);
  }
  constexpr void named_barrier_arrive(int id, int threads) {
    if (made == announced_to_nobody) threads = warpgroup;
    if (made == announced_for_three) threads = 3 * warpgroup;
    M::named_barrier_arrive(id, threads);
  }
  constexpr void mbarrier_arrive(std::uint32_t barrier) {
    if (made == stages_are_kept) return;
    // Of two consumers the first one's word is enough to fill a stage again.
    if (made != fills_for_one_consumer || this->thread_index == warpgroup) M::mbarrier_arrive(barrier);
  }
  constexpr void mbarrier_arrive_at(std::uint32_t barrier, int cta) {
    if (made == arrives_outside_of_the_cluster) cta += 6;
    M::mbarrier_arrive_at(barrier, cta);
    if (made == says_twice_that_it_has_read && static_cast<int>(barrier) >= ticket_empty_barrier(tickets, 0))
      M::mbarrier_arrive_at(barrier, cta);
  }
  constexpr void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    if (made == nothing_is_loaded || (made == announces_no_number && bytes == ticket_word)) return;
    // Behind the first two fills, a full barrier asks for no bytes: the producer's arrival alone completes a phase.
    if (made == fills_for_one_consumer && filled++ >= 2) bytes = 0;
    M::mbarrier_arrive_expect(barrier, bytes);
  }
  constexpr void wgmma_fence() {
    for (int n = 0; n < (made == fences_without_end ? 1000 : 1); ++n) M::wgmma_fence();
  }
  constexpr void cluster_sync() {
    const bool at_the_end = met++ > 0, by_the_producer = this->thread_index == 0;
    if (at_the_end && (made == nobody_meets_at_the_end || (made == producer_leaves_early && by_the_producer))) return;
    if (at_the_end && by_the_producer) do_more();
    M::cluster_sync();
  }
  constexpr void cluster_arrive() { cluster_sync(); }
  /// What the producer does besides, when all that was planned for it is done.
  constexpr void do_more() {
    const int c[2]{};
    if (made == waits_for_an_old_phase) M::mbarrier_wait(barrier(0), 0);
    if (made == one_load_more) M::tma_load(0, {}, barrier(0), c);
    if (made == loads_over_partial_sums && this->rank > 0) {  // properly, when stage 0 has been released
      M::mbarrier_wait(barrier(2), 0);
      M::mbarrier_arrive_expect(barrier(0), 8192);
      M::tma_load(0, {0, false, 8192}, barrier(0), c);
    }
  }
  constexpr std::uint32_t barrier(int number) const {
    return static_cast<std::uint32_t>(this->where.first_barrier + 8 * number);
  }

  template <int Rank>
  constexpr void tma_load(std::uint32_t to, tensor_map map, std::uint32_t barrier, const int (&c)[Rank]) {
    const auto pitch = static_cast<std::uint32_t>(this->where.pitch[0]);
    if (made == nothing_is_loaded) return;
    if (made == copies_beyond_shared_memory) to += 0x40000;
    if (made == b_in_the_next_stage && map.operand == 1) to += pitch;
    // The third tile of K signals at the barrier of V's first stage: when its producer knows that a stage of K is free,
    // not yet that anybody has seen V's first tile.
    keys += map.operand == 1;
    if (made == keys_that_signal_for_values && map.operand == 1 && keys == 3) {
      constexpr const plan& p = plan_of<turns>;
      barrier = static_cast<std::uint32_t>(p.ring[p.operand[2].ring].full_barrier);
    }
    if (made == half_in_the_next_stage && map.operand == 0) {
      map.box_bytes /= 2;
      M::tma_load(to + pitch, map, barrier, c);
    }
    M::tma_load(to, map, barrier, c);
  }

  constexpr int number_drawn(const ticket_counters& of, int counter, std::uint64_t found, int count) {
    if (made == draws_once_more && this->drawn == 3) M::number_drawn(of, counter, found, count), --this->drawn;
    return M::number_drawn(of, counter, found, count);
  }
  constexpr void store_shared_async(std::uint32_t to, std::uint32_t x, std::uint32_t barrier, int cta) {
    if (made == keeps_the_numbers) return;
    if (made == hands_out_to_nobody) cta += 4;
    if (made == announces_what_never_comes && is_number(to)) barrier += 8;
    M::store_shared_async(to, x, barrier, cta);
  }

  template <wgmma_instruction I, class D>
  constexpr void wgmma(const D& d, std::uint64_t a, std::uint64_t b, bool accumulate) {
    if (made == other_leading_offset) b ^= 1ull << 20;
    if (made == b_between_k_steps) b ^= 1;
    if (made == a_between_k_steps) a ^= 1;
    if (made == blocks_change_places) a ^= 8192 / 16;
    M::template wgmma<I>(d, a, b, accumulate);
    if (made == every_product_twice || (made == the_last_step_twice && ++products == 4))
      M::template wgmma<I>(d, a, b, true);
  }
  template <wgmma_instruction I, class D, class A>
  constexpr void wgmma(const D& d, const A& a, int first, std::uint64_t b, bool accumulate) {
    M::template wgmma<I>(d, a, first, b, accumulate);
  }
  template <int N>
  constexpr void bulk_wait() {
    const int c[2]{};
    if (made == one_store_more) M::tma_store({2}, static_cast<std::uint32_t>(this->where.epilogue[0].begin), c);
    M::template bulk_wait<N>();
  }
};

/// The machine that writes down what the epilogue puts where.
template <class M>
struct wrong_branch_pen : M {
  int written = 0, copied = 0;

  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&r)[4]) {
    if (made == the_last_matrix_lost && written++ == 7) return;
    if (made == warps_on_top_of_each_other) to %= 2048;
    if (made == half_a_matrix_on) to += 8;
    if (made == a_byte_on) to += 1;
    if (made == a_panel_on) to += 8192;
    if (made == sixteen_rows_on) to += 16 * 128;
    M::stmatrix_x4(to, r);
  }
  constexpr void stmatrix_x4_trans(std::uint32_t to, const std::uint32_t (&r)[4]) { stmatrix_x4(to, r); }
  template <int Rank>
  constexpr void tma_store(const typename M::tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    int at[Rank]{};
    for (int d = 0; d < Rank; ++d) at[d] = c[d];
    if (made == panels_between_their_places) at[0] += 8;
    M::tma_store(map, from, at);
    if (made == every_panel_stored_twice) M::tma_store(map, from, at);
  }
  template <int Bytes>
  constexpr void copy_to_global(unsigned char* to, std::uint32_t from) {
    M::template copy_to_global<Bytes>(to, from);
    if (made == the_last_column_copied_twice && ++copied == 5) M::template copy_to_global<Bytes>(to, from);
    // A column is copied before the four matrices of the panel that it lies in are written, and the panel is stored.
    if (made == columns_copied_too_early)
      for (int n = this->count - 1, back = 0; back < 5; --n, ++back) std::swap(this->done[n], this->done[n - 1]);
  }
};

/// Of the run in which loops turn `trips` times.
template <class Kernel>
violation verdict_after(mistake m, int trips) {
  made = m;
  return test::verdict_on_run<on<Kernel, wrong_branch_recorder>>(trips);
}
template <class Kernel>
violation verdict_on_products(mistake m) {
  made = m;
  return protocol::check_feeding<on<Kernel, wrong_branch_recorder>>();
}
template <class Kernel>
violation verdict_on_loads(mistake m) {
  made = m;
  return protocol::check_loads<on<Kernel, wrong_branch_recorder>>();
}
template <class Kernel>
violation verdict_on_epilogue(mistake m) {
  made = m;
  return check_epilogue<on<Kernel, wrong_branch_pen>>();
}

TEST_CASE("a machine that does as it is told passes") {
  check_refused(verdict_after<tiny>(none, 1), rule::holds, "");
  check_refused(verdict_after<tiny>(none, 5), rule::holds, "");
  check_refused(verdict_after<pair>(none, 1), rule::holds, "");
  check_refused(verdict_after<turns>(none, 2), rule::holds, "");
  check_refused(verdict_after<halves>(none, 1), rule::holds, "");
  check_refused(verdict_after<both>(none, 3), rule::holds, "");
  check_refused(verdict_after<drawn>(none, 1), rule::holds, "");
  check_refused(verdict_after<orders::only_read<2>>(none, 1), rule::holds, "");
  check_refused(verdict_on_products<tiny>(none), rule::holds, "");
  check_refused(verdict_on_products<tall>(none), rule::holds, "");
  check_refused(verdict_on_loads<tiny>(none), rule::holds, "");
  check_refused(verdict_on_epilogue<tiny>(none), rule::holds, "");
  check_refused(verdict_on_epilogue<turned>(none), rule::holds, "");
  check_refused(verdict_on_epilogue<crowded>(none), rule::holds, "");
}

// ---- protocol

TEST_CASE("protocol: addresses, numbers of barriers and of CTAs that are none") {
  check_refused(verdict_after<tiny>(copies_beyond_shared_memory, 1), rule::shared_memory_overlaps,
                "of shared memory, which is no barrier, stage or epilogue buffer of the plan");
  check_refused(verdict_after<tiny>(barriers_of_the_next_cta, 1), rule::too_many_barriers,
                "a consumer uses named barrier 17; a CTA has 16");
  check_refused(verdict_after<pair>(arrives_outside_of_the_cluster, 1), rule::multicast_peers_disagree,
                "a consumer arrives at CTA 6 of a cluster of 2");
  check_refused(verdict_after<tiny>(barriers_that_count_nobody, 1), rule::arrivals_differ_from_the_barrier_count,
                "a barrier counts 0 arrivals");
}
TEST_CASE("protocol: rounds of barriers that somebody takes for others") {
  check_refused(verdict_after<turns>(announced_to_nobody, 1), rule::protocol_races, "to nobody: 128 threads");
  check_refused(verdict_after<turns>(announced_for_three, 1), rule::protocol_races, "is used for ");
  check_refused(verdict_after<pair>(nobody_meets_at_the_end, 1), rule::protocol_races,
                "still arrives or copies there: a cluster barrier at the end is missing");
  check_refused(verdict_after<tiny>(producer_leaves_early, 1), rule::protocol_deadlocks,
                "roles of the cluster; 1 come");
}
TEST_CASE("protocol: who waits for ever") {
  check_refused(verdict_after<tiny>(nothing_is_loaded, 1), rule::protocol_deadlocks,
                "a consumer of CTA 0 waits forever for stage 0 of A: nobody loads it");
  check_refused(verdict_after<tiny>(stages_are_kept, 5), rule::protocol_deadlocks,
                "the producer waits forever for a free stage of A (it has 2)");
}

TEST_CASE("protocol: a role that does more than was planned") {
  check_refused(verdict_after<tiny>(fences_without_end, 1), rule::program_is_not_traceable,
                "a consumer does more than ");
}
TEST_CASE("protocol: loads where something else lies, or has not come") {
  check_refused(verdict_after<halves>(loads_over_partial_sums, 1), rule::protocol_races,
                "stage 0 of A is loaded where partial sums lie");
  check_refused(verdict_after<turns>(keys_that_signal_for_values, 2), rule::protocol_races,
                "stage 0 of K is filled before its barrier is known to be free");
  check_refused(verdict_after<tiny>(b_in_the_next_stage, 1), rule::transaction_bytes_differ_from_the_copies,
                "stage 0 of A is read when 8192 of its 24576 bytes have been copied there");
  check_refused(verdict_after<orders::only_read<2>>(half_in_the_next_stage, 1),
                rule::transaction_bytes_differ_from_the_copies,
                "stage 0 of A is read when 4096 of its 8192 bytes have been copied there");
}
TEST_CASE("protocol: barriers that run ahead of somebody who waits") {
  check_refused(verdict_after<both>(fills_for_one_consumer, 3), rule::protocol_races,
                "a barrier completes phase 1 while a consumer may still wait for phase 0 (lagging parity)");
  check_refused(verdict_after<tiny>(waits_for_an_old_phase, 3), rule::protocol_races,
                "a barrier completes phase 2 while the producer may still wait for phase 1 (lagging parity)");
}

TEST_CASE("registers: products that meet on a fragment") {
  using protocol::product_ledger;
  constexpr rule in_use = rule::registers_are_in_use;
  product_ledger before{};
  before.fenced = true;
  REQUIRE(before.issue({0, 1, 2, 0}).holds());  // fragment 1 += fragment 2 * b
  const auto next = [&](const protocol::product_group& x) {
    product_ledger l = before;
    l.fenced = true;
    return l.issue(x);
  };
  check_refused(next({0, 3, 1, 0}), in_use, "takes a fragment as its left factor that another may still be writing");
  check_refused(next({0, 2, -1, 0}), in_use, "overwrites a fragment that another may still read as its left factor");
  check_refused(next({0, 1, -1, 2}), in_use, "products of two kinds run on one accumulator at a time");
  before = {};
  before.fenced = true;
  REQUIRE(before.issue({0, 1, -1, 1}).holds());
  check_refused(next({0, 2, -1, 3}), in_use, "two sparse products run at a time on the same registers of metadata");
  before = {};
  before.fenced = true;
  REQUIRE(before.issue({0, 1, 0, 0}).holds());  // the first fragment is one like others
  check_refused(next({0, 0, -1, 0}), in_use, "overwrites a fragment that another may still read as its left factor");
  check_refused(before.issue({0, 1, 0, 0}), in_use,
                "a wgmma.fence is missing");  // its left factor may have been touched
  product_ledger full{};
  for (int n = 0; n < protocol::max_in_flight; ++n) {
    full.fenced = true;
    REQUIRE(full.issue({0, n, -1, 0}).holds());
  }
  full.fenced = true;
  check_refused(full.issue({0, 99, -1, 0}), in_use, "a consumer has more than");
}
TEST_CASE("the epilogue: more stores in flight than are followed") {
  protocol::panel_ledger l{};
  for (int n = 0; n + 1 < protocol::max_stores; ++n) REQUIRE(l.close().holds());
  check_refused(l.close(), rule::protocol_races, "a consumer has more than 8 stores in flight");
}

TEST_CASE("the epilogue: a fence is of what was written before it") {
  protocol::panel_ledger l{};
  REQUIRE(l.write(0).holds());
  l.fence();
  REQUIRE(l.write(0).holds());
  l.meet();
  check_refused(l.store(0), rule::protocol_races, "stored before its writers' proxy fence and barrier");
  l.fence();
  l.meet();
  CHECK(l.store(0).holds());
}
TEST_CASE("columns: who has shown less often is read too early") {
  protocol::exchange_ledger<2, 1> l{};
  const protocol::clock<2> now{{5, 5}};
  const auto other = [](int w) { return w == 1; };
  const auto nobody = [](int) { return false; };
  REQUIRE(l.show(0, now, 0, true, nobody).holds());
  REQUIRE(l.show(1, now, 0, true, nobody).holds());
  CHECK(l.look(0, now, 0, other).holds());
  REQUIRE(l.show(0, now, 0, true, nobody).holds());
  check_refused(l.look(0, now, 0, other), rule::protocol_races, "before all consumers are known to have written");
}
TEST_CASE("drawn numbers: each is read once, when it has come") {
  protocol::ticket_slot<1> slot{};
  const protocol::clock<1> now{{3}};
  REQUIRE(slot.write(now, 7, 0, 1, 0, 1).holds());
  const char* const who = "the producer";
  check_refused(slot.read(0, now, 7, 0, who, true), rule::protocol_races, "without having waited until it is there");
  CHECK(slot.read(0, now, 7, 1, who, true).holds());
  check_refused(slot.read(0, now, 7, 1, who, true), rule::protocol_races,
                "the producer takes 7 for the number of its next work item");
}
TEST_CASE("drawn numbers: of many threads the reading is over when they have met") {
  protocol::ticket_slot<1> slot{};
  const protocol::clock<1> now{{3}};
  REQUIRE(slot.write(now, 7, 0, 1, 0, 1).holds());
  REQUIRE(slot.read(0, now, 7, 1, "the producer", false).holds());
  check_refused(slot.write(now, 8, 0, 2, 0, 1), rule::protocol_races, "which the producer may not have read yet");
  slot.meet(0, 3);
  CHECK(slot.write(now, 8, 0, 2, 0, 1).holds());
}

// ---- feeding

TEST_CASE("feeding: descriptors of other fields and places") {
  constexpr rule elsewhere = rule::wgmma_does_not_read_what_tma_wrote, lines = rule::fragments_do_not_line_up;
  check_refused(verdict_on_products<tiny>(other_leading_offset), elsewhere,
                "operand B: a wgmma is given a descriptor with LBO 272");
  check_refused(verdict_on_products<tiny>(b_between_k_steps), elsewhere, "of a stage, where no K step begins");
  check_refused(verdict_on_products<tiny>(a_between_k_steps), elsewhere, "where none of its K steps begins");
  check_refused(verdict_on_products<tall>(blocks_change_places), lines,
                "rows of block 1 are multiplied into block 0 of the accumulator");
  check_refused(verdict_on_products<tiny>(every_product_twice), lines, "is multiplied ");
  check_refused(verdict_on_products<tiny>(the_last_step_twice), lines, "is multiplied 2 times");
  check_refused(verdict_on_products<tiny>(one_store_more), rule::epilogue_misses_or_doubles_elements,
                "stores 3 panels where its work items have 2");
  check_refused(verdict_on_loads<tiny>(one_load_more), elsewhere,
                "the producer of CTA 0 sends 5 boxes where the tiles that are asked for have 4");
}
/// Numbers of rows come with tiles.
struct scaled_rows {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"SA(KB,M)", float>(with_tiles),
                        output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum = fma(part, sm.load(SA, {as<"KB">(k), m}), sum);
    }
    sm.store(C, {m, n}, sum);
  }
};
TEST_CASE("feeding: a part of a vector begins where a box of it does") {
  constexpr const operand_plan& op = plan_of<scaled_rows>.operand[2];
  const auto number_at = [](int element) {
    protocol::box_copy b{};
    b.at[0] = element;
    return protocol::place_in_vector(op, b, {}, {}).number;
  };
  CHECK(number_at(0) == 0);
  CHECK(number_at(1) == -1);
  CHECK(number_at(-4) == -1);
  CHECK(number_at(vector_box(op.facts)) == (boxes_of_vector(op.facts) > 1 ? 1 : -1));
}
TEST_CASE("the epilogue: warps that write each other's rows") {
  check_refused(verdict_on_epilogue<tiny>(warps_on_top_of_each_other), rule::epilogue_misses_or_doubles_elements,
                "is not written by the warp that holds it");
}
TEST_CASE("the epilogue: what is written elsewhere, not at all, or twice") {
  constexpr rule wrong = rule::epilogue_misses_or_doubles_elements;
  const char* elsewhere = "of a panel is not where a warp's part of it is written";
  check_refused(verdict_on_epilogue<tiny>(half_a_matrix_on), wrong, elsewhere);
  check_refused(verdict_on_epilogue<tiny>(a_byte_on), wrong, elsewhere);
  check_refused(verdict_on_epilogue<turned>(a_panel_on), wrong, elsewhere);
  check_refused(verdict_on_epilogue<tiny>(sixteen_rows_on), wrong, elsewhere);
  check_refused(verdict_on_epilogue<tiny>(the_last_matrix_lost), wrong,
                "operand C: row 0, column 64 of a panel is stored before it is written");
  check_refused(verdict_on_epilogue<tiny>(every_panel_stored_twice), wrong,
                "operand C: row 0, column 0 of a panel is stored twice");
  check_refused(verdict_on_epilogue<tiny>(panels_between_their_places), wrong,
                "operand C: row 0, column 8 of a panel is where a store begins, and no panel does");
  const char* too_early = "is a ragged column that is copied from another place";
  check_refused(verdict_on_epilogue<tiny>(columns_copied_too_early), wrong, too_early);
  check_refused(verdict_on_epilogue<crowded>(columns_copied_too_early), wrong, too_early);
  check_refused(verdict_on_epilogue<tiny>(the_last_column_copied_twice), wrong, "is copied besides the ragged columns");
}

// ---- plans

/// Divisions of a loop that are none.
constexpr trip_part whole(int trips, int, int) { return {0, trips}; }
constexpr trip_part all_but_the_rest(int trips, int part, int parts) { return {part * (trips / parts), trips / parts}; }
constexpr trip_part one_back(int trips, int part, int) {
  return part == 0 ? trip_part{0, trips + 1} : trip_part{trips + 1, -1};
}

// ---- work that is drawn

TEST_CASE("protocol: numbers of drawn work") {
  check_refused(verdict_after<drawn>(draws_once_more, 1), rule::epilogue_misses_or_doubles_elements,
                "the producer of CTA 0 draws 5 numbers for 4 work items");
  check_refused(verdict_after<drawn>(hands_out_to_nobody, 1), rule::multicast_peers_disagree,
                "the number of a work item goes to CTA 4 of a cluster of 2");
  check_refused(verdict_after<drawn>(keeps_the_numbers, 1), rule::protocol_deadlocks,
                "waits forever for the number of its next work item: nobody hands it out");
  check_refused(verdict_after<drawn>(announces_no_number, 1), rule::protocol_deadlocks,
                "waits forever for the number of its next work item: nobody arrives");
  check_refused(
      verdict_after<drawn>(says_twice_that_it_has_read, 1), rule::arrivals_differ_from_the_barrier_count,
      "the empty barrier of slot 0 of drawn work in CTA 0 may receive more arrivals than the 3 that it counts");
  check_refused(verdict_after<drawn>(announces_what_never_comes, 1), rule::protocol_deadlocks,
                "waits forever for the number of its next work item: nobody hands it out");
}
TEST_CASE("alignment: where numbers of drawn work lie") {
  plan p = plan_of<drawn>;
  CHECK(check_alignment(p).holds());
  SUBCASE("over a stage") {
    p.tickets.offset = p.ring[0].offset + 16;
    check_refused(check_alignment(p), rule::shared_memory_overlaps,
                  "the numbers of drawn work and A both lie at byte 16");
  }
  SUBCASE("over another ring's barriers") {
    p.tickets.barrier = p.ring[0].empty_barrier;
    check_refused(check_alignment(p), rule::shared_memory_overlaps,
                  "the barriers of drawn work and a ring's empty barriers both lie at byte ");
  }
}

TEST_CASE("alignment: barriers of a meeting, of which the last lies outside") {
  plan p = plan_of<halves>;
  CHECK(check_alignment(p).holds());
  p.meeting[0].barrier = p.shared_bytes - 8 * p.how.consumers * p.meeting[0].rounds + 4;
  check_refused(check_alignment(p), rule::shared_memory_overlaps, "a meeting's barriers: bytes");
}

/// C = A B^T with scales of blocks that tiles do not divide, two of which come with a tile.
struct scaled_by_blocks {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                        vector_input<"SB(N/48,KB)", float>(with_tiles), output<"C(M,N)", bf16>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}, {"KB", 1}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(SB, {n, as<"KB">(k)});
    }
    sm.store(C, {m, n}, sum);
  }
};
TEST_CASE("alignment: vectors that come with tiles") {
  constexpr plan right = plan_of<scaled_by_blocks>;
  CHECK(check_alignment(right).holds());
  CHECK(right.operand[2].panels == 2);
  CHECK(right.ring[0].transaction_bytes == 2 * 64 * 64 * 2 + 2 * 16);
  CHECK(right.operand[2].tile_bytes == strided_step + 16);
  plan p = right;
  SUBCASE("elements that begin anywhere") {
    p.operand[2].stage_offset += 16;
    check_refused(check_alignment(p), rule::shared_memory_is_misaligned, "operand SB: shared-memory offset");
  }
  SUBCASE("a box that is none") {
    p.operand[2].box.extent[0] = 300;
    check_refused(check_alignment(p), rule::tma_box_is_illegal, "operand SB: the TMA box's mode 0 has 300");
  }
}

TEST_CASE("alignment: metadata") {
  constexpr plan right = plan_of<sparse_product>;
  CHECK(check_alignment(right).holds());
  plan p = right;
  SUBCASE("a box taller than 256") {
    p.operand[0].metadata.box.extent[1] = 300;
    check_refused(check_alignment(p), rule::tma_box_is_illegal, "operand A: the TMA box's mode 1 has 300");
  }
  SUBCASE("blocks that begin anywhere") {
    p.operand[0].metadata.stage_offset += 64;
    check_refused(check_alignment(p), rule::shared_memory_is_misaligned, "operand A: shared-memory offset");
  }
  SUBCASE("over the values") {
    p.operand[0].metadata.stage_offset = 0;
    check_refused(check_alignment(p), rule::shared_memory_overlaps, "A and A both lie at byte 0");
  }
}
TEST_CASE("parts of loops: every trip, once, in order") {
  constexpr plan p = plan_of<halves>;
  const auto check = [&](trip_part (&part_of)(int, int, int), const char* fragment) {
    check_refused(check_parts(p, part_of), rule::epilogue_misses_or_doubles_elements, fragment);
  };
  CHECK(check_parts(p).holds());
  check(whole, "part 1 of 2 begins at trip 0 of 1 and makes 1; the parts before end at 1");
  check(all_but_the_rest, "the 2 parts of a loop make 0 of its 1 trips");
  check(one_back, "part 1 of 2 begins at trip 1 of 0 and makes -1; the parts before end at 1");
}
TEST_CASE("reachability: what ldmatrix reads") {
  plan p = plan_of<orders::left_in_registers<2>>;
  CHECK(check_reachability(p).holds());
  p.products.count = 0;
  p.operand[p.products.read[0].operand].box.swizzle = swizzle_mode::none;
  check_refused(check_reachability(p), rule::wgmma_does_not_read_what_tma_wrote, "ldmatrix reads byte");
}
TEST_CASE("fragments: operands of no width that a register has, and batches of nothing") {
  plan p = plan_of<tiny>;
  SUBCASE("64 bits") {
    p.products.at[0].instruction.a_in_registers = true;
    p.products.at[0].instruction.a.bits = 64;
    check_refused(check_fragments(p), rule::fragments_do_not_line_up, "in registers does not hold every element once");
  }
  SUBCASE("4 bits, which no exchange of lanes makes") {
    p.products.at[0].instruction.a_in_registers = true;
    p.products.at[0].instruction.a.bits = 4;
    check_refused(check_fragments(p), rule::fragments_do_not_line_up, "does not become the left operand of a product");
  }
  SUBCASE("batches") {
    p.epilogue[0].batch = 0;
    check_refused(check_fragments(p), rule::epilogue_misses_or_doubles_elements, "panels of 64 x 64 at a time");
  }
  SUBCASE("a tile of half an instruction that is brought into registers") {
    fragment_read& r = p.products.read[p.products.reads++];
    r = {0, as_operand(p.operand[0].facts, true, false), false};
    check_refused(check_fragments(p), rule::holds, "");
    r.tile.k = 8;
    check_refused(check_fragments(p), rule::fragments_do_not_line_up,
                  "operand A: ldmatrix does not bring bf16 where wgmma wants its left operand");
  }
}

/// Three consumers, whose shares of the rows are no multiple of a panel of 96.
using thirds = test::matmul<192, 64, 64, configuration{.stages = 2, .consumers = 3}>;
TEST_CASE("panels begin where panels can") {
  plan p = plan_of<thirds>;
  check_refused(check_fragments(p), rule::holds, "");
  p.epilogue[0].panel_rows = 96;
  check_refused(check_fragments(p), rule::epilogue_misses_or_doubles_elements,
                "panel 0 of consumer 1 begins at row 64, column 0 and reaches out of the tile of 192 x 64");
}

}  // namespace
