// The consumer's reading of a body: one warpgroup that multiplies what the producer brings, computes on fragments, and
// stores. Where it waits, fences and gives stages back is what the plan says for each position. (What is declared here
// and not defined is in consumer_products.hpp and consumer_values.hpp.)
#pragma once
#include <sectile/dsl/program/observed_tile.hpp>
#include <sectile/dsl/roles/born_fragments.hpp>
#include <sectile/dsl/roles/column_exchange.hpp>
#include <sectile/dsl/roles/epilogue.hpp>
#include <sectile/dsl/roles/loads_only.hpp>
#include <sectile/dsl/roles/next_stage.hpp>
#include <sectile/dsl/roles/role.hpp>
#include <sectile/dsl/roles/scatter.hpp>
#include <sectile/dsl/roles/trip_stores.hpp>
#include <sectile/layouts/fragment.hpp>

namespace sectile {

/// In place of a fragment's number: the registers that hold metadata.
constexpr int metadata_fragment = -2;
/// The same for a set of those that products make their left factors in.
constexpr int widening_fragment(int set) { return 1 << 24 | set; }

/// Operand I's tile as a left factor, which is how fragments are filled.
template <class K, int I, bool Transposed>
inline constexpr operand_tile stored_tile = as_operand(operand_facts_of<K, I>(), true, Transposed);

template <class K, class Machine>
struct consumer : role_base<consumer<K, Machine>, K, Machine> {
  using base = role_base<consumer, K, Machine>;
  static constexpr bool computes = Machine::computes, whole_warpgroup = Machine::whole_warpgroup;
  static constexpr bool follows_order = Machine::follows_order;
  static constexpr bool clears_accumulators = computes && head_of<K>.clears_accumulators;
  using place_in_matrix = typename place_on<Machine>::type;
  struct nothing {};
  template <class T>
  using if_watched = std::conditional_t<Machine::follows_order, T, nothing>;
  struct slot {
    std::uint32_t address = 0;
    std::uint32_t metadata = 0;  // of a sparse operand
    [[no_unique_address]] if_watched<int> fill{};  // of the ring, counted from 1
    [[no_unique_address]] if_watched<observed_tile> tile{};
  };

  static constexpr int consumers = how_of<K>.consumers;
  const parameters_for<K, Machine>& parameters;
  int index;                   // of this consumer in its CTA
  int thread;                  // in the warpgroup
  int issued = 0;              // products, counted for the stagger only
  int held[max_rings]{};       // stages taken and not released
  int oldest[max_rings]{};     // the first of them
  [[no_unique_address]] next_stages<K, Machine> upcoming{};
  outbox_of<K> out{};
  [[no_unique_address]] trip_stores<K> of_trips{};
  column_exchange<K> columns{};
  struct watched_stages {
    int of[max_rings]{};  // so far
    /// Positions that were passed before those in front of them, and where stages are given back when these have passed.
    int owed = 0, owed_at[max_positions]{};
  };
  [[no_unique_address]] if_watched<watched_stages> taken{};
  [[no_unique_address]] if_watched<born_fragments<K>> born{};
  /// Of the last sparse product.
  typename Machine::template registers<std::uint32_t, metadata_registers(plan_of<K>)> metadata{};
  /// Of the last products whose left factors are made of narrower elements, in sets that take turns.
  static constexpr int widening_parts = head_of<K>.widening_parts, sets = widening_parts > 1 ? widening_parts : 1;
  using factor_registers = typename Machine::template registers<std::uint32_t, widening_registers(plan_of<K>)>;
  factor_registers factor[sets][widening_blocks(plan_of<K>) < 1 ? 1 : widening_blocks(plan_of<K>)]{};

  constexpr consumer(Machine& machine, const parameters_for<K, Machine>& p, const place_in_cluster& at)
      : base(machine, at),
        parameters(p),
        index(machine.uniform(machine.thread() / warpgroup) - 1),
        thread(machine.thread() % warpgroup) {
    if constexpr (how_of<K>.abreast) this->lane = index;
  }

  /// Which share of its tiles' rows is this consumer's.
  constexpr int share() const { return base::sharers == 1 ? 0 : index; }

  // ---- the body's operations

  template <int I>
  constexpr loaded_tile<consumer, I> load(const operand_handle<K, I>&, const tile_at<K, I>& at) {
    slot s = take_slot<I>();
    if constexpr (Machine::follows_order) s.tile = observe_tile<I>(at);
    return {this, s};
  }
  /// Waits until the stage is full that holds what this load of operand I brings.
  template <int I>
  constexpr slot take_slot() {
    constexpr int r = operand_plan_of<K, I>.ring;
    const int here = this->template pass_own<event_kind::load, I>();
    this->template follow_load<I>(here);
    const int stage = this->ring[r].stage;
    if constexpr (ring_of<K, r>.resident) {  // full for good
      this->hw.mbarrier_wait(this->template full_barrier<r>(stage), 0);
      show_copies<r>();
    } else if (this->template first_of_stage<r>(here)) {
      if (!upcoming.template is_full<r>())
        this->hw.mbarrier_wait(this->template full_barrier<r>(stage), this->ring[r].parity);
      show_copies<r>();
      ++held[r];
      if constexpr (Machine::follows_order) ++taken.of[r];
    }
    slot s{upcoming.template address<I>([&](int n) { return this->template tile_address<I>(n); }, stage)};
    if constexpr (operand_facts_of<K, I>().sparse) s.metadata = this->template metadata_address<I>(stage);
    if constexpr (Machine::follows_order) s.fill = taken.of[r];
    upcoming.template take<r>([&] { return this->template last_of_stage<r>(here); }, stage);
    this->template count_member<r>(here);
    return s;
  }

  /// Of a vector in memory nothing is loaded yet: elements are read where they are needed.
  template <int I>
  requires is_vector<K, I>
  constexpr loaded_vector<consumer, I> load(const operand_handle<K, I>& vector, const tile_at<K, I>& at) {
    if constexpr (follows_places<consumer> && operand_facts_of<K, I>().tile.rank > 0) {
      auto v = begin_reading(vector, at);
      v.tile = at.at[operand_facts_of<K, I>().line()];
      return v;
    } else {
      return begin_reading(vector, at);
    }
  }
  template <int I>
  constexpr loaded_vector<consumer, I> begin_reading(const operand_handle<K, I>& vector, const tile_at<K, I>& at) {
    typename loaded_vector<consumer, I>::part_type here{};
    if constexpr (computes) here = part_of<I>(vector, at);
    if constexpr (is_vector_with_tiles<K, I>)
      return {this, here, take_slot<I>()};
    else if constexpr (computes)
      return {this, here};
    else
      return {this};
  }
  template <int I>
  constexpr void end_reading(const loaded_vector<consumer, I>& v);

  template <bool Transposed, int I>
  constexpr auto read_fragment(const loaded_tile<consumer, I>& t);
  /// Whether a tile that meets a fragment is read where each of its numbers is needed: it stays where it is, so that
  /// registers need not hold all of it. (Who looks on sees it read at once.)
  template <int I>
  static constexpr bool reads_in_place =
      computes && !Machine::follows_order && ring_of<K, operand_plan_of<K, I>.ring>.resident &&
      (lies_as_sums(operand_facts_of<K, I>().type) || operand_facts_of<K, I>().type.bits == 16);
  template <bool Transposed, int I>
  constexpr auto read_in_place(const loaded_tile<consumer, I>& t);

  template <product_form Form, class Acc, class A, class B>
  constexpr void issue(Acc& acc, const A& a, const B& b);

  /// With a stagger, a consumer begins when the one before it has issued that many products. It stays behind for good,
  /// so that one's epilogue runs under the other's products.
  constexpr void begin_staggered() {
    if constexpr (how_of<K>.stagger > 0)
      if (index > 0) wait_in_order();
  }
  /// A consumer with less work than the stagger lets the next one begin when it is done.
  constexpr void end_staggered() {
    if constexpr (how_of<K>.stagger > 0)
      while (issued < how_of<K>.stagger) count_for_stagger();
  }

  /// Ordinary instructions are about to use x: products on it must be complete.
  template <class Fragment>
  [[gnu::always_inline]]
  constexpr void touch(const Fragment& x) {
    this->template follow<event_kind::touch>(this->here());
    if constexpr (outbox<K>::deferred) put_rest_in_time();
    use(x);
  }

  template <class F, class... X>
  constexpr void merge_parts(F f, X&... x);
  constexpr void begin(const tile_coordinates<max_rank>& at) {
    base::begin(at);
    if constexpr (Machine::follows_order) born.begin_trip();
    if constexpr (how_of<K>.own_tiles) wait_in_order();
  }

  // ---- consumers with tiles of their own
  /// Whose turn it is to load and multiply. (Besides, a consumer may look at a stage's barrier only when the phase
  /// before the one it wants is over: the one before it has seen to that.)
  constexpr void wait_in_order() { this->hw.named_barrier_sync(ordered_barrier(consumers, index), 2 * warpgroup); }
  constexpr void arrive_in_order() {
    this->hw.named_barrier_arrive(ordered_barrier(consumers, (index + 1) % consumers), 2 * warpgroup);
  }
  /// Another consumer makes this tile.
  constexpr void look_on(const tile_coordinates<max_rank>& at) {
    onlooker<K, Machine> other(this->hw, {this->row_in_cluster, this->col_in_cluster, this->part});
    for (int r = 0; r < head_of<K>.rings; ++r) other.ring[r] = this->ring[r];
    other.begin(at);
    if constexpr (has_groups<K>) take_group(other, parameters.arguments, this->group);
    arguments_of(other, parameters).read_body(other);
    other.finish();
    for (int r = 0; r < head_of<K>.rings; ++r) {
      this->ring[r] = other.ring[r];
      oldest[r] = other.ring[r].stage;
      if constexpr (Machine::follows_order) taken.of[r] += other.loaded[r];
    }
  }
  constexpr void trip_begins(int start, int trip) {
    base::trip_begins(start, trip);
    if constexpr (Machine::follows_order) born.begin_trip();
  }
  /// The text from position `at` on is read again.
  constexpr void text_begins(int at) {
    this->position = at;
    if constexpr (Machine::follows_order) {
      this->loads.begin(-1);
      born.begin_trip();
    }
  }
  constexpr void value_begins(int value) {
    if constexpr (Machine::follows_order) born.add(value, this->place_of_birth());
  }
  constexpr void give_up(auto& x) {
    if (!this->hw.unwinding()) touch(x);
  }

  template <int I, class Fragment>
  constexpr void store(const operand_handle<K, I>&, const tile_at<K, I>& at, const Fragment& x);
  template <int I, class Source>
  constexpr void put(const tile_at<K, I>& at, const Source& x, const packed_step& s);
  template <int I>
  constexpr void claim_first_buffers();
  /// Registers that a block of a fragment fills as it is stored to output I.
  template <int I>
  static constexpr int packed_registers() {
    constexpr matrix_extent tile = extent_of(operand_facts_of<K, I>());
    constexpr int cols = epilogue_of<K, I>.transposed ? tile.rows : tile.cols;  // of the fragment
    return cols * element_of<typename operand_at<K, I>::element_type>().bits / 64;
  }
  template <int I, class Fragment>
  constexpr void scatter(const tile_at<K, I>& at, const Fragment& x);
  template <int I, class Fragment>
  constexpr void store_if_whole(const tile_at<K, I>& at, const Fragment& x);
  template <int I, class Fragment>
  constexpr void defer(const tile_at<K, I>& at, const Fragment& x);
  /// Whether this CTA writes vector I: of those that know a row's number the first.
  template <int I>
  constexpr bool writes_vector() const {
    constexpr bool shared = is_known_to_sharers(plan_of<K>, I);
    return this->has_sums() && (!shared || this->col_in_cluster == 0);
  }
  /// Each row's, or column's, number goes to memory by itself.
  template <int I, class Rows>
  requires is_vector_output<K, I>
  constexpr void store(const operand_handle<K, I>& vector, const tile_at<K, I>& at, const Rows& x) {
    const auto& whole = complete(x);
    if constexpr (computes) {
      if (writes_vector<I>()) {
        const auto to = destination<I>(vector, at);
        if constexpr (is_watched<consumer>) tell_numbers(*this, to, whole, written_as<I, vector_use::none>{});
        write_numbers(*this, to, whole);
      } else if constexpr (is_known_to_sharers(plan_of<K>, I) && Machine::follows_order) {
        this->hw.observe_vector({}, nullptr, 0);  // CTAs that share rows are told of as many vectors
      }
    }
  }
  template <int I, class X>
  constexpr void combine(const operand_handle<K, I>& vector, const tile_at<K, I>& at, const X& x, reduction);
  /// Elements along mode M that the output has from this tile's first on.
  template <mode_id M>
  constexpr int left_of_work() const {
    return sectile::left_of_work<K, M>(arguments_of(*this, parameters), this->tile);
  }

  // ---- columns, of which each warp has a part
  static constexpr int exchanging_ctas = column_exchange<K>::ctas;
  constexpr int warp_of_consumers() const { return share() * (warpgroup / 32) + thread / 32; }  // that share a tile
  constexpr void begin_showing(int count) { columns.begin(*this, count); }
  constexpr void show_columns(int octet, int col, const float (&shown)[2]) { columns.show(*this, octet, col, shown); }
  constexpr void end_showing() { columns.end(*this); }
  constexpr void column_shown(int cta, int first_warp, int col, float (&shown)[4]) const {
    columns.look(*this, cta, first_warp, col, shown);
  }
  /// The rank in the cluster of CTA number `cta` of those that exchange: the columns of this one's row, or this one.
  constexpr int rank_in_exchange(int cta) const {
    constexpr cluster_shape c = how_of<K>.cluster;
    const int col = exchanging_ctas > 1 ? cta : this->col_in_cluster;
    return this->row_in_cluster + c.rows * col + (uses_workspace<K> ? 0 : c.size() * this->part);
  }

  /// The end of the kernel: what is still in registers goes out, and the thread that stored waits for it to arrive.
  constexpr void leave() {
    let_peers_leave<K>(this->hw);
    if constexpr (outbox<K>::deferred) out.put_rest(*this);
    if (thread == 0) this->hw.template bulk_wait<0>();
  }

  /// The end of the body: whatever is in flight completes, every stage goes back.
  constexpr void finish() {
    this->template follow<event_kind::finish>(this->here());
    const packed_step s = step_at<K, Machine>(head_of<K>.finish_position);
    if (s.arrive_in_order()) arrive_in_order();
    wait(s.wait());
    if constexpr (has_sparse_operand<K>()) touch_metadata();
    release(s);
  }

  /// Row and column, in the tile, of register i of block m of a fragment with `Rows` rows.
  template <int Rows>
  constexpr coord coord_of(int m, int i) const {
    const coord p = d_coord(thread, i);
    const coord at{share() * (Rows / base::sharers) + m * 64 + p.row, p.col};
    if constexpr (Machine::follows_order) this->hw.observe_coord(Rows, m, i, at);
    return at;
  }
  /// Whether what is computed of this tile is of use: not of one that a cluster has beyond the work's last, nor where
  /// another CTA has the sums. (Of those that share a row, one beyond its end has a part of the row as well.)
  constexpr bool is_of_use() const {
    auto first = this->tile;
    if constexpr (head_of<K>.row_sharers() > 1) first.at[operand_plan_of<K, work_operand<K>>.facts.tile.rank - 1] = 0;
    return this->has_sums() && is_in_work<K>(arguments_of(*this, parameters), first);
  }
  template <class Fragment>
  constexpr void moved(Fragment& x) {
    if constexpr (Machine::follows_order)
      for (auto& block : x.atom) this->hw.observe_moved(block);
  }

 private:
  /// What threads have copied to a stage of the ring, products see behind a fence.
  template <int Ring>
  constexpr void show_copies() {
    if constexpr (shows_copies(plan_of<K>, Ring)) this->hw.fence_proxy_async();
  }
  /// Behind ordinary loads of what is in a stage. TMA may write there once it is released. Whoever does that, here or at
  /// a later wait, speaks for all.
  constexpr void end_read(int here, const packed_step& s) {
    if (s.fence()) this->hw.fence_proxy_async();
    this->hw.named_barrier_sync(epilogue_barrier(index), warpgroup);
    release_in_order(here, s);
  }
  template <int I>
  constexpr auto part_of(const operand_handle<K, I>& vector, const tile_at<K, I>& at) const {
    auto own = part_of_vector(parameters.vector[I].data, parameters.vector[I].stride, vector, at);
    if constexpr (cut_of<K, I>() >= 0) own.first += group_for<K, I>(this->group).begin();
    return own;
  }
  /// The part of a vector that is written. What a cluster has beyond the work's last tile is made of zeros, and goes
  /// nowhere.
  template <int I>
  constexpr auto destination(const operand_handle<K, I>& vector, const tile_at<K, I>& at) const {
    auto to = part_of<I>(vector, at);
    if constexpr (how_of<K>.tiles_of_item() > 1)
      to.inside = is_in_work<K>(arguments_of(*this, parameters), this->tile) ? to.inside : 0;
    return to;
  }
  /// The tile before is to be gone when ordinary instructions begin to work on this one's results: both, and what they
  /// become, would not fit into registers.
  constexpr void put_rest_in_time() {
    constexpr int last_call = epilogue_of<K, outbox<K>::operand>.last_call;
    const int at = this->here();
    // (Where operands may change places, that position may have passed.)
    if (last_call >= 0 && (Machine::follows_order ? at >= last_call : at == last_call)) out.put_rest(*this);
  }
  /// A tile, or a vector's part, is what one load brought. Once its stage has been released, another one lies there.
  template <class Loaded>
  constexpr void follow_tile(const Loaded& t) {
    constexpr int r = operand_plan_of<K, Loaded::operand>.ring;
    if constexpr (Machine::follows_order && !ring_of<K, r>.resident)
      if (t.slot.fill <= taken.of[r] - held[r]) this->hw.observe_stale_tile(Loaded::operand);
  }
  template <product_plan P, class Factor>
  constexpr void place_factor(const Factor& x);
  /// Where a factor lies that a product reads from shared memory: a tile, or a fragment that is placed there.
  template <class X>
  constexpr std::uint32_t address_of(const X& x) const {
    if constexpr (is_tile<X>::value)
      return x.slot.address;
    else
      return this->hw.shared_base() +
             static_cast<std::uint32_t>(placed_of<K>.offset + (index - share()) * placed_of<K>.pitch);
  }
  template <product_plan P, class Acc, class A, class B>
  constexpr void issue_sparse(Acc& acc, const A& a, const B& b);
  template <product_plan P, int Step, class Acc, class A, class B>
  constexpr void issue_sparse_step(Acc& acc, const A& a, const B& b);

  template <product_plan P, class Acc, class A, class B>
  constexpr void issue_widened(const packed_step& s, Acc& acc, const A& a, const B& b);
  template <product_plan P, int Part, class A>
  constexpr void widen_part(const A& a);
  constexpr void end_issue(const packed_step& s);

  template <class Fragment>
  [[gnu::always_inline]] constexpr void use(const Fragment& x);
  /// Words of a thread that are sums of which several CTAs may have parts; 0: they are something else.
  template <class Fragment>
  static constexpr int sums_words() {
    return sizeof(typename Fragment::element_type) == 4 ? Fragment::atoms * Fragment::atom_registers : 0;
  }
  template <int N, class Fragment>
  constexpr void meet(Fragment& x);
  template <class Fragment>
  constexpr int pass_use_of(const Fragment& x);
  /// Whether these are the coordinates that tile_of() gave.
  template <int I>
  constexpr bool is_own_tile(const tile_at<K, I>& at) const {
    bool own = true;
    unroll<operand_handle<K, I>::rank>([&](auto d) {
      constexpr int w = mode_of_store(operand_facts_of<K, work_operand<K>>(), operand_facts_of<K, I>(), d);
      if constexpr (w >= 0 && w < operand_plan_of<K, work_operand<K>>.facts.tile.rank - head_of<K>.whole_rows)
        own = own && at.at[d] == this->tile.at[w];
    });
    return own;
  }
  template <product_plan P, int Part = 0, class Acc, class A, class B>
  constexpr void observe_product(const Acc& acc, const A& a, const B& b);
  template <int I>
  constexpr observed_tile observe_tile(const tile_at<K, I>& at) const {
    observed_tile t{I};
    for (int d = 0; d < operand_handle<K, I>::rank; ++d) t.at[d] = at.at[d];
    if constexpr (cut_of<K, I>() >= 0) {
      t.first_row = group_for<K, I>(this->group).begin();
      t.rows = group_for<K, I>(this->group).size;
    }
    return t;
  }
  template <int I, class Fragment>
  constexpr void observe_values(const tile_at<K, I>& at, const Fragment& x) {
    if constexpr (Machine::follows_order)
      this->hw.template observe_values<typename operand_at<K, I>::element_type, epilogue_of<K, I>.transposed>(
          observe_tile<I>(at), x.atom);
  }
  constexpr void touch_metadata() {
    this->hw.observe_touch(metadata_fragment);
    this->hw.touch(metadata);
  }

  constexpr void count_for_stagger() {
    if (++issued == how_of<K>.stagger && index + 1 < consumers) arrive_in_order();
  }

  /// At most so many products stay in flight; -1: no wait. The bound is an immediate of the instruction, which counts
  /// groups, up to 7.
  constexpr void wait(int in_flight) {
    constexpr int groups = groups_of_product(head_of<K>);
    [&]<int... N>(std::integer_sequence<int, N...>) {
      ((in_flight == N ? this->hw.template wgmma_wait<(groups * N < 7 ? groups * N : 7)>() : void()), ...);
    }(std::make_integer_sequence<int, longest_wait<K> + 1>{});
  }

  /// Where operands change places (see role.hpp), a stage is given back when all have been used that were planned before
  /// this one.
  constexpr void release_in_order(int here, const packed_step& s) {
    if constexpr (Machine::follows_order) {
      if (this->here() < here) {
        taken.owed_at[taken.owed++] = here;
        return;
      }
    }
    release(s);
  }
  constexpr void release(const packed_step& s) {
    if constexpr (Machine::follows_order) {
      const int count = std::exchange(taken.owed, 0);
      for (int n = 0; n < count; ++n) release_in_order(taken.owed_at[n], step_at<K, Machine>(taken.owed_at[n]));
    }
    if constexpr (!Machine::computes)
      if (!s.releases()) return;  // most steps release nothing, and the proofs carry out each of them
    [&]<int... Ring>(std::integer_sequence<int, Ring...>) {
      (release_ring<Ring>(s), ...);
    }(std::make_integer_sequence<int, head_of<K>.rings>{});
  }
  /// Tells every CTA that writes into this ring's stages that the oldest ones may be overwritten, until `keep` are
  /// held.
  template <int Ring>
  constexpr void release_ring(const packed_step& s) {
    constexpr ring_plan r = ring_of<K, Ring>;
    for (int n = 0; n < most_released<K, Ring>; ++n) {
      if (n >= s.release(Ring) || held[Ring] <= s.keep(Ring)) return;
      const std::uint32_t barrier = this->template empty_barrier<Ring>(oldest[Ring]);
      constexpr cluster_shape cluster = how_of<K>.cluster;
      constexpr int count = peers(r, cluster);
      const auto tell = [&](int i) {
        const int in_part = peer(r, cluster, this->row_in_cluster, this->col_in_cluster, i);
        this->hw.mbarrier_arrive_at(barrier, uses_workspace<K> ? in_part : cluster.size() * this->part + in_part);
      };
      if constexpr (count == 1) {
        if (thread == 0) this->hw.mbarrier_arrive(barrier);
      } else if constexpr (Machine::whole_warpgroup) {  // one agent stands for all threads
        for (int i = 0; i < count; ++i) tell(i);
      } else {
        if (thread < count) tell(thread);
      }
      upcoming.template ask<Ring>(this->hw, this->template full_barrier<Ring>(this->ring[Ring].stage),
                              this->ring[Ring].parity);
      --held[Ring];
      oldest[Ring] = oldest[Ring] + 1 == r.stages_of_lane() ? 0 : oldest[Ring] + 1;
    }
  }
  template <operand_tile Tile, class T>
  constexpr std::uint64_t descriptor(const T& t, int mn, int k) const;
};

}  // namespace sectile
