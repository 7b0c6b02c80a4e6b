// Waits, fences and releases, derived from traces.
//
// A product is asynchronous: wgmma reads its operands and writes its accumulator until a wait_group covers it. From a
// trace it is known at each use which products must be complete and which may still run, when a stage has been read for
// the last time, and where registers were touched between products. Two rules make the waits:
//
//   use    Before ordinary instructions touch a fragment, wait until the last product that reads or writes it is
//          complete; products issued later stay in flight.
//   drain  A product that nothing uses inside its loop would never be waited for, and its stages never come back. So
//          when a trip has issued its first product, everything issued by earlier trips is waited for: one trip's
//          products run while the next trip's are being issued.
//
//   roles  Before a product reads a fragment as A that an earlier product computes, or overwrites one that an earlier
//          product reads, and before products of another kind go on with the same accumulator, wait for the earlier
//          one: the hardware keeps only products of one kind on one accumulator in order.
//   metadata  All sparse products take their metadata from the same registers, and the tensor cores read these while
//          they work. So before a sparse product the one before it must be complete.
//   placed  Left factors that are written to shared memory all lie in the same place. So before one is written, the
//          product that reads the one before must be complete. It is written once for products that follow each other:
//          one of them runs while the next is issued. Nor does such a product run into the next trip (as none does
//          whose left factor wgmma takes from registers of the trip): ptxas would serialise all of the loop's.
//   widening  Products that make their left factor of narrower elements all put it into the same registers. In one
//          part such a product is waited for at once. In two (see widening.hpp) a wait for all groups but the last
//          follows each part, and so for all products before.
//
// Every number is the strictest over all traced trips, so that one number per position serves first, middle and last
// trips: waiting for more, or keeping more stages, is always safe.
#pragma once
#include <sectile/dsl/plan/widening.hpp>

namespace sectile {

/// Walks a trace with a counter of issued and of completed products.
struct product_clock {
  int issued = 0;
  int complete = 0;  // the oldest so many are known to be complete
  constexpr bool wait(int in_flight) {
    const int covered = issued - in_flight;
    if (covered <= complete) return false;
    complete = covered;
    return true;
  }
};

constexpr void tighten(std::int8_t& bound, int value) {
  if (bound < 0 || value < bound) bound = static_cast<std::int8_t>(value);
}
constexpr void loosen(std::int8_t& bound, int value) {
  if (value > bound) bound = static_cast<std::int8_t>(value);
}

/// The number (1-based, in order of issue) of the last product before event `before` that reads or writes `value`.
constexpr int last_product_on(const trace& t, int before, int value) {
  int number = 0, last = 0;
  for (int i = 0; i < before; ++i) {
    if (t.at[i].kind != event_kind::issue) continue;
    ++number;
    if (t.at[i].value == value || t.at[i].a_value == value) last = number;
  }
  return last;
}

/// Whether two products are of one kind: the hardware keeps such products on one accumulator in order.
constexpr bool same_kind(const event& x, const event& y) { return x.family == y.family && x.sparse == y.sparse; }

/// Whether product `now` finds its left factor written: by one that stands right before it in its trip. Between the two
/// is the use of the factor for this one, and nothing that could change it.
constexpr bool finds_factor(const trace& t, int now) {
  if (now == 0 || !t.at[now].places_b()) return false;
  const event &e = t.at[now], &before = t.at[now - 1];
  return before.b_value == e.b_value && before.trip == e.trip && before.position + 2 == e.position;
}
/// Whether the next product finds the one that was written for product `now`.
constexpr bool leaves_factor(const trace& t, int now) { return now + 1 < t.events && finds_factor(t, now + 1); }

/// The number of the last product before product `now` that must be complete before that one is issued, 0 if none must.
constexpr int product_to_wait_for(const trace& t, int now) {
  const event& e = t.at[now];
  int number = 0, last = 0;
  for (int i = 0; i < now; ++i) {
    const event& before = t.at[i];
    if (before.kind != event_kind::issue) continue;
    ++number;
    const bool other_kind = before.value == e.value && !same_kind(before, e);
    const bool reads_result = e.takes_a() && before.value == e.a_value;
    const bool overwrites_operand = before.takes_a() && before.a_value == e.value;
    const bool overwrites_placed = before.places_b() && e.places_b() && !finds_factor(t, now);
    if (other_kind || reads_result || overwrites_operand || (before.sparse && e.sparse) || overwrites_placed)
      last = number;
  }
  return last;
}

/// Whether product `now` of a loop has sums that ordinary instructions use later in its trip.
constexpr bool is_used_in_its_trip(const trace& t, int now) {
  for (int i = now + 1; i < t.events && t.at[i].trip == t.at[now].trip; ++i)
    if (t.at[i].kind == event_kind::touch && t.at[i].value == t.at[now].value) return true;
  return false;
}

/// Adds to `steps` what trace t asks for: waits and fences. `parts`: see plan_widening().
constexpr void derive_waits(const trace& t, step (&steps)[max_positions], int parts = 0) {
  product_clock clock{};
  int older_trips = 0;  // products issued before the current trip's first
  int current_trip = -1;
  const auto wait_for = [&](int product, step& s) {
    if (product <= clock.complete) return;
    tighten(s.wait, clock.issued - product);
    clock.wait(clock.issued - product);
  };
  for (int i = 0; i < t.events; ++i) {
    const event& e = t.at[i];
    step& s = steps[e.position];
    s.kind = e.kind;
    if (e.kind == event_kind::load || e.kind == event_kind::read) s.operand = static_cast<std::int8_t>(e.operand);
    const bool first = !s.seen;
    if (s.seen && s.born != e.born) s.born = -1;
    if (!s.seen) s.born = e.born;
    s.seen = true;
    switch (e.kind) {
      case event_kind::touch:
      case event_kind::store: {
        for (int j = i - 1; j >= 0; --j) {
          if (t.at[j].value != e.value && t.at[j].a_value != e.value) continue;
          s.settle = s.settle || t.at[j].kind == event_kind::issue;
          break;
        }
        wait_for(last_product_on(t, i, e.value), s);
        break;
      }
      case event_kind::issue: {
        bool touched = true;  // since the last product on the same sums
        for (int j = i - 1; j >= 0; --j) {
          if (t.at[j].value != e.value) continue;
          touched = t.at[j].kind != event_kind::issue || !same_kind(t.at[j], e);
          break;
        }
        s.fence = s.fence || touched || e.takes_a() || e.sparse;
        wait_for(product_to_wait_for(t, i), s);
        if (finds_factor(t, i) != s.in_place) s.in_place = first && !s.in_place;
        if (e.widened) {
          const int in_flight = parts > 1 ? 1 : 0;
          tighten(s.wait_after, in_flight);
          ++clock.issued;
          clock.wait(in_flight);
          break;
        }
        if (e.places_b() && e.trip >= 0 && !is_used_in_its_trip(t, i)) {
          const bool runs_on = leaves_factor(t, i);
          if (!runs_on || finds_factor(t, i)) tighten(s.wait_after, runs_on ? 1 : 0);
          ++clock.issued;
          if (s.wait_after >= 0) clock.wait(s.wait_after);
          break;
        }
        if (e.trip >= 0 && e.trip != current_trip) {
          older_trips = clock.issued;
          current_trip = e.trip;
          if (older_trips > clock.complete) {
            tighten(s.wait_after, 1);
            ++clock.issued;
            clock.wait(1);
            break;
          }
        }
        ++clock.issued;
        break;
      }
      case event_kind::finish:
        s.wait = 0;
        clock.wait(0);
        break;
      case event_kind::read:
      case event_kind::load:
      case event_kind::loop:
        break;
    }
  }
}

/// The number of the last product that reads load event `load`, 0 if none does.
constexpr int last_reader_of(const trace& t, int load) {
  int number = 0, last = 0;
  for (const event& e : t) {
    if (e.kind != event_kind::issue) continue;
    ++number;
    if (e.a_load == load || e.b_load == load) last = number;
  }
  return last;
}

/// A stage of a ring, by its number in order of loading.
struct filled_stage {
  int ring = 0, number = 0;
  friend constexpr bool operator==(const filled_stage&, const filled_stage&) = default;
};
/// The stage that load event `load` fills, or a part of it.
constexpr filled_stage stage_of(const trace& t, const plan& p, int load) {
  const auto ring_of = [&](int i) { return p.operand[t.at[i].operand].ring; };
  const int ring = ring_of(load);
  int before = 0;
  for (int i = 0; i < load; ++i) before += t.at[i].kind == event_kind::load && ring_of(i) == ring;
  return {ring, before / p.ring[ring].members};
}

/// A stage is released at event `now`, so that TMA writes where ordinary loads have read: that takes a fence behind
/// them, unless a product has taken what they brought and is complete.
constexpr void fence_reads(const trace& t, int now, filled_stage released, int complete, const plan& p,
                           step (&steps)[max_positions]) {
  for (int i = 0; i <= now; ++i) {
    const event& e = t.at[i];
    if (e.kind != event_kind::read || stage_of(t, p, e.a_load) != released) continue;
    int number = 0;
    bool taken = false;
    for (int j = 0; j < now && !taken; ++j) {
      number += t.at[j].kind == event_kind::issue;
      taken = t.at[j].kind == event_kind::issue && t.at[j].takes_a() && t.at[j].a_value == e.value;
    }
    if (!taken || number > complete) steps[e.position].fence = true;
  }
}

/// Adds to `steps` which stages can be released where, with all waits in place: at the wait behind the last product
/// that reads a stage, or where its tile has been brought into registers, whichever comes later.
constexpr void derive_releases(const trace& t, const plan& p, step (&steps)[max_positions]) {
  product_clock clock{};
  int last_reader[max_rings][max_events]{};  // products, per stage in order of loading
  int last_read[max_rings][max_events]{};    // events that bring the stage into registers
  int loads[max_rings]{}, released[max_rings]{};
  for (int i = 0; i < t.events; ++i) {
    const event& e = t.at[i];
    step& s = steps[e.position];
    if (e.kind == event_kind::load) {
      const int r = p.operand[e.operand].ring, stage = loads[r]++ / p.ring[r].members;
      const int reader = last_reader_of(t, i);
      int& last = last_reader[r][stage];
      if (reader > last) last = reader;
      for (int j = i; j < t.events; ++j)
        if (t.at[j].kind == event_kind::read && t.at[j].a_load == i && j > last_read[r][stage]) last_read[r][stage] = j;
    }
    bool waited = false;
    if (s.wait >= 0) waited = clock.wait(s.wait) || waited;
    if (e.kind == event_kind::issue) {
      ++clock.issued;
      if (s.wait_after >= 0) waited = clock.wait(s.wait_after) || waited;
    }
    // A read is over for all warps when it is over for one: they meet behind it.
    if (!waited && e.kind != event_kind::read && e.kind != event_kind::finish) continue;
    for (int r = 0; r < p.rings; ++r) {
      if (p.ring[r].resident) continue;
      const bool last_chance = e.kind == event_kind::finish;
      const int members = p.ring[r].members, whole = loads[r] / members, begun = (loads[r] + members - 1) / members;
      while (released[r] < whole &&
             (last_chance || (last_reader[r][released[r]] <= clock.complete && last_read[r][released[r]] <= i))) {
        fence_reads(t, i, {r, released[r]}, clock.complete, p, steps);
        ++released[r];
      }
      loosen(s.keep[r], begun - released[r]);
    }
  }
}

/// The read that follows that of a vector, event `i` in trace t, if it is of the same stage; -1: it is not. Warps need
/// neither fence nor meet between the two, as the stage is released behind both.
constexpr int read_joined_to(const trace& t, const plan& p, int i) {
  const int load = t.at[i].a_load;
  int next = i + 1;
  while (next < t.events && t.at[next].kind != event_kind::read) ++next;
  if (!p.operand[t.at[load].operand].facts.is_vector() || next == t.events) return -1;
  return stage_of(t, p, load) == stage_of(t, p, t.at[next].a_load) ? next : -1;
}
/// Notes the reads behind which warps meet, those that some trace joins to no other; and moves the others' fences.
constexpr void mark_meetings(const trace& t, const plan& p, step (&steps)[max_positions]) {
  for (int i = 0; i < t.events; ++i)
    if (t.at[i].kind == event_kind::read && read_joined_to(t, p, i) < 0) steps[t.at[i].position].meets = true;
}
constexpr void move_fences(const trace& t, const plan& p, step (&steps)[max_positions]) {
  for (int i = 0; i < t.events; ++i)
    if (const step& s = steps[t.at[i].position]; s.joined() && s.fence)
      steps[t.at[read_joined_to(t, p, i)].position].fence = true;
}

/// Counts how many stages the entries of `keep` release at most; an entry that never gives any back is idle.
constexpr void count_releases(const trace& t, const plan& p, step (&steps)[max_positions]) {
  int held[max_rings]{}, loads[max_rings]{};
  for (const event& e : t) {
    if (e.kind == event_kind::load) {
      const int r = p.operand[e.operand].ring;
      if (loads[r]++ % p.ring[r].members == 0) ++held[r];
    }
    for (int r = 0; r < p.rings; ++r) {
      step& s = steps[e.position];
      if (p.ring[r].resident || s.keep[r] < 0 || held[r] <= s.keep[r]) continue;
      loosen(s.release[r], held[r] - s.keep[r]);
      held[r] = s.keep[r];
    }
  }
}

/// Where consumers have tiles of their own, marks where one lets the next begin: behind the last load, and the loop
/// that it stands in, where the results are used or stored; or at the end of the body. Without products nothing but
/// loads takes turns: then it is where the last tile comes into registers. (What is resident has one phase, for which
/// nobody can come too early.)
constexpr void mark_end_of_turn(plan& p) {
  const auto brings = [&](int i) {
    const step& s = p.steps[i];
    return s.kind == event_kind::issue ||
           (s.kind == event_kind::load && !p.ring[p.operand[s.operand].ring].resident);
  };
  int at = 0;
  for (int i = 0; i < p.finish_position; ++i) {
    const int end = p.steps[i].kind == event_kind::loop ? p.steps[i].loop_end : i + 1;
    for (int inside = i; inside < end; ++inside)
      if (brings(inside) && end > at) at = end;
  }
  const auto uses = [&](int i) {
    const event_kind kind = p.steps[i].kind;
    return kind == event_kind::touch || kind == event_kind::store ||
           (kind == event_kind::read && p.products.count == 0);
  };
  while (at < p.finish_position && !uses(at)) at = p.steps[at].kind == event_kind::loop ? p.steps[at].loop_end : at + 1;
  p.steps[at].arrive_in_order = true;
}

/// Marks where consumers take and pass their turn at the tensor cores: around each run of products with no wait inside,
/// and, if asked to, no begin or end of a loop. A full turn that a touch ends is passed behind the touch's wait.
/// Returns false if a position would need both answers, in this trace or in one seen before.
constexpr bool derive_turns(const trace& t, step (&steps)[max_positions], bool (&seen)[max_positions],
                            bool split_at_loops = false, bool full_turns = false) {
  const auto breaks_turn = [&](int i) {  // a wait ends the run of products; so does the end of the body
    return i == t.events || (t.at[i].kind != event_kind::issue && steps[t.at[i].position].wait >= 0);
  };
  const auto passes_later = [&](int i) { return full_turns && i < t.events && t.at[i].kind == event_kind::touch; };
  bool mine = false, consistent = true;
  int loop = -1;  // of the last product
  for (int i = 0; i < t.events; ++i) {
    if (breaks_turn(i)) {
      const int here = t.at[i].position;
      if (passes_later(i)) {
        if (seen[here] && steps[here].arrive_in_order != mine) consistent = false;
        steps[here].arrive_in_order = mine;
        seen[here] = true;
      }
      mine = false;
    }
    if (t.at[i].kind != event_kind::issue) continue;
    int next = i + 1;
    while (!breaks_turn(next) && t.at[next].kind != event_kind::issue) ++next;
    const bool enters = split_at_loops && t.at[i].loop != loop;
    const bool leaves = split_at_loops && !breaks_turn(next) && t.at[next].loop != t.at[i].loop;
    const int here = t.at[i].position;
    step& s = steps[here];
    const bool waits = s.wait_after == 0;  // for itself: it makes the next one's left factor first
    const bool take = !mine || enters, pass = (breaks_turn(next) && !passes_later(next)) || leaves || waits;
    loop = t.at[i].loop;
    if (seen[here] && (s.wait_in_order != take || s.arrive_in_order != pass)) consistent = false;
    s.wait_in_order = take;
    s.arrive_in_order = pass;
    seen[here] = true;
    mine = !waits;
  }
  return consistent;
}

}  // namespace sectile
