// A wrong lowering is refused. Each kernel here is right, but its roles run on a machine that drops a verb or gets one
// wrong; the proof runs the same roles on the same machine, and has to name the mistake.
#include <doctest/doctest.h>

#include <sectile/dsl/proofs/verified.hpp>
#include <string>

#include "tests/dsl/all_orders/plans.hpp"
#include "tests/dsl/wrong_machine.hpp"
#include "tests/exhaustively.hpp"
#include "tests/programs/matmul.hpp"
#include "tests/programs/typed.hpp"

namespace {

using namespace sectile;

using tiny = test::matmul<64, 128, 64, configuration{.stages = 2, .consumers = 1}>;
using pair = test::matmul<64, 64, 64, configuration{.stages = 2, .cluster = {2, 1}, .consumers = 1}>;
using two_consumers = test::matmul<128, 64, 64, configuration{.stages = 2, .consumers = 2, .persistent = true}>;
using test::sparse_product;
using floats = test::matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1}, float>;
/// Tiles of A of two panels along K.
using wide = test::matmul<64, 64, 128, configuration{.stages = 2, .consumers = 1}>;
/// Tiles that are transposed on the way out, of 16 and of 32 bits.
using turned = test::matmul<16, 128, 64, configuration{.stages = 2, .consumers = 1, .swap = true}>;
using turned_floats = test::matmul<16, 64, 64, configuration{.stages = 2, .consumers = 1, .swap = true}, float>;
static_assert(plan_of<turned>.epilogue[0].panels == 2);
/// Outputs of 8-bit elements, which lanes exchange.
using eight_bits = test::matmul<64, 128, 64, configuration{.stages = 2, .consumers = 1}, e4m3>;
using eight_bits_deferred =
    test::matmul<128, 256, 64, configuration{.stages = 2, .consumers = 2, .persistent = true}, e4m3>;
/// The same, turned on their way, at once and deferred: 32 columns at a time, and the last eight.
using turned_bytes = test::matmul<32, 128, 64, configuration{.stages = 2, .consumers = 1, .swap = true}, e4m3>;
using turned_bytes_deferred =
    test::matmul<40, 128, 64, configuration{.stages = 2, .consumers = 2, .persistent = true, .swap = true}, e4m3>;
static_assert(plan_of<turned_bytes>.epilogue[0].panels == 2);
#ifdef SECTILE_EXHAUSTIVELY
static_assert(plan_of<turned_floats>.epilogue[0].panels == 2 && plan_of<turned_bytes_deferred>.epilogue[0].deferred);
static_assert(plan_of<eight_bits_deferred>.epilogue[0].deferred &&
              plan_of<eight_bits_deferred>.epilogue[0].panels == 2);
#endif
/// Sums of one tile are stored under the products of the next.
using deferred = test::matmul<128, 128, 64, configuration{.stages = 2, .consumers = 2, .persistent = true}>;
static_assert(plan_of<deferred>.epilogue[0].deferred && plan_of<deferred>.epilogue[0].panels == 2);

/// Two products; the second takes the first one's result as its left factor.
struct chain {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"D(N,L)", bf16>(), output<"C(M,L)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}, {"L", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, l] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto n : sm.pipelined(tiles<"N">(B))) {
      auto s = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
      auto q = cast<bf16>(s);
      acc += q * sm.load(D, {n, l});
    }
    sm.store(C, {m, l}, acc);
  }
};
/// A left factor of 8 bits that its product makes wider, one half while the other one is multiplied.
struct in_halves : test::matmul<64, 64, 64, configuration{.stages = 3, .consumers = 1}> {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", e4m3>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += cast<bf16>(in_registers(sm.load(A, {m, k}))) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(plan_of<in_halves>.widening_parts == 2);
using turns = orders::attention_like<true>;

using test::on, test::check_refused, test::exhaustively;

/// Of the first run that is refused.
template <class K>
violation verdict_on_protocol() {
  for (int run = 0; run < protocol::protocol_runs(plan_of<K>); ++run)
    if (const violation v = test::verdict_on_run<K>(run); !v.holds()) return v;
  return {};
}

/// A kernel that may begin while the one before ends.
struct overlapping : tiny {
  static constexpr configuration how = [] {
    configuration c = tiny::how;
    c.overlap = launch_overlap::both;
    return c;
  }();
};

/// What the machines below get wrong. It is a number that they look up while they run, so that a kernel's roles are
/// compiled once for all mistakes.
enum mistake {
  none,
  // registers
  no_wgmma_fence,
  no_wait,
  wait_for_one_less,
  nothing_taken_over,  // no dependence of registers on the wait before
  no_more_registers,
  no_fewer_registers,
  fewer_registers_than_planned,
  // barriers
  barriers_not_initialised,
  barriers_initialised_twice,
  initialisation_not_fenced,
  no_cluster_barrier,
  wrong_first_phase,  // everybody waits for the other parity
  no_waiting_for_stages,
  no_arrivals,
  arrivals_twice,
  arrivals_at_the_own_cta,
  bytes_never_announced,
  hardware_barriers_for_two,
  last_turn_not_taken,  // a turn that no product follows
  begins_at_once,       // while the kernel before still runs
  // what a box brings, and where
  copies_for_the_own_cta,
  copies_for_a_cta_outside,  // besides those in the cluster
  copies_that_signal_the_next_barrier,
  every_panel_brings_the_first,
  panels_change_places,
  a_row_too_far,
  always_the_first_trip,
  rows_for_columns,
  slices_of_the_first_cta,
  slices_at_the_first_address,
  slices_that_overlap,
  metadata_of_the_next_block,
  no_metadata,
  // what products are given
  reads_one_register_on,
  swaps_k_steps_of_a,
  always_the_first_half,  // what a group of two instructions is given of B, the second group is given again
  a_one_k_step_on,
  never_accumulates,
  // stores
  no_proxy_fence,
  no_epilogue_barrier,
  no_bulk_wait,
  panels_of_the_neighbour,
  every_panel_is_the_first,
  last_tile_not_put_out,
  every_second_item,
  every_item_of_all_clusters,
  // what the epilogue writes, packs or copies
  matrices_change_places,
  packed_the_other_way,
  chunks_change_places,
  every_second_matrix,
  swizzled_by_64,
  not_turned,
  every_second_turned,
  a_column_further,
  words_change_places,
  neighbours_change_places,
  stored_before_the_neighbour,
  ragged_from_the_next_column,
  ragged_from_the_next_byte,
  ragged_to_the_next_column,
  halves_change_places,  // an exchange brings the other half of a word
  no_ragged_columns
};
mistake made = none;

/// The machine that writes down what roles do.
template <class M>
struct wrong_recorder : M {
  using tensor_map = typename M::tensor_map;
  int held = -1, held_threads = 0;  // the turn that is taken at the next commit
  int stored = 0, issued = 0;
  std::uint64_t first_b[2]{};

  constexpr void wgmma_fence() {
    if (made != no_wgmma_fence) M::wgmma_fence();
  }
  template <int N>
  constexpr void wgmma_wait() {
    if (made == wait_for_one_less)
      M::template wgmma_wait<N + 1>();
    else if (made != no_wait)
      M::template wgmma_wait<N>();
  }
  template <class R>
  constexpr void touch(const R& r) {
    if (made != nothing_taken_over) M::touch(r);
  }
  template <int N>
  constexpr void registers_inc() {
    if (made == fewer_registers_than_planned)
      M::template registers_inc<N - 8>();
    else if (made != no_more_registers)
      M::template registers_inc<N>();
  }
  template <int N>
  constexpr void registers_dec() {
    if (made != no_fewer_registers) M::template registers_dec<N>();
  }

  constexpr void mbarrier_init(std::uint32_t barrier, int arrivals) {
    if (made != barriers_not_initialised) M::mbarrier_init(barrier, arrivals);
    if (made == barriers_initialised_twice) M::mbarrier_init(barrier, arrivals);
  }
  constexpr void mbarrier_init_fence() {
    if (made != initialisation_not_fenced) M::mbarrier_init_fence();
  }
  constexpr void cluster_sync() {
    if (made != no_cluster_barrier) M::cluster_sync();
  }
  constexpr void cluster_arrive() { cluster_sync(); }
  constexpr void mbarrier_wait(std::uint32_t barrier, int parity) {
    if (made != no_waiting_for_stages) M::mbarrier_wait(barrier, made == wrong_first_phase ? parity ^ 1 : parity);
  }
  constexpr void mbarrier_arrive(std::uint32_t barrier) {
    if (made != no_arrivals) M::mbarrier_arrive(barrier);
    if (made == arrivals_twice) M::mbarrier_arrive(barrier);
  }
  constexpr void mbarrier_arrive_at(std::uint32_t barrier, int cta) {
    if (made == arrivals_at_the_own_cta)
      M::mbarrier_arrive(barrier);
    else if (made != no_arrivals)
      M::mbarrier_arrive_at(barrier, cta);
  }
  constexpr void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    if (made == bytes_never_announced)
      M::mbarrier_arrive(barrier);
    else
      M::mbarrier_arrive_expect(barrier, bytes);
  }
  constexpr void named_barrier_sync(int id, int threads) {
    if (made == last_turn_not_taken && threads != warpgroup) {
      held = id;
      held_threads = threads;
    } else if (made != no_epilogue_barrier) {
      M::named_barrier_sync(id, made == hardware_barriers_for_two ? 2 * threads : threads);
    }
  }
  constexpr void wgmma_commit() {
    if (held >= 0) M::named_barrier_sync(held, held_threads);
    held = -1;
    M::wgmma_commit();
  }
  constexpr void griddepcontrol_wait() {
    if (made != begins_at_once) M::griddepcontrol_wait();
  }

  template <int Rank>
  constexpr void tma_load(std::uint32_t to, const tensor_map& map, std::uint32_t barrier, const int (&c)[Rank]) {
    load(to, map, made == copies_that_signal_the_next_barrier ? barrier + 8 : barrier, c, 1u << this->rank);
  }
  template <int Rank>
  constexpr void tma_load_multicast(std::uint32_t to, const tensor_map& map, std::uint32_t barrier,
                                    const int (&c)[Rank], std::uint16_t ctas) {
    if (made == copies_for_the_own_cta) return M::tma_load(to, map, barrier, c);
    load(to, map, barrier, c, made == copies_for_a_cta_outside ? ctas | 1u << 5 : ctas);
  }
  template <int Rank>
  constexpr void load(std::uint32_t to, const tensor_map& map, std::uint32_t barrier, const int (&c)[Rank],
                      unsigned ctas) {
    int at[Rank]{};
    for (int d = 0; d < Rank; ++d) at[d] = c[d];
    if (brings(map, to, at)) M::tma_load_multicast(to, map, barrier, at, static_cast<std::uint16_t>(ctas));
  }
  /// Whether there is a box, and of where and to where.
  static constexpr bool brings(const tensor_map& map, std::uint32_t& to, int* c) {
    const bool shared = map.operand == 1;  // by the CTAs of `pair`
    if (made == every_panel_brings_the_first) c[0] = c[0] / 128 * 128;
    if (made == panels_change_places) to ^= 8192;
    if (made == a_row_too_far) c[1] += 1;
    if (made == always_the_first_trip) c[0] = 0;
    if (made == rows_for_columns) {
      const int row = c[1];
      c[1] = c[0];
      c[0] = row;
    }
    if (made == slices_of_the_first_cta && shared) c[1] = c[1] / 64 * 64;
    if (made == slices_at_the_first_address && shared) to = to / 8192 * 8192;
    if (made == slices_that_overlap && shared && c[1] % 64 != 0) {
      c[1] -= 8;
      to -= 1024;
    }
    if (made == metadata_of_the_next_block && map.metadata) c[1] += 1;
    return made != no_metadata || !map.metadata;
  }

  template <wgmma_instruction I, class D>
  constexpr void wgmma(const D& d, std::uint64_t a, std::uint64_t b, bool accumulate) {
    if (made == a_one_k_step_on) a += 2;  // 32 bytes
    M::template wgmma<I>(d, a, b, accumulate && made != never_accumulates);
  }
  template <wgmma_instruction I, class D, class A>
  constexpr void wgmma(const D& d, const A& a, int first, std::uint64_t b, bool accumulate) {
    if (made == reads_one_register_on) first += 1;
    if (made == swaps_k_steps_of_a) first ^= 4;
    if (made == always_the_first_half) {
      if (issued < 2) first_b[issued] = b;
      b = first_b[issued++ % 2];
    }
    M::template wgmma<I>(d, a, first, b, accumulate);
  }
  template <wgmma_instruction I, class D, class Metadata>
  constexpr void wgmma(const D& d, std::uint64_t a, std::uint64_t b, bool accumulate, const Metadata& e, int selector) {
    M::template wgmma<I>(d, a, b, accumulate, e, selector);
  }

  constexpr void fence_proxy_async() {
    if (made != no_proxy_fence) M::fence_proxy_async();
  }
  template <int N>
  constexpr void bulk_wait() {
    if (made != no_bulk_wait) M::template bulk_wait<N>();
  }
  template <int N>
  constexpr void bulk_wait_read() {
    if (made != no_bulk_wait) M::template bulk_wait_read<N>();
  }
  template <int Rank>
  constexpr void tma_store(const tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    if (made == last_tile_not_put_out && stored++ >= 2) return;
    if (made == panels_of_the_neighbour) from = static_cast<std::uint32_t>(this->where.epilogue[0].begin);
    int at[Rank]{};
    for (int d = 0; d < Rank; ++d) at[d] = c[d];
    if (made == every_panel_is_the_first) at[0] = at[0] / 128 * 128;
    M::tma_store(map, from, at);
  }
  constexpr int cluster_count() const {
    if (made == every_item_of_all_clusters) return 1;
    return (made == every_second_item ? 2 : 1) * M::cluster_count();
  }
};

/// The machine that writes down what the epilogue puts where.
template <class M>
struct wrong_pen : M {
  int matrices = 0;

  /// The matrix that is written: none, or with two of its parts in each other's place.
  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&r)[4]) {
    if (made == every_second_matrix && matrices++ % 2 != 0) return;
    if (made == chunks_change_places) to ^= 16;
    if (made == swizzled_by_64)
      to = static_cast<std::uint32_t>(byte_swizzle(swizzle_mode::b64)(byte_swizzle(swizzle_mode::b128)(to)));
    if (made == matrices_change_places)
      M::stmatrix_x4(to, {r[0], r[2], r[1], r[3]});
    else
      M::stmatrix_x4(to, r);
  }
  constexpr void stmatrix_x4_trans(std::uint32_t to, const std::uint32_t (&r)[4]) {
    if (made == every_second_turned && matrices++ % 2 != 0) return;
    if (made == not_turned)
      M::stmatrix_x4_trans(to, {r[0], r[2], r[1], r[3]});
    else
      M::stmatrix_x4_trans(to, r);
  }
  constexpr void stmatrix_x1_trans(std::uint32_t to, const std::uint32_t (&r)[4]) {
    if (made == a_column_further)
      M::stmatrix_x1_trans(to, {r[0] >> 16 | r[0] << 16});
    else
      M::stmatrix_x1_trans(to, r);
  }
  constexpr void store_shared(std::uint32_t to, std::uint32_t x) {
    M::store_shared(made == words_change_places ? to ^ 4 : to, x);
  }
  constexpr void store_shared(std::uint32_t to, std::uint32_t x, std::uint32_t y) {
    if (made == neighbours_change_places)
      M::store_shared(to, y, x);
    else
      M::store_shared(to, x, y);
  }
  constexpr std::uint32_t pack_bf16(float low, float high) const {
    return made == packed_the_other_way ? M::pack_bf16(high, low) : M::pack_bf16(low, high);
  }
  constexpr std::uint32_t pack_e4m3(float low, float high) const {
    return made == packed_the_other_way ? M::pack_e4m3(high, low) : M::pack_e4m3(low, high);
  }
  constexpr std::uint32_t shuffle(std::uint32_t word, int from) const {
    const std::uint32_t got = M::shuffle(word, from);
    return made == halves_change_places ? got >> 16 | got << 16 : got;
  }
  template <int Rank>
  constexpr void tma_store(const typename M::tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    M::tma_store(map, made == stored_before_the_neighbour ? from ^ 8192 : from, c);
  }
  template <int Bytes>
  constexpr void copy_to_global(unsigned char* to, std::uint32_t from) {
    if (made == no_ragged_columns) return;
    if (made == ragged_from_the_next_column) from ^= 2;
    if (made == ragged_from_the_next_byte) from ^= 1;
    M::template copy_to_global<Bytes>(made == ragged_to_the_next_column ? to + 2 : to, from);
  }
};

template <class Kernel>
using recorded = on<Kernel, wrong_recorder>;

template <class Kernel>
void check_epilogue_passes() {
  made = none;
  check_refused(check_epilogue<on<Kernel, wrong_pen>>(), rule::holds, "");
}
template <class Kernel>
void check_epilogue_refuses(mistake m, const char* fragment) {
  made = m;
  check_refused(check_epilogue<on<Kernel, wrong_pen>>(), rule::epilogue_misses_or_doubles_elements, fragment);
}
template <class Kernel>
void check_loads_refuse(mistake m, rule what, const char* fragment) {
  made = m;
  check_refused(protocol::check_loads<recorded<Kernel>>(), what, fragment);
}
template <class Kernel>
void check_protocol_refuses(mistake m, rule what, const char* fragment) {
  made = m;
  check_refused(verdict_on_protocol<recorded<Kernel>>(), what, fragment);
}
template <class Kernel>
void check_feeding_refuses(mistake m, rule what, const char* fragment) {
  made = m;
  check_refused(protocol::check_feeding<recorded<Kernel>>(), what, fragment);
}

TEST_CASE("a machine that does as it is told passes") {
  check_protocol_refuses<tiny>(none, rule::holds, "");
  check_protocol_refuses<pair>(none, rule::holds, "");
  check_protocol_refuses<two_consumers>(none, rule::holds, "");
  check_protocol_refuses<turns>(none, rule::holds, "");
  check_protocol_refuses<chain>(none, rule::holds, "");
  if constexpr (exhaustively) check_protocol_refuses<in_halves>(none, rule::holds, "");
  check_protocol_refuses<overlapping>(none, rule::holds, "");
  check_loads_refuse<tiny>(none, rule::holds, "");
  check_loads_refuse<pair>(none, rule::holds, "");
  check_loads_refuse<wide>(none, rule::holds, "");
  check_loads_refuse<sparse_product>(none, rule::holds, "");
  check_feeding_refuses<tiny>(none, rule::holds, "");
  check_feeding_refuses<chain>(none, rule::holds, "");
  check_feeding_refuses<in_halves>(none, rule::holds, "");
  check_feeding_refuses<turned>(none, rule::holds, "");
  check_feeding_refuses<deferred>(none, rule::holds, "");
  check_epilogue_passes<tiny>();
  check_epilogue_passes<deferred>();
  check_epilogue_passes<floats>();
  check_epilogue_passes<turned>();
  check_epilogue_passes<eight_bits>();
  check_epilogue_passes<turned_bytes>();
  if constexpr (exhaustively) {
    check_epilogue_passes<turned_floats>();
    check_epilogue_passes<eight_bits_deferred>();
    check_epilogue_passes<turned_bytes_deferred>();
  }
}

TEST_CASE("registers: no wgmma.fence") {
  check_protocol_refuses<tiny>(no_wgmma_fence, rule::registers_are_in_use, "a wgmma.fence is missing");
  check_protocol_refuses<chain>(no_wgmma_fence, rule::registers_are_in_use, "a wgmma.fence is missing");
  if constexpr (exhaustively) {
    check_protocol_refuses<sparse_product>(no_wgmma_fence, rule::registers_are_in_use, "a wgmma.fence is missing");
  }
}
TEST_CASE("registers: no wait before they are used") {
  check_protocol_refuses<tiny>(no_wait, rule::registers_are_in_use, "are used while a product on them may still run");
  check_protocol_refuses<tiny>(wait_for_one_less, rule::registers_are_in_use, "a wait for it is missing");
  check_protocol_refuses<chain>(no_wait, rule::registers_are_in_use, "are used while a product on them may still run");
  if constexpr (exhaustively) {
    check_protocol_refuses<in_halves>(no_wait, rule::registers_are_in_use, "while a product on them may still run");
    check_protocol_refuses<in_halves>(wait_for_one_less, rule::registers_are_in_use, "a wait for it is missing");
  }
}
TEST_CASE("registers: nothing ties their use to the wait before it") {
  check_protocol_refuses<chain>(nothing_taken_over, rule::registers_are_in_use,
                                "registers of a fragment are used behind a wait to which nothing ties");
  if constexpr (exhaustively) {
    check_protocol_refuses<sparse_product>(nothing_taken_over, rule::registers_are_in_use,
                                           "to which nothing ties them");
    check_protocol_refuses<in_halves>(nothing_taken_over, rule::registers_are_in_use, "to which nothing ties them");
  }
}
TEST_CASE("registers: setmaxnreg is left out, or asks for another number") {
  check_protocol_refuses<two_consumers>(
      no_more_registers, rule::registers_exceed_the_pool,
      "a consumer has been given 232 registers per thread, its setmaxnreg asks for 0");
  check_protocol_refuses<two_consumers>(
      no_fewer_registers, rule::registers_exceed_the_pool,
      "the producer has been given 40 registers per thread, its setmaxnreg asks for 0");
  check_protocol_refuses<two_consumers>(fewer_registers_than_planned, rule::registers_exceed_the_pool,
                                        "a consumer has been given 232 registers");
}
TEST_CASE("the epilogue: no proxy fence, no barrier, no wait for TMA") {
  check_protocol_refuses<tiny>(no_proxy_fence, rule::protocol_races, "before its writers' proxy fence and barrier");
  check_protocol_refuses<tiny>(no_epilogue_barrier, rule::protocol_races,
                               "before its writers' proxy fence and barrier");
  check_protocol_refuses<tiny>(no_bulk_wait, rule::protocol_races, "while TMA may still read its epilogue buffers");
  check_protocol_refuses<two_consumers>(no_bulk_wait, rule::protocol_races, "is written while TMA may still read it");
}

TEST_CASE("barriers: initialisation") {
  check_protocol_refuses<tiny>(barriers_not_initialised, rule::protocol_races, "that nobody has initialised");
  check_protocol_refuses<tiny>(barriers_initialised_twice, rule::protocol_races, "a barrier is initialised twice");
  check_protocol_refuses<pair>(initialisation_not_fenced, rule::protocol_races,
                               "no fence.mbarrier_init has made visible");
  check_protocol_refuses<pair>(no_cluster_barrier, rule::protocol_races, "uses a barrier of CTA");
}
TEST_CASE("barriers: phases and arrivals") {
  check_protocol_refuses<tiny>(wrong_first_phase, rule::protocol_races, "whose consumer has not waited for it");
  check_protocol_refuses<tiny>(no_waiting_for_stages, rule::protocol_races,
                               "is read by a product whose consumer has not waited for it");
  check_protocol_refuses<tiny>(no_arrivals, rule::protocol_deadlocks,
                               "stage 0 of A is not released as often as it is filled");
  check_protocol_refuses<tiny>(arrivals_twice, rule::arrivals_differ_from_the_barrier_count,
                               "the empty barrier of stage 0 of A in CTA 0 may receive more arrivals");
  check_protocol_refuses<pair>(arrivals_at_the_own_cta, rule::protocol_races,
                               "stage 0 of A is overwritten while a consumer may still read it");
  check_protocol_refuses<two_consumers>(hardware_barriers_for_two, rule::protocol_deadlocks, "named barrier");
}
TEST_CASE("named barriers: the last turn is announced and nobody takes it") {
  check_protocol_refuses<turns>(last_turn_not_taken, rule::protocol_races,
                                "a round of named barrier 3 of CTA 0 is left open: 128 of 256 threads have come");
}
TEST_CASE("copies: bytes, masks, barriers") {
  check_protocol_refuses<pair>(copies_for_a_cta_outside, rule::multicast_peers_disagree,
                               "the producer copies to CTA 5 of a cluster of 2");
  check_protocol_refuses<tiny>(bytes_never_announced, rule::protocol_races,
                               "is overwritten before a consumer has read it");
  check_protocol_refuses<pair>(copies_for_the_own_cta, rule::transaction_bytes_differ_from_the_copies, "never come");
  check_protocol_refuses<tiny>(copies_that_signal_the_next_barrier, rule::transaction_bytes_differ_from_the_copies,
                               "24576 of them never come");
}

TEST_CASE("loads: every box comes from its place, to its place, once") {
  constexpr rule elsewhere = rule::wgmma_does_not_read_what_tma_wrote;
  check_loads_refuse<wide>(every_panel_brings_the_first, elsewhere,
                           "of the tile that is loaded there, it belongs to byte");
  check_loads_refuse<wide>(panels_change_places, elsewhere,
                           "of a stage of CTA 0; of the tile that is loaded there, it "
                           "belongs to byte");
  check_loads_refuse<tiny>(a_row_too_far, elsewhere, "it is no part of the tile that is loaded there");
  check_loads_refuse<tiny>(always_the_first_trip, elsewhere, "it is no part of the tile that is loaded there");
  check_loads_refuse<sparse_product>(metadata_of_the_next_block, elsewhere, "it is no part of the tile");
  check_loads_refuse<sparse_product>(no_metadata, elsewhere, "it is no part of the tile that is loaded there");
  check_loads_refuse<tiny>(rows_for_columns, elsewhere, "it is no part of the tile that is loaded there");
}
TEST_CASE("loads: CTAs that share a tile fetch its slices") {
  constexpr rule elsewhere = rule::wgmma_does_not_read_what_tma_wrote;
  check_loads_refuse<pair>(slices_of_the_first_cta, rule::multicast_peers_disagree, "operand B: CTA 1 copies the box");
  check_loads_refuse<pair>(slices_at_the_first_address, rule::multicast_peers_disagree, "it belongs to byte 12288");
  check_loads_refuse<pair>(slices_that_overlap, rule::multicast_peers_disagree, "it is no part of the tile");
  check_loads_refuse<pair>(copies_for_the_own_cta, elsewhere, "box 1 of the 2 that make a tile is copied 0 times");
}
TEST_CASE("stores: every panel of every work item goes to its place, once") {
  constexpr rule stored = rule::epilogue_misses_or_doubles_elements;
  check_feeding_refuses<turned>(every_panel_is_the_first, stored,
                                "rows 0 to 15, columns 0 to 63 of consumer 0's part of work item 0 are stored 2");
  check_feeding_refuses<deferred>(every_panel_is_the_first, stored,
                                  "columns 0 to 63 of consumer 0's part of work item 0 "
                                  "are stored 2 times");
  check_feeding_refuses<deferred>(panels_of_the_neighbour, stored, "consumer 1 stores a panel from byte 0");
  check_feeding_refuses<deferred>(last_tile_not_put_out, stored, "part of work item 1 are stored 0 times");
  check_feeding_refuses<deferred>(every_second_item, stored, "part of work item 1 are stored 0 times");
  check_feeding_refuses<deferred>(every_item_of_all_clusters, stored, "which is none of its part of the tile");
}
TEST_CASE("overlap: no tensor is touched before the kernel before has ended") {
  check_protocol_refuses<overlapping>(begins_at_once, rule::protocol_races,
                                      "touches a tensor before griddepcontrol.wait");
  check_protocol_refuses<tiny>(begins_at_once, rule::holds, "");  // it is not asked to overlap
}
TEST_CASE("the epilogue: every register goes to the element that it holds") {
  check_epilogue_refuses<tiny>(matrices_change_places, "from a register that holds another element");
  check_epilogue_refuses<tiny>(packed_the_other_way, "from a register that holds another element");
  check_epilogue_refuses<tiny>(chunks_change_places, "from a register that holds another element");
  check_epilogue_refuses<tiny>(every_second_matrix, "row 0, column 16 of a panel is never written");
  check_epilogue_refuses<tiny>(swizzled_by_64, "from a register that holds another element");
  check_epilogue_refuses<floats>(neighbours_change_places, "from a register that holds another element");
  check_epilogue_refuses<turned>(not_turned, "from a register that holds another element");
  check_epilogue_refuses<turned>(every_second_turned, "is stored before it is written");
  check_epilogue_refuses<turned>(ragged_from_the_next_column, "a ragged column that is copied from another place");
  check_epilogue_refuses<eight_bits>(packed_the_other_way, "is made of other elements");
  check_epilogue_refuses<eight_bits>(halves_change_places, "is made of other elements");
  check_epilogue_refuses<eight_bits>(ragged_from_the_next_byte, "a ragged column that is copied from another place");
  check_epilogue_refuses<turned_bytes>(packed_the_other_way, "is made of other elements");
  check_epilogue_refuses<deferred>(stored_before_the_neighbour, "of a panel");
  check_epilogue_refuses<deferred>(packed_the_other_way, "from a register that holds another element");
  check_epilogue_refuses<turned>(packed_the_other_way, "from a register that holds another element");
  check_epilogue_refuses<turned>(stored_before_the_neighbour, "of a panel");
  check_epilogue_refuses<turned>(no_ragged_columns, "a ragged column that is not copied to its place");
  check_epilogue_refuses<tiny>(stored_before_the_neighbour, "of a panel");
  check_epilogue_refuses<eight_bits>(matrices_change_places, "from a register that holds another element");
  check_epilogue_refuses<eight_bits>(chunks_change_places, "from a register that holds another element");
  check_epilogue_refuses<eight_bits>(every_second_matrix, "row 0, column 16 of a panel is never written");
  check_epilogue_refuses<turned_bytes>(not_turned, "from a register that holds another element");
  check_epilogue_refuses<turned_bytes>(every_second_turned, "is stored before it is written");
  check_epilogue_refuses<turned_bytes>(halves_change_places, "is made of other elements");
  check_epilogue_refuses<turned_bytes>(no_ragged_columns, "a ragged column that is not copied to its place");
}
TEST_CASE("the epilogue: the same of 32 bits that are turned, and of 8 bits that are deferred") {
  if constexpr (exhaustively) {
    check_epilogue_refuses<turned_floats>(words_change_places, "from a register that holds another element");
    check_epilogue_refuses<turned_floats>(no_ragged_columns, "a ragged column that is not copied to its place");
    check_epilogue_refuses<eight_bits_deferred>(no_ragged_columns, "a ragged column that is not copied to its place");
    check_epilogue_refuses<eight_bits_deferred>(packed_the_other_way, "is made of other elements");
    check_epilogue_refuses<eight_bits_deferred>(stored_before_the_neighbour, "of a panel");
    check_epilogue_refuses<turned_bytes_deferred>(a_column_further, "from a register that holds another element");
    check_epilogue_refuses<turned_bytes_deferred>(packed_the_other_way, "is made of other elements");
  }
}
TEST_CASE("the epilogue: ragged columns are copied to their place") {
  check_epilogue_refuses<tiny>(ragged_from_the_next_column, "a ragged column that is copied from another place");
  check_epilogue_refuses<tiny>(ragged_to_the_next_column, "a ragged column that is not copied to its place");
  check_epilogue_refuses<deferred>(no_ragged_columns, "a ragged column that is not copied to its place");
}
/// A consumer that takes itself for the first one when a mask asks for rows.
template <class K, class M>
struct without_its_index : consumer<K, M> {
  using consumer<K, M>::consumer;
  template <int Rows>
  constexpr coord coord_of(int m, int i) const {
    const coord p = d_coord(this->thread, i);
    return {m * 64 + p.row, p.col};
  }
};
TEST_CASE("masks: rows are those of the consumer") {
  check_refused(protocol::check_positions<two_consumers>(), rule::holds, "");
  check_refused(protocol::check_positions<two_consumers, without_its_index>(), rule::fragments_do_not_line_up,
                "of thread 333 holds row 35, column 2; it is row 99, column 2");
}
TEST_CASE("feeding: K steps that do not belong together") {
  check_feeding_refuses<chain>(reads_one_register_on, rule::fragments_do_not_line_up, "multiplies K step");
  check_feeding_refuses<tiny>(a_one_k_step_on, rule::fragments_do_not_line_up,
                              "multiplies K step 1 of its left factor by K step 0 of operand B");
  check_feeding_refuses<in_halves>(swaps_k_steps_of_a, rule::fragments_do_not_line_up,
                                   "multiplies K step 1 of its left factor by K step 0");
  check_feeding_refuses<in_halves>(always_the_first_half, rule::fragments_do_not_line_up,
                                   "multiplies K step 2 of its left factor by K step 0");
  check_feeding_refuses<tiny>(never_accumulates, rule::fragments_do_not_line_up, "overwrites the sum of those before");
  check_feeding_refuses<chain>(swaps_k_steps_of_a, rule::fragments_do_not_line_up,
                               "multiplies K step 1 of its left factor by K step 0 of operand D");
}

}  // namespace
