// What a plan is made of, one function at a time: on plans, lives and runs that are written down here, and on what one
// run of a small body leaves behind. Nothing of it is a constant, so this is compiled soon.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/workspace_layout.hpp>
#include <sectile/dsl/plan/build.hpp>

#include <bit>
#include <initializer_list>
#include <utility>

#include "tests/programs/ordered_sums.hpp"

namespace {

using namespace sectile;

/// A product that a vector scales in each trip: S has a number for each row and tile along K.
template <vector_path Path>
struct scaled {
  static constexpr auto operands = sectile::operands(vector_input<"S(KB,M)", float>(Path), input<"A(M,K)", bf16>(),
                                                     input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{
      .tile = {{"M", 128}, {"N", 64}, {"K", 32}}, .stages = 2, .consumers = 2, .persistent = true};
  static constexpr void body(auto& sm, auto S, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto x = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      acc += x * sm.load(S, {as<"KB">(k), m});
    }
    sm.store(C, {m, n}, acc);
  }
};
enum operand_number { s, a, b, c };
using by_vector = scaled<from_memory>;

/// What the operands of a kernel say, and nothing that follows from its body.
template <class K>
plan declared() {
  plan p{};
  p.how = configuration_of<K>;
  const operand_table all = operand_table_of<K>();
  p.operands = all.count;
  p.work = find_work(all);
  for (int o = 0; o < all.count; ++o) p.operand[o].facts = all.at[o];
  return p;
}

}  // namespace

// ---- multicast

namespace {

enum class trips { all, by_row, by_both };
/// A product that makes as many trips as the tile's row, or its row and column, says.
template <trips Of, int Rows, int Cols>
struct triangle {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .cluster = {Rows, Cols}, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto count = [&] {
      if constexpr (Of == trips::all)
        return tiles<"K">(A);
      else if constexpr (Of == trips::by_row)
        return as<"K">(m) + 1;
      else  // in no cluster that has few tiles beside it
        return select(as<"N">(m) * 2 == n - 2, tiles<"K">(A), 0);
    };
    for (auto k : sm.pipelined(count())) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
template <trips Of, int Rows, int Cols>
rule verdict_on_triangle() {
  return plan_of<triangle<Of, Rows, Cols>>.refusal.what;
}

}  // namespace

TEST_CASE("CTAs that share a tile make as many trips, along the cluster's rows and along its columns") {
  constexpr rule disagree = rule::multicast_peers_disagree;
  CHECK(verdict_on_triangle<trips::all, 2, 1>() == rule::holds);
  CHECK(verdict_on_triangle<trips::all, 1, 2>() == rule::holds);
  CHECK(verdict_on_triangle<trips::by_row, 2, 1>() == disagree);
  CHECK(verdict_on_triangle<trips::by_row, 1, 2>() == rule::holds);
  CHECK(verdict_on_triangle<trips::by_both, 2, 1>() == disagree);
  CHECK(verdict_on_triangle<trips::by_both, 1, 2>() == disagree);
}

// ---- registers

namespace {

/// Two consumers with 128 x 64 sums of bf16, which need so many registers.
plan with_registers(int registers, int consumers = 2) {
  plan p = declared<by_vector>();
  p.how.consumers = consumers;
  p.epilogues = 1;
  p.products.count = 1;
  p.accumulator_registers = registers;
  return p;
}
bool defers(plan p) {
  split_registers(p);
  return p.epilogue[0].deferred;
}
int producer_registers(int registers, int consumers) {
  plan p = with_registers(registers, consumers);
  p.how.persistent = false;  // nothing is deferred
  split_registers(p);
  CHECK(p.accumulator_registers == registers);
  return p.producer_registers;
}

}  // namespace

TEST_CASE("an epilogue is put off where its 16 packed registers fit, and 40 of overhead: a consumer may have 240") {
  CHECK(defers(with_registers(240 - 40 - 16)));
  CHECK(!defers(with_registers(240 - 40 - 16 + 1)));
  plan p = with_registers(64);
  split_registers(p);
  CHECK(p.accumulator_registers == 64 + 16);
}

TEST_CASE("what is put off: one output of 16 bits at most of a walk over tiles, under the products of the next one") {
  plan p = with_registers(64);
  REQUIRE(defers(p));
  SUBCASE("no product") { p.products.count = 0; }
  SUBCASE("no walk") { p.how.persistent = false; }
  SUBCASE("the other consumer multiplies meanwhile") { p.how.pingpong = true; }
  SUBCASE("so does one that has a tile of its own") { p.how.own_tiles = true; }
  SUBCASE("rows of tiles") { p.whole_rows = true; }
  SUBCASE("several outputs") { p.epilogues = 2; }
  SUBCASE("none") { p.epilogues = 0; }
  SUBCASE("wider elements") { p.operand[c].facts.type = element_of<float>(); }
  CHECK(!defers(p));
}

TEST_CASE("the producer keeps what the consumers have no use for") {
  CHECK(producer_registers(144, 2) == 40);
  CHECK(producer_registers(145, 2) == 24);
  CHECK(producer_registers(132, 3) == 32);  // of 128 each, three consumers have 160
  CHECK(producer_registers(133, 3) == 24);
  CHECK(producer_registers(200, 1) == 248);
  plan p = with_registers(64, 3);
  p.how.persistent = false;
  split_registers(p);
  CHECK(p.threads == 4 * 128);
  CHECK(p.consumer_registers == 160);
}

TEST_CASE("ordinary instructions need registers where they first touch sums behind all products") {
  const auto first_use = [](std::initializer_list<event> events) {
    trace t{};
    for (const event& e : events) {
      t.at[t.events] = e;
      t.at[t.events].position = static_cast<std::int16_t>(t.events);
      ++t.events;
    }
    return first_use_of_results(t);
  };
  constexpr event touch{.kind = event_kind::touch}, in_loop{.kind = event_kind::touch, .trip = 0},
      issue{.kind = event_kind::issue}, store{.kind = event_kind::store}, finish{};
  CHECK(first_use({issue, touch, touch, store, touch, finish}) == 1);
  CHECK(first_use({touch, finish}) == 0);
  CHECK(first_use({touch, issue, in_loop, touch, store}) == 3);
  CHECK(first_use({issue, in_loop, store, touch, finish}) == -1);
  CHECK(first_use({touch, issue}) == -1);
}

// ---- runs

TEST_CASE("of one loop 0 to 3 trips are tried, of several 0 to 2 of each, with all of the others'") {
  const auto runs = [](int loops) { return combinations({.count = loops}); };
  CHECK(runs(0) == 1);
  CHECK(runs(1) == 4);
  CHECK(runs(2) == 9);
  CHECK(runs(4) == 81);
  loop_table all{.count = max_loops};
  CHECK(set_trips(all, runs(max_loops) - 1));
  for (const int trips : all.trips) CHECK(trips == 2);
  loop_table l{.count = 2, .least = {1, 0}};
  CHECK(set_trips(l, 5));
  CHECK(l.trips[0] == 2);
  CHECK(l.trips[1] == 1);
  CHECK(set_trips(l, 1));
  CHECK(!set_trips(l, 3));
  CHECK(l.trips[1] == 1);
}

TEST_CASE("what a body takes for its work: a block is a tile, or a row of tiles if a loop stores it") {
  struct reading {
    trace log{};
    bool tall_tiles = false, whole_rows = false, wide_tiles = false;
    hangs_on trips_on = of_no_place;
    unsigned made[max_operands]{};
  };
  const auto work = [](reading run, int loop) {
    run.log.events = 1;
    run.log.at[0].kind = event_kind::store;
    run.log.at[0].loop = static_cast<std::int16_t>(loop);
    plan p{};
    plan_work(run, p);
    CHECK(p.tall_tiles == run.tall_tiles);
    return 2 * p.whole_rows + p.wide_tiles;
  };
  const reading tile{}, rows{.whole_rows = true}, wide{.wide_tiles = true}, block{.tall_tiles = true},
      wide_block{.tall_tiles = true, .wide_tiles = true};
  constexpr int of_rows = 2, of_wide_tiles = 1, nobody = -1;
  for (const int loop : {nobody, 0, 1}) {
    CHECK(work(tile, loop) == 0);
    CHECK(work(rows, loop) == of_rows);
    CHECK(work(wide, loop) == of_wide_tiles);
    CHECK(work(wide_block, loop) == of_wide_tiles);
    CHECK(work(block, loop) == (loop < 0 ? of_wide_tiles : of_rows));
  }
  reading other = block;  // in whose loop something else happens
  other.log.events = 2;
  other.log.at[1] = {.kind = event_kind::load, .loop = 0};
  other.log.at[0] = {.kind = event_kind::store};
  plan p{};
  plan_work(other, p);
  CHECK(p.wide_tiles);
}

// ---- what a run of a body shows

namespace {

using sums_of_parts =
    sectile::test::sums_in_order<configuration{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1}>;

/// Reduces the rows of X in a loop, loads each tile twice there, and may store what it has found.
template <bool Stores>
struct reduced_in_a_loop {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", bf16>(), output<"C(M,N)", bf16>(), output<"y(M)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto C, auto y) {
    auto [m, n] = sm.tile_of(C);
    for (auto j : sm.pipelined(tiles<"N">(X))) {
      const auto sum = row_sum(cast<float>(in_registers(sm.load(X, {m, j}))));
      static_cast<void>(in_registers(sm.load(X, {m, j})));
      if constexpr (Stores) sm.store(y, {m}, sum);
    }
    sm.store(C, {m, n}, cast<float>(in_registers(sm.load(X, {m, n}))));
  }
};

}  // namespace

TEST_CASE("a loop that reduces carries more than sums, and what it stores of a vector is stored in a loop") {
  const trace t = trace_body<reduced_in_a_loop<false>>({}).log;
  CHECK(t.loops_carry == loop_use::reduction);
  CHECK(!t.written[2].in_loop);
  CHECK(trace_body<reduced_in_a_loop<true>>({}).log.written[2].in_loop);
}

TEST_CASE("the last trips are those before the number of trips that the body asks for") {
  const trace t = trace_body<reduced_in_a_loop<false>>({.tiles = 10, .first_trip = last_trips}).log;
  int last = -1;
  for (const event& e : t)
    if (e.kind == event_kind::load && e.loop >= 0) last = e.coordinate[1];
  CHECK(last == 9);
}

TEST_CASE("an operand that is loaded twice in a trip, or behind the loop as well, has no loop of its own") {
  const trace t = trace_body<reduced_in_a_loop<false>>({}).log;
  const load_pattern x = load_pattern_of(plan_of<sums_of_parts>, t, 0);
  CHECK(!x.once_per_trip);
  CHECK(x.loop == -1);
}

TEST_CASE("sums in order: a number of each tile of a group, for each column, row, or once") {
  constexpr int tiles[]{3, 2};
  const workspace_layout w = lay_out_workspace(plan_of<sums_of_parts>, 6, tiles);
  CHECK(w.count == 2 * 3 * 64 + 3 * 2 * 64 + 6);
  CHECK(w.numbers == 256);
  CHECK(w.bytes == 256 + 4 * w.count);
}

namespace {

/// Reads the tile of X at coordinates that count M' along its first mode, and M along its second.
template <bool Rows, bool Cols>
struct of_the_other_prime {
  static constexpr auto operands = sectile::operands(input<"X(M,M')", bf16>(), output<"C(M,M')", bf16>());
  static constexpr configuration how{.tile = {{"M", 64}, {"M'", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto C) {
    auto [m, n] = sm.tile_of(C);
    if constexpr (Rows) static_cast<void>(in_registers(sm.load(X, {n, n})));
    if constexpr (Cols) static_cast<void>(in_registers(sm.load(X, {m, m})));
    sm.store(C, {m, n}, cast<float>(in_registers(sm.load(X, {m, n}))));
  }
};
template <bool Rows, bool Cols>
tile_of_other_prime prime_seen() {
  return trace_body<of_the_other_prime<Rows, Cols>>({}).log.other_prime;
}

}  // namespace

TEST_CASE("a tile in registers that lies along another prime than its coordinates count") {
  constexpr mode_id m = mode_named("M"), other = mode_named("M'");
  CHECK(prime_seen<false, false>().operand == -1);
  const tile_of_other_prime rows = prime_seen<true, false>(), cols = prime_seen<false, true>();
  for (const tile_of_other_prime& seen : {rows, cols}) {
    CHECK(seen.operand == 0);
    CHECK(seen.in_registers);
  }
  CHECK(rows.counted == other);
  CHECK(rows.taken == m);
  CHECK(cols.counted == m);
  CHECK(cols.taken == other);
}

TEST_CASE("every bit of a number is in the hash of what a body computes with, and what came before") {
  const auto hash = [](std::initializer_list<std::uint32_t> numbers, bool asks = true) {
    planner<by_vector> sm{};
    sm.asks = asks;
    for (const std::uint32_t bits : numbers) sm.note_number(std::bit_cast<float>(bits));
    return sm.log.numbers;
  };
  for (int bit = 0; bit < 32; ++bit) {
    CHECK(hash({1u << bit}) != hash({0u}));
    CHECK(hash({1u << bit, 0u}) != hash({0u, 0u}));
    CHECK(hash({1u << bit, 0u}) != hash({0u, 1u << bit}));
  }
  CHECK(hash({}) != hash({0u}));
  CHECK(hash({7u}, false) == hash({}));
}

// ---- vectors that count tiles

namespace {

enum tile_mode { along_m = 1, along_n = 2, along_k = 4 };
/// After runs that are as different as those of check_other_runs().
template <class K>
plan counted() {
  plan p = declared<K>();
  begin_counting(p);
  for (const scenario& run : {scenario{5, 1, 2, 0, 8}, scenario{1001, 777, 613, -1, 999}}) {
    const trace t = trace_body<K>(run).log;
    mark_steps(t, p);
    mark_counting(t, p);
  }
  return p;
}
template <class K>
void check_counts_k() {
  plan p = counted<K>();
  CHECK(p.operand[s].paced[0] == along_k);
  CHECK(check_counting(p).holds());
  CHECK(p.operand[s].paced[0] == along_k);
  const counted_tiles seen = tiles_counted(p, s, 0);
  CHECK(seen.along == mode_named("K"));
  CHECK(seen.extent == 32);
  CHECK(seen.of.operand == a);
  CHECK(seen.of.mode == 1);
  CHECK(seen.count(64) == 2);
  CHECK(seen.count(65) == 3);
  CHECK(tiles_counted(p, s, 1).along == mode_id::any);
  for (const operand_number matrix : {a, b, c})
    for (int d = 0; d < 2; ++d) {
      CHECK(p.operand[matrix].paced[d] == 0);
      CHECK(tiles_counted(p, matrix, d).extent == 0);
    }
  for (int open = 1; open < 8; ++open) {  // whatever earlier runs have left
    p.operand[s].paced[0] = static_cast<std::uint8_t>(open);
    mark_counting(trace_body<K>({5, 1, 2, 0, 8}).log, p);
    CHECK(p.operand[s].paced[0] == (open & along_k));
  }
  p.operand[s].stepped[0] = false;  // it stays at the first tile
  CHECK(check_counting(p).holds());
  CHECK(p.operand[s].paced[0] == 0);
}

}  // namespace

TEST_CASE("which tiles a vector's mode counts is left over when a body has run") {
  check_counts_k<by_vector>();
  check_counts_k<scaled<with_tiles>>();
}

TEST_CASE("a mode that no matrix has may count the tiles along any, whichever operand comes first") {
  for (const bool matrix_first : {false, true}) {
    plan p = declared<by_vector>();
    if (matrix_first) std::swap(p.operand[s], p.operand[a]);
    begin_counting(p);
    for (int o = 0; o < p.operands; ++o) {
      const bool counts = p.operand[o].facts.is_vector();
      CHECK(p.operand[o].paced[0] == (counts ? along_m | along_n | along_k : 0));
      CHECK(p.operand[o].paced[1] == 0);
    }
  }
}

TEST_CASE("a vector that is read or has come at one other coordinate counts none") {
  trace t = trace_body<by_vector>({5, 1, 2, 0, 8}).log;
  t.vector_read[0].coordinate[0] = 3;
  trace with = trace_body<scaled<with_tiles>>({5, 1, 2, 0, 8}).log;
  with.at[0] = {.kind = event_kind::load, .operand = s, .coordinate = {3}};
  for (const plan& before : {declared<by_vector>(), declared<scaled<with_tiles>>()}) {
    plan p = before;
    begin_counting(p);
    mark_counting(p.operand[s].facts.path == with_tiles ? with : t, p);
    CHECK(p.operand[s].paced[0] == 0);
  }
}

TEST_CASE("a mode of two vectors counts the same tiles, or those of one of them") {
  for (const int first : {0, +along_m, +along_k})
    for (const int second : {0, +along_m, +along_k}) {
      plan p = declared<by_vector>();
      p.operand[p.operands++] = p.operand[s];
      for (const int o : {+s, p.operands - 1}) p.operand[o].stepped[0] = true;
      p.operand[s].paced[0] = static_cast<std::uint8_t>(first);
      p.operand[p.operands - 1].paced[0] = static_cast<std::uint8_t>(second);
      CHECK(check_counting(p).holds() == (first == second || first == 0 || second == 0));
    }
}

TEST_CASE("the tiles of the work, or of the first mode that a configuration names") {
  plan p = declared<by_vector>();
  p.operand[s].paced[0] = along_m;
  CHECK(tiles_counted(p, s, 0).along == mode_named("M"));
  CHECK(tiles_counted(p, s, 0).extent == 128);
  CHECK(tiles_counted(p, s, 0).of.operand == a);
  p.operand[s].counted[0] = along_m;
  CHECK(tiles_counted(p, s, 0).along == mode_named("M"));
  CHECK(tiles_counted(p, s, 0).of.operand == c);
}

TEST_CASE("a coordinate counts tiles if all of the trip have it there; where none has the mode, the work's tile") {
  const plan p = declared<by_vector>();
  trace t = trace_body<by_vector>({5, 1, 2, 0, 8}).log;
  constexpr mode_id m = mode_named("M"), n = mode_named("N"), k = mode_named("K");
  for (const int trip : {0, 1}) {
    CHECK(all_are_at(p, t, trip, m, 1));
    CHECK(all_are_at(p, t, trip, n, 2));
    CHECK(all_are_at(p, t, trip, k, 8 + trip));
    CHECK(!all_are_at(p, t, trip, k, 8 + 1 - trip));
  }
  CHECK(all_are_at(p, t, -1, m, 1));
  CHECK(!all_are_at(p, t, -1, m, 2));
  CHECK(all_are_at(p, t, -1, n, 2));
  CHECK(!all_are_at(p, t, -1, n, 1));
  CHECK(!all_are_at(p, t, -1, k, 8));
  plan rows = p;
  rows.whole_rows = true;  // whose work has no tile along N
  CHECK(all_are_at(rows, t, -1, m, 1));
  CHECK(!all_are_at(rows, t, -1, n, 2));
  t.at[0] = {.kind = event_kind::load, .operand = a, .coordinate = {3, 4}};
  CHECK(all_are_at(p, t, -1, m, 3));
  CHECK(!all_are_at(p, t, -1, m, 1));
  CHECK(all_are_at(p, t, -1, k, 4));
  CHECK(all_are_at(p, t, -1, n, 2));
}

TEST_CASE("of more parts of vectors than are kept nothing is known") {
  trace t = trace_body<by_vector>({5, 1, 2, 0, 8}).log;
  REQUIRE(t.vector_reads == 2);
  for (int i = 2; i < max_vector_reads; ++i) t.vector_read[i] = t.vector_read[0];
  for (const int reads : {max_vector_reads, max_vector_reads + 1}) {
    plan p = declared<by_vector>();
    begin_counting(p);
    t.vector_reads = reads;
    mark_counting(t, p);
    CHECK(p.operand[s].paced[0] == (reads > max_vector_reads ? 0 : along_k));
  }
}

// ---- groups

namespace {

/// Rows of C fall into groups of which `ends` says where they end.
struct of_groups {
  static constexpr auto operands =
      sectile::operands(input<"A(E,M,K)", bf16>(), group_ends<"ends(E)", "M">(), output<"C(E,M,N)", bf16>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .persistent = true};
};

/// Who says it may be the first operand.
struct of_groups_told_first {
  static constexpr auto operands = sectile::operands(group_ends<"ends(E)", "M">(), input<"A(E,M,K)", bf16>(),
                                                     input<"B(E,N,K)", bf16>(), output<"C(E,M,N)", bf16>());
  static constexpr configuration how = of_groups::how;

  static constexpr void body(auto& sm, auto, auto A, auto B, auto C) {
    auto [e, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {e, m, k}) * transpose(sm.load(B, {e, n, k}));
    sm.store(C, {e, m, n}, acc);
  }
};

}  // namespace

TEST_CASE("roles go from group to group, whichever operand says where they end") {
  constexpr plan p = plan_of<of_groups_told_first>;
  CHECK(p.cuts.count == 1);
  CHECK(p.cuts.ends[0] == 0);
  CHECK(p.operand[0].stepped[0]);
}

TEST_CASE("whoever says where groups end cuts a mode that some operand has") {
  plan p = declared<of_groups>();
  p.cuts = find_cuts(p);
  CHECK(check_groups(p).holds());
  p.operand[1].facts.cuts[0] = 'Q';
  p.cuts = find_cuts(p);
  CHECK(check_groups(p).what == rule::operand_is_used_in_another_way);
}

// ---- epilogues

TEST_CASE("a panel is 64 rows, turned a part of the tile's in steps of which stmatrix stores four blocks or fewer") {
  constexpr int plenty = 1 << 20;
  const auto rows_of = [](int tile_rows, int bits) { return rows_of_panel(true, tile_rows, bits, plenty); };
  for (const int rows : {40, 64, 128, 224}) CHECK(rows_of_panel(false, rows, 16, plenty) == 64);
  for (const int bits : {8, 16, 32}) {
    CHECK(rows_of(96, bits) == 96);
    CHECK(rows_of(192, bits) == 96);
    CHECK(rows_of(224, bits) == 32);
    CHECK(rows_of(120, bits) == 40);
    CHECK(rows_of(88, bits) == 88);
    CHECK(rows_of(80, bits) == 80);
    CHECK(rows_of(24, bits) == 24);
    CHECK(rows_of(104, bits) == 104);
  }
  CHECK(rows_of(160, 8) == 32);
  CHECK(rows_of(160, 16) == 80);
}

TEST_CASE("where shared memory is short a turned panel is as tall as what is left, in blocks of 8 rows") {
  const auto rows_in = [](int tile_rows, int room) { return rows_of_panel(true, tile_rows, 16, 128 * room); };
  CHECK(rows_in(160, 80) == 80);
  CHECK(rows_in(160, 79) == 32);  // in steps of 16 before steps of 8
  CHECK(rows_in(160, 31) == 16);
  CHECK(rows_in(136, 136) == 136);
  CHECK(rows_in(136, 135) == 8);
  CHECK(rows_in(152, 0) == 8);
}

TEST_CASE("units of a panel: two elements of 8 bits are one; lanes cross over in a wide span of 32 bits, by rows") {
  const auto stores = [](int bits, bool transposed, swizzle_mode swizzle = swizzle_mode::b128) {
    return stores_of({.transposed = transposed, .panel_rows = 96, .panel_cols = 64, .swizzle = swizzle}, bits);
  };
  for (const int bits : {8, 16, 32}) {
    CHECK(stores(bits, false).along == (bits == 8 ? 32 : 64));
    CHECK(stores(bits, true).along == 96);
    for (const bool transposed : {false, true}) {
      const warp_stores w = stores(bits, transposed);
      CHECK(w.unit_bits == (bits == 32 ? 32 : 16));
      CHECK(w.elements == (bits == 8 ? 2 : 1));
      CHECK(w.transposed == transposed);
      CHECK(w.crossing == (bits == 32 && !transposed ? 16 : 0));
    }
  }
  CHECK(stores(32, false, swizzle_mode::b64).crossing == 8);
  CHECK(stores(32, false, swizzle_mode::b32).crossing == 0);
  CHECK(stores(32, false, swizzle_mode::none).crossing == 0);
}

TEST_CASE("batches wait for their own buffers where tiles of the one output follow each other") {
  for (const int outputs : {0, 1, 2})
    for (const bool persistent : {false, true})
      for (const bool whole_rows : {false, true})
        for (const bool deferred : {false, true})
          for (const int buffers : {1, 2, 3}) {
            plan p{};
            p.epilogues = outputs;
            p.how.persistent = persistent;
            p.whole_rows = whole_rows;
            p.epilogue[0] = {.panels = 4, .buffers = buffers, .deferred = deferred};
            CHECK(reclaims_in_turns(p) == (outputs == 1 && (persistent || whole_rows) && !deferred && buffers < 3));
          }
}

TEST_CASE("while half of the buffers is stored the other one is filled, if they have halves") {
  epilogue_plan e{.panels = 24};
  for (const auto& [buffers, batch] : {coord{1, 1}, coord{2, 1}, coord{3, 3}, coord{4, 2}, coord{8, 4}}) {
    set_buffers(e, buffers);
    CHECK(e.buffers == buffers);
    CHECK(e.batch == batch);
  }
  for (const int buffers : {5, 7, 16}) {  // no panel lies always in the same
    set_buffers(e, buffers);
    CHECK(e.buffers == buffers);
    CHECK(e.batch == 1);
  }
}

// ---- shared memory

namespace {

/// Two CTAs with parts of the same rows, of which they know numbers of so many columns; drawn work has barriers as
/// well.
plan laid_out(int columns, bool dynamic) {
  plan p = declared<by_vector>();
  p.how.cluster = {1, 2};
  p.how.dynamic = dynamic;
  p.wide_tiles = true;
  p.exchange.columns = columns;
  p.rings = 1;
  p.ring[0] = {.stages = p.how.stages, .members = 2, .member = {a, b}};
  p.epilogues = 1;
  p.epilogue[0].operand = c;
  lay_out_shared_memory(p);
  return p;
}

}  // namespace

TEST_CASE("sums in a workspace begin at a line of L2, behind eight bytes for each counter of tickets") {
  CHECK(sums_begin(0) == 0);
  CHECK(sums_begin(1) == 128);
  CHECK(sums_begin(16) == 128);
  CHECK(sums_begin(17) == 256);
}

TEST_CASE("the bytes of mbarriers are counted before these have their places, and are as many") {
  for (const int columns : {0, 64})
    for (const bool dynamic : {false, true}) {
      const plan p = laid_out(columns, dynamic);
      REQUIRE(p.refusal.holds());
      CHECK(p.exchange.ctas == 2);
      CHECK(p.barrier_bytes == p.shared_bytes - p.ring[0].full_barrier);
      if (!dynamic) CHECK(p.barrier_bytes == 8 * (2 * 2 + (columns > 0 ? 2 : 0)));
    }
}

TEST_CASE("CTAs that exchange columns have an mbarrier for each buffer and tile") {
  plan p = declared<by_vector>();
  p.exchange = {.columns = 1, .ctas = 2, .buffers = 2};
  CHECK(count_exchange_barriers(p) == 2);
  p.how.own_tiles = true;
  CHECK(count_exchange_barriers(p) == 4);
  p.exchange.ctas = 1;  // the warps of one meet at a named barrier
  CHECK(count_exchange_barriers(p) == 0);
  p.exchange = {.columns = 0, .ctas = 2, .buffers = 2};
  CHECK(count_exchange_barriers(p) == 0);
}

// ---- lives of fragments

namespace {

/// What lives at once, where a tile of operand `stays` need not be in registers.
int most_of(const fragment_lives& lives, int stays = -1) {
  return lives.most_at_once([=](int o) { return o == stays; });
}
/// Fragment `v` lives from here to behind the next so many points.
void live(fragment_lives& lives, int v, int registers, int points, bool by_product = false) {
  lives.fill(v);
  for (int i = 0; i < points; ++i) lives.pass_point();
  lives.use(v, registers, by_product);
}

}  // namespace

TEST_CASE("registers are those of the fragments that live across the same point") {
  fragment_lives lives;
  CHECK(most_of(lives) == 0);
  live(lives, 0, 100, 0);  // across none
  CHECK(most_of(lives) == 0);
  live(lives, 1, 10, 1);
  CHECK(most_of(lives) == 10);
  live(lives, 2, 9, 1);  // begins where the other one ends
  CHECK(most_of(lives) == 10);
  lives.use(1, 10, false);  // which does not end yet
  CHECK(most_of(lives) == 19);
  live(lives, 1, 5, 1);  // and lives again
  CHECK(most_of(lives) == 19);
  lives.use(2, 9, false);
  lives.use(7, 1000, false);  // is nobody
  CHECK(most_of(lives) == 19);
  lives.use(2, 11, false);
  CHECK(most_of(lives) == 21);
  lives.pass_point();
  CHECK(most_of(lives) == 21);
}

TEST_CASE("a product may be at work on registers until they are given up; ordinary instructions are not") {
  for (const bool by_product : {false, true}) {
    fragment_lives lives;
    live(lives, 0, 10, 1, by_product);
    live(lives, 1, 5, 1);
    CHECK(most_of(lives) == 10);
    lives.give_up(0);
    lives.give_up(7);  // is nobody
    CHECK(most_of(lives) == (by_product ? 15 : 10));
  }
}

TEST_CASE("a fragment that is overwritten does not live up to there, unless a product may be at work on it") {
  for (const bool by_product : {false, true}) {
    fragment_lives lives;
    live(lives, 0, 10, 1, by_product);
    live(lives, 1, 5, 1);
    lives.use(0, 10, false);  // the wait
    lives.overwrite(0);
    lives.overwrite(7);  // is nobody
    CHECK(most_of(lives) == (by_product ? 15 : 10));
    lives.pass_point();
    lives.use(0, 20, false);
    CHECK(most_of(lives) == 20);
  }
}

TEST_CASE("a tile that stays in shared memory is in no registers") {
  fragment_lives lives;
  live(lives, 0, 10, 0);
  lives.read_in_place(0, 0);
  lives.read_in_place(7, 0);  // is nobody
  live(lives, 1, 5, 1);
  lives.use(0, 10, false);
  CHECK(most_of(lives) == 15);
  CHECK(most_of(lives, 1) == 15);
  CHECK(most_of(lives, 0) == 5);
}

TEST_CASE("fragments are counted as far as there is room") {
  fragment_lives lives;
  for (int v = 0; v < fragment_lives::most + 5; ++v) lives.fill(v);
  lives.pass_point();
  for (int v = 0; v < fragment_lives::most + 5; ++v) lives.use(v, 1, false);
  CHECK(lives.count == fragment_lives::most);
  CHECK(most_of(lives) == fragment_lives::most);
}
