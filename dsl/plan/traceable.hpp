// Proof 1, legality, of what the planner has seen of a body: it can be traced, is the same in every run, and makes no
// product in vain.
#pragma once
#include <sectile/dsl/plan/gather.hpp>
#include <sectile/dsl/plan/outputs.hpp>
#include <sectile/dsl/plan/vector_outputs.hpp>

namespace sectile {

constexpr violation check_chosen_fragment() {
  return refuse(
      rule::program_is_not_traceable,
      "a condition chooses which fragment is used; registers cannot be chosen when the kernel runs: use both, "
      "and choose by mask() or a factor of 0 or 1");
}
/// Functions of the body's own run on the GPU.
constexpr violation check_host_call(const char* what) {
  if (!what) return {};
  return refuse(
      rule::function_is_for_the_host_alone, what,
      " is given a function that is, or calls, one for the host alone, and nvcc would leave that out: declare "
      "it constexpr; if it is __host__ __device__, write host_device(f) for f");
}
/// The body is small enough to be traced, and alike in all trips of a loop.
constexpr violation check_limits(const trace& t) {
  switch (t.limit) {
    case trace_limit::none:
      break;
    case trace_limit::events:
      return refuse(rule::program_is_not_traceable, "the body does too much in a few trips: more than ", max_events,
                    " events, ", max_products, " products or 64 fragments in products");
    case trace_limit::positions:
      return refuse(rule::program_is_not_traceable, "the body's text has more than ", max_positions,
                    " loads, products, uses and stores");
    case trace_limit::loops:
      return refuse(rule::program_is_not_traceable, "the body has more than ", max_loops, " pipelined loops");
    case trace_limit::nesting:
      return refuse(rule::program_is_not_traceable, "the body nests pipelined loops deeper than ", max_nesting - 1);
    case trace_limit::moved_in_flight:
      return refuse(rule::program_is_not_traceable,
                    "the body moves a fragment while a product on it is in flight, as `return acc;` may; return "
                    "sm.accumulator(a * b) itself, or what is computed of acc, or let the function take auto& acc");
    case trace_limit::trips_differ:
      return refuse(rule::program_is_not_traceable,
                    "the body does different things in different trips of a loop: no load, product, use or store may "
                    "depend on what it counts itself; use mask() or a loop of 0 or 1 trips");
    case trace_limit::fragment_chosen:
      return check_chosen_fragment();
    case trace_limit::changed_copy:
      return refuse(rule::program_is_not_traceable,
                    "the body changes a copy of a fragment, which nothing uses afterwards: a function that changes its "
                    "argument takes it by reference, auto& acc");
  }
  return {};
}

/// A tile that the text numbers is one that a tensor may have.
constexpr violation check_numbered(const plan& p, const tile_nowhere& t) {
  if (t.operand < 0) return {};
  const operand_facts& f = p.operand[t.operand].facts;
  return refuse(rule::program_is_not_traceable, "operand ", f.name, " is loaded at tile ", t.number, " of mode ",
                f.mode_name[t.mode],
                t.number < 0 ? "; tiles are numbered from 0"
                             : ", which no tensor has: a coordinate counts tiles, and not elements");
}
/// A tile is along its operand's modes, or, where it is a factor, along those that its coordinates count.
constexpr violation check_primes(const plan& p, const tile_of_other_prime& t) {
  if (t.operand < 0) return {};
  const char* name = p.operand[t.operand].facts.name;
  const mode_text counted = text_of(t.counted), taken = text_of(t.taken);
  if (t.in_registers)
    return refuse(rule::values_are_along_other_modes, "operand ", name, ": a tile at a coordinate along ", counted.text,
                  " comes into registers, where it would be along ", taken.text, " and meet what is so; declare ", name,
                  " a second time, along ", counted.text, " and in the same memory; where ", taken.text,
                  " is meant: as<\"", taken.text, "\">(x)");
  return refuse(rule::values_are_along_other_modes, "acc += a * b: the accumulator is along ", taken.text,
                " where the product has a tile of ", name, " at a coordinate along ", counted.text,
                "; are the factors, or their coordinates, in another order? Where ", taken.text, " is meant: as<\"",
                taken.text, "\">(x)");
}
/// What a product sums over is one stretch of a mode.
constexpr violation check_summed(const plan& p, const tiles_apart& t) {
  if (t.a < 0) return {};
  const operand_facts &a = p.operand[t.a].facts, &b = p.operand[t.b].facts;
  const mode_text mode = text_of(t.summed);
  return refuse(rule::program_is_not_traceable, "a * b sums over ", mode.text, ", but a is tile ", t.a_at, " of ",
                a.name, " along ", mode.text, " and b tile ", t.b_at, " of ", b.name,
                ": load both at one coordinate; where one is to begin elsewhere in memory, pass the launch a view that "
                "begins there");
}

/// What becomes of the result of the product that is event i.
enum class end_of_sums { used, given_up, overwritten };
constexpr end_of_sums end_of_product(const trace& t, int i) {
  for (int j = i + 1; j < t.events; ++j) {
    const event& e = t.at[j];
    if (e.kind == event_kind::issue && e.a_value == t.at[i].value) return end_of_sums::used;  // as a left factor
    if (e.value != t.at[i].value) continue;
    if (e.kind == event_kind::issue) return e.begins ? end_of_sums::overwritten : end_of_sums::used;
    if (e.kind == event_kind::touch && e.last) return end_of_sums::given_up;
    if (e.kind == event_kind::touch || e.kind == event_kind::store) return end_of_sums::used;
  }
  return end_of_sums::used;  // the run was too long to be kept, which is refused for that
}
/// No product is made in vain: each result is used before another product takes its place, and those of one place of
/// the text in some trip at least. (In the last trip, what was made ahead may be left over.)
constexpr violation check_results(const trace& t) {
  bool made[max_positions]{}, used[max_positions]{};
  for (int i = 0; i < t.events; ++i) {
    const event& e = t.at[i];
    if (e.kind != event_kind::issue || e.position >= max_positions) continue;
    const end_of_sums end = end_of_product(t, i);
    if (end == end_of_sums::overwritten)
      return refuse(
          rule::program_is_not_traceable,
          "acc = a * b overwrites what a product has left in acc, and nothing has used it; acc += a * b adds");
    made[e.position] = true;
    used[e.position] = used[e.position] || end == end_of_sums::used;
  }
  for (int at = 0; at < max_positions; ++at)
    if (made[at] && !used[at])
      return refuse(
          rule::program_is_not_traceable,
          "a product's accumulator goes out of scope and nothing has used it; declare it before the loop, and "
          "store() it or compute with it");
  return {};
}

/// What the planner saw can be planned at all.
constexpr violation check_trace(const plan& p, const trace& t) {
  if (const violation v = check_limits(t); !v.holds()) return v;
  if (t.left_loop)
    return refuse(rule::program_is_not_traceable,
                  "the body leaves a pipelined loop early (break): every trip must run to its end");
  if (t.meaningless) return refuse(rule::values_do_not_combine, t.meaningless);
  if (const violation v = check_numbered(p, t.nowhere); !v.holds()) return v;
  if (const violation v = check_primes(p, t.other_prime); !v.holds()) return v;
  if (const violation v = check_summed(p, t.apart); !v.holds()) return v;
  if (const violation v = check_store(p, t); !v.holds()) return v;
  if (const violation v = check_vector_writes(p, t); !v.holds()) return v;
  for (int o = 0; o < p.operands; ++o) {
    bool loaded = !p.operand[o].facts.is_read() || t.reads_vector[o] || p.operand[o].facts.cuts[0] || picks_rows(p, o);
    for (const event& e : t) loaded = loaded || (e.kind == event_kind::load && e.operand == o);
    if (!loaded)
      return refuse(rule::program_is_not_traceable, "operand ", p.operand[o].facts.name,
                    " is an input that the body never loads; load it, or take it out of the operands");
  }
  for (int i = 0; i < t.events; ++i) {
    if (t.at[i].kind != event_kind::load) continue;
    bool read = false;
    for (int j = i; j < t.events; ++j) read = read || t.at[j].a_load == i || t.at[j].b_load == i;
    if (const operand_facts& f = p.operand[t.at[i].operand].facts; !read)
      return refuse(rule::program_is_not_traceable, "operand ", f.name,
                    f.is_vector() ? " is loaded but nothing is computed with what one of its loads brings"
                                  : " is loaded but no product reads it");
  }
  for (const event& e : t)
    if (e.kind == event_kind::issue && e.a_value == e.value)
      return refuse(rule::program_is_not_traceable,
                    "a product reads its own accumulator as left factor; copy the fragment first");
  return check_results(t);
}

/// Two runs of one event take the same tiles and the same fragments: its waits and releases stand for these.
constexpr violation check_same_factors(const plan& p, const trace& base, const event& x, const event& y) {
  const bool a = x.a_load != y.a_load;
  if (a || x.b_load != y.b_load) {
    const char* name = p.operand[base.at[a ? x.a_load : x.b_load].operand].facts.name;
    return refuse(rule::program_is_not_traceable, "operand ", name,
                  ": a condition chooses which loaded tile is read; a tile is what one load brought: choose the "
                  "coordinates, as in sm.load(",
                  name, ", {c ? i : j, ..})");
  }
  if (x.value == y.value && x.a_value == y.a_value) return {};
  return check_chosen_fragment();
}

/// Every run does the same as run `base` with as many trips: nothing that loads, multiplies, uses or stores stands
/// under a run-time `if`.
constexpr violation check_same_text(const plan& p, const trace& base, const trace& t) {
  bool same = t.positions == base.positions && t.events == base.events && check_limits(t).holds() && !t.left_loop;
  for (int i = 0; same && i < t.events; ++i) {
    const event &x = base.at[i], &y = t.at[i];
    same = x.kind == y.kind && x.position == y.position && x.operand == y.operand;
    if (!same) break;
    if (const violation v = check_same_factors(p, base, x, y); !v.holds()) return v;
  }
  if (const violation v = same ? check_store(p, t) : violation{}; !v.holds()) return v;
  if (same) return check_vector_writes(p, t);
  return refuse(rule::program_is_not_traceable,
                "the body does different things in different runs or trips: loads, products, uses and stores must not "
                "stand under a run-time if (",
                p.products.count, p.products.count == 1 ? " product was" : " products were",
                " seen); use mask() or a loop of 0 or 1 trips");
}

}  // namespace sectile
