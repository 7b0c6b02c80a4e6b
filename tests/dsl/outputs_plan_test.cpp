// The plan of a kernel that stores several matrices: an epilogue for each in the order of the stores, shared memory
// that they share, and proofs that look at all of them. What the first epilogue alone is refused for is tested
// elsewhere.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/checked.hpp>
#include <sectile/dsl/launch/cost.hpp>
#include <sectile/dsl/proofs/verified.hpp>
#include <string>

#include "tests/dsl/wrong_machine.hpp"
#include "tests/exhaustively.hpp"
#include "tests/programs/kept_outputs.hpp"

namespace {

using namespace sectile;

using upright = test::kept_sums<bf16, float, test::upright>;
using turned = test::kept_sums<bf16, float, test::swapped>;
using tight = test::kept_sums<bf16, bf16, test::of_few_buffers>;
using four = test::four_of_a_batch<test::of_batches>;
static_assert(verified<checked<tight>>);
#ifdef SECTILE_EXHAUSTIVELY  // what is proven exhaustively alone
static_assert(verified<turned> && verified<four> && verified<upright> && verified<tight> &&
              verified<checked<upright>> && verified<checked<four>>);
#endif

using test::on, test::check_refused;

/// No matrix is read whose type would say what sums are of: they are of f32.
struct outer_product {
  static constexpr auto operands =
      sectile::operands(input<"u(M)", float>(), input<"v(N)", float>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 64}}};
  static constexpr void body(auto& sm, auto u, auto v, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto ones = sm.accumulator(C);
    ones = 1.0f;
    sm.store(C, {m, n}, ones * sm.load(u, {m}) * sm.load(v, {n}));
  }
};
static_assert(verified<outer_product>);

/// A vector in front of all other operands, with a number for each tile.
struct numbers_tiles {
  static constexpr auto operands = sectile::operands(vector_output<"sums(T,U)", float>(), input<"A(M,K)", bf16>(),
                                                     input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how = test::upright;
  static constexpr void body(auto& sm, auto sums, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(sums, {as<"T">(n), as<"U">(m)}, acc, reduction::add_in_any_order);
    sm.store(C, {m, n}, acc);
  }
};
/// It has the rows already of which it would count tiles.
struct counts_its_own_rows {
  static constexpr auto operands = sectile::operands(vector_output<"most(T,M)", float>(), input<"A(M,K)", bf16>(),
                                                     input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how = test::upright;
  static constexpr void body(auto& sm, auto most, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(most, {as<"T">(m), m}, acc, reduction::max);
    sm.store(C, {m, n}, acc);
  }
};

/// Rows that two CTAs have together: both know a row's sum, and each has the sums of its own columns.
struct shares_rows {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), vector_output<"rows(M)", float>(),
                                                     vector_output<"cols(T,N)", float>(), output<"Y(M,N)", float>());
  static constexpr configuration how{
      .tile = {{"M", 8}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1, .swap = true};
  static constexpr void body(auto& sm, auto X, auto rows, auto cols, auto Y) {
    auto [m, n] = sm.wide_tile_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.store(rows, {m}, row_sum(x));
    sm.combine(cols, {as<"T">(m), n}, x, reduction::max);
    sm.store(Y, {m, n}, x);
  }
};

}  // namespace

TEST_CASE("which of several CTAs writes a vector: one of those that have the same numbers, or each its own") {
  constexpr const plan& p = plan_of<shares_rows>;
  CHECK(p.refusal.holds());
  CHECK(p.row_sharers() == 2);
  CHECK(is_known_to_sharers(p, 1));
  CHECK(!is_known_to_sharers(p, 2));
}
TEST_CASE("which of the work's modes a vector counts tiles of is found out, of the first operand as well") {
  constexpr const plan& p = plan_of<numbers_tiles>;
  CHECK(p.refusal.holds());
  CHECK(p.operand[0].counted[0] == 2);
  CHECK(p.operand[0].counted[1] == 1);
  CHECK(counted_mode(p.operand[0], 0) == 1);
  CHECK(counted_mode(p.operand[0], 1) == 0);
  CHECK(counted_mode(p.operand[3], 0) == -1);
  CHECK(tells_apart(p.operand[p.work].facts, p.operand[0], 1));
  CHECK(!tells_apart(p.operand[p.work].facts, operand_plan{}, 1));
  CHECK(combines(p));
  CHECK(adds_in_any_order(p));
  constexpr violation v = plan_of<counts_its_own_rows>.refusal;
  CHECK(std::string(v.says.text).find("mode T is none of C's, so it counts tiles along one that most lacks") !=
        std::string::npos);
}

TEST_CASE("epilogues are in the order of the stores, and the work is the first output's that was declared") {
  constexpr const plan& p = plan_of<four>;
  REQUIRE(p.epilogues == 4);
  const char* stored[] = {"long", "half", "small", "short"};
  for (int n = 0; n < 4; ++n) {
    CHECK(p.operand[p.epilogue[n].operand].facts.name == std::string(stored[n]));
    CHECK(find_epilogue(p, p.epilogue[n].operand) == n);
  }
  CHECK(p.operand[p.work].facts.name == std::string("half"));
  CHECK(find_epilogue(p, 0) == -1);
}

template <class K>
void check_memory() {
  constexpr const plan& p = plan_of<K>;
  CHECK(check_alignment(p).holds());
  CHECK(p.shared_bytes <= shared_memory_limit);
  int buffers = 0;
  for (int n = 0; n < p.epilogues; ++n) {
    const epilogue_plan& e = p.epilogue[n];
    buffers += p.how.consumers * e.buffers;
    CHECK(e.buffers > 0);
    CHECK(e.panels % e.buffers == 0);
    CHECK(e.buffers % e.batch == 0);
    CHECK(e.offset % shared_alignment == 0);
    CHECK(!e.deferred);
    const int end = n + 1 < p.epilogues ? p.epilogue[n + 1].offset : p.ring[0].full_barrier;
    CHECK(e.offset + p.how.consumers * e.buffers * e.panel_bytes <= end);
  }
  CHECK(buffers <= max_epilogue_buffers);
}
TEST_CASE("each output has buffers of its own behind the stages") {
  check_memory<upright>();
  check_memory<turned>();
  check_memory<tight>();
  check_memory<four>();
  check_memory<checked<tight>>();
  if constexpr (test::exhaustively) check_memory<checked<four>>();
}

TEST_CASE("where there is little room, each output gets a buffer; where there is much, all panels") {
  constexpr const plan &p = plan_of<tight>, &q = plan_of<upright>;
  for (int n = 0; n < 2; ++n) {
    CHECK(p.epilogue[n].buffers == 1);
    CHECK(q.epilogue[n].buffers == q.epilogue[n].panels);
  }
  CHECK(p.epilogue[0].panels == 4);
}

/// With at most so many buffers; of the second output a consumer has four panels.
template <int Buffers>
using limited =
    test::kept_sums<bf16, float,
                    test::upright.with_tile({{"M", 128}, {"N", 128}, {"K", 64}}).with_output_buffers(Buffers)>;
#ifdef SECTILE_EXHAUSTIVELY
static_assert(verified<limited<3>>);
#endif

TEST_CASE("of the buffers that a configuration allows, a number that divides the panels is taken") {
  constexpr const plan &p = plan_of<limited<3>>, &all = plan_of<limited<64>>, &none = plan_of<limited<0>>;
  REQUIRE(none.epilogue[1].buffers == 4);
  CHECK(p.epilogue[1].buffers == 2);
  CHECK(p.epilogue[1].batch == 1);
  CHECK(p.epilogue[0].buffers == none.epilogue[0].buffers);  // which has no more panels
  for (int n = 0; n < 2; ++n) CHECK(all.epilogue[n].buffers == none.epilogue[n].buffers);
}

TEST_CASE("what a tile costs to store is counted of all outputs") {
  CHECK(cost_of<upright>.output_bytes == 128 * 64 * (2 + 4));
  CHECK(cost_of<upright>.wide_rows);
  CHECK(!cost_of<turned>.wide_rows);
  CHECK(!cost_of<tight>.deferred);
}

TEST_CASE("every proof of a plan looks at the second epilogue, too") {
  plan p = plan_of<upright>;
  SUBCASE("alignment: the buffers of another") {
    p.epilogue[1].offset = p.epilogue[0].offset;
    check_refused(check_alignment(p), rule::shared_memory_overlaps, "C and Z both lie at byte");
  }
  SUBCASE("alignment: inside a swizzle pattern") {
    p.epilogue[1].offset += 16;
    check_refused(check_alignment(p), rule::shared_memory_is_misaligned, "operand C: shared-memory offset");
  }
  SUBCASE("alignment: a box") {
    p.epilogue[1].panel_cols *= 64;
    check_refused(check_alignment(p), rule::tma_box_is_illegal, "operand C: the TMA box's mode 0 has");
  }
  SUBCASE("fragments: a panel is missing") {
    p.epilogue[1].panels -= 1;
    p.epilogue[1].buffers = p.epilogue[1].batch = 1;
    check_refused(check_fragments(p), rule::epilogue_misses_or_doubles_elements, "operand C: rows 0 to 63");
  }
  SUBCASE("banks") {
    p.epilogue[1].swizzle = swizzle_mode::none;
    check_refused(check_banks(p), rule::epilogue_has_bank_conflicts, "operand C: the epilogue's stores meet");
  }
}

namespace {

/// What the machines below get wrong: see lowering_mutants_test.cpp.
enum mistake {
  none,
  neighbours_change_places,  // of stores of 32 bits
  matrices_change_places,
  no_ragged_floats,   // the ragged columns of one type are lost
  no_second_fence,    // that of one output alone
  wait_for_one_less,  // group of stores
};
mistake made = none;

template <class M>
struct wrong_outputs_pen : M {
  constexpr void store_shared(std::uint32_t to, std::uint32_t x, std::uint32_t y) {
    if (made == neighbours_change_places)
      M::store_shared(to, y, x);
    else
      M::store_shared(to, x, y);
  }
  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&r)[4]) {
    const bool wrong = made == matrices_change_places;
    M::stmatrix_x4(to, {r[0], r[wrong ? 2 : 1], r[wrong ? 1 : 2], r[3]});
  }
  template <int Bytes>
  constexpr void copy_to_global(unsigned char* to, std::uint32_t from) {
    if (made != no_ragged_floats || Bytes != 4) M::template copy_to_global<Bytes>(to, from);
  }
};
template <class M>
struct wrong_outputs_recorder : M {
  bool second = false;  // output is written: its buffers begin here
  static constexpr int begin = plan_of<upright>.epilogue[1].offset;

  constexpr void stmatrix_x4(std::uint32_t to, const std::uint32_t (&r)[4]) {
    second = false;
    M::stmatrix_x4(to, r);
  }
  constexpr void store_shared(std::uint32_t to, std::uint32_t x, std::uint32_t y) {
    second = static_cast<int>(to) >= begin;
    M::store_shared(to, x, y);
  }
  constexpr void fence_proxy_async() {
    if (made != no_second_fence || !second) M::fence_proxy_async();
  }
  template <int N>
  constexpr void bulk_wait_read() {
    if (made == wait_for_one_less)
      M::template bulk_wait_read<N + 1>();
    else
      M::template bulk_wait_read<N>();
  }
};

violation verdict_on_epilogue(mistake m) {
  made = m;
  return check_epilogue<on<upright, wrong_outputs_pen>>();
}
/// Of the first run that is refused.
template <class K>
violation verdict_on_protocol(mistake m) {
  made = m;
  for (int run = 0; run < protocol::protocol_runs(plan_of<K>); ++run)
    if (const violation v = test::verdict_on_run<on<K, wrong_outputs_recorder>>(run); !v.holds()) return v;
  return {};
}

}  // namespace

TEST_CASE("the lowered epilogue of each output is proven") {
  constexpr rule wrong = rule::epilogue_misses_or_doubles_elements;
  CHECK(verdict_on_epilogue(none).holds());
  check_refused(verdict_on_epilogue(neighbours_change_places), wrong, "operand C: row 0, column 0 of a panel");
  check_refused(verdict_on_epilogue(matrices_change_places), wrong, "operand Z: row");
  check_refused(verdict_on_epilogue(no_ragged_floats), wrong, "operand C: row 0, column");
}

TEST_CASE("the protocol follows the buffers of each output") {
  CHECK(verdict_on_protocol<upright>(none).holds());
  CHECK(verdict_on_protocol<tight>(none).holds());
  check_refused(verdict_on_protocol<upright>(no_second_fence), rule::protocol_races,
                "an epilogue buffer is stored before its writers' proxy fence and barrier");
  check_refused(verdict_on_protocol<tight>(wait_for_one_less), rule::protocol_races,
                "an epilogue buffer is written while TMA may still read it");
}
