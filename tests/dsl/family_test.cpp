// Families: several configurations of one program, of which a launch picks one; and the order of their sums.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <sectile/dsl/launch/table_pick.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm_family.hpp>
#include <sectile/kernels/sparse_gemm.hpp>
#include <string>

#include "tests/programs/matmul.hpp"
#include "tool/family_list.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr configuration with(int m, int n, int k, int stages, int consumers, cluster_shape cluster = {},
                             bool persistent = false) {
  return {.tile = {{"M", m}, {"N", n}, {"K", k}},
          .stages = stages,
          .cluster = cluster,
          .consumers = consumers,
          .persistent = persistent};
}
using program = matmul<64, 64, 64, configuration{}>;
/// Tiles of many shapes, with a cluster and without.
struct four_ways : program {
  static constexpr auto how = configurations(with(64, 64, 64, 2, 1), with(128, 32, 128, 2, 2, {1, 2}),
                                             with(64, 128, 64, 3, 1, {2, 1}, true), with(128, 64, 64, 2, 2, {}, true));
};
static_assert(is_family<four_ways> && !is_family<program> && !is_family<member<four_ways, 2>>);
static_assert(count_configurations<four_ways>() == 4 && count_configurations<program>() == 1);
static_assert(member<four_ways, 1>::how.tile.of(mode_named("N")) == 32 && member<four_ways, 1>::number == 1);
static_assert(plan_of<member<four_ways, 2>>.how.cluster.rows == 2 && plan_of<member<four_ways, 2>>.how.persistent);

/// One configuration in a list is a kernel by itself.
struct one_way : program {
  static constexpr auto how = configurations(with(64, 64, 64, 2, 1));
};
static_assert(!is_family<one_way> && plan_of<one_way>.how.stages == 2);

// ---- the order of a sum

using gemm_0 = member<kernels::gemm_bf16_family, 0>;
using gemm_18 = member<kernels::gemm_bf16_family, 18>;
static_assert(same_sums<gemm_0, gemm_18> && same_sums<gemm_0, kernels::gemm_bf16>);
static_assert(summation_of<gemm_0>.products == 1 && summation_of<gemm_0>.product[0].k == 16);
static_assert(!summation_of<gemm_0>.by_tiles && summation_of<gemm_0>.tile == tile_extents{});
// Parts of the trips are sums of their own: where they begin hangs on the tile along K alone.
struct in_parts : program {
  static constexpr configuration how = [] {
    configuration c = with(64, 32, 128, 2, 1);
    c.split = 2;
    return c;
  }();
};
struct in_larger_parts : program {
  static constexpr configuration how = [] {
    configuration c = with(128, 64, 128, 2, 2);
    c.split = 2;
    return c;
  }();
};
static_assert(summation_of<in_parts>.tile.of(mode_named("K")) == 128 && summation_of<in_parts>.parts == 2);
static_assert(same_sums<in_parts, in_larger_parts> && !same_sums<in_parts, program>);
using f16_in_f32 = kernels::gemm<f16, f16, f16>;
using f16_in_f16 = kernels::gemm<f16, f16, f16, kernels::gemm_form{}, f16>;
static_assert(!same_sums<f16_in_f32, f16_in_f16> && !same_sums<f16_in_f32, kernels::gemm_bf16>);
// The sums of a softmax are scaled between tiles of keys: 128 of them and 64 are two orders.
struct shorter_keys : kernels::attention<128, kernels::attention_mask::none> {
  static constexpr configuration how = [] {
    configuration c = kernels::attention<128, kernels::attention_mask::none>::how;
    c.tile = {{"S", 128}, {"T", 64}, {"D", 128}};
    return c;
  }();
};
#ifdef SECTILE_EXHAUSTIVELY  // otherwise it is tiles of columns that are summed, below
static_assert(summation_of<shorter_keys>.by_tiles);
static_assert(!same_sums<shorter_keys, kernels::attention<128, kernels::attention_mask::none>>);
#endif
// What becomes of a query hangs on no other: how many a tile has is no part of the order.
struct fewer_queries : kernels::attention<128, kernels::attention_mask::none> {
  static constexpr configuration how = [] {
    configuration c = kernels::attention<128, kernels::attention_mask::none>::how;
    c.tile = {{"S", 64}, {"T", 128}, {"D", 128}};
    c.consumers = 1;
    c.pingpong = false;
    return c;
  }();
};
#ifdef SECTILE_EXHAUSTIVELY
static_assert(same_sums<fewer_queries, kernels::attention<128, kernels::attention_mask::none>>);
#endif
// Unless a loop goes along their mode.
struct sum_of_queries {
  static constexpr auto operands =
      sectile::operands(input<"Q(S,D)", bf16>(), input<"K(T,D)", bf16>(), output<"O(S,T)", bf16>());
  static constexpr configuration how{.tile = {{"S", 64}, {"T", 64}, {"D", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto Q, auto K, auto O) {
    auto [s, t] = sm.tile_of(O);
    auto acc = sm.accumulator(O);
    for (auto i : sm.pipelined(tiles<"S">(Q))) {
      acc += sm.load(Q, {i, 0}) * transpose(sm.load(K, {t, 0}));
      acc *= 0.5f;
    }
    sm.store(O, {s, t}, acc);
  }
};
struct more_queries : sum_of_queries {
  static constexpr configuration how{.tile = {{"S", 128}, {"T", 64}, {"D", 64}}, .stages = 2, .consumers = 2};
};
static_assert(!same_sums<sum_of_queries, more_queries>);
#ifdef SECTILE_EXHAUSTIVELY  // what is proven exhaustively alone
static_assert(verified<four_ways> && verified<one_way> && verified<sum_of_queries> && verified<more_queries>);
#endif
// Or columns are rows as well.
template <name_literal Output, int Rows>
struct of_pairs_of_rows {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), output<Output, bf16>());
  static constexpr configuration how{.tile = {{"M", Rows}, {"K", 64}}, .stages = 4, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto C) {
    auto [i, j] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {i, k}) * transpose(sm.load(A, {j, k}));
    sm.store(C, {i, j}, acc * reciprocal(row_sum(acc)));
  }
};
static_assert(!same_sums<of_pairs_of_rows<"C(M,M')", 64>, of_pairs_of_rows<"C(M,M')", 128>>);
#ifdef SECTILE_EXHAUSTIVELY
static_assert(!same_sums<of_pairs_of_rows<"C(M',M)", 64>, of_pairs_of_rows<"C(M',M)", 128>>);
#endif

// What is multiplied counts, of each factor its type and its sign, whichever way the tile lies.
template <class Left, class Right>
using product_of = kernels::gemm<Left, Right, float>;
static_assert(!same_sums<product_of<e4m3, e4m3>, product_of<e5m2, e4m3>>);
#ifdef SECTILE_EXHAUSTIVELY
static_assert(!same_sums<product_of<e4m3, e4m3>, product_of<e4m3, e5m2>>);
#endif
static_assert(
    !same_sums<kernels::gemm<s8, s8, s32>, kernels::gemm<s8, s8, s32, kernels::gemm_form{.saturating = true}>>);

enum class form { product, negative, of_all_numbers, sum_of_columns, sum_of_all };
constexpr configuration lying(bool swap, int rows = 64) {
  return {.tile = {{"M", rows}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .swap = swap};
}
/// A B^T, with something that the order of sums may hang on.
template <form Form, configuration How>
struct ordered {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"v(N)", float>(),
                        output<"all", float>(), output<"C(M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto A, auto B, auto v, auto all, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A)))
      if constexpr (Form == form::negative)
        acc += -sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      else
        acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    if constexpr (Form == form::of_all_numbers) acc *= col_sum(row_sum(acc));
    sm.combine(v, {n}, acc, Form == form::sum_of_columns ? reduction::add : reduction::max);
    sm.combine(all, {}, acc, Form == form::sum_of_all ? reduction::add : reduction::max);
    sm.store(C, {m, n}, acc);
  }
};
template <form Form>
inline constexpr bool is_turned_alike = same_sums<ordered<Form, lying(false)>, ordered<Form, lying(true)>>;
static_assert(is_turned_alike<form::product> && is_turned_alike<form::negative>);
static_assert(!same_sums<ordered<form::product, lying(false)>, ordered<form::negative, lying(false)>>);
static_assert(!is_turned_alike<form::of_all_numbers> && !is_turned_alike<form::sum_of_all>);
// A tile's columns are summed within it; where it is turned, no thread shows another its part, and its rows count
// still.
static_assert(
    !same_sums<ordered<form::sum_of_columns, lying(true, 16)>, ordered<form::sum_of_columns, lying(true, 32)>>);
// Consumers with tiles of their own share none.
constexpr configuration own_tiles = [] {
  configuration c = lying(false);
  c.consumers = 2, c.own_tiles = c.persistent = true;
  return c;
}();
static_assert(same_sums<ordered<form::of_all_numbers, lying(false)>, ordered<form::of_all_numbers, own_tiles>>);
// Where loops are split as well, all of the tile's extents count, and not only those of a trip.
constexpr configuration in_halves(int rows) {
  configuration c = lying(false, rows);
  c.split = 2;
  return c;
}
#ifdef SECTILE_EXHAUSTIVELY
static_assert(!same_sums<ordered<form::of_all_numbers, in_halves(64)>, ordered<form::of_all_numbers, in_halves(128)>>);
#endif
static_assert(check_sums(3, false, order_of_sums::one_order).what == rule::members_sum_in_different_orders);
static_assert(check_sums(3, false, any_order).holds() && check_sums(3, true, order_of_sums::one_order).holds());

constexpr problem_size sizes(int m, int n, int k) { return {{"M", m}, {"N", n}, {"K", k}}; }
/// What is known of a family that is compiled into the tool already.
const family_facts& shipped_gemms() { return *tool::find_family("gemm_bf16", "a test").facts; }
configuration picked(int m, int n, int k) {
  return kernels::gemm_bf16_family::how.at[choose(shipped_gemms(), sizes(m, n, k), constants_of("NVIDIA H200")).member];
}

struct other_stages : program {
  static constexpr auto how = configurations(with(64, 64, 64, 3, 1), with(128, 32, 128, 2, 2, {1, 2}),
                                             with(64, 128, 64, 3, 1, {2, 1}, true), with(128, 64, 64, 2, 2, {}, true));
};
/// four_ways with one of its members streamed.
struct one_streamed : program {
  static constexpr auto how = [] {
    auto all = four_ways::how;
    all.at[2] = all.at[2].with_streamed_tiles();
    return all;
  }();
};
/// four_ways with a member whose turns are full.
struct one_by_full_turns : program {
  static constexpr auto how = [] {
    auto all = four_ways::how;
    all.at[1].full_turns = true;
    return all;
  }();
};
/// four_ways with a member in parts that meet by two at once.
struct one_by_groups : program {
  static constexpr auto how = [] {
    auto all = four_ways::how;
    all.at[1].fan_in = 2;
    return all;
  }();
};
/// four_ways with a member in two parts, and the same with parts that are kept apart.
template <bool Apart>
struct one_in_parts : program {
  static constexpr auto how = [] {
    auto all = four_ways::how;
    all.at[1].split = 2;
    all.at[1].apart = Apart;
    return all;
  }();
};
/// A family that was measured. Letters: 'o' is as predicted, each letter a step of a table (measured.hpp) away.
struct measured : four_ways {};
constexpr measured_shape shapes[] = {{{1, 2, 3}, 1, "oooo"}, {{64, 64, 64}, 3, "oooo"}};
/// Far from anything else, where member 0 is faster than predicted and the others are slower.
constexpr measured_shape off[] = {{{4096, 4096, 4096}, 1, "`~~~"}};

}  // namespace

constexpr measured_table tables[] = {
    {"NVIDIA H100", fingerprint<measured>(), {mode_named("M"), mode_named("N"), mode_named("K")}, shapes + 1, 1},
    {"NVIDIA H200", fingerprint<measured>(), {mode_named("M"), mode_named("N"), mode_named("K")}, shapes, 2}};
template <>
inline constexpr sectile::measured_table_list sectile::measured_tables<measured> = {tables, 2};

TEST_CASE("of a sparse product an SM reads twice as much of the right factor, and its metadata arrive") {
  constexpr kernel_cost c = cost_of<kernels::sparse_gemm<bf16, bf16, bf16>>;
  const phase_cost& trip = c.phase[1];
  CHECK(trip.tensor_cycles == 2 * 2 * 256 / 2);
  CHECK(trip.shared_cycles == 2 * 2 * (64 * 32 + 256 * 64) / 128);
  constexpr int values = 128 * 32 * 2, words = 2 * 128 * 4;
  CHECK(trip.arriving_bytes == values + words + 256 * 64 * 2);
  CHECK(trip.fetched_bytes == values + words + 128 * 64 * 2);
  CHECK(trip.row_bytes == values + words);
}

/// Of so many columns that reading takes longer than the tensor cores do, and than the way from L2.
struct sparse_of_tall_tiles : kernels::sparse_gemm<bf16, bf16, bf16> {
  static constexpr configuration how = sparse_gemm::how.with_tile({{"M", 256}, {"N", 192}, {"K", 64}});
};
TEST_CASE("reading does not reach all that shared memory could give") {
  constexpr timed_kernel k{cost_of<sparse_of_tall_tiles>, operand_table_of<sparse_of_tall_tiles>()};
  CHECK(std::string(k.at[0].longest) == "reading shared memory");
  constexpr int cycles = 2 * 2 * 2 * (64 * 32 + 192 * 64) / 128;  // consumers, blocks of rows, instructions along K
  CHECK(k.at[0].own_cycles == cycles / hopper_reaches.reading_share);
}

/// Blocks of 8 rows and no more.
struct copied_blocks {
  static constexpr auto operands = sectile::operands(input<"X(M,P,N)", bf16>(), output<"Y(M,P,N)", bf16>());
  static constexpr configuration how{
      .tile = {{"P", 8}, {"N", 256}}, .stages = 2, .consumers = 1, .persistent = true, .swap = true};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.block_of(Y);
    sm.store(Y, {m, 0, 0}, cast<float>(in_registers(sm.load(X, {m, 0, 0}))));
  }
};
TEST_CASE("a kernel whose tile does not hold all of a block takes forever") {
  constexpr timed_kernel k{cost_of<copied_blocks>, operand_table_of<copied_blocks>()};
  const auto time = [&](int rows, int columns) {
    return predictor(operands_of_program<copied_blocks>, {{"M", 9}, {"P", rows}, {"N", columns}},
                     constants_of("NVIDIA H200"))
        .microseconds(k);
  };
  CHECK(time(8, 256) < 100);
  CHECK(time(9, 256) == std::numeric_limits<double>::infinity());
}

TEST_CASE("what a kernel asks of an SM is counted off its plan") {
  constexpr kernel_cost c = cost_of<kernels::gemm_bf16>;
  CHECK(c.phases == 2);
  const phase_cost& trip = c.phase[1];
  CHECK(trip.along == mode_named("K"));
  CHECK(trip.step.elements == 64);
  CHECK(trip.tensor_cycles == 2 * 4 * 256 / 2);  // consumers, instructions along K, N / 2
  CHECK(trip.shared_cycles == 2 * 4 * (64 + 256) * 32 / 128);
  CHECK(trip.arriving_bytes == (128 + 256) * 64 * 2);
  CHECK(trip.fetched_bytes == (128 + 128) * 64 * 2);  // the other half of B comes from the CTA below
  CHECK(c.deferred == plan_of<kernels::gemm_bf16>.epilogue[0].deferred);
  CHECK(!c.wide_rows);
  CHECK(cost_of<kernels::gemm_bf16_f32>.wide_rows);
  CHECK(trip.row_shared_bytes == 0);
  CHECK(trip.col_shared_bytes == 0);
  CHECK(trip.row_bytes == 128 * 64 * 2);  // of A
  CHECK(trip.col_bytes == 256 * 64 * 2);  // of B
  CHECK(c.stages == plan_of<kernels::gemm_bf16>.ring[0].stages);
  CHECK(c.grid[0].tiles.elements == 2 * 128);
  CHECK(c.grid[1].tiles.elements == 256);
  constexpr kernel_cost alone = cost_of<member<kernels::gemm_bf16_family, 0>>;  // 8 x 64, 256 along K
  CHECK(alone.phase[1].fetched_bytes == (8 + 64) * 256 * 2);
  CHECK(alone.phase[1].row_shared_bytes == 64 * 256 * 2);  // B, for the row of tiles below
  CHECK(alone.phase[1].col_shared_bytes == 8 * 256 * 2);   // A
  constexpr kernel_cost a = cost_of<kernels::attention<128, kernels::attention_mask::none>>;
  CHECK(a.phase[0].along == mode_id::any);
  CHECK(a.phase[0].loads);
  CHECK(a.phase[1].along == mode_named("T"));
  CHECK(a.phase[1].step.elements == 128);
}

TEST_CASE("few rows get low tiles, large matrices large ones, and a longer problem takes longer") {
  for (const int m : {1, 16, 40, 64}) CHECK(picked(m, 8192, 8192).tile.of(mode_named("M")) <= 64);
  for (const int m : {1, 8, 16}) CHECK(picked(m, 8192, 8192).swap);
  CHECK(picked(8192, 8192, 8192).tile.of(mode_named("M")) >= 128);
  CHECK(picked(8192, 8192, 8192).tile.of(mode_named("N")) >= 128);
  CHECK(picked(8192, 8192, 8192).persistent);
  const gpu_constants& gpu = constants_of("NVIDIA H200");
  for (int i = 0; i < shipped_gemms().count; ++i) {
    const timed_kernel& k = shipped_gemms().members[i];
    const auto time = [&](int m, int n, int depth) {
      const problem_size of = sizes(m, n, depth);
      return predictor(operands_of_program<four_ways>, of, gpu).microseconds(k);
    };
    CHECK(time(512, 512, 512) < time(512, 512, 1024));
    CHECK(time(512, 512, 512) < time(4096, 4096, 512));
    CHECK(time(4096, 4096, 4096) > 2.0 * 4096 * 4096 * 4096 / 1e9);  // no faster than 1 PFLOP/s
  }
}

TEST_CASE("what both SMs of a TPC ask for comes from L2 once, where rows begin at its sectors") {
  kernel_cost k = cost_of<member<kernels::gemm_bf16_family, 0>>;
  k.phase[1].fetched_bytes = 1 << 20;  // nothing else matters then
  const auto time = [&](int shared, int rows, int depth) {
    k.phase[1].row_shared_bytes = shared;
    const problem_size of = sizes(8 * rows, 64 * 132 / rows, depth);
    return predictor(operands_of_program<four_ways>, of, constants_of("NVIDIA H200"))
        .microseconds({k, operands_of_program<four_ways>});
  };
  CHECK(time(1 << 19, 2, 4096) < 0.9 * time(0, 2, 4096));
  CHECK(time(1 << 19, 2, 4104) == time(0, 2, 4104));       // 8208 bytes
  CHECK(time(1 << 19, 2, 4112) < 0.9 * time(0, 2, 4112));  // 32 times an odd number
  CHECK(time(1 << 19, 1, 4096) == time(0, 1, 4096));       // there is no row below
}

TEST_CASE("a kernel loses what it gains by an early successor where that finds room for a part of its CTAs") {
  kernel_cost k = cost_of<member<kernels::gemm_bf16_family, 0>>;
  const auto gain = [&](int ctas) {
    const problem_size of = sizes(8, 64 * ctas, 1024);
    const auto time = [&](launch_overlap o) {
      k.overlap = o;
      return predictor(operands_of_program<four_ways>, of, constants_of("NVIDIA H200"))
          .microseconds({k, operands_of_program<four_ways>});
    };
    return time(launch_overlap::prologue) - time(launch_overlap::both);
  };
  CHECK(gain(66) > 0.5);
  CHECK(gain(67) < -0.5);
  CHECK(gain(132) > 0.5);
}

TEST_CASE("rows of tiles beyond the end of a tensor come slower than real ones") {
  kernel_cost k = cost_of<member<kernels::gemm_bf16_family, 0>>;   // 8 x 64, 256 along K
  k.phase[1].fetched_bytes = k.phase[1].arriving_bytes = 1 << 20;  // nothing else matters then
  const auto time = [&](int m, int n) {
    const problem_size of = sizes(m, n, 4096);
    return predictor(operands_of_program<four_ways>, of, constants_of("NVIDIA H200"))
        .microseconds({k, operands_of_program<four_ways>});
  };
  k.phase[1].row_bytes = 1 << 19;
  CHECK(time(1, 64 * 132) > 1.3 * time(8, 64 * 132));        // seven eighths of a half at half the rate
  CHECK(time(9, 64 * 66) > 1.1 * time(16, 64 * 66));         // of every second tile's
  CHECK(time(8, 64 * 132 - 63) < 1.01 * time(8, 64 * 132));  // columns are no part of it
  k.phase[1].row_bytes = 0;
  k.phase[1].col_bytes = 1 << 19;
  CHECK(time(1, 64 * 132) < 1.01 * time(8, 64 * 132));
  CHECK(time(8 * 132, 1) > 1.3 * time(8 * 132, 64));
}

TEST_CASE("the bytes of a problem: every tensor once") {
  CHECK(bytes_of(operands_of_program<four_ways>, sizes(100, 200, 300)) == 2.0 * (100 * 300 + 200 * 300 + 100 * 200));
}

TEST_CASE("a prediction is the same however it is asked for, and says what it is made of") {
  const gpu_constants& gpu = constants_of("NVIDIA H200");
  for (const auto& [m, n, k] : {std::array{1, 4096, 4096}, {8192, 8192, 8192}, {300, 200, 100}, {2147483647, 8, 8}}) {
    const problem_size of = sizes(m, n, k);
    const predictor predicted(operands_of_program<four_ways>, of, gpu);
    int fastest = 0;
    float bound[member_bounds::most]{};
    REQUIRE(family_facts_of<four_ways>.bounds->count == 4);
    predicted.bounds(*family_facts_of<four_ways>.bounds, bound);
    for (int i = 0; i < 4; ++i) {
      const timed_kernel& member = family_facts_of<four_ways>.members[i];
      const double us = predicted.microseconds(member);
      const predicted_time t = predicted.explained(member);
      CHECK(t.microseconds == us);
      const double exact = predicted.fourth_power(member);
      CHECK(std::pow(exact, 0.25) == doctest::Approx(us));
      CHECK(bound[i] <= exact);
      CHECK(us >= std::max(t.computing, t.copying));
      CHECK(us <= t.computing + t.copying);
      CHECK(std::string(t.slowest) != "");
      CHECK(t.waves == std::ceil(t.waves));
      if (us < predicted.microseconds(family_facts_of<four_ways>.members[fastest])) fastest = i;
    }
    CHECK(choice<four_ways>(of).member == fastest);
    CHECK(choice<four_ways>(of).why == choice_reason::model);
  }
}

TEST_CASE("a part count is exact for every extent and size") {
  for (int n = 1; n <= 4096; n += n < 300 ? 1 : 37) {
    const part_count parts(n);
    for (const std::int64_t whole :
         {std::int64_t{1}, std::int64_t{2}, std::int64_t{1000003} / n, 2147483647 / std::int64_t{n}})
      for (const std::int64_t size : {whole * n - 1, whole * n, whole * n + 1})
        if (size >= 1 && size <= 2147483647)
          CHECK(parts.of(static_cast<double>(size)) == static_cast<double>((size + n - 1) / n));
  }
}

TEST_CASE("tiles are counted exactly, up to the largest sizes") {
  constexpr int most = 2147483647;
  const gpu_constants& gpu = constants_of("NVIDIA H200");
  for (const int m : {1, 63, 64, 65, 128, 8447, 8448, 8449, most - 1, most}) {
    timed_kernel k = family_facts_of<four_ways>.members[0];
    k.grid_modes = 1;
    k.grid[0] = {find_size(operands_of_program<four_ways>, mode_named("M")), 64};
    const problem_size of = sizes(m, 1, 1);
    const std::int64_t tiles = (std::int64_t{m} + 63) / 64;
    CHECK(predictor(operands_of_program<four_ways>, of, gpu).explained(k).waves ==
          static_cast<double>((tiles + gpu.multiprocessors - 1) / gpu.multiprocessors));
  }
}

TEST_CASE("as many clusters are at work at once as an H200 was seen to find room for") {
  struct seen {
    int ctas, fit, more;  // that took as long as two waves do
  };
  for (const auto& [ctas, fit, more] : {seen{1, 132, 133}, seen{3, 39, 40}, seen{4, 30, 31}, seen{6, 16, 18}}) {
    timed_kernel k = family_facts_of<four_ways>.members[0];
    k.grid_modes = 1;
    k.grid[0] = {find_size(operands_of_program<four_ways>, mode_named("M")), 64};
    k.cluster = ctas;
    const auto waves = [&](int clusters) {
      const problem_size of = sizes(64 * clusters, 1, 1);
      return predictor(operands_of_program<four_ways>, of, constants_of("NVIDIA H200")).explained(k).waves;
    };
    CAPTURE(ctas);
    CHECK(waves(fit) == 1);
    CHECK(waves(more) == 2);
  }
}

TEST_CASE("a problem that was measured gets its fastest member, on its GPU") {
  CHECK(choice<measured>(sizes(64, 64, 64)).why == choice_reason::measured);
  CHECK(choice<measured>(sizes(64, 64, 64)).member == 3);
  CHECK(choice<measured>(sizes(1, 2, 3)).member == 1);
  CHECK(choice<measured>(sizes(64, 64, 65)).why == choice_reason::corrected);
  CHECK(choice<measured>(sizes(64, 64, 64), "NVIDIA H100 80GB HBM3").why == choice_reason::measured);
  CHECK(choice<measured>(sizes(1, 2, 3), "NVIDIA H100 80GB HBM3").why == choice_reason::corrected);
  CHECK(choice<four_ways>(sizes(1, 2, 3)).why == choice_reason::model);
}

TEST_CASE("near a measured problem predictions are corrected, far from all the model stands alone") {
  measured_table table = tables[1];
  table.shapes = off;
  table.count = 1;
  const near_shapes here(table, sizes(4095, 4096, 4096)), doubled(table, sizes(8192, 4096, 4096)),
      far(table, sizes(1, 16, 16)), same(table, sizes(4096, 4096, 4096)), none;
  CHECK(same.measured_best() == 1);
  CHECK(here.measured_best() == -1);
  constexpr double most = ratio_steps * ratio_step;
  CHECK(here.factor(0) ==
        doctest::Approx(1 - most / 2).epsilon(0.001));  // half of it: one neighbour, and 1 for the model
  CHECK(here.factor(1) == doctest::Approx(1 + most / 2).epsilon(0.001));
  CHECK(doubled.factor(1) == doctest::Approx(1 + most / 3));  // an octave away it has half the weight
  CHECK(far.factor(0) == doctest::Approx(1).epsilon(0.001));
  CHECK(none.factor(0) == 1);
  CHECK(none.measured_best() == -1);
}

TEST_CASE("a member that is predicted to be a little slower is picked near where it was measured to be faster") {
  const gpu_constants& gpu = constants_of("NVIDIA H200");
  timed_kernel two[] = {family_facts_of<four_ways>.members[0], family_facts_of<four_ways>.members[0]};
  const problem_size near = sizes(4096, 4096, 4100);
  const predictor predicted(operands_of_program<four_ways>, near, gpu);
  while (predicted.microseconds(two[1]) < 1.02 * predicted.microseconds(two[0])) ++two[1].at[0].own_cycles;
  constexpr measured_shape faster[] = {{{4096, 4096, 4096}, 1, "~`"}};
  measured_table table = tables[1];
  table.shapes = faster;
  table.count = 1;
  family_facts family{two, 2, &operands_of_program<four_ways>, 0, &table, 1};
  CHECK(choose(family, near, gpu).member == 1);
  CHECK(choose(family, near, gpu).why == choice_reason::corrected);
  CHECK(choose(family, near, gpu).microseconds == predicted.microseconds(two[1]));
  CHECK(choose(family, sizes(64, 4096, 200), gpu).member == 0);
  family.table_count = 0;
  CHECK(choose(family, near, gpu).member == 0);
}

TEST_CASE("the nearest problems count") {
  measured_shape all[9]{};
  for (int i = 0; i < 9; ++i) all[i] = measured_shape{{64 << i, 4096, 4096}, 0, i < 8 ? "p" : "~"};
  measured_table table = tables[1];
  table.shapes = all;
  table.count = 9;
  CHECK(table.is_ordered());
  const auto factor = [&](int m) { return near_shapes(table, sizes(m, 4096, 4097)).factor(0); };
  CHECK(factor(64) < 1 + ratio_step);  // eight of them, all a step above; the ninth is too far
  CHECK(factor(64) > 1 + ratio_step / 2);
  CHECK(factor(16384) > 1 + 3 * ratio_step);  // it is the nearest
  std::swap(all[0], all[1]);
  CHECK(!table.is_ordered());
}

TEST_CASE("the nearest of many problems are found as by looking at all") {
  constexpr int count = 200;
  std::mt19937 random(5);
  const auto size = [&] { return 1 + static_cast<int>(random() % 9000); };
  measured_shape all[count]{};
  for (measured_shape& s : all) s = measured_shape{{size() / 9, size(), size()}, 0, "p"};
  std::sort(all, all + count, [](auto& a, auto& b) { return a.sizes[0] < b.sizes[0]; });
  measured_table table = tables[1];
  table.shapes = all;
  table.count = count;
  for (int n = 0; n < 300; ++n) {
    const problem_size at = sizes(size() / 9 + 1, size(), size());
    double weights[count]{}, sum = 1;
    for (int i = 0; i < count; ++i) {
      double octaves = 0;
      for (int m = 0; m < 3; ++m)
        octaves += std::pow((place_of(at[m].elements) - all[i].place[m]) / double{places_per_octave}, 2);
      weights[i] = 1 / (1 + octaves);
    }
    std::sort(weights, weights + count, std::greater<>());
    for (int i = 0; i < 8; ++i) sum += weights[i];
    // All are a step above; what the model itself weighs is 1.
    CHECK(near_shapes(table, at).factor(0) == doctest::Approx(1 + (1 - 1 / sum) * ratio_step).epsilon(1e-5));
  }
}

TEST_CASE("a family's fingerprint changes with what its members are") {
  CHECK(fingerprint<four_ways>() == fingerprint<measured>());
  CHECK(fingerprint<four_ways>() != fingerprint<other_stages>());
  CHECK(fingerprint<four_ways>() != fingerprint<one_streamed>());
  CHECK(fingerprint<four_ways>() != fingerprint<one_by_full_turns>());
  CHECK(fingerprint<four_ways>() != fingerprint<one_by_groups>());
  CHECK(fingerprint<four_ways>() != fingerprint<one_in_parts<false>>());
  CHECK(fingerprint<one_in_parts<true>>() != fingerprint<one_in_parts<false>>());
  if constexpr (exhaustively)
    CHECK(fingerprint<kernels::gemm_bf16_family>() != fingerprint<kernels::gemm_family<f16, f16, f16>>());
}

TEST_CASE("members have bounds where their grids go along the same modes") {
  using costs = detail::costs_of_members<four_ways, std::make_integer_sequence<int, 4>>;
  const member_bounds all{costs::all, 4};
  CHECK(all.count == 4);
  CHECK((all.row == costs::bounds.row && all.col == costs::bounds.col && all.loop == costs::bounds.loop));
  for (int i = 0; i < 4; ++i) {
    CHECK(all.per_row[i] * static_cast<float>(costs::all[i].grid[0].tiles.elements) == doctest::Approx(1));
    CHECK(all.per_col[i] == costs::bounds.per_col[i]);
    CHECK(all.per_step[i] == costs::bounds.per_step[i]);
    CHECK(all.cluster[i] == member<four_ways, 0>::how.cluster.size() * costs::all[i].cluster / costs::all[0].cluster);
    CHECK(all.tile_cycles[i] == costs::bounds.tile_cycles[i]);
    CHECK(all.begin_us[i] >= all.launch_us[i]);
  }
  const auto count_with = [](auto change) {
    timed_kernel changed[] = {costs::all[0], costs::all[1]};
    change(changed[1]);
    return member_bounds{changed, 2}.count;
  };
  CHECK(count_with([](timed_kernel&) {}) == 2);
  CHECK(count_with([](timed_kernel& k) { k.grid_modes = 3; }) == 0);
  CHECK(count_with([](timed_kernel& k) { k.phases = 0; }) == 0);  // no loop that costs the most
  CHECK(count_with([](timed_kernel& k) { std::swap(k.grid[0], k.grid[1]); }) == 0);
}

TEST_CASE("choices are remembered by sizes and GPU, the last sixteen") {
  remembered_choices known;
  const gpu_constants* one = &constants_of("NVIDIA H200");
  const gpu_constants* two = &constants_of("NVIDIA H100");
  REQUIRE(one != two);
  CHECK(known.find(sizes(1, 2, 3), one) == -1);
  for (int i = 0; i < 17; ++i) known.keep(sizes(i + 1, 2, 3), one, i);
  CHECK(known.find(sizes(1, 2, 3), one) == -1);  // the oldest has made room
  CHECK(known.find(sizes(2, 2, 3), one) == 1);
  CHECK(known.find(sizes(17, 2, 3), one) == 16);
  CHECK(known.find(sizes(17, 2, 3), two) == -1);
  known.keep(sizes(17, 2, 3), one, 3);  // another member, because that one did not fit
  CHECK(known.find(sizes(17, 2, 3), one) == 3);
}

TEST_CASE("sizes are read off the arguments") {
  host_tensor<bf16> A({70, 136}), B({200, 136}), C({70, 200});
  const problem_size of = sizes_of<four_ways>(A.in(), B.in(), C.view());
  CHECK(of.of(mode_named("M")) == 70);
  CHECK(of.of(mode_named("N")) == 200);
  CHECK(of.of(mode_named("K")) == 136);
  CHECK(of.of(mode_named("L")) == 0);
}

TEST_CASE("a row has the same bits alone and in every batch, whichever member is picked") {
  constexpr int rows = 300, n = exhaustively ? 200 : 136, k = exhaustively ? 456 : 264;
  host_tensor<bf16> A({rows, k}), B({n, k}), all({rows, n});
  A.fill(1);
  B.fill(2);
  run_on_model<member<four_ways, 0>>(A.in(), B.in(), all.view());
  const auto same_rows = [&](const host_tensor<bf16>& C, int m) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        if (C(i, j).bits != all(i, j).bits) return false;
    return true;
  };
  for (const int m : {1, 2, 63, 64, 65, 129, 300}) {
    if (!exhaustively && m != 1 && m != 64 && m != 65) continue;
    CAPTURE(m);
    host_tensor<bf16> C({m, n});
    auto part = A.in();
    part.extent[0] = m;
    run_on_model<member<four_ways, 2>>(part, B.in(), C.view());
    CHECK(same_rows(C, m));
    if constexpr (exhaustively) {  // otherwise a family is launched in workspace_test.cpp
      run_on_model<four_ways>(part, B.in(), C.view());
      CHECK(same_rows(C, m));
      run_on_model<member<four_ways, 1>>(part, B.in(), C.view());
      CHECK(same_rows(C, m));
      run_on_model<member<four_ways, 3>>(part, B.in(), C.view());
      CHECK(same_rows(C, m));
    }
  }
}
