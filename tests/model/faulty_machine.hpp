// The model of the machine with one mistake at a time, and the kernels that run on it.
#pragma once

#include <sectile/dsl/launch/model.hpp>
#include <utility>

#include "tests/programs/matmul.hpp"

namespace faulty {

namespace model = sectile::model;

enum class mistake {
  none,
  no_proxy_fence,
  no_wgmma_fence,
  no_wgmma_wait,
  wgmma_wait_for_one_less,
  producer_ignores_empty,
  consumer_ignores_full,
  producer_waits_for_the_wrong_parity,
  consumer_waits_for_the_wrong_parity,
  no_release_by_consumer_1,
  release_of_own_cta_only,
  release_twice,
  one_arrival_too_few,
  one_arrival_too_many,
  expect_too_few_bytes,
  expect_too_many_bytes,
  lost_box,
  load_into_the_wrong_stage,
  no_multicast,
  product_of_the_wrong_stage,
  stage_written_over,
  no_init_fence,
  no_first_cluster_sync,
  no_last_cluster_sync,
  no_epilogue_barrier,
  epilogue_barrier_of_two_warpgroups,
  no_bulk_commit,
  no_bulk_wait,
  no_registers_dec,
  rows_stored_elsewhere,
  columns_stored_elsewhere,
  panels_stored_twice,
  rows_never_stored,
  half_of_the_work,
  first_columns_every_time,
  slice_of_cta_0_by_both,
  columns_before_the_box,
  products_cut_short,
  matrices_swapped,
  halves_swapped,
  ragged_beyond_the_row,
  ragged_below_the_last_row,
  map_wider_than_the_tensor,
  sums_begin_with_anything,
  no_touch,
  no_registers_inc,
  last_turn_not_taken,
};
inline mistake active = mistake::none;

/// The model with a mistake. Threads 0-127 are the producer's, then come two consumers.
struct machine : model::machine {
  using base = model::machine;
  using base::wgmma;
  int k = model::unknown_trip;
  int syncs = 0, overwrites = 0;

  static bool makes(mistake m) { return active == m; }
  bool is_producer() const { return thread() == 0; }

  void observe_trip(int trip) {
    k = trip;
    base::observe_trip(trip);
  }

  void mbarrier_init(std::uint32_t barrier, int arrivals) {
    const int change = makes(mistake::one_arrival_too_few) ? -1 : makes(mistake::one_arrival_too_many) ? 1 : 0;
    base::mbarrier_init(barrier, arrivals > 1 ? arrivals + change : arrivals);
  }
  void mbarrier_init_fence() {
    if (!makes(mistake::no_init_fence)) base::mbarrier_init_fence();
  }
  void mbarrier_wait(std::uint32_t barrier, int parity) {
    if (makes(is_producer() ? mistake::producer_ignores_empty : mistake::consumer_ignores_full)) return;
    const bool wrong = makes(is_producer() ? mistake::producer_waits_for_the_wrong_parity
                                           : mistake::consumer_waits_for_the_wrong_parity);
    base::mbarrier_wait(barrier, wrong ? parity ^ 1 : parity);
  }
  void mbarrier_arrive_at(std::uint32_t barrier, int rank) {
    if (makes(mistake::no_release_by_consumer_1) && thread() >= 256) return;
    if (makes(mistake::release_of_own_cta_only) && rank != cta_rank()) return;
    base::mbarrier_arrive_at(barrier, rank);
    if (makes(mistake::release_twice)) base::mbarrier_arrive_at(barrier, rank);
  }
  void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    const int change = makes(mistake::expect_too_few_bytes) ? -4096 : makes(mistake::expect_too_many_bytes) ? 16 : 0;
    base::mbarrier_arrive_expect(barrier, bytes + change);
  }
  void cluster_sync() {
    const bool first = syncs++ == 0;
    if (!makes(first ? mistake::no_first_cluster_sync : mistake::no_last_cluster_sync)) base::cluster_sync();
  }
  void named_barrier_sync(int id, int threads) {
    if (makes(mistake::no_epilogue_barrier)) return;
    if (makes(mistake::last_turn_not_taken) && id == sectile::ordered_barrier(2, 0) && k == model::outside_of_loops)
      return;
    base::named_barrier_sync(id, makes(mistake::epilogue_barrier_of_two_warpgroups) ? 2 * threads : threads);
  }

  template <int Rank>
  void tma_load(std::uint32_t to, const tensor_map& map, std::uint32_t barrier, const int (&at)[Rank]) {
    const bool wrong = makes(mistake::load_into_the_wrong_stage) && k == 1;
    int place[Rank];
    for (int d = 0; d < Rank; ++d) place[d] = at[d];
    if (makes(mistake::first_columns_every_time)) place[0] = 0;
    if (makes(mistake::columns_before_the_box)) place[0] -= 8;
    base::tma_load(wrong ? to - stage_bytes : to, map, barrier, place);
  }
  template <int Rank>
  void tma_load_multicast(std::uint32_t to, const tensor_map& map, std::uint32_t barrier, const int (&at)[Rank],
                          std::uint16_t mask) {
    if (makes(mistake::lost_box) && k == 2 && cta_rank() == 1) return;
    int place[Rank];
    for (int d = 0; d < Rank; ++d) place[d] = at[d];
    if (makes(mistake::slice_of_cta_0_by_both) && cta_rank() == 1) place[1] -= 32;
    base::tma_load_multicast(to, map, barrier, place,
                             makes(mistake::no_multicast) ? static_cast<std::uint16_t>(1 << cta_rank()) : mask);
  }
  template <int Rank>
  void tma_store(const tensor_map& map, std::uint32_t from, const int (&at)[Rank]) {
    int place[Rank];
    for (int d = 0; d < Rank; ++d) place[d] = at[d];
    if (makes(mistake::rows_stored_elsewhere) && thread() >= 256) place[1] -= 64;
    if (makes(mistake::columns_stored_elsewhere)) place[0] = place[0] == 0 ? 64 : 0;
    if (makes(mistake::rows_never_stored) && thread() >= 256) return;
    if (makes(mistake::panels_stored_twice)) base::tma_store(map, from, place);
    tensor_map wider = map;
    if (makes(mistake::map_wider_than_the_tensor)) wider.extent[0] += 8;
    base::tma_store(wider, from, place);
  }
  void bulk_commit() {
    if (!makes(mistake::no_bulk_commit)) base::bulk_commit();
  }
  template <int N>
  void bulk_wait() {
    if (!makes(mistake::no_bulk_wait)) base::bulk_wait<N>();
  }
  void fence_proxy_async() {
    if (!makes(mistake::no_proxy_fence)) base::fence_proxy_async();
  }
  void wgmma_fence() {
    if (!makes(mistake::no_wgmma_fence)) base::wgmma_fence();
  }
  template <int N>
  void wgmma_wait() {
    if (makes(mistake::no_wgmma_wait)) return;
    if (makes(mistake::wgmma_wait_for_one_less)) return base::wgmma_wait<(N < 7 ? N + 1 : 7)>();
    base::wgmma_wait<N>();
  }
  template <sectile::wgmma_instruction I, class T, int R>
  void wgmma(model::registers<T, R>& d, std::uint64_t a, std::uint64_t b, bool accumulate, std::uint32_t metadata = 0) {
    const bool wrong = makes(mistake::product_of_the_wrong_stage) && k == 1;
    if (makes(mistake::stage_written_over) && k == 1 && thread() / 128 == 1 && overwrites++ == 0) {
      const std::uint32_t zeros[4]{};
      if (thread() == 128) base::store_shared(static_cast<std::uint32_t>(a & 0x3FFF) << 4, zeros);
      base::fence_proxy_async();
      base::named_barrier_sync(14, 128);  // that nobody else meets at
    }
    if (makes(mistake::products_cut_short) && k == 2 && a / 2 % 4 == 3) return;
    base::wgmma<I>(d, a, wrong ? b - stage_bytes / 16 : b, accumulate || makes(mistake::sums_begin_with_anything),
                   metadata);
  }
  template <class T, int R>
  void touch(model::registers<T, R>& r) {
    if (!makes(mistake::no_touch)) base::touch(r);
  }
  void stmatrix_x4(std::uint32_t address, const std::uint32_t (&r)[4]) {
    std::uint32_t q[4] = {r[0], r[1], r[2], r[3]};
    if (makes(mistake::matrices_swapped)) std::swap(q[1], q[2]);
    if (makes(mistake::halves_swapped))
      for (std::uint32_t& x : q) x = x << 16 | x >> 16;
    base::stmatrix_x4(address, q);
  }
  template <int Bytes>
  void copy_to_global(void* to, std::uint32_t from) {
    if (makes(mistake::ragged_beyond_the_row)) to = static_cast<char*>(to) + 8;
    if (makes(mistake::ragged_below_the_last_row)) to = static_cast<char*>(to) + 128;
    base::copy_to_global<Bytes>(to, from);
  }
  int cluster_count() const { return base::cluster_count() * (makes(mistake::half_of_the_work) ? 2 : 1); }
  template <int Registers>
  void registers_dec() {
    if (!makes(mistake::no_registers_dec)) base::registers_dec<Registers>();
  }
  template <int Registers>
  void registers_inc() {
    if (!makes(mistake::no_registers_inc)) base::registers_inc<Registers>();
  }

  static constexpr std::uint32_t stage_bytes = 128 * 64 * 2 + 64 * 64 * 2;
};

/// Two CTAs that share B, two consumers each.
struct gemm
    : sectile::test::matmul<128, 64, 64, sectile::configuration{.stages = 2, .cluster = {2, 1}, .consumers = 2}> {};
static_assert(sectile::verified<gemm>);
static_assert(sectile::plan_of<gemm>.ring[0].stage_bytes == machine::stage_bytes);

/// A left factor of 8 bits that its product makes wider, one half while the other one is multiplied.
struct in_halves
    : sectile::test::matmul<128, 64, 64, sectile::configuration{.stages = 3, .cluster = {2, 1}, .consumers = 2}> {
  static constexpr auto operands =
      sectile::operands(sectile::input<"A(M,K)", sectile::e4m3>(), sectile::input<"B(N,K)", sectile::bf16>(),
                        sectile::output<"C(M,N)", sectile::bf16>());
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(sectile::tiles<"K">(A)))
      acc += cast<sectile::bf16>(in_registers(sm.load(A, {m, k}))) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(sectile::plan_of<in_halves>.widening_parts == 2);

/// The last tile goes out behind the last products.
struct deferring
    : sectile::test::matmul<128, 64, 64, sectile::configuration{.stages = 2, .consumers = 2, .persistent = true}> {};
/// Consumers take turns, and sums begin with zeros.
struct turns {
  static constexpr auto operands = deferring::operands;
  static constexpr sectile::configuration how{
      .tile = deferring::how.tile, .stages = 4, .consumers = 2, .pingpong = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto product = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += product;
    }
    sm.store(C, {m, n}, sum);
  }
};
static_assert(sectile::verified<deferring> && sectile::verified<turns>);
static_assert(sectile::plan_of<deferring>.epilogue[0].deferred && sectile::plan_of<turns>.clears_accumulators);

}  // namespace faulty

template <>
struct sectile::machine_under_test<faulty::gemm, sectile::model::machine> {
  using type = faulty::machine;
};
template <>
struct sectile::machine_under_test<faulty::in_halves, sectile::model::machine> {
  using type = faulty::machine;
};
template <>
struct sectile::machine_under_test<faulty::deferring, sectile::model::machine> {
  using type = faulty::machine;
};
template <>
struct sectile::machine_under_test<faulty::turns, sectile::model::machine> {
  using type = faulty::machine;
};
