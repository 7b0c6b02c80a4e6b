// What a body did when the planner read it: a flat list of the events that matter for time.
//
// Positions. Every event has a program position: the number of events before it in the text of the body, where a loop's
// body counts once. All readings count alike, so a position found by the planner names the same place in the producer
// and in the consumer. (This is why a body must not put loads, products or first uses under a run-time `if`.)
#pragma once
#include <cstdint>

#include <sectile/dsl/program/operand.hpp>
#include <sectile/dsl/program/reduction.hpp>

namespace sectile {

enum class event_kind : std::uint8_t { load, read, issue, touch, store, loop, finish };

constexpr int max_positions = 112;  // events in the text of one body
constexpr int max_events = 384;    // events of one traced run
constexpr int max_rings = 4;
constexpr int max_loops = 4;       // in the text of one body

/// The loops of a body in the order of the text, and how many trips each makes in a run. The planner decides that
/// number itself: which trip counts follow which sizes is a program's secret, so all combinations of few trips are
/// traced.
struct loop_table {
  int count = 0;
  int position[max_loops]{};
  int least[max_loops]{};  // 1 for a loop over all tiles of a mode
  int trips[max_loops]{};

  constexpr int find(int at) const {
    for (int i = 0; i < count; ++i)
      if (position[i] == at) return i;
    return -1;
  }
};

struct event {
  event_kind kind = event_kind::finish;
  std::int16_t position = 0;
  std::int16_t trip = -1;       // serial number of the innermost loop's trip, -1 outside
  std::int16_t loop = -1;       // position of the innermost loop
  std::int16_t operand = -1;    // load, store; read: of the tile
  std::int16_t value = -1;      // issue: accumulator; touch, store: fragment; read: the fragment that is filled
  std::int16_t born = -1;    // touch, store: where the fragment came into being, see birthplaces
  std::int16_t words = 0;    // touch, store: of the fragment, in a thread
  std::int16_t a_load = -1;  // issue: index of the load event that brought A, -1 if A is a fragment; read: of the tile
  std::int16_t a_value = -1;    // issue: the fragment that is A, see takes_a()
  std::int16_t a_source = -1;   // issue: a_load, or the load whose tile in_registers() has brought into a_value
  std::int16_t b_load = -1;     // issue: index of the load event that brought B, -1 if B is a fragment
  std::int16_t b_value = -1;    // issue: the fragment that is B, which is written to shared memory
  bool merges = false;          // touch: what parts of a tile have becomes one; coordinate[0]: the position behind that
  bool of_trip = false;         // store: its last coordinate is the trip's number of the one loop that is open
  bool sparse = false;          // issue: A is
  bool widened = false;         // issue: A is made of narrower elements, a_value, as the product goes on
  bool begins = false;          // issue: it overwrites the accumulator
  bool last = false;            // touch: nothing is done with the fragment, it is given up
  bool unasked = false;         // in a trip that a short loop does not make
  std::uint8_t constants = 0;   // load: those that it has, a bit each
  std::int16_t family = -1;     // issue: row of the instruction table
  std::int32_t coordinate[5]{};  // load, store: tile coordinates; loop: [0] is the number of trips asked for

  /// issue: whether A is a fragment.
  constexpr bool takes_a() const { return a_value >= 0; }
  /// issue: whether B is one.
  constexpr bool places_b() const { return b_value >= 0; }
};

/// A tile that the body's text numbers, and that no tensor has.
struct tile_nowhere {
  std::int8_t operand = -1;  // -1: there is none
  std::int8_t mode = 0;
  std::int32_t number = 0;
};

/// A tile of X(M,K) that is loaded at a coordinate along M', used where it would be taken for one along M.
struct tile_of_other_prime {
  std::int8_t operand = -1;  // -1: there is none
  bool in_registers = false;
  mode_id counted = mode_id::any, taken = mode_id::any;
};

/// A product of tiles that lie at two places along the mode that it sums over.
struct tiles_apart {
  std::int8_t a = -1, b = -1;  // operands; -1: there is none
  mode_id summed = mode_id::any;
  std::int32_t a_at = 0, b_at = 0;
};

/// A part of a vector that a run reads in memory. No event, as nobody waits for it.
struct part_in_memory {
  std::int8_t operand = -1;
  std::int16_t trip = -1;  // as of an event
  bool unasked = false;    // likewise
  std::int32_t coordinate[5]{};
};
inline constexpr int max_vector_reads = 32;

/// What a run does to a vector that it writes.
struct vector_write {
  std::int16_t times = 0;
  bool in_loop = false;
  bool combines = false;            // with what is in memory
  reduction how = reduction::none;  // in which way
  int added_again = 0;              // rows that have one number, which is added for each
  bool adds_lines = false;          // numbers of whole rows or columns are added to what is there
  std::int32_t coordinate[5]{};     // of the last time
};

/// Why a body cannot be traced.
enum class trace_limit : std::uint8_t {
  none,
  events,
  positions,
  loops,
  nesting,
  moved_in_flight,
  trips_differ,
  fragment_chosen,
  changed_copy
};

/// What is wrong with how a body puts together what parts of a tile have made, by sm.merge(f, x ..): the first thing
/// that was found.
enum class merge_flaw : std::uint8_t { none, stored_before, in_a_loop, does_more, left_out, merged_again, lost };

/// What the loops of a body carry from trip to trip: sums alone, or the first thing that was found besides.
enum class loop_use : std::uint8_t { sums, inner_loop, older_trip, reduction, store, older_fragment, begun_sums };

struct trace {
  int events = 0;
  int positions = 0;
  trace_limit limit = trace_limit::none;
  int tile[5]{};  // the coordinates that tile_of() gave
  bool left_loop = false;   // by a break
  bool uses_fresh = false;  // an accumulator before any product reached it
  std::uint64_t numbers = 14695981039346656037u;  // that the body computes with, as a hash (FNV-1a)
  const char* host_call = nullptr;  // what was given a function that is for the host alone
  const char* meaningless = nullptr;  // the sentence about what is computed of values that say nothing
  loop_use loops_carry = loop_use::sums;
  bool shares = false;  // the body asks which trips are its own
  merge_flaw flaw = merge_flaw::none;
  int flaw_of = 0;  // lost: which of the values
  bool reads_vector[max_operands]{};
  int vector_reads = 0;  // the first of which are kept
  part_in_memory vector_read[max_vector_reads]{};
  std::uint8_t vector_steps[max_operands]{};  // modes along which they are read or written behind the first tile
  vector_write written[max_operands]{};
  tile_nowhere nowhere{};    // one of those that are loaded,
  tile_nowhere elsewhere{};  // and one that is not in the column of the work's tile
  tile_of_other_prime other_prime{};  // one of those
  tiles_apart apart{};                // likewise
  event at[max_events]{};

  constexpr const event* begin() const { return at; }
  constexpr const event* end() const { return at + events; }
};

}  // namespace sectile
