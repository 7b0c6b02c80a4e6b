// Waits, fences, releases and turns, worked out by hand for small traces.
#include <doctest/doctest.h>

#include <initializer_list>
#include <sectile/dsl/plan/rings.hpp>
#include <sectile/dsl/plan/trace_log.hpp>
#include <sectile/dsl/plan/waits.hpp>

namespace {

using namespace sectile;

enum operand_number { a, b };
enum value_number { acc, other };

/// Writes a trace as one writes a body: the arguments are positions in the text.
struct story {
  trace t{};
  int loop = -1, trip = -1;

  event& add(event_kind kind, int position) {
    event& e = t.at[t.events++];
    e.kind = kind;
    e.position = static_cast<std::int16_t>(position);
    e.loop = static_cast<std::int16_t>(loop);
    e.trip = static_cast<std::int16_t>(trip);
    if (position >= t.positions) t.positions = position + 1;
    return e;
  }
  void begin_trip(int at) {
    loop = at;
    ++trip;
  }
  void leave_loop() { loop = trip = -1; }
  /// Returns the number by which products refer to it.
  int load(int position, operand_number o) {
    add(event_kind::load, position).operand = static_cast<std::int16_t>(o);
    return t.events - 1;
  }
  /// acc += (tile) * (tile)
  void issue(int position, value_number v, int a_load, int b_load) {
    event& e = add(event_kind::issue, position);
    e.value = static_cast<std::int16_t>(v);
    e.a_load = static_cast<std::int16_t>(a_load);
    e.b_load = static_cast<std::int16_t>(b_load);
  }
  /// acc += (fragment) * (tile)
  void issue_fragment(int position, value_number v, value_number fragment, int b_load) {
    issue(position, v, -1, b_load);
    t.at[t.events - 1].a_value = static_cast<std::int16_t>(fragment);
  }
  /// The fragment is filled from a tile.
  void read(int position, value_number v, int load) {
    event& e = add(event_kind::read, position);
    e.value = static_cast<std::int16_t>(v);
    e.a_load = static_cast<std::int16_t>(load);
  }
  void touch(int position, value_number v) { add(event_kind::touch, position).value = static_cast<std::int16_t>(v); }
  void store(int position, value_number v) { add(event_kind::store, position).value = static_cast<std::int16_t>(v); }
  void finish(int position) { add(event_kind::finish, position); }
};

/// What follows from the traces together. Both operands share one ring, or have one each. `parts`: see plan_widening().
struct derived {
  plan p{};
  step (&steps)[max_positions] = p.steps;
  bool turns_agree = true;

  derived(std::initializer_list<story> stories, int rings = 1, int parts = 0, bool full_turns = false) {
    p.rings = rings;
    for (const operand_number o : {a, b}) p.operand[o].ring = rings == 1 ? 0 : o;
    for (int r = 0; r < rings; ++r) p.ring[r].members = rings == 1 ? 2 : 1;
    for (const story& s : stories) derive_waits(s.t, steps, parts);
    for (const story& s : stories) derive_releases(s.t, p, steps);
    for (const story& s : stories) count_releases(s.t, p, steps);
    bool seen[max_positions]{};
    for (const story& s : stories) turns_agree = derive_turns(s.t, steps, seen, false, full_turns) && turns_agree;
  }
  derived(const derived&) = delete;
};

/// for (...) acc += load(A) * load(B); store(acc)
enum gemm_place { loop, load_a, load_b, multiply, store, finish };
story gemm(int trips) {
  story s;
  s.add(event_kind::loop, loop);
  for (int i = 0; i < trips; ++i) {
    s.begin_trip(loop);
    const int tile_a = s.load(load_a, a), tile_b = s.load(load_b, b);
    s.issue(multiply, acc, tile_a, tile_b);
  }
  s.leave_loop();
  s.store(store, acc);
  s.finish(finish);
  return s;
}

TEST_CASE("the clock counts what is known to be complete") {
  product_clock clock{};
  CHECK(!clock.wait(0));  // nothing was issued
  clock.issued = 3;
  CHECK(clock.wait(1));
  CHECK(clock.complete == 2);
  CHECK(!clock.wait(1));
  CHECK(!clock.wait(2));  // known already
  CHECK(clock.wait(0));
  CHECK(clock.complete == 3);
}

TEST_CASE("bounds: the strictest wait, the most stages kept") {
  std::int8_t bound = -1;
  tighten(bound, 3);
  tighten(bound, 5);
  CHECK(bound == 3);
  tighten(bound, 0);
  CHECK(bound == 0);
  bound = -1;
  loosen(bound, 0);
  CHECK(bound == 0);
  loosen(bound, 2);
  loosen(bound, 1);
  CHECK(bound == 2);
}

TEST_CASE("the last product on a value") {
  const story s = gemm(3);
  CHECK(last_product_on(s.t, s.t.events, acc) == 3);
  CHECK(last_product_on(s.t, s.t.events, other) == 0);
  CHECK(last_product_on(s.t, 4, acc) == 1);  // the loop, two loads, a product
  CHECK(last_product_on(s.t, 3, acc) == 0);
  CHECK(last_reader_of(s.t, 1) == 1);
  CHECK(last_reader_of(s.t, 5) == 2);
}

TEST_CASE("a left factor that its product makes: one part is waited for, of two the last product runs on") {
  story s = gemm(3);
  for (int i = 0; i < s.t.events; ++i) s.t.at[i].widened = s.t.at[i].kind == event_kind::issue;
  const derived whole({s}, 1, 1), halves({s}, 1, 2);
  CHECK(whole.steps[multiply].wait_after == 0);
  CHECK(whole.steps[multiply].keep[0] == 0);
  CHECK(halves.steps[multiply].wait == -1);
  CHECK(halves.steps[multiply].wait_after == 1);
  CHECK(halves.steps[multiply].keep[0] == 1);
  CHECK(halves.steps[store].wait == 0);
}

TEST_CASE("a sum over tiles: one product stays in flight, its stage is kept") {
  const derived d({gemm(3)});
  CHECK(d.steps[multiply].wait == -1);
  CHECK(d.steps[multiply].wait_after == 1);
  CHECK(d.steps[multiply].keep[0] == 1);
  CHECK(d.steps[multiply].release[0] == 1);
  CHECK(d.steps[store].wait == 0);
  CHECK(d.steps[store].settle);
  CHECK(d.steps[store].keep[0] == 0);
  CHECK(d.steps[store].release[0] == 1);
  CHECK(d.steps[finish].wait == 0);
  CHECK(d.steps[finish].release[0] == 0);  // nothing is left
}
TEST_CASE("a single trip has no earlier one to wait for") {
  const derived d({gemm(1)});
  CHECK(d.steps[multiply].wait_after == -1);
  CHECK(d.steps[multiply].release[0] == 0);
  CHECK(d.steps[store].release[0] == 1);
}
TEST_CASE("no trip: nothing to wait for, nothing to release") {
  const derived d({gemm(0)});
  CHECK(d.steps[store].wait == -1);
  CHECK(!d.steps[store].settle);
  CHECK(d.steps[finish].wait == 0);
  for (const step& s : d.steps) CHECK(s.release[0] == 0);
}
TEST_CASE("runs of several lengths: each position has the bound that serves all") {
  const derived d({gemm(0), gemm(1), gemm(2), gemm(3)});
  CHECK(d.steps[multiply].wait_after == 1);
  CHECK(d.steps[multiply].keep[0] == 1);
  CHECK(d.steps[store].wait == 0);
  CHECK(d.steps[store].release[0] == 1);
}

TEST_CASE("rings of their own release the same stages, each for itself") {
  const derived d({gemm(3)}, 2);
  for (const int ring : {0, 1}) {
    CHECK(d.steps[multiply].keep[ring] == 1);
    CHECK(d.steps[multiply].release[ring] == 1);
    CHECK(d.steps[store].release[ring] == 1);
  }
}

TEST_CASE("a consumer's turn ends behind its last load, in a loop or behind all") {
  const auto turn_ends = [](std::initializer_list<event_kind> text, bool resident = false) {
    plan p{};
    p.products.count = 1;
    p.ring[0].resident = resident;
    for (const event_kind kind : text) {
      step& s = p.steps[p.finish_position++];
      s.kind = kind;
      s.operand = 0;
      s.loop_end = static_cast<std::int16_t>(p.finish_position + 1);  // loops have one event
    }
    p.operand[0].ring = 0;
    mark_end_of_turn(p);
    for (int i = 0; i <= p.finish_position; ++i)
      if (p.steps[i].arrive_in_order) return i;
    return -1;
  };
  using enum event_kind;
  CHECK(turn_ends({loop, load, touch, store}) == 2);
  CHECK(turn_ends({loop, issue, touch, load, touch, store}) == 4);
  CHECK(turn_ends({loop, issue, touch, load, store}) == 4);
  CHECK(turn_ends({loop, issue, touch, load, store}, true) == 2);  // what stays is loaded once
  CHECK(turn_ends({loop, issue}) == 2);
}
TEST_CASE("the first product on registers that were touched needs a fence, the next one on them does not") {
  story s;
  const int tile_a = s.load(0, a), tile_b = s.load(1, b);
  s.issue(2, acc, tile_a, tile_b);
  s.issue(3, acc, tile_a, tile_b);
  s.touch(4, acc);
  s.issue(5, acc, tile_a, tile_b);
  s.finish(6);
  const derived d({s});
  CHECK(d.steps[2].fence);
  CHECK(!d.steps[3].fence);
  CHECK(d.steps[4].wait == 0);
  CHECK(d.steps[4].settle);
  CHECK(d.steps[5].fence);
}

TEST_CASE("a use waits for the products on its value only; later ones stay in flight") {
  story s;
  const int tile_a = s.load(0, a), tile_b = s.load(1, b);
  s.issue(2, acc, tile_a, tile_b);
  s.issue(3, other, tile_a, tile_b);
  s.touch(4, acc);
  s.touch(5, acc);
  s.touch(6, other);
  s.finish(7);
  const derived d({s});
  CHECK(d.steps[4].wait == 1);
  CHECK(d.steps[4].settle);
  CHECK(d.steps[4].release[0] == 0);  // the other product reads the same stage
  CHECK(d.steps[5].wait == -1);
  CHECK(!d.steps[5].settle);
  CHECK(d.steps[6].wait == 0);
  CHECK(d.steps[6].release[0] == 1);
}

TEST_CASE("a wait for the newest product covers the older ones") {
  story s;
  const int tile_a = s.load(0, a), tile_b = s.load(1, b);
  s.issue(2, acc, tile_a, tile_b);
  s.issue(3, other, tile_a, tile_b);
  s.touch(4, other);
  s.touch(5, acc);
  s.finish(6);
  const derived d({s});
  CHECK(d.steps[4].wait == 0);
  CHECK(d.steps[5].wait == -1);  // known to be complete,
  CHECK(d.steps[5].settle);      // but these registers have not been used since
}

TEST_CASE("a fragment that a product reads may be changed when that product is complete") {
  story s;
  const int tile_a = s.load(0, a);
  s.touch(1, other);
  s.issue_fragment(2, acc, other, tile_a);
  s.touch(3, other);
  s.store(4, acc);
  s.finish(5);
  derived d({s}, 2);
  CHECK(d.steps[1].wait == -1);
  CHECK(d.steps[2].fence);
  CHECK(d.steps[3].wait == 0);
  CHECK(d.steps[3].settle);
  CHECK(d.steps[4].wait == -1);
  CHECK(d.steps[4].settle);
}

TEST_CASE("a stage that is loaded before a loop and read in it goes back after it") {
  story s;
  const int whole = s.load(0, a);
  s.add(event_kind::loop, 1);
  for (int i = 0; i < 2; ++i) {
    s.begin_trip(1);
    const int tile = s.load(2, b);
    s.issue(3, acc, whole, tile);
  }
  s.leave_loop();
  s.store(4, acc);
  s.finish(5);
  const derived d({s}, 2);
  CHECK(d.steps[3].wait_after == 1);
  CHECK(d.steps[3].release[0] == 0);
  CHECK(d.steps[3].release[1] == 1);
  CHECK(d.steps[4].release[0] == 1);
  CHECK(d.steps[4].release[1] == 1);
}

TEST_CASE("a tile that no product reads goes back at the first wait behind it") {
  story s;
  const int tile_a = s.load(0, a), tile_b = s.load(1, b);
  s.load(2, a);
  s.load(3, b);
  s.issue(4, acc, tile_a, tile_b);
  s.store(5, acc);
  s.finish(6);
  const derived d({s});
  CHECK(d.steps[5].keep[0] == 0);
  CHECK(d.steps[5].release[0] == 2);
}

TEST_CASE("a product waits for the one that computes its left factor, and for the one that reads what it overwrites") {
  for (const value_number first : {acc, other}) {
    const value_number second = first == acc ? other : acc;
    story computed, overwritten;
    for (story* s : {&computed, &overwritten}) {
      const int tile_a = s->load(0, a), tile_b = s->load(1, b);
      if (s == &computed) {
        s->issue(2, first, tile_a, tile_b);
        s->issue_fragment(3, second, first, tile_b);
      } else {
        s->issue_fragment(2, second, first, tile_b);
        s->issue(3, first, tile_a, tile_b);
      }
      s->finish(4);
      const derived d({*s});
      CHECK(d.steps[2].wait == -1);
      CHECK(d.steps[3].wait == 0);
      CHECK(d.steps[3].fence);
    }
  }
}

TEST_CASE("products on one accumulator keep their order by themselves, if they are of one kind") {
  struct kind {
    int family;
    bool sparse;
  };
  for (const kind second : {kind{1, false}, kind{2, false}, kind{1, true}, kind{2, true}}) {
    story s;
    s.issue(2, acc, s.load(0, a), s.load(1, b));
    s.t.at[s.t.events - 1].family = 1;
    s.issue(5, acc, s.load(3, a), s.load(4, b));
    event& e = s.t.at[s.t.events - 1];
    e.family = static_cast<std::int16_t>(second.family), e.sparse = second.sparse;
    s.finish(6);
    const bool alike = second.family == 1 && !second.sparse;
    const derived d({s});
    CHECK(d.steps[5].wait == (alike ? -1 : 0));
    CHECK(d.steps[5].fence == !alike);
  }
}

TEST_CASE("a stage that a loop would need is held over it by a product behind, whichever load comes first") {
  for (const bool behind : {false, true}) {
    for (const bool another : {false, true}) {
      story s;
      const int kept = s.load(0, a);
      if (another) s.load(1, a);
      s.add(event_kind::loop, 2);
      s.begin_trip(2);
      s.issue(4, acc, s.load(3, a), kept);
      s.leave_loop();
      if (behind) s.issue(5, acc, kept, kept);
      s.finish(6);
      const derived d({s}, 2);
      CHECK(is_held_over_a_loop(d.p, s.t, 0) == behind);
      CHECK(!is_held_over_a_loop(d.p, s.t, 1));
    }
  }
}

TEST_CASE("a tile that stays is the same one in all runs") {
  const auto run = [](int row, int col, int behind = 0) {
    story s;
    s.load(0, b);
    event& e = s.t.at[s.load(1, a)];
    e.coordinate[0] = row, e.coordinate[1] = col, e.coordinate[2] = behind;  // it has two modes
    return s;
  };
  plan p{};
  p.operands = 2;
  p.work = b;
  for (const operand_number o : {a, b}) p.operand[o].ring = o, p.operand[o].facts.tile.rank = 2;
  CHECK(check_residents(p, run(1, 2).t, run(1, 3).t).holds());  // it does not stay
  p.ring[0].resident = true;
  CHECK(check_residents(p, run(1, 2).t, run(1, 2, 3).t).holds());
  CHECK(!check_residents(p, run(1, 2).t, run(2, 2).t).holds());
  CHECK(!check_residents(p, run(1, 2).t, run(1, 3).t).holds());
  CHECK(check_residents(p, run(1, 2).t, story{}.t).holds());  // a run that does not load it

  // Along the columns of a wide tile each run may load its own part.
  const char letters[] = "MN";
  p.wide_tiles = true;
  for (const operand_number o : {a, b})
    for (int d = 0; d < 2; ++d) p.operand[o].facts.mode_name[d][0] = letters[d];
  for (const int own : {2, 4})
    for (const int other : {3, 4}) {
      story s = run(1, 2), r = run(1, 3);
      s.t.tile[1] = own, r.t.tile[1] = other;
      CHECK(check_residents(p, s.t, r.t).holds() == (own == 2 && other == 3));
    }
}

TEST_CASE("a value is in flight from a product that writes it, or reads it, to its next use") {
  trace_log log;
  CHECK(!log.is_in_flight(acc));
  log.note_product(0, acc, other, -1, -1, false);
  CHECK(log.is_in_flight(acc));
  CHECK(log.is_in_flight(other));
  log.note_touch(other, 1);
  CHECK(log.is_in_flight(acc));
  CHECK(!log.is_in_flight(other));
  log.note_moved(other);
  CHECK(log.log.limit == trace_limit::none);
  log.note_touch(acc, 2);
  log.note_product(3, other, -1, -1, -1, false);
  CHECK(!log.is_in_flight(acc));
  CHECK(log.is_in_flight(other));
  log.note_moved(other);
  CHECK(log.log.limit == trace_limit::moved_in_flight);
}

TEST_CASE("where a fragment came into being is known of a position if it is one place in all runs") {
  const auto run = [](int born) {
    story s;
    s.touch(0, acc);
    s.t.at[0].born = static_cast<std::int16_t>(born);
    return s;
  };
  CHECK(derived({run(7)}).steps[0].born == 7);
  CHECK(derived({run(7), run(7)}).steps[0].born == 7);
  CHECK(derived({run(7), run(0)}).steps[0].born == -1);
  CHECK(derived({run(7), run(0), run(7)}).steps[0].born == -1);
}

TEST_CASE("a consumer has registers for the largest of the factors that it makes, and for no other") {
  plan p{};
  CHECK(widening_blocks(p) == 0);
  CHECK(widening_registers(p) == 0);
  p.products.count = 3;
  const int blocks[]{1, 2, 3}, k_steps[]{4, 2, 8};
  for (const int first : {0, 1}) {
    for (int i = 0; i < 3; ++i) {
      product_plan& q = p.products.at[i == 2 ? 2 : first ? 1 - i : i];
      q.m_blocks = blocks[i];
      q.k_steps = k_steps[i];
      q.narrow.bits = i == 2 ? 0 : 8;  // the last one has two tiles
    }
    for (const int parts : {1, 2}) {
      p.widening_parts = parts;
      CHECK(widening_blocks(p) == 2);
      CHECK(widening_registers(p) == 16 / parts);
    }
  }
  for (int i = 0; i < 2; ++i) p.products.at[i].narrow.bits = 0;
  CHECK(widening_blocks(p) == 0);
  CHECK(widening_registers(p) == 0);
}

TEST_CASE("a tile that is brought into registers goes back where it has been") {
  story s;
  const int tile = s.load(0, a);
  s.read(1, other, tile);
  s.touch(2, other);
  s.store(3, other);
  s.finish(4);
  const derived d({s}, 2);
  CHECK(d.steps[0].keep[0] == -1);
  CHECK(d.steps[1].keep[0] == 0);
  CHECK(d.steps[1].release[0] == 1);
  CHECK(d.steps[1].fence);
}

TEST_CASE("turns surround the products between two waits") {
  story s;
  const int tile_a = s.load(0, a), tile_b = s.load(1, b);
  s.issue(2, acc, tile_a, tile_b);
  s.issue(3, acc, tile_a, tile_b);
  s.touch(4, acc);
  s.issue(5, acc, tile_a, tile_b);
  s.finish(6);
  const derived d({s});
  CHECK(d.turns_agree);
  CHECK(d.steps[2].wait_in_order);
  CHECK(!d.steps[2].arrive_in_order);
  CHECK(!d.steps[3].wait_in_order);
  CHECK(d.steps[3].arrive_in_order);
  CHECK(d.steps[5].wait_in_order);
  CHECK(d.steps[5].arrive_in_order);
  CHECK(!d.steps[4].arrive_in_order);
  const derived full({s}, 1, 0, true);
  CHECK(full.turns_agree);
  CHECK(full.steps[2].wait_in_order);
  CHECK(!full.steps[2].arrive_in_order);
  CHECK(!full.steps[3].arrive_in_order);
  CHECK(full.steps[4].arrive_in_order);  // behind the wait
  CHECK(full.steps[5].wait_in_order);
  CHECK(full.steps[5].arrive_in_order);  // no touch is behind it
}
TEST_CASE("a full turn that a touch ends in one trip, and in the next nobody has one") {
  story s;
  s.add(event_kind::loop, 3);
  for (const bool multiplied : {true, false}) {
    s.begin_trip(3);
    if (multiplied) s.issue(6, acc, s.load(4, a), s.load(5, b));
    s.touch(7, acc);
  }
  s.leave_loop();
  s.finish(8);
  CHECK(derived({s}).turns_agree);
  CHECK(!derived({s}, 1, 0, true).turns_agree);
}
TEST_CASE("turns that are split where a loop begins: a product before it and one that each trip uses") {
  story s;
  s.issue(2, acc, s.load(0, a), s.load(1, b));
  s.add(event_kind::loop, 3);
  for (int i = 0; i < 3; ++i) {
    s.begin_trip(3);
    const int tile_a = s.load(4, a);
    s.issue(6, acc, tile_a, s.load(5, b));
    s.touch(7, acc);
  }
  s.leave_loop();
  s.finish(8);
  derived d({s});
  CHECK(!d.turns_agree);
  bool seen[max_positions]{};
  CHECK(derive_turns(s.t, d.steps, seen, true));
  for (const int product : {2, 6}) {
    CHECK(d.steps[product].wait_in_order);
    CHECK(d.steps[product].arrive_in_order);
  }
}
TEST_CASE("turns: a product that would begin one only in the first trip") {
  CHECK(derived({gemm(1)}).turns_agree);
  CHECK(!derived({gemm(1), gemm(2)}).turns_agree);
  CHECK(!derived({gemm(2), gemm(1)}).turns_agree);
}

}  // namespace
