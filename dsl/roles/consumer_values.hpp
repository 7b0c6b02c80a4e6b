// What a consumer does with values in registers: fills them from tiles, waits for their products, stores them.
#pragma once
#include <sectile/dsl/roles/cluster_meeting.hpp>
#include <sectile/dsl/roles/consumer.hpp>
#include <sectile/dsl/roles/merging.hpp>
#include <sectile/dsl/roles/sums_in_order.hpp>
#include <sectile/dsl/roles/tile_reads.hpp>
#include <sectile/dsl/roles/workspace_meeting.hpp>

namespace sectile {

/// This thread has read what it needs of a vector that has come with tiles.
template <class K, class Machine>
template <int I>
constexpr void consumer<K, Machine>::end_reading(const loaded_vector<consumer, I>& v) {
  const int here = this->template pass_own<event_kind::read, I>();
  this->template follow<event_kind::read>(here);
  follow_tile(v);
  const packed_step s = step_at<K, Machine>(here);
  if (s.arrive_in_order()) arrive_in_order();
  if constexpr (!computes) {  // who looks on is told that it is read
    std::uint32_t word[1]{};
    this->hw.load_shared(word, v.slot.address);
  }
  if (s.joined() && !Machine::follows_order)  // which may see an expression turned around
    release_in_order(here, s);
  else
    end_read(here, s);
}

/// Fills a fragment with this warpgroup's rows of a tile in shared memory.
template <class K, class Machine>
template <bool Transposed, int I>
constexpr auto consumer<K, Machine>::read_fragment(const loaded_tile<consumer, I>& t) {
  using result = tile_fragment<Transposed, loaded_tile<consumer, I>>;
  result x(*this);  // named by where the body is
  const int here = this->template pass_own<event_kind::read, I>();
  this->template follow<event_kind::read>(here);
  follow_tile(t);
  if constexpr (follows_places<consumer>)
    x.place = place_of_factor(*this, loaded_tile<consumer, I, Transposed>{t.reading, t.slot});
  [[maybe_unused]] const packed_step s = step_at<K, Machine>(here);
  if (s.arrive_in_order()) arrive_in_order();
  if constexpr (Machine::follows_order) wait(s.wait());  // planned for what an expression's other operand touches
  x.fresh = false;
  this->hw.observe_touch(x.id);
  constexpr int at_once = registers_of_read<stored_tile<K, I, Transposed>, result>;
  if constexpr (Machine::follows_order)
    this->hw.observe_read(t.slot.tile, result::atoms, result::atom_registers, at_once);
  if constexpr (computes || Machine::whole_warpgroup) {
    SECTILE_UNROLL for (int n = 0; n < result::atoms * result::atom_registers; n += at_once)
        read_registers<stored_tile<K, I, Transposed>>(*this, x, t.slot.address, n);
    if constexpr (Machine::follows_order) this->hw.observe_read_end();
    end_read(here, s);
  }
  return x;
}

template <class K, class Machine>
template <bool Transposed, int I>
constexpr auto consumer<K, Machine>::read_in_place(const loaded_tile<consumer, I>& t) {
  using result = tile_fragment<Transposed, loaded_tile<consumer, I>>;
  const auto fill = [this, from = t.slot.address](result& x, int n) {
    constexpr operand_tile stored = stored_tile<K, I, Transposed>;  // nvcc knows no other
    read_registers<stored>(*this, x, from, n);
  };
  const packed_step s = step_at<K, Machine>(this->pass());
  if (s.arrive_in_order()) arrive_in_order();
  release(s);
  return tile_in_place<result, registers_of_read<stored_tile<K, I, Transposed>, result>, decltype(fill)>{
      result(*this), fill};
}

/// Ordinary instructions are about to use x: waits for its products, releases stages.
template <class K, class Machine>
template <class Fragment>
constexpr void consumer<K, Machine>::use(const Fragment& x) {
  const int here = pass_use_of(x);
  const packed_step s = step_at<K, Machine>(here);
  constexpr bool behind = how_of<K>.full_turns;
  if (!behind && s.arrive_in_order()) arrive_in_order();
  int in_flight = s.wait();
  if constexpr (Machine::follows_order)  // what is used early waits as those do that were planned before it
    for (int i = this->here(); i < here; ++i)
      if (const int w = plan_of<K>.steps[i].wait; w >= 0 && (in_flight < 0 || w < in_flight)) in_flight = w;
  wait(in_flight);
  if (behind && s.arrive_in_order()) arrive_in_order();
  this->hw.observe_touch(x.id);
  if (s.settle())
    for (auto& block : const_cast<Fragment&>(x).atom) this->hw.touch(block);
  if constexpr (meetings_of<K> > 0)
    unroll<meetings_of<K>>([&](auto n) {
      if (s.meeting() != n) return;
      if constexpr (head_of<K>.shares)
        return;  // what meets there the body merges
      else if constexpr (sums_words<Fragment>() == meeting_of<K, n>.words)
        meet<n>(const_cast<Fragment&>(x));
      else if constexpr (Machine::follows_order)
        this->hw.observe_other_path();
    });
  release_in_order(here, s);
}

/// The parts of what x are become one. Products on them are complete, and others may still read the stages.
template <class K, class Machine>
template <class F, class... X>
constexpr void consumer<K, Machine>::merge_parts(F f, X&... x) {
  (touch_value(x), ...);
  this->template follow<event_kind::touch>(this->here());
  const int here = this->pass();
  const packed_step s = step_at<K, Machine>(here);
  wait(s.wait());
  release_in_order(here, s);
  unroll<meetings_of<K>>([&](auto n) {
    constexpr meeting_plan m = meeting_of<K, n>;
    if (s.meeting() != n) return;
    if constexpr (m.words == 4 * state_layout<X...>::quads) {
      if constexpr (uses_workspace<K>)
        merge_in_workspace<n>(*this, here, f, x...);
      else
        merge_in_cluster<n>(*this, here, f, x...);
      this->position = m.end;
    } else if constexpr (Machine::follows_order) {
      this->hw.observe_other_path();
    }
  });
}

/// The parts of a tile's sums become one, in the first of the CTAs that have made them: added in the order of the
/// parts.
template <class K, class Machine>
template <int N, class Fragment>
constexpr void consumer<K, Machine>::meet(Fragment& x) {
  int parts = parts_of<K>;
  if constexpr (streams<K>) {
    if (this->now.is_whole()) return;
    parts = this->now.parts;
    if constexpr (outbox<K>::deferred) out.empty(*this);  // its registers are for the sums of others
  }
  if constexpr (Machine::follows_order) this->hw.observe_part(N, this->part, parts, x.atom);
  if constexpr (uses_workspace<K>) {
    meet_in_workspace<N>(*this, x);
    if (!this->has_sums()) return;
  } else if (!meet_in_cluster<N>(*this, x)) {
    return;
  }
  if constexpr (Machine::follows_order) this->hw.observe_whole(N, parts, x.atom);
}

/// The position of the next use of x. Where the compiler of this code begins at another end of an expression than the
/// planner did, the first use of a fragment takes the first of its steps, with the wait that is there. A compiler has
/// one order for a text: another one the next time is the program's own choice between fragments.
template <class K, class Machine>
template <class Fragment>
constexpr int consumer<K, Machine>::pass_use_of(const Fragment& x) {
  if constexpr (Machine::follows_order) {
    const int birth = born.of(x.id), next = this->here();
    const int at = this->pass_use(
        [&](const step& s) { return s.kind == event_kind::finish ? birth < 0 : s.born < 0 || s.born == birth; });
    const int expected = plan_of<K>.steps[at].born;
    this->hw.observe_place(at, next, expected < 0 || expected == birth || birth < 0);
    return at;
  } else {
    return this->pass();
  }
}

template <class K, class Machine>
template <int I, class Fragment>
constexpr void consumer<K, Machine>::store(const operand_handle<K, I>&, const tile_at<K, I>& at, const Fragment& x) {
  this->template follow<event_kind::store>(this->here());
  if constexpr (operand_facts_of<K, I>().is_scattered()) return scatter<I>(at, x);
  if constexpr (uses_workspace<K>) return store_if_whole<I>(at, x);
  if (!this->has_sums()) return use(x);
  this->hw.observe_store(I, is_own_tile<I>(at));
  if constexpr (outbox<K>::deferred) {
    use(x);
    defer<I>(at, x);
  } else {
    const packed_step s = step_at<K, Machine>(this->here());
    const bool products_run = s.wait() >= 0;  // a constant
    if (products_run) claim_first_buffers<I>();
    use(x);
    observe_values<I>(at, x);
    constexpr int bits = element_of<typename operand_at<K, I>::element_type>().bits;
    if constexpr (bits < 32) {
      // Rounded before anybody waits: behind a wait compilers round what they have computed before it, and so keep
      // twice as many registers.
      packed_tile<Fragment::atoms, packed_registers<I>()> units{};
      pack_tile<I>(*this, x, units);
      if (!products_run) claim_first_buffers<I>();
      put<I>(at, units, s);
    } else {
      if (!products_run) claim_first_buffers<I>();
      put<I>(at, x, s);
    }
  }
}
/// Precondition: the buffers are claimed.
template <class K, class Machine>
template <int I, class Source>
constexpr void consumer<K, Machine>::put(const tile_at<K, I>& at, const Source& x, const packed_step& s) {
  if constexpr (epilogue_of<K, I>.by_halves())
    of_trips.template put<I>(*this, at, x, s.put_off());
  else
    put_all<I>(*this, at, x);
}

/// Its rows go where an index says. (Who looks on has no memory, and nobody else waits for what is done there.)
template <class K, class Machine>
template <int I, class Fragment>
constexpr void consumer<K, Machine>::scatter(const tile_at<K, I>& at, const Fragment& x) {
  use(x);
  if (!this->has_sums()) return;
  this->hw.observe_store(I, is_own_tile<I>(at));
  if constexpr (Machine::follows_order) this->hw.observe_vector({}, nullptr, 0);  // slots are watched, and no tile
  if constexpr (outbox<K>::deferred) {
    if constexpr (epilogue_of<K, I>.last_call < 0) out.put_rest(*this);
    out.fill(*this, at, x);
  } else if constexpr (computes && element_of<typename operand_at<K, I>::element_type>().bits < 32) {
    packed_tile<Fragment::atoms, packed_registers<I>()> units{};  // rounded before anybody waits, as above
    pack_tile<I>(*this, x, units);
    out.put(*this, at, units);
  } else if constexpr (computes) {
    out.put(*this, at, x);
  }
}

/// Of one output the oldest, which the next batch fills; else those of all, and again of each that may be stored in a
/// loop of its own: of those of trips, and of the first behind them.
template <class K, class Machine>
template <int I>
constexpr void consumer<K, Machine>::claim_first_buffers() {
  if constexpr (epilogue_of<K, I>.by_halves())
    return;  // one half is free
  else if constexpr (reclaims_in_turns(head_of<K>))
    claim_buffers<epilogue_of<K, I>.batches_in_flight()>(*this);
  else if constexpr (output_number<K, I> <= head_of<K>.trip_outputs || head_of<K>.whole_rows)
    claim_buffers<0>(*this);
}

/// Who has the sums is known when they have met, which may be here.
template <class K, class Machine>
template <int I, class Fragment>
constexpr void consumer<K, Machine>::store_if_whole(const tile_at<K, I>& at, const Fragment& x) {
  use(x);
  if (!this->has_sums()) return;
  this->hw.observe_store(I, is_own_tile<I>(at));
  if constexpr (outbox<K>::deferred) {
    defer<I>(at, x);
  } else {
    claim_buffers<0>(*this);
    observe_values<I>(at, x);
    put_all<I>(*this, at, x);
  }
}

/// Keeps the tile for the next one's products, when the one before has gone.
template <class K, class Machine>
template <int I, class Fragment>
constexpr void consumer<K, Machine>::defer(const tile_at<K, I>& at, const Fragment& x) {
  observe_values<I>(at, x);
  if constexpr (epilogue_of<K, I>.last_call < 0) out.put_rest(*this);
  out.fill(*this, at, x);
}

/// What a warp has is combined with what is in memory; or, of sums in order, left in the workspace. (By the plan's
/// reduction, a constant.)
template <class K, class Machine>
template <int I, class X>
constexpr void consumer<K, Machine>::combine(const operand_handle<K, I>& vector, const tile_at<K, I>& at, const X& x,
                                             reduction) {
  constexpr reduction how = operand_plan_of<K, I>.combined;
  constexpr vector_use use = use_of_output(operand_facts_of<K, I>(), describe<X>());
  touch_value(x);
  const auto& whole = complete(x);
  if constexpr (how == reduction::add) {
    const auto own = share_sums<use>(*this, whole);
    if constexpr (Machine::follows_order) this->hw.observe_vector({}, nullptr, 0);  // slots are watched, and no vector
    if constexpr (computes)
      if (this->has_sums() && is_in_work<K>(arguments_of(*this, parameters), this->tile))
        sum_in_order<I>(*this, part_of<I>(vector, at), own);
  } else if constexpr (computes) {
    if (this->has_sums()) {
      const auto to = destination<I>(vector, at);
      if constexpr (is_watched<consumer>) tell_numbers(*this, to, whole, written_as<I, use>{});
      combine_into<how, use>(*this, to, whole);
    }
  }
}

}  // namespace sectile
