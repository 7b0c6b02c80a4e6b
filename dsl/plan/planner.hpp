// The planner's reading of a body: run in constant evaluation for one small problem, it writes down what happens.
#pragma once
#include <sectile/dsl/plan/instruction_table.hpp>
#include <sectile/dsl/plan/merge_watch.hpp>
#include <sectile/dsl/plan/product_table.hpp>
#include <utility>

namespace sectile {

template <class K>
struct planner : reading_base<planner<K>, K>, merge_log {
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
  hangs_on trips_on = of_no_place;    // what some loop's number of trips hangs on
  hangs_on loads_on[max_operands]{};  // what the coordinates of some load do
  unsigned made[max_operands]{};      // coordinates of loads and stores, a bit each, see tile_coordinates
  int reductions = 0;     // of rows and of columns
  int places_asked = 0;   // where elements of a fragment lie
  int exchanged = 0;      // columns that warps exchange, of the widest fragment
  mode_id reduced = mode_id::any;  // along which they are reduced; of several one that is not the work's last
  int source[64]{};       // of a fragment that was filled from a tile: its load event + 1
  std::uint64_t of_trip[kept_trips]{};  // of numbers and coordinates that a trip computes with, as a hash
  static constexpr void add_to_hash(std::uint64_t& hash, std::uint32_t bits) { hash = (hash ^ bits) * 1099511628211u; }

  using trace_log::number_of;
  constexpr int loop_begins(int start, int asked, int least) {
    constexpr int parts = configuration_of<K>.split;
    const bool divided = parts > 1 && !log.shares;
    const int turns = trace_log::loop_begins(start, asked, divided ? 0 : least);  // a part may have none
    if (divided) first_number[depth] += part_of_trips(asked, part, parts).first;
    return turns;
  }
  constexpr void value_begins(int value) {
    goes_on_with[value % most_values] = static_cast<std::int16_t>(std::exchange(open_sum, -1));
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
  constexpr loaded_tile<planner, I> load(const operand_handle<K, I>&, const tile_at<K, I>& at) {
    static_assert(operand_at<K, I>::kind == operand_kind::input, "load() takes an input operand");
    return {this, record_load<I>(at)};
  }
  template <int I>
  requires is_vector<K, I>
  constexpr loaded_vector<planner, I> load(const operand_handle<K, I>&, const tile_at<K, I>& at) {
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
    note_read(this->position++, I, -1, v.slot.load);
  }

  /// The registers are filled by ordinary loads, which are over when this is.
  template <bool Transposed, int I>
  constexpr auto read_fragment(const loaded_tile<planner, I>& t) {
    tile_fragment<Transposed, loaded_tile<planner, I>> x(*this);
    x.fresh = false;
    note_read(this->position++, I, x.id, t.slot.load);
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
    uses_value(acc.id);
    if (acc.fresh && left_there(acc.id) == left_in::numbers) note_lost();  // of products see check_results()
    wait_for_use(acc.id, left_in::product);
    if constexpr (!is_tile<A>::value) uses_value(a.id), left_there(a.id) = left_in::nothing;
    if (acc.id < values_before[depth] && acc.fresh == was_issued(acc.id))
      note_carried(acc.fresh ? loop_use::older_fragment : loop_use::begun_sums);
    note_primes<Acc>(a, b);
    const int here = this->position++;
    behind = this->position;
    remember(p, here, acc.fresh);
    int left = -1, left_load = -1, left_source = -1;
    if constexpr (is_tile<A>::value) {
      left_load = left_source = a.slot.load;
    } else {
      left = a.id;
      if (left < 64) left_source = source[left] - 1;
    }
    int right_load = -1;
    if constexpr (is_tile<B>::value) right_load = b.slot.load;
    event& e = note_product(here, acc.id, left, left_load, right_load, is_widened<A>);
    if constexpr (p.placed) e.b_value = static_cast<std::int16_t>(b.id);
    if constexpr (is_tile<A>::value && is_tile<B>::value)
      if (left_load >= 0 && e.b_load >= 0) note_summed<A, B>(log.at[left_load], log.at[e.b_load]);  // not refused
    e.a_source = static_cast<std::int16_t>(left_source);
    e.sparse = p.instruction.sparse;
    e.begins = acc.fresh;
    e.family = static_cast<std::int16_t>(family);
    note_fragments(here, acc.id, left);
    if (lives) {
      if (acc.fresh) lives->fill(acc.id);
      use_registers(acc, true);
      if constexpr (!is_tile<A>::value) use_registers(a, true);
    }
  }

  template <class Fragment>
  constexpr void touch(Fragment& x) {
    uses_value(x.id);
    left_there(x.id) = left_in::nothing;
    watch.read(x.id);
    use_copy(x.id);
    log.uses_fresh = log.uses_fresh || x.fresh;
    if (lives) use_registers(x);
    follow_sum(x);
    note_touch(x.id, this->position++, words_of<Fragment>);
    behind = this->position;
  }

  // ---- sums that a loop goes on with, see split.hpp
  /// The next operation adds something to this fragment, and uses it for nothing else.
  constexpr void adds_to(int value) {
    if (is_carried(value) && added_to < 0) added_to = value;
  }
  /// `to` is overwritten with `from`: with what it was and what was added to it, or with something else.
  constexpr void assigns(int to, int from) {
    if (is_carried(from) && from != to && sum_of(from) == to) hands_on = 2;  // touches: from's, and then its own
    if (from != to) replaces(to);
    assigned = to;
  }
  /// It is given other numbers altogether.
  constexpr void replaces(int value) {
    if (left_there(value) != left_in::nothing) note_lost();
  }
  /// A variable that came into being in trip `of_trip_number` is overwritten; `unused`: what a loop has left there.
  constexpr void overwrites(int of_trip_number, bool unused = false) {
    if (of_trip_number != trip_now()) note_carried(loop_use::older_trip);
    if (unused) note_lost();
  }
  constexpr bool in_a_loop() const { return depth > 0; }

  // ---- parts of a tile that the body puts together itself
  constexpr trip_part own_share(int all) {
    log.shares = true;
    constexpr int parts = configuration_of<K>.split;
    for (int n = parts - 1; takes_last_part && n > 0; --n)
      if (const trip_part last = part_of_trips(all, n, parts); last.count > 0) return last;
    return part_of_trips(all, part, parts);
  }
  template <class F, class... X>
  constexpr void merge_parts(F f, X&... x) {
    if (depth > 0) note_flaw(merge_flaw::in_a_loop);
    if (merged_before > 0 && (is_merged(x) || ...)) note_flaw(merge_flaw::merged_again);
    (name_merged(x), ...);
    (touch_value(x), ...);
    if (merged_before == 0) merged_before = this->values + 1;
    (name_merged(x), ...);
    event& e = record(event_kind::touch, this->position++, -1, -2);  // of several
    const auto done = [&] { return reductions + places_asked + written(); };
    const int here = log.events - 1, done_before = done();
    e.words = 4 * state_layout<X...>::quads;
    e.merges = true;
    behind = this->position;
    with_others(
        *this,
        [&](auto&... other) {
          watch = {};
          if (sizeof...(X) <= merge_watch::most) (watch.add(x), ...), (watch.add(other), ...);
          f(x..., other...);
          int n = 0;
          (note_change(x, n++), ...);
        },
        x...);
    end_watch();
    bool more = done() != done_before;
    for (int i = here + 1; i < log.events; ++i) more = more || log.at[i].kind != event_kind::touch;
    if (more) note_flaw(merge_flaw::does_more);
    log.at[here].coordinate[0] = this->position;
  }

  constexpr void asks_place() { ++places_asked; }
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
    note_in_trip(x);
    if (asks) add_to_hash(log.numbers, __builtin_bit_cast(std::uint32_t, x));
  }
  /// What a trip computes with: a number of the body's, or what a function that has captured some answers to a
  /// question.
  constexpr void note_in_trip(float x) {
    add_to_hash(of_trip[trip_now() % kept_trips], __builtin_bit_cast(std::uint32_t, x));
  }
  /// `what` was given a function that the compiler could not follow.
  constexpr void cannot_follow(const char* what) { log.host_call = what; }
  constexpr void note_meaningless(const char* sentence) { log.meaningless = sentence; }
  /// All of x has got new numbers.
  constexpr void overwritten(const auto& x) {
    watch.change(x.id);
    watch.read(x.id, -1);  // that was no more than the wait for who still reads it
    if (assigned == x.id) wait_for_use(x.id, left_in::numbers);
    assigned = -1;
    if (lives) lives->overwrite(x.id);
  }
  /// x is a copy of another fragment.
  constexpr void copied(const auto& x) { copy[copies++ % max_copies] = {x.id}; }
  /// Some of x has got new numbers, which nothing has used yet.
  template <class Fragment>
  constexpr void changed(const Fragment& x) {
    watch.change(x.id);
    wait_for_use(x.id, left_in::numbers);
    open_sum = -1;
    for (live_copy& c : copy)
      if (c.value == x.id) c.waits_for_use = true;
  }
  template <class Fragment>
  constexpr void give_up(Fragment& x) {
    if (use_copy(x.id)) log.limit = trace_limit::changed_copy;
    note_touch(x.id, this->position++, words_of<Fragment>, true);
    behind = this->position;
  }
  constexpr void moved(auto& x) { note_moved(x.id); }

  template <int I, class Fragment>
  constexpr void store(const operand_handle<K, I>&, const tile_at<K, I>& at, const Fragment& x) {
    static_assert(operand_at<K, I>::kind == operand_kind::output, "store() takes an output operand");
    made[I] |= at.made;
    stores_part();
    uses_value(x.id);
    left_there(x.id) = left_in::nothing;
    use_copy(x.id);
    log.uses_fresh = log.uses_fresh || x.fresh;
    event& e = note_store(this->position++, I, x.id, at.at, operand_handle<K, I>::rank);
    e.born = born.of(x.id);
    e.words = words_of<Fragment>;
    behind = this->position;
    note_carried(loop_use::store);
    if (lives) use_registers(x);
  }
  template <int I, class Rows>
  requires is_vector_output<K, I>
  constexpr void store(const operand_handle<K, I>&, const tile_at<K, I>& at, const Rows& x) {
    stores_part();
    touch_value(x);
    static_cast<void>(complete(x));  // which may exchange columns
    made[I] |= at.made;
    note_written(I, at.at, operand_handle<K, I>::rank, false, reduction::none);
  }
  template <int I, class X>
  constexpr void combine(const operand_handle<K, I>&, const tile_at<K, I>& at, const X& x, reduction how) {
    stores_part();
    touch_value(x);
    constexpr vector_use use = use_of_output(operand_facts_of<K, I>(), describe<X>());
    const auto& whole = complete(x);  // which may exchange columns, as the next line may
    if (how == reduction::add) share_sums<use>(*this, whole);
    made[I] |= at.made;
    note_written(I, at.at, operand_handle<K, I>::rank, true, how);
    const bool adds = how == reduction::add || how == reduction::add_in_any_order;
    log.written[I].adds_lines = adds && is_line(describe<std::remove_cvref_t<decltype(whole)>>());
    if (use == vector_use::all && adds && is_line(describe<X>()) && is_one_number(whole))
      log.written[I].added_again = as_in_the_body(describe<X>()).facts.rows();
    if (lives) lives->pass_point();
  }

  constexpr void takes_rows() { whole_rows = true; }
  constexpr void trips_hang_on(hangs_on places) { trips_on |= places; }
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
  // A fragment that an operation has made of a sum from before the loop, by adding to it, goes on with that sum.
  static constexpr int most_values = traced_trips * max_positions;  // each is given up at a position
  std::int16_t goes_on_with[most_values]{};
  int open_sum = -1;  // that the next fragment to begin goes on with
  int added_to = -1, hands_on = 0;

  // What a loop has left in a fragment, and nothing has used since.
  enum class left_in : std::uint8_t { nothing, numbers, product };
  left_in left_by_loops[most_values]{};
  int assigned = -1;  // the fragment that is about to be given other numbers

  constexpr left_in& left_there(int value) { return left_by_loops[value % most_values]; }
  constexpr void wait_for_use(int value, left_in what) { left_there(value) = depth > 0 ? what : left_in::nothing; }
  constexpr void note_lost() {
    if (is_unasked()) return;  // as the second trip of a loop of one
    note_meaningless(
        "x = y: what a trip of a loop has left in x is lost, and nothing has used it; x += y adds, x = max(x, y) goes "
        "on; what the last trip alone is to leave is made behind the loop");
  }

  constexpr int sum_of(int value) const {
    const int sum = goes_on_with[value % most_values];
    return sum < 0 ? value : sum;
  }
  /// Whether trips of the open loop pass it on.
  constexpr bool is_carried(int value) const { return depth > 0 && sum_of(value) < values_before[depth]; }
  template <class Fragment>
  static constexpr std::int16_t words_of = Fragment::atoms* Fragment::atom_registers;
  /// x is used: added to, or handed on, or in another way.
  template <class Fragment>
  constexpr void follow_sum(const Fragment& x) {
    if (!is_carried(x.id)) return;
    if (hands_on > 0) {
      --hands_on;
    } else if (added_to != x.id) {
      note_carried(loop_use::older_fragment);
    } else {
      added_to = -1;
      open_sum = sum_of(x.id);
      if (!configuration_of<K>.divides_loops() || was_issued(open_sum)) return;
      if (!x.fresh) note_carried(loop_use::begun_sums);
      note_issued(open_sum);  // so that its uses are events: behind the loop it meets those of other parts
    }
  }

  template <int I>
  constexpr slot record_load(const tile_at<K, I>& at) {
    loads_on[I] |= at.places;
    made[I] |= at.made;
    event& e = note_load(this->position++, I, at.at, operand_handle<K, I>::rank);
    e.constants = static_cast<std::uint8_t>(at.constants);
    note_numbered<I>(at);
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
      note_prime(A::operand, A::is_transposed ? a.slot.cols : a.slot.rows, rows);
    if constexpr (is_tile<B>::value && (rows != cols || planner::swaps))
      note_prime(B::operand, B::is_transposed ? b.slot.rows : b.slot.cols, cols);
  }
  /// The columns of a and the rows of b are one stretch of the mode that is summed over. (Where one of them is 0 in
  /// the text, a launch sees to it that there is one tile.)
  template <class A, class B>
  constexpr void note_summed(const event& a, const event& b) {
    constexpr operand_facts f = operand_facts_of<K, A::operand>();
    constexpr int col = f.tile.rank - 1 - A::is_transposed;
    constexpr int row = operand_facts_of<K, B::operand>().tile.rank - 2 + B::is_transposed;
    const int a_at = a.coordinate[col], b_at = b.coordinate[row];
    const auto is_zero = [](const event& e, int d) { return (e.constants >> d & 1) != 0 && e.coordinate[d] == 0; };
    if (a_at != b_at && !is_zero(a, col) && !is_zero(b, row))
      log.apart = {A::operand, B::operand, A::is_transposed ? f.row_mode() : f.col_mode(), a_at, b_at};
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
  /// (Of a program without matrices, which is refused, there is none.)
  static constexpr operand_facts work_facts() {
    if constexpr (work_operand<K> < operand_count<K>)
      return facts_of_operand<K, work_operand<K>>;
    else
      return {};
  }
  /// Tiles are numbered from 0, and an int holds where a tile begins.
  template <int I>
  constexpr void note_numbered(const tile_at<K, I>& at) {
    constexpr operand_facts f = operand_facts_of<K, I>(), work = work_facts();
    constexpr tile_shape shape = f.tile;
    for (int d = 0; d < shape.rank; ++d)
      add_to_hash(of_trip[trip_now() % kept_trips], static_cast<std::uint32_t>(at.at[d]));
    for (int d = 0; d < operand_handle<K, I>::rank; ++d)
      if (f.mode_at(d) == work.col_mode() && at.at[d] != this->tile.at[work.tile.rank - 1])
        this->log.elsewhere = {I, static_cast<std::int8_t>(d), at.at[d]};
    for (int d = 0; d < operand_handle<K, I>::rank; ++d)
      if ((at.constants >> d & 1 && at.at[d] < 0) || at.at[d] > 0x7fffffff / shape.extent[d] - 1)
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

}  // namespace sectile
