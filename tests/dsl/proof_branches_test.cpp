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
static_assert(plan_of<crowded>.epilogue[0].panels == 4 && plan_of<crowded>.epilogue[0].buffers == 2 &&
              verified<crowded>);
using turns = orders::attention_like<true>;
using test::sparse_product;

using test::on, test::check_refused;

/// Of the run in which loops turn `Trips` times.
template <class Kernel, template <class> class Wrong, int Trips>
violation verdict_after() {
  return protocol::check_protocol<on<Kernel, Wrong>, Trips>();
}

// ---- protocol

template <class M>
struct copies_beyond_shared_memory : M {
  template <int Rank>
  constexpr void tma_load(std::uint32_t to, const typename M::tensor_map& map, std::uint32_t barrier,
                          const int (&c)[Rank]) {
    M::tma_load(to + 0x40000, map, barrier, c);
  }
};
template <class M>
struct barriers_of_the_next_cta : M {
  constexpr void named_barrier_sync(int id, int threads) { M::named_barrier_sync(id + 16, threads); }
};
template <class M>
struct arrives_outside_of_the_cluster : M {
  constexpr void mbarrier_arrive_at(std::uint32_t barrier, int cta) { M::mbarrier_arrive_at(barrier, cta + 6); }
};
template <class M>
struct barriers_that_count_nobody : M {
  constexpr void mbarrier_init(std::uint32_t barrier, int) { M::mbarrier_init(barrier, 0); }
};
template <class M>
struct announced_to_nobody : M {
  constexpr void named_barrier_arrive(int id, int) { M::named_barrier_arrive(id, warpgroup); }
};
template <class M>
struct announced_for_three : M {
  constexpr void named_barrier_arrive(int id, int) { M::named_barrier_arrive(id, 3 * warpgroup); }
};
template <class M>
struct producer_leaves_early : M {  // without the cluster barrier at the end
  int met = 0;
  constexpr void cluster_sync() {
    if (met++ == 0 || this->thread_index > 0) M::cluster_sync();
  }
};
template <class M>
struct nobody_meets_at_the_end : M {
  int met = 0;
  constexpr void cluster_sync() {
    if (met++ == 0) M::cluster_sync();
  }
};
template <class M>
struct nothing_is_loaded : M {
  constexpr void mbarrier_arrive_expect(std::uint32_t, int) {}
  template <int Rank>
  constexpr void tma_load(std::uint32_t, const typename M::tensor_map&, std::uint32_t, const int (&)[Rank]) {}
};
template <class M>
struct stages_are_kept : M {
  constexpr void mbarrier_arrive(std::uint32_t) {}
};

TEST_CASE("protocol: addresses, numbers of barriers and of CTAs that are none") {
  check_refused(verdict_after<tiny, copies_beyond_shared_memory, 1>(), rule::shared_memory_overlaps,
                "of shared memory, which is no barrier, stage or epilogue buffer of the plan");
  check_refused(verdict_after<tiny, barriers_of_the_next_cta, 1>(), rule::too_many_barriers,
                "a consumer uses named barrier 17; a CTA has 16");
  check_refused(verdict_after<pair, arrives_outside_of_the_cluster, 1>(), rule::multicast_peers_disagree,
                "a consumer arrives at CTA 6 of a cluster of 2");
  check_refused(verdict_after<tiny, barriers_that_count_nobody, 1>(), rule::arrivals_differ_from_the_barrier_count,
                "a barrier counts 0 arrivals");
}
TEST_CASE("protocol: rounds of barriers that somebody takes for others") {
  check_refused(verdict_after<turns, announced_to_nobody, 1>(), rule::protocol_races, "to nobody: 128 threads");
  check_refused(verdict_after<turns, announced_for_three, 1>(), rule::protocol_races, "is used for ");
  check_refused(verdict_after<pair, nobody_meets_at_the_end, 1>(), rule::protocol_races,
                "still arrives or copies there: a cluster barrier at the end is missing");
  check_refused(verdict_after<tiny, producer_leaves_early, 1>(), rule::protocol_deadlocks,
                "roles of the cluster; 1 come");
}
TEST_CASE("protocol: who waits for ever") {
  check_refused(verdict_after<tiny, nothing_is_loaded, 1>(), rule::protocol_deadlocks,
                "a consumer of CTA 0 waits forever for stage 0 of A: nobody loads it");
  check_refused(verdict_after<tiny, stages_are_kept, 5>(), rule::protocol_deadlocks,
                "the producer waits forever for a free stage of A (it has 2)");
}

/// Two parts of a split loop: CTA 1 leaves its sums where its stages were.
using halves = test::matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1, .split = 2}>;
using both = test::matmul<128, 64, 64, configuration{.stages = 2, .consumers = 2}>;

template <class M>
struct fences_without_end : M {
  constexpr void wgmma_fence() {
    for (int n = 0; n < 1000; ++n) M::wgmma_fence();
  }
};
/// What the producer does besides when all that was planned for it is done, on machine Derived.
template <class M, class Derived>
struct more_at_the_end : M {
  int met = 0;
  constexpr void cluster_sync() {
    if (met++ > 0 && this->thread_index == 0) static_cast<Derived&>(*this).more();
    M::cluster_sync();
  }
  constexpr std::uint32_t barrier(int number) const {
    return static_cast<std::uint32_t>(this->where.first_barrier + 8 * number);
  }
};
template <class M>
struct loads_over_partial_sums : more_at_the_end<M, loads_over_partial_sums<M>> {
  constexpr void more() {  // properly, when stage 0 has been released
    const int c[2]{};
    if (this->rank == 0) return;
    M::mbarrier_wait(this->barrier(2), 0);
    M::mbarrier_arrive_expect(this->barrier(0), 8192);
    M::tma_load(0, {0, false, 8192}, this->barrier(0), c);
  }
};
template <class M>
struct waits_for_an_old_phase : more_at_the_end<M, waits_for_an_old_phase<M>> {
  constexpr void more() { M::mbarrier_wait(this->barrier(0), 0); }
};
/// The third tile of K signals at the barrier of V's first stage: when its producer knows that a stage of K is free,
/// not yet that anybody has seen V's first tile.
template <class M>
struct keys_that_signal_for_values : M {
  int keys = 0;
  template <int Rank>
  constexpr void tma_load(std::uint32_t to, const typename M::tensor_map& map, std::uint32_t barrier,
                          const int (&c)[Rank]) {
    constexpr const plan& p = plan_of<turns>;
    const int of_values = p.ring[p.operand[2].ring].full_barrier;
    keys += map.operand == 1;
    M::tma_load(to, map, map.operand == 1 && keys == 3 ? static_cast<std::uint32_t>(of_values) : barrier, c);
  }
};
/// B lands in the stage behind its own, whose barrier it signals.
template <class M>
struct b_in_the_next_stage : M {
  template <int Rank>
  constexpr void tma_load(std::uint32_t to, const typename M::tensor_map& map, std::uint32_t barrier,
                          const int (&c)[Rank]) {
    M::tma_load(map.operand == 1 ? to + static_cast<std::uint32_t>(this->where.pitch[0]) : to, map, barrier, c);
  }
};
/// Half of each tile of A lands there.
template <class M>
struct half_in_the_next_stage : M {
  template <int Rank>
  constexpr void tma_load(std::uint32_t to, typename M::tensor_map map, std::uint32_t barrier, const int (&c)[Rank]) {
    if (map.operand > 0) return M::tma_load(to, map, barrier, c);
    map.box_bytes /= 2;
    M::tma_load(to, map, barrier, c);
    M::tma_load(to + static_cast<std::uint32_t>(this->where.pitch[0]), map, barrier, c);
  }
};
/// Of two consumers the first one's word is enough to fill a stage again; and behind the first two fills, a full
/// barrier asks for no bytes, so that the producer's arrival alone completes a phase.
template <class M>
struct fills_for_one_consumer : M {
  int filled = 0;
  constexpr void mbarrier_init(std::uint32_t barrier, int) { M::mbarrier_init(barrier, 1); }
  constexpr void mbarrier_arrive(std::uint32_t barrier) {
    if (this->thread_index == warpgroup) M::mbarrier_arrive(barrier);
  }
  constexpr void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    M::mbarrier_arrive_expect(barrier, filled++ < 2 ? bytes : 0);
  }
};

TEST_CASE("protocol: a role that does more than was planned") {
  check_refused(verdict_after<tiny, fences_without_end, 1>(), rule::program_is_not_traceable,
                "a consumer does more than ");
}
TEST_CASE("protocol: loads where something else lies, or has not come") {
  check_refused(verdict_after<halves, loads_over_partial_sums, 1>(), rule::protocol_races,
                "stage 0 of A is loaded where partial sums lie");
  check_refused(verdict_after<turns, keys_that_signal_for_values, 2>(), rule::protocol_races,
                "stage 0 of K is filled before its barrier is known to be free");
  check_refused(verdict_after<tiny, b_in_the_next_stage, 1>(), rule::transaction_bytes_differ_from_the_copies,
                "stage 0 of A is read when 8192 of its 24576 bytes have been copied there");
  check_refused(verdict_after<orders::only_read<2>, half_in_the_next_stage, 1>(),
                rule::transaction_bytes_differ_from_the_copies,
                "stage 0 of A is read when 4096 of its 8192 bytes have been copied there");
}
TEST_CASE("protocol: barriers that run ahead of somebody who waits") {
  check_refused(verdict_after<both, fills_for_one_consumer, 3>(), rule::protocol_races,
                "a barrier completes phase 1 while a consumer may still wait for phase 0 (lagging parity)");
  check_refused(verdict_after<tiny, waits_for_an_old_phase, 3>(), rule::protocol_races,
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

// ---- feeding

/// Changes the 64 bits of the descriptors, or repeats an instruction.
template <class M, std::uint64_t A, std::uint64_t B, int Times = 1>
struct other_descriptors : M {
  template <wgmma_instruction I, class D>
  constexpr void wgmma(const D& d, std::uint64_t a, std::uint64_t b, bool accumulate) {
    for (int n = 0; n < Times; ++n) M::template wgmma<I>(d, a ^ A, b ^ B, accumulate || n > 0);
  }
};
template <class M>
struct other_leading_offset : other_descriptors<M, 0, 1ull << 20> {};
template <class M>
struct b_between_k_steps : other_descriptors<M, 0, 1> {};
template <class M>
struct a_between_k_steps : other_descriptors<M, 1, 0> {};
template <class M>
struct blocks_change_places : other_descriptors<M, 8192 / 16, 0> {};
template <class M>
struct every_product_twice : other_descriptors<M, 0, 0, 2> {};
template <class M>
struct one_store_more : M {
  template <int N>
  constexpr void bulk_wait() {
    const int c[2]{};
    M::tma_store({2}, static_cast<std::uint32_t>(this->where.epilogue[0].begin), c);
    M::template bulk_wait<N>();
  }
};
template <class M>
struct one_load_more : M {
  int met = 0;
  constexpr void cluster_sync() {
    const int c[2]{};
    if (met++ > 0) M::tma_load(0, {}, static_cast<std::uint32_t>(this->where.first_barrier), c);
    M::cluster_sync();
  }
};

template <class Kernel, template <class> class Wrong>
violation verdict_on_products() {
  return protocol::check_feeding<on<Kernel, Wrong>>();
}
TEST_CASE("feeding: descriptors of other fields and places") {
  constexpr rule elsewhere = rule::wgmma_does_not_read_what_tma_wrote, lines = rule::fragments_do_not_line_up;
  check_refused(verdict_on_products<tiny, other_leading_offset>(), elsewhere,
                "operand B: a wgmma is given a descriptor with LBO 272");
  check_refused(verdict_on_products<tiny, b_between_k_steps>(), elsewhere, "of a stage, where no K step begins");
  check_refused(verdict_on_products<tiny, a_between_k_steps>(), elsewhere, "where none of its K steps begins");
  check_refused(verdict_on_products<tall, blocks_change_places>(), lines,
                "rows of block 1 are multiplied into block 0 of the accumulator");
  check_refused(verdict_on_products<tiny, every_product_twice>(), lines, "is multiplied ");
  check_refused(verdict_on_products<tiny, one_store_more>(), rule::epilogue_misses_or_doubles_elements,
                "stores 3 panels where its work items have 2");
  check_refused(protocol::check_loads<on<tiny, one_load_more>>(), elsewhere,
                "the producer of CTA 0 sends 5 boxes where the tiles that are asked for have 4");
}
template <class M>
struct warps_on_top_of_each_other : M {
  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&r)[4]) { M::stmatrix_x4(to % 2048, r); }
};
/// Matrices of a panel lie so many bytes from their place.
template <class M, int Bytes>
struct moved_matrices : M {
  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&r)[4]) {
    M::stmatrix_x4(static_cast<std::uint32_t>(static_cast<int>(to) + Bytes), r);
  }
  constexpr void stmatrix_x4_trans(std::uint32_t to, const std::uint32_t (&r)[4]) { stmatrix_x4(to, r); }
};
template <class M>
struct half_a_matrix_on : moved_matrices<M, 8> {};
template <class M>
struct a_byte_on : moved_matrices<M, 1> {};
template <class M>
struct a_panel_on : moved_matrices<M, 8192> {};
template <class M>
struct sixteen_rows_on : moved_matrices<M, 16 * 128> {};
template <class M>
struct the_last_matrix_lost : M {
  int written = 0;
  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&r)[4]) {
    if (written++ != 7) M::stmatrix_x4(to, r);
  }
};
template <class M>
struct every_panel_stored_twice : M {
  template <int Rank>
  constexpr void tma_store(const typename M::tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    M::tma_store(map, from, c);
    M::tma_store(map, from, c);
  }
};
template <class M>
struct panels_between_their_places : M {
  template <int Rank>
  constexpr void tma_store(const typename M::tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    const int at[Rank]{c[0] + 8, c[1]};
    M::tma_store(map, from, at);
  }
};
/// A column is copied before the four matrices of the panel that it lies in are written, and the panel is stored.
template <class M>
struct columns_copied_too_early : M {
  template <int Bytes>
  constexpr void copy_to_global(unsigned char* to, std::uint32_t from) {
    M::template copy_to_global<Bytes>(to, from);
    for (int n = this->count - 1, back = 0; back < 5; --n, ++back) std::swap(this->done[n], this->done[n - 1]);
  }
};
template <class M>
struct the_last_column_copied_twice : M {
  int copied = 0;
  template <int Bytes>
  constexpr void copy_to_global(unsigned char* to, std::uint32_t from) {
    M::template copy_to_global<Bytes>(to, from);
    if (++copied == 5) M::template copy_to_global<Bytes>(to, from);
  }
};
TEST_CASE("the epilogue: warps that write each other's rows") {
  check_refused(check_epilogue<on<tiny, warps_on_top_of_each_other>>(), rule::epilogue_misses_or_doubles_elements,
                "is not written by the warp that holds it");
}
TEST_CASE("the epilogue: what is written elsewhere, not at all, or twice") {
  constexpr rule wrong = rule::epilogue_misses_or_doubles_elements;
  const char* elsewhere = "of a panel is not where a warp's part of it is written";
  check_refused(check_epilogue<on<tiny, half_a_matrix_on>>(), wrong, elsewhere);
  check_refused(check_epilogue<on<tiny, a_byte_on>>(), wrong, elsewhere);
  check_refused(check_epilogue<on<turned, a_panel_on>>(), wrong, elsewhere);
  check_refused(check_epilogue<on<tiny, sixteen_rows_on>>(), wrong, elsewhere);
  check_refused(check_epilogue<on<tiny, the_last_matrix_lost>>(), wrong,
                "operand C: row 0, column 64 of a panel is stored before it is written");
  check_refused(check_epilogue<on<tiny, every_panel_stored_twice>>(), wrong,
                "operand C: row 0, column 0 of a panel is stored twice");
  check_refused(check_epilogue<on<tiny, panels_between_their_places>>(), wrong,
                "operand C: row 0, column 8 of a panel is where a store begins, and no panel does");
  const char* too_early = "is a ragged column that is copied from another place";
  check_refused(check_epilogue<on<tiny, columns_copied_too_early>>(), wrong, too_early);
  check_refused(check_epilogue<on<crowded, columns_copied_too_early>>(), wrong, too_early);
  check_refused(check_epilogue<on<tiny, the_last_column_copied_twice>>(), wrong,
                "is copied besides the ragged columns");
}

// ---- plans

/// Divisions of a loop that are none.
constexpr trip_part whole(int trips, int, int) { return {0, trips}; }
constexpr trip_part all_but_the_rest(int trips, int part, int parts) { return {part * (trips / parts), trips / parts}; }
constexpr trip_part one_back(int trips, int part, int) {
  return part == 0 ? trip_part{0, trips + 1} : trip_part{trips + 1, -1};
}

// ---- work that is drawn

using drawn = orders::drawn_gemm<2, 1, 2>;
constexpr ticket_plan tickets = plan_of<drawn>.tickets;
constexpr bool is_number(std::uint32_t address) {
  return static_cast<int>(address) >= tickets.offset && static_cast<int>(address) < tickets.offset + 32;
}
template <class M>
struct draws_once_more : M {  // when nothing is left
  constexpr int draw_ticket(std::uint32_t* counter, int count) {
    if (this->drawn == 3) M::draw_ticket(counter, count), --this->drawn;
    return M::draw_ticket(counter, count);
  }
};
template <class M>
struct hands_out_to_nobody : M {
  constexpr void store_shared_async(std::uint32_t to, std::uint32_t x, std::uint32_t barrier, int cta) {
    M::store_shared_async(to, x, barrier, cta + 4);
  }
};
template <class M>
struct keeps_the_numbers : M {
  constexpr void store_shared_async(std::uint32_t, std::uint32_t, std::uint32_t, int) {}
};
template <class M>
struct announces_no_number : M {
  constexpr void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    if (bytes != ticket_word) M::mbarrier_arrive_expect(barrier, bytes);
  }
};
template <class M>
struct says_twice_that_it_has_read : M {
  constexpr void mbarrier_arrive_at(std::uint32_t barrier, int cta) {
    M::mbarrier_arrive_at(barrier, cta);
    if (static_cast<int>(barrier) >= ticket_empty_barrier(tickets, 0)) M::mbarrier_arrive_at(barrier, cta);
  }
};
template <class M>
struct announces_what_never_comes : M {
  constexpr void store_shared_async(std::uint32_t to, std::uint32_t x, std::uint32_t barrier, int cta) {
    M::store_shared_async(to, x, is_number(to) ? barrier + 8 : barrier, cta);
  }
};

TEST_CASE("protocol: numbers of drawn work") {
  check_refused(verdict_after<drawn, draws_once_more, 1>(), rule::epilogue_misses_or_doubles_elements,
                "the producer of CTA 0 draws 5 numbers for 4 work items");
  check_refused(verdict_after<drawn, hands_out_to_nobody, 1>(), rule::multicast_peers_disagree,
                "the number of a work item goes to CTA 4 of a cluster of 2");
  check_refused(verdict_after<drawn, keeps_the_numbers, 1>(), rule::protocol_deadlocks,
                "waits forever for the number of its next work item: nobody hands it out");
  check_refused(verdict_after<drawn, announces_no_number, 1>(), rule::protocol_deadlocks,
                "waits forever for the number of its next work item: nobody arrives");
  check_refused(verdict_after<drawn, says_twice_that_it_has_read, 1>(), rule::arrivals_differ_from_the_barrier_count,
                "the empty barrier of slot 0 of drawn work in CTA 0 may receive more arrivals than the 3 that it counts");
  check_refused(verdict_after<drawn, announces_what_never_comes, 1>(), rule::protocol_deadlocks,
                "waits forever for the number of its next work item: nobody hands it out");
}
TEST_CASE("alignment: where numbers of drawn work lie") {
  plan p = plan_of<drawn>;
  CHECK(check_alignment(p).holds());
  SUBCASE("over a stage") {
    p.tickets.offset = p.ring[0].offset + 16;
    check_refused(check_alignment(p), rule::shared_memory_overlaps, "the numbers of drawn work and A both lie at byte 16");
  }
  SUBCASE("over another ring's barriers") {
    p.tickets.barrier = p.ring[0].empty_barrier;
    check_refused(check_alignment(p), rule::shared_memory_overlaps,
                  "the barriers of drawn work and a ring's empty barriers both lie at byte ");
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
}

}  // namespace
