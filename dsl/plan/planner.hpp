// The planner's reading of a body: run in constant evaluation for one small problem, it writes down what happens.
#pragma once
#include <sectile/dsl/plan/instruction_table.hpp>
#include <sectile/dsl/plan/lives.hpp>
#include <sectile/dsl/plan/product.hpp>
#include <sectile/dsl/plan/trace.hpp>
#include <sectile/dsl/program/reading.hpp>
#include <utility>

namespace sectile {

/// The small problem that a body is traced on: every operand has `tiles` tiles along every mode; the output tile is the
/// last one, or the one at (row, col), with batches that differ. Scalars all have the same value. Trips are numbered
/// from `first_trip` on. Functions that the body gives to map() and its like are asked for answers to `question` and
/// its multiples.
struct scenario {
  int tiles = 3;
  int row = -1;
  int col = -1;
  int scalar = 0;
  int first_trip = 0;
  float question = 0.125f;
};

constexpr int last_trips = -1;   // in place of a first trip's number: the last ones of those that the program asks for
constexpr int traced_trips = 2;  // of a loop about which nothing else is said

constexpr int max_products = 8;
constexpr int max_nesting = 4;

/// A tile that ordinary loads bring into registers, as operand A or in the order of sums.
struct fragment_read {
  std::int16_t operand = -1;
  operand_tile tile{};
  bool as_sums = false;
  friend constexpr bool operator==(const fragment_read&, const fragment_read&) = default;
};

/// Registers of sums that one load fills from such a tile: two that are neighbours in a row, if these are neighbours in
/// memory.
constexpr int words_of_sums(const operand_tile& t) { return t.major == major::k ? 2 : 1; }

/// What the planner learns besides the trace: which products there are, and which tiles come into registers.
struct product_table {
  int count = 0;
  std::int16_t position[max_products]{};
  product_plan at[max_products]{};
  bool begins[max_products]{};  // whether it begins a sum where the body first comes by
  int reads = 0;
  fragment_read read[max_products]{};  // tiles that the body brings into registers
};

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
  int first_number[max_nesting]{};  // of an open loop's trips
  int turn[max_nesting]{};          // of an open loop: trips begun before this one
  int first_trip = 0;               // see scenario
  float question = 0.125f;          // likewise
  bool asks = false;                // a function that has captured something, and may write there
  int trips = 0;                    // begun so far, of all loops
  int begun = 0;                    // loops so far
  int loop_number[max_nesting]{};   // of an open loop
  int values_before[max_nesting]{}; // that there were when an open loop began
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
  constexpr event& record(event_kind kind, int at) {
    if (at >= max_positions) log.limit = trace_limit::positions;
    if (log.events == max_events) {
      log.limit = trace_limit::events;
      log.events = max_events - 1;
    }
    event& e = log.at[log.events++];
    e.kind = kind;
    e.position = static_cast<std::int16_t>(at);
    e.loop = static_cast<std::int16_t>(open_loop[depth]);
    e.trip = static_cast<std::int16_t>(open_trip[depth]);
    if (observer.call) observer.call(observer.self, log.events - 1, -1);
    if (lives && kind != event_kind::touch) lives->pass_point();
    return e;
  }

  /// A loop carries more than sums of products.
  constexpr void note_carried(loop_use use) {
    if (depth > 0 && log.loops_carry == loop_use::sums) log.loops_carry = use;
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
  constexpr void note_issued(int value) {
    if (was_issued(value)) return;
    if (issued_values == 64)
      log.limit = trace_limit::events;
    else
      issued_value[issued_values++] = value;
  }
  /// A value is used, or given up: an event if a product has had to do with it.
  constexpr void note_touch(int value, int at, bool last = false) {
    if (!was_issued(value)) return;
    if (lives) lives->give_up(value);
    event& e = record(event_kind::touch, at);
    e.value = static_cast<std::int16_t>(value);
    e.born = born.of(value);
    e.last = last;
  }
  /// Part `at` of a vector is read.
  constexpr void note_vector(int operand, const int* at, int rank) {
    log.reads_vector[operand] = true;
    if (const int n = log.vector_reads++; n < max_vector_reads) {
      log.vector_read[n].operand = static_cast<std::int8_t>(operand);
      log.vector_read[n].trip = static_cast<std::int16_t>(open_trip[depth]);
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
    for (int i = log.events - 1; i >= 0; --i) {
      const event& e = log.at[i];
      if (e.kind == event_kind::touch && e.value == value) return false;
      if (e.kind == event_kind::issue && (e.value == value || e.a_value == value)) return true;
    }
    return false;
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
  /// A store at tile `at`, whose last coordinate counts along the rows.
  constexpr void note_stored(event& e, const int* at, int rank) {
    for (int d = 0; d < rank; ++d) e.coordinate[d] = at[d];
    e.of_trip = depth == 1 && at[rank - 1] == number_of(turn[depth]);
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

template <class K>
struct planner : reading_base<planner<K>, K>, trace_log {
  static constexpr bool computes = false, clears_accumulators = false;
  struct slot {
    int load = -1;  // index of the load event
    mode_id rows = mode_id::any, cols = mode_id::any;  // what a matrix's coordinates count, where they do
  };
  template <class T, int N>
  struct registers {};

  product_table products{};
  bool whole_rows = false;  // the work is rows of tiles, see rows_of()
  bool wide_tiles = false;  // a tile has all of its rows, see wide_tile_of()
  bool tall_tiles = false;  // a tile has all rows, see block_of()
  int reductions = 0;     // of rows and of columns
  int exchanged = 0;      // columns that warps exchange, of the widest fragment
  mode_id reduced = mode_id::any;  // along which they are reduced; of several one that is not the work's last
  int source[64]{};       // of a fragment that was filled from a tile: its load event + 1

  int part = 0;           // whose run this is, where loops are split

  using trace_log::number_of;
  constexpr int loop_begins(int start, int asked, int least) {
    constexpr int parts = configuration_of<K>.split;
    const int turns = trace_log::loop_begins(start, asked, parts > 1 ? 0 : least);  // a part may have none
    if (parts > 1) first_number[depth] += part_of_trips(asked, part, parts).first;
    return turns;
  }
  constexpr void value_begins(int value) {
    born.add(value, behind);
    values_begun = value + 1;
    if (lives) lives->fill(value);
    if (observer.call) observer.call(observer.self, -1, value);
  }
  constexpr void loop_head(int start, bool more) {
    this->position = behind = note_loop_head(start, this->position, more);
  }
  constexpr void trip_begins(int start, int) {
    this->position = behind = start + 1;
    note_trip();
  }

  // ---- events
  template <int I>
  constexpr loaded_tile<planner, I> load(const operand_handle<K, I>&,
                                         const tile_coordinates<operand_handle<K, I>::rank>& at) {
    static_assert(operand_at<K, I>::kind == operand_kind::input, "load() takes an input operand");
    return {this, record_load<I>(at)};
  }
  template <int I>
  requires is_vector<K, I>
  constexpr loaded_vector<planner, I> load(const operand_handle<K, I>&,
                                           const tile_coordinates<operand_handle<K, I>::rank>& at) {
    note_carried(loop_use::vector);
    if constexpr (is_vector_with_tiles<K, I>) {
      return {this, {}, record_load<I>(at)};
    } else {
      note_vector(I, at.at, operand_handle<K, I>::rank);
      note_numbered<I>(at);
      return {this};
    }
  }
  /// Threads have read what they need of a vector that has come with tiles.
  template <int I>
  constexpr void end_reading(const loaded_vector<planner, I>& v) {
    event& e = record(event_kind::read, this->position++);
    e.operand = I;
    e.a_load = static_cast<std::int16_t>(v.slot.load);
  }

  /// The registers are filled by ordinary loads, which are over when this is.
  template <bool Transposed, int I>
  constexpr auto read_fragment(const loaded_tile<planner, I>& t) {
    tile_fragment<Transposed, loaded_tile<planner, I>> x(*this);
    x.fresh = false;
    event& e = record(event_kind::read, this->position++);
    e.operand = I;
    e.value = static_cast<std::int16_t>(x.id);
    e.a_load = static_cast<std::int16_t>(t.slot.load);
    if (x.id < 64) source[x.id] = t.slot.load + 1;
    constexpr operand_facts f = operand_facts_of<K, I>();
    note_prime(I, t.slot.rows, f.row_mode(), true);
    note_prime(I, t.slot.cols, f.col_mode(), true);
    remember(fragment_read{I, as_operand(f, true, Transposed), lies_as_sums(f.type)});
    return x;
  }

  /// The same of a tile that meets a fragment: if it stays, consumers read it where its numbers are needed.
  template <int I>
  static constexpr bool reads_in_place =
      lies_as_sums(operand_facts_of<K, I>().type) || operand_facts_of<K, I>().type.bits == 16;
  template <bool Transposed, int I>
  constexpr auto read_in_place(const loaded_tile<planner, I>& t) {
    auto x = read_fragment<Transposed>(t);
    if (lives) lives->read_in_place(x.id, I);
    return x;
  }

  template <product_form Form, class Acc, class A, class B>
  constexpr void issue(Acc& acc, const A& a, const B& b) {
    constexpr product_plan p = plan_product<Form, Acc, A, B>();
    constexpr int family = family_number(p.instruction);
    if (acc.id < values_before[depth] && acc.fresh == was_issued(acc.id))
      note_carried(acc.fresh ? loop_use::older_fragment : loop_use::begun_sums);
    note_primes<Acc>(a, b);
    const int here = this->position++;
    behind = this->position;
    remember(p, here, acc.fresh);
    event& e = record(event_kind::issue, here);
    e.value = static_cast<std::int16_t>(acc.id);
    note_issued(acc.id);
    if (lives) {
      if (acc.fresh) lives->fill(acc.id);
      use_registers(acc, true);
      if constexpr (!is_tile<A>::value) use_registers(a, true);
    }
    e.b_load = static_cast<std::int16_t>(loaded(b).slot.load);
    e.sparse = p.instruction.sparse;
    e.begins = acc.fresh;
    e.family = static_cast<std::int16_t>(family);
    if constexpr (is_tile<A>::value) {
      note_fragments(here, acc.id, -1);
      e.a_load = e.a_source = static_cast<std::int16_t>(loaded(a).slot.load);
    } else {
      note_fragments(here, acc.id, a.id);
      e.a_value = static_cast<std::int16_t>(a.id);
      if (a.id < 64) e.a_source = static_cast<std::int16_t>(source[a.id] - 1);
      e.widened = is_widened<A>;
      if constexpr (!is_widened<A>) note_issued(a.id);
    }
  }

  template <class Fragment>
  constexpr void touch(Fragment& x) {
    use_copy(x.id);
    log.uses_fresh = log.uses_fresh || x.fresh;
    if (lives) use_registers(x);
    if (depth > 0 && x.id < values_before[depth]) note_carried(loop_use::older_fragment);
    note_touch(x.id, this->position++);
    behind = this->position;
  }
  /// A row's number is made of all of its elements.
  constexpr void reduces() {
    this->refused = this->refused || planner::swaps;
    note_carried(loop_use::reduction);
    ++reductions;
    if (lives) lives->pass_point();
  }
  /// The number of a column, as registers hold it, likewise: several warps have a part.
  constexpr void exchanges(int columns) {
    note_carried(loop_use::reduction);
    ++reductions;
    exchanged = columns > exchanged ? columns : exchanged;
    if (lives) lives->pass_point();
  }
  /// What is reduced so lies along mode `along`.
  constexpr void reduces_along(mode_id along) {
    if (reduced == mode_id::any || reduced == work_facts().col_mode()) reduced = along;
  }
  /// What the body computes with, behind the first function that may have written it.
  constexpr void note_number(float x) {
    if (asks) log.numbers = (log.numbers ^ __builtin_bit_cast(std::uint32_t, x)) * 1099511628211u;
  }
  /// `what` was given a function that the compiler could not follow.
  constexpr void cannot_follow(const char* what) { log.host_call = what; }
  /// All of x has got new numbers.
  template <class Fragment>
  constexpr void overwritten(const Fragment& x) {
    if (lives) lives->fill(x.id);
  }
  /// x is a copy of another fragment.
  template <class Fragment>
  constexpr void copied(const Fragment& x) {
    copy[copies++ % max_copies] = {x.id};
  }
  /// Some of x has got new numbers, which nothing has used yet.
  template <class Fragment>
  constexpr void changed(const Fragment& x) {
    for (live_copy& c : copy)
      if (c.value == x.id) c.waits_for_use = true;
  }
  template <class Fragment>
  constexpr void give_up(Fragment& x) {
    if (use_copy(x.id)) log.limit = trace_limit::changed_copy;
    note_touch(x.id, this->position++, true);
    behind = this->position;
  }
  template <class Fragment>
  constexpr void moved(Fragment& x) {
    note_moved(x.id);
  }

  template <int I, class Fragment>
  constexpr void store(const operand_handle<K, I>&, const tile_coordinates<operand_handle<K, I>::rank>& at,
                       const Fragment& x) {
    static_assert(operand_at<K, I>::kind == operand_kind::output, "store() takes an output operand");
    use_copy(x.id);
    log.uses_fresh = log.uses_fresh || x.fresh;
    event& e = record(event_kind::store, this->position++);
    behind = this->position;
    e.operand = I;
    e.value = static_cast<std::int16_t>(x.id);
    e.born = born.of(x.id);
    note_carried(loop_use::store);
    note_stored(e, at.at, operand_handle<K, I>::rank);
    if (lives) use_registers(x);
  }
  template <int I, class Rows>
  requires is_vector_output<K, I>
  constexpr void store(const operand_handle<K, I>&, const tile_coordinates<operand_handle<K, I>::rank>& at,
                       const Rows& x) {
    static_cast<void>(complete(x));  // which may exchange columns
    note_written(I, at.at, operand_handle<K, I>::rank, false, reduction::none);
  }
  template <int I, class X>
  constexpr void combine(const operand_handle<K, I>&, const tile_coordinates<operand_handle<K, I>::rank>& at,
                         const X& x, reduction how) {
    touch_value(x);
    constexpr vector_use use = use_of_output(operand_facts_of<K, I>(), describe<X>());
    const auto& whole = complete(x);  // which may exchange columns, as the next line may
    if (how == reduction::add) share_sums<use>(*this, whole);
    note_written(I, at.at, operand_handle<K, I>::rank, true, how);
    const bool adds = how == reduction::add || how == reduction::add_in_any_order;
    log.written[I].adds_lines = adds && is_line(describe<std::remove_cvref_t<decltype(whole)>>());
    if (use == vector_use::all && adds && is_line(describe<X>()) && is_one_number(whole))
      log.written[I].added_again = as_in_the_body(describe<X>()).facts.rows();
    if (lives) lives->pass_point();
  }

  constexpr void takes_rows() { whole_rows = true; }
  constexpr void takes_wide_tiles() { wide_tiles = true; }
  /// Where it stores in a loop, the work is a row of tiles; else one tile, or, if it is wide, one that CTAs may share.
  constexpr void takes_blocks(bool wide) {
    tall_tiles = true;
    constexpr int rank = work_facts().tile.rank;
    this->tile.at[rank - 2] = 0;
    if (!wide) this->tile.at[rank - 1] = 0;
  }
  constexpr void finish() { note_end(this->position++, this->tile); }

 private:
  template <int I>
  constexpr slot record_load(const tile_coordinates<operand_handle<K, I>::rank>& at) {
    event& e = record(event_kind::load, this->position++);
    e.operand = I;
    e.constants = static_cast<std::uint8_t>(at.constants);
    note_numbered<I>(at);
    for (int i = 0; i < operand_handle<K, I>::rank; ++i) e.coordinate[i] = at.at[i];
    if constexpr (operand_at<K, I>::kind == operand_kind::input)
      return {log.events - 1, at.along[operand_handle<K, I>::rank - 2], at.along[operand_handle<K, I>::rank - 1]};
    else
      return {log.events - 1};
  }
  /// What is `counted` by the coordinate of a tile of operand I is taken for what is along another mode. M and M'
  /// differ in what they count alone, so neither shapes nor most names tell.
  constexpr void note_prime(int operand, mode_id counted, mode_id taken, bool in_registers = false) {
    if (differ_by_prime(counted, taken))
      log.other_prime = {static_cast<std::int8_t>(operand), in_registers, counted, taken};
  }
  /// Of a product: the rows of a, the columns of b. Along M x M, as accumulator(a * b) may be, a column (a row, where
  /// the configuration swaps) stands for either.
  template <class Acc, class A, class B>
  constexpr void note_primes(const A& a, const B& b) {
    constexpr mode_id rows = Acc::row_extent::name, cols = Acc::col_extent::name;
    if constexpr (is_tile<A>::value && !(rows == cols && planner::swaps))
      note_prime(A::operand, A::is_transposed ? loaded(a).slot.cols : loaded(a).slot.rows, rows);
    if constexpr (rows != cols || planner::swaps)
      note_prime(B::operand, B::is_transposed ? loaded(b).slot.rows : loaded(b).slot.cols, cols);
  }
  /// A fragment that was made as a copy of another, and whether it was changed since it was last used.
  struct live_copy {
    int value = -1;
    bool waits_for_use = false;
  };
  static constexpr int max_copies = 8;  // that are looked after at a time: the last ones
  live_copy copy[max_copies]{};
  int copies = 0;

  /// Whether the value is a copy whose last change nothing had used yet.
  constexpr bool use_copy(int value) {
    if (copies == 0) return false;
    for (live_copy& c : copy)
      if (c.value == value) return std::exchange(c.waits_for_use, false);
    return false;
  }
  static constexpr operand_facts work_facts() {
    constexpr operand_table table = operand_table_of<K>();
    return table.at[find_work(table) >= 0 ? find_work(table) : 0];
  }
  /// Tiles are numbered from 0, and an int holds where a tile begins.
  template <int I>
  constexpr void note_numbered(const tile_coordinates<operand_handle<K, I>::rank>& at) {
    constexpr operand_facts f = operand_facts_of<K, I>(), work = work_facts();
    constexpr tile_shape shape = f.tile;
    for (int d = 0; d < operand_handle<K, I>::rank; ++d)
      if (f.mode_at(d) == work.col_mode() && at.at[d] != this->tile.at[work.tile.rank - 1])
        this->log.elsewhere = {I, static_cast<std::int8_t>(d), at.at[d]};
    for (int d = 0; d < operand_handle<K, I>::rank; ++d)
      if (at.constants >> d & 1 && (at.at[d] < 0 || at.at[d] > 0x7fffffff / shape.extent[d] - 1))
        this->log.nowhere = {I, static_cast<std::int8_t>(d), at.at[d]};
  }
  template <class Fragment>
  constexpr void use_registers(const Fragment& x, bool by_product = false) {
    lives->use(x.id, Fragment::atoms * Fragment::atom_registers, by_product);
  }
  constexpr void remember(const fragment_read& r) {
    for (int i = 0; i < products.reads; ++i)
      if (products.read[i] == r) return;
    if (products.reads == max_products)
      log.limit = trace_limit::events;
    else
      products.read[products.reads++] = r;
  }
  constexpr void remember(const product_plan& p, int here, bool begins) {
    for (int i = 0; i < products.count; ++i)
      if (products.position[i] == here) return;
    if (products.count == max_products) {
      log.limit = trace_limit::events;
      return;
    }
    products.position[products.count] = static_cast<std::int16_t>(here);
    products.begins[products.count] = begins;
    products.at[products.count++] = p;
  }
};

// ---- running a body

/// Operand I's argument for a body traced on scenario s.
template <class K, int I>
constexpr auto traced_argument(const scenario& s) {
  typename body_argument<K, I>::type a{};
  if constexpr (operand_at<K, I>::kind != operand_kind::scalar) {
    constexpr operand_facts f = operand_facts_of<K, I>();
    for (int i = 0; i < f.tile.rank; ++i) {
      handle_access::tile_count(a)[i] = s.tiles;
      handle_access::extent(a)[i] = s.tiles * f.tile.extent[i];
    }
  } else {
    a = typename body_argument<K, I>::type(static_cast<typename operand_at<K, I>::element_type>(s.scalar));
  }
  return a;
}

/// What is known of a body's loops: of a first run nothing, of later ones where each loop ends and how many trips to
/// make.
struct known_loops {
  loop_table loops{};
  int end[max_positions]{};
};
/// What a run shows of them.
constexpr known_loops loops_of(const trace_log& run) {
  known_loops known{run.loops, {}};
  for (int i = 0; i < max_positions; ++i) known.end[i] = run.loop_end[i];
  return known;
}

template <class K, int... I>
constexpr planner<K> trace_body(const scenario& s, const known_loops& known, std::integer_sequence<int, I...>,
                                event_observer observer = {}, fragment_lives* lives = nullptr) {
  static_assert(reading_of_body<planner<K>>);
  planner<K> sm{};
  sm.observer = observer;
  sm.lives = lives;
  sm.first_trip = s.first_trip;
  sm.question = s.question;
  sm.loops = known.loops;
  for (int i = 0; i < max_positions; ++i) sm.loop_end[i] = known.end[i];
  for (int i = 0; i < max_rank; ++i) sm.tile.at[i] = s.tiles - 1 - (s.row >= 0 && i < s.tiles ? i : 0);
  constexpr operand_table table = operand_table_of<K>();
  int rank = 2;
  for (int i = 0; i < table.count; ++i)
    if (table.at[i].kind == operand_kind::output) rank = table.at[i].tile.rank;
  if (s.row >= 0) sm.tile.at[rank - 2] = s.row;
  if (s.col >= 0) sm.tile.at[rank - 1] = s.col;
  K::body(sm, traced_argument<K, I>(s)...);
  sm.finish();
  return sm;
}
template <class K>
constexpr planner<K> trace_body(const scenario& s, const known_loops& known = {}, fragment_lives* lives = nullptr) {
  return trace_body<K>(s, known, std::make_integer_sequence<int, operand_count<K>>{}, {}, lives);
}

}  // namespace sectile
