// The planner has tried a body on a few sizes, tiles and scalars. That every run passes the same operations is a matter
// of types (program/staged.hpp), but these do not say which numbers come out: which tiles are loaded and stored, how
// often a loop turns. A launch reads the body again for its own sizes and scalars and looks whether the CTAs of a
// cluster agree about what they share, whether the tile that is stored is the CTA's own, and whether anybody could mean
// so many trips. (It also finds what asks the compiler whether this is constant evaluation, and acts otherwise then.)
//
// A program has such a reading for each kernel, so it writes down nothing itself: it calls functions that are compiled
// once.
#pragma once
#include <sectile/dsl/plan/planner.hpp>
#include <sectile/dsl/roles/arguments.hpp>

namespace sectile {

/// The writing: each adds to the trace of a run what has happened at position `at` of the body.
namespace path {

int note_load(trace_log& log, int at, int operand, const int* tile, int rank);  // the load's number in the trace
void note_vector(trace_log& log, int operand, const int* tile, int rank);
void note_read(trace_log& log, int at, int operand, int value, int load);
/// `left`: a fragment, -1 for a tile; loads: those of the factors that are tiles.
void note_product(trace_log& log, int at, int accumulator, int left, int left_load, int right_load,
                  bool widened);
void note_touch(trace_log& log, int at, int value);
void note_moved(trace_log& log, int value);
void note_store(trace_log& log, int at, int operand, int value, const int* tile, int rank);
void note_written(trace_log& log, int operand, const int* tile, int rank, bool combines, reduction how);
int loop_begins(trace_log& log, int start, int asked, int least);
int loop_head(trace_log& log, int start, int at, bool more);
void trip_begins(trace_log& log);
int number_of(const trace_log& log, int trip);
void note_end(trace_log& log, int at, const tile_coordinates<max_rank>& tile);

}  // namespace path

template <class K>
struct path_reading : reading_base<path_reading<K>, K> {
  static constexpr bool computes = false, clears_accumulators = false;
  struct slot {
    int load;
  };
  struct nothing {};
  template <class T, int N>
  using registers = nothing;  // fragments are empty here

  trace_log& log;
  constexpr explicit path_reading(trace_log& l) : log(l) {}

  int loop_begins(int start, int asked, int least) { return path::loop_begins(log, start, asked, least); }
  void loop_head(int start, bool more) { this->position = path::loop_head(log, start, this->position, more); }
  void trip_begins(int start, int) {
    this->position = start + 1;
    path::trip_begins(log);
  }
  int number_of(int trip) const { return path::number_of(log, trip); }

  template <int I>
  constexpr loaded_tile<path_reading, I> load(const operand_handle<K, I>&, const tile_at<K, I>& at) {
    return {this, {path::note_load(log, this->position++, I, at.at, operand_handle<K, I>::rank)}};
  }
  template <int I>
  requires is_vector<K, I>
  constexpr loaded_vector<path_reading, I> load(const operand_handle<K, I>&, const tile_at<K, I>& at) {
    if constexpr (is_vector_with_tiles<K, I>) {
      return {this, {}, {path::note_load(log, this->position++, I, at.at, operand_handle<K, I>::rank)}};
    } else {
      path::note_vector(log, I, at.at, operand_handle<K, I>::rank);
      return {this};
    }
  }
  template <int I>
  constexpr void end_reading(const loaded_vector<path_reading, I>& v) {
    path::note_read(log, this->position++, I, -1, v.slot.load);
  }
  template <bool Transposed, int I>
  constexpr auto read_fragment(const loaded_tile<path_reading, I>& t) {
    tile_fragment<Transposed, loaded_tile<path_reading, I>> x(*this);
    x.fresh = false;
    path::note_read(log, this->position++, I, x.id, t.slot.load);
    return x;
  }
  template <product_form Form, class Acc, class A, class B>
  constexpr void issue(Acc& acc, const A& a, const B& b) {
    int left = -1, left_load = -1, right_load = -1;
    if constexpr (is_tile<A>::value)
      left_load = a.slot.load;
    else
      left = a.id;
    if constexpr (is_tile<B>::value) right_load = b.slot.load;
    path::note_product(log, this->position++, acc.id, left, left_load, right_load, is_widened<A>);
  }
  constexpr void touch(auto& x) { path::note_touch(log, this->position++, x.id); }
  constexpr void give_up(auto& x) { path::note_touch(log, this->position++, x.id); }
  constexpr void moved(auto& x) { path::note_moved(log, x.id); }
  template <int I, class Fragment>
  constexpr void store(const operand_handle<K, I>&, const tile_at<K, I>& at, const Fragment& x) {
    path::note_store(log, this->position++, I, x.id, at.at, operand_handle<K, I>::rank);
  }
  template <int I, class Rows>
  requires is_vector_output<K, I>
  constexpr void store(const operand_handle<K, I>&, const tile_at<K, I>& at, const Rows&) {
    path::note_written(log, I, at.at, operand_handle<K, I>::rank, false, reduction::none);
  }
  template <int I, class X>
  constexpr void combine(const operand_handle<K, I>&, const tile_at<K, I>& at, const X& x, reduction how) {
    touch_value(x);
    path::note_written(log, I, at.at, operand_handle<K, I>::rank, true, how);
  }
  void finish() { path::note_end(log, this->position, this->tile); }
};

/// Runs the body of K for `arguments`, a body_arguments<K>, and one output tile.
template <class K>
[[gnu::cold]] void read_path(trace_log& log, const void* arguments, const tile_coordinates<max_rank>& tile) {
  path_reading<K> sm(log);
  sm.tile = tile;
  static_cast<const body_arguments<K>*>(arguments)->read_body(sm);
  sm.finish();
}

}  // namespace sectile
