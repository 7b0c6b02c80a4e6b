// How a trace is written while a body is read: by the planner, and by the reading of a launch.
#pragma once
#include <sectile/dsl/plan/lives.hpp>
#include <sectile/dsl/plan/trace.hpp>
#include <sectile/dsl/program/reading.hpp>

namespace sectile {

constexpr int last_trips = -1;   // in place of a first trip's number: the last ones of those that the program asks for
constexpr int traced_trips = 2;  // of a loop about which nothing else is said

constexpr int max_nesting = 4;

/// Who is told of every event as it happens (by its number in the trace) and of every new fragment (by its number, the
/// event is -1): a reading at run time, which looks where in the program's text it stands.
struct event_observer {
  void (*call)(void* self, int event, int value) = nullptr;
  void* self = nullptr;
};

/// What a run of a body leaves behind: the trace, and what it takes to write it.
struct trace_log {
  trace log{};
  int loop_end[max_positions]{};
  int depth = 0;  // of open loops; entry 0 is the body outside of loops
  int open_loop[max_nesting]{-1};
  int open_trip[max_nesting]{-1};
  int first_number[max_nesting]{};   // of an open loop's trips
  int turn[max_nesting]{};           // of an open loop: trips begun before this one
  int asked_for[max_nesting]{};      // likewise: trips that the body asks for
  int first_trip = 0;                // see scenario
  float question = 0.125f;           // likewise
  bool asks = false;                 // a function that has captured something, and may write there
  int trips = 0;                     // begun so far, of all loops
  int begun = 0;                     // loops so far
  int loop_number[max_nesting]{};    // of an open loop
  int values_before[max_nesting]{};  // that there were when an open loop began
  int values_begun = 0;
  struct fragments_of_product {
    int loop = 0, value = -1, factor = -1;
  };
  fragments_of_product product_at[max_positions]{};
  loop_table loops{};
  birthplaces born{};
  int behind = 0;  // the last operation but loads and readings of tiles, which may come earlier or later
  int issued_values = 0;
  int issued_value[64]{};
  event_observer observer{};
  fragment_lives* lives = nullptr;  // written if given

  constexpr void limit_by(trace_limit l) {
    if (log.limit == trace_limit::none) log.limit = l;
  }
  /// Whether this is a trip that a short loop does not make.
  constexpr bool is_unasked() const {
    bool unasked = false;
    for (int d = 1; d <= depth; ++d) unasked = unasked || turn[d] >= asked_for[d];
    return unasked;
  }
  constexpr event& record(event_kind kind, int at, int operand = -1, int value = -1) {
    if (at >= max_positions) log.limit = trace_limit::positions;
    if (log.events == max_events) {
      log.limit = trace_limit::events;
      log.events = max_events - 1;
    }
    event& e = log.at[log.events++];
    e.kind = kind;
    e.position = static_cast<std::int16_t>(at);
    e.operand = static_cast<std::int16_t>(operand);
    e.value = static_cast<std::int16_t>(value);
    e.loop = static_cast<std::int16_t>(open_loop[depth]);
    e.trip = static_cast<std::int16_t>(open_trip[depth]);
    e.unasked = is_unasked();
    if (observer.call) observer.call(observer.self, log.events - 1, -1);
    if (lives && kind != event_kind::touch) lives->pass_point();
    return e;
  }

  /// A loop carries more than sums.
  constexpr void note_carried(loop_use use) {
    if (depth > 0 && log.loops_carry == loop_use::sums) log.loops_carry = use;
  }

  // ---- loads
  constexpr event& note_load(int at, int operand, const int* tile, int rank) {
    event& e = record(event_kind::load, at, operand);
    for (int d = 0; d < rank; ++d) e.coordinate[d] = tile[d];
    return e;
  }
  /// What load event `load` has brought is read, into `value`; of a vector that is -1.
  constexpr event& note_read(int at, int operand, int value, int load) {
    event& e = record(event_kind::read, at, operand, value);
    e.a_load = static_cast<std::int16_t>(load);
    return e;
  }

  // ---- products
  constexpr bool was_issued(int value) const {
    for (int i = 0; i < issued_values; ++i)
      if (issued_value[i] == value) return true;
    return false;
  }
  /// The fragments of the product at position `at`. What was there before a loop began is the same in all its trips,
  /// unless the body counts them and chooses.
  constexpr void note_fragments(int at, int value, int factor) {
    if (depth == 0 || at >= max_positions) return;
    fragments_of_product& p = product_at[at];
    const auto chosen = [&](int a, int b) { return a != b && (a < values_before[depth] || b < values_before[depth]); };
    if (p.loop == loop_number[depth] && (chosen(p.value, value) || chosen(p.factor, factor)))
      limit_by(trace_limit::fragment_chosen);
    p = {loop_number[depth], value, factor};
  }
  /// `left`: a fragment, -1 for a tile; loads: those of the factors that are tiles.
  constexpr event& note_product(int at, int accumulator, int left, int left_load, int right_load, bool widened) {
    event& e = record(event_kind::issue, at, -1, accumulator);
    e.a_value = static_cast<std::int16_t>(left);
    e.a_load = static_cast<std::int16_t>(left_load);
    e.b_load = static_cast<std::int16_t>(right_load);
    e.widened = widened;
    note_issued(accumulator);
    if (left >= 0 && !widened) note_issued(left);
    return e;
  }
  constexpr void note_issued(int value) {
    if (was_issued(value)) return;
    if (issued_values == 64)
      log.limit = trace_limit::events;
    else
      issued_value[issued_values++] = value;
  }
  /// A value is used, or given up: an event if a product has had to do with it.
  constexpr void note_touch(int value, int at, int words = 0, bool last = false) {
    if (!was_issued(value)) return;
    if (lives) lives->give_up(value);
    event& e = record(event_kind::touch, at, -1, value);
    e.born = born.of(value);
    e.words = static_cast<std::int16_t>(words);
    e.last = last;
  }
  /// Part `at` of a vector is read.
  constexpr void note_vector(int operand, const int* at, int rank) {
    log.reads_vector[operand] = true;
    if (const int n = log.vector_reads++; n < max_vector_reads) {
      log.vector_read[n].operand = static_cast<std::int8_t>(operand);
      log.vector_read[n].trip = static_cast<std::int16_t>(open_trip[depth]);
      log.vector_read[n].unasked = is_unasked();
      for (int d = 0; d < rank; ++d) log.vector_read[n].coordinate[d] = at[d];
    }
    for (int d = 0; d < rank; ++d)
      if (at[d] != 0) log.vector_steps[operand] = static_cast<std::uint8_t>(log.vector_steps[operand] | 1 << d);
  }
  /// Part `at` of a vector is stored, or combined with what is there. No event: nobody waits for it.
  constexpr void note_written(int operand, const int* at, int rank, bool combines, reduction how) {
    vector_write& w = log.written[operand];
    ++w.times;
    w.in_loop = w.in_loop || depth > 0;
    w.combines = combines;
    w.how = how;
    for (int d = 0; d < rank; ++d) {
      w.coordinate[d] = at[d];
      if (at[d] != 0) log.vector_steps[operand] = static_cast<std::uint8_t>(log.vector_steps[operand] | 1 << d);
    }
  }
  /// A value moves to another place, as a function's result may. Whether it does is the compiler's choice, so a move is
  /// no position of the body and nothing waits at it: no product may be left to wait for.
  constexpr void note_moved(int value) {
    if (is_in_flight(value)) log.limit = trace_limit::moved_in_flight;
  }
  /// A product has had to do with the value since it was last used.
  constexpr bool is_in_flight(int value) const {
    if (!was_issued(value)) return false;
    const event* last = nullptr;
    for (const event& e : log)
      if ((e.kind == event_kind::touch && e.value == value) ||
          (e.kind == event_kind::issue && (e.value == value || e.a_value == value)))
        last = &e;
    return last && last->kind == event_kind::issue;
  }

  // ---- loops
  constexpr int loop_begins(int start, int asked, int least) {
    note_carried(loop_use::inner_loop);
    record(event_kind::loop, start).coordinate[0] = asked;
    if (depth + 1 == max_nesting) {
      log.limit = trace_limit::nesting;
      return 0;
    }
    open_loop[++depth] = start;
    open_trip[depth] = turn[depth] = -1;
    asked_for[depth] = asked;
    first_number[depth] = first_trip;
    loop_number[depth] = ++begun;
    values_before[depth] = values_begun;
    int l = loops.find(start);
    if (l < 0 && loops.count == max_loops) {
      log.limit = trace_limit::loops;
      return 0;
    }
    if (l < 0) {
      l = loops.count++;
      loops.position[l] = start;
      loops.least[l] = least;
      loops.trips[l] = traced_trips;
    }
    if (first_trip == last_trips) first_number[depth] = asked > loops.trips[l] ? asked - loops.trips[l] : 0;
    return loops.trips[l];
  }
  constexpr int number_of(int trip) const { return first_number[depth] + trip; }
  /// A store at `tile`, whose last coordinate counts along the rows.
  constexpr event& note_store(int at, int operand, int value, const int* tile, int rank) {
    event& e = record(event_kind::store, at, operand, value);
    for (int d = 0; d < rank; ++d) e.coordinate[d] = tile[d];
    e.of_trip = depth == 1 && tile[rank - 1] == number_of(turn[depth]);
    return e;
  }
  /// Returns the position behind the loop that began at `start`; `at` is the position that the body has come to.
  constexpr int note_loop_head(int start, int at, bool more) {
    if (open_trip[depth] >= 0) {
      if (loop_end[start] != 0 && loop_end[start] != at) limit_by(trace_limit::trips_differ);
      loop_end[start] = at;
    }
    if (!more && depth > 0) --depth;
    return loop_end[start];
  }
  constexpr void note_trip() {
    open_trip[depth] = trips++;
    ++turn[depth];
    born.begin_trip();
  }

  /// The body has ended at position `at`; it was run for output tile `tile`.
  constexpr void note_end(int at, const tile_coordinates<max_rank>& tile) {
    record(event_kind::finish, at);
    log.positions = at + 1;
    log.left_loop = depth != 0;
    for (int d = 0; d < max_rank; ++d) log.tile[d] = tile.at[d];
  }
};

}  // namespace sectile
