// How a consumer multiplies: the instructions of a product, dense, sparse, or with a left factor that it makes of
// narrower elements.
#pragma once
#include <sectile/dsl/roles/consumer.hpp>

namespace sectile {

/// Which tile is behind a handle, and none behind a fragment.
template <class X>
constexpr observed_tile told_by(const X& x) {
  if constexpr (is_tile<X>::value)
    return x.slot.tile;
  else
    return {};
}

/// Issues the instructions of acc += a * b and closes them as one group.
template <class K, class Machine>
template <product_form Form, class Acc, class A, class B>
constexpr void consumer<K, Machine>::issue(Acc& acc, const A& a, const B& b) {
  this->template follow<event_kind::issue>(this->here());
  if constexpr (is_tile<A>::value) follow_tile(a);
  if constexpr (is_tile<B>::value) follow_tile(b);
  if (acc.fresh) acc.place = {};
  if constexpr (follows_places<consumer>) acc.place.meet(place_of_product(*this, a, b)), follow_factors(a, b);
  const packed_step s = step_at<K, Machine>(this->pass());
  constexpr product_plan p = plan_product<Form, Acc, A, B>();
  if constexpr (is_widened<A>) return issue_widened<p>(s, acc, a, b);
  if (s.wait_in_order()) wait_in_order();
  wait(s.wait());
  if constexpr (p.instruction.sparse) {
    issue_sparse<p>(acc, a, b);
  } else {
    if constexpr (p.placed)
      if (!s.in_place()) place_factor<p>(b);
    if (s.fence()) this->hw.wgmma_fence();
    observe_product<p>(acc, a, b);
    SECTILE_UNROLL for (int k = 0; k < p.k_steps; ++k) {
      const std::uint64_t b_descriptor = descriptor<p.b>(b, 0, k * p.instruction.k);
      const bool accumulate = k > 0 || !acc.fresh;
      SECTILE_UNROLL for (int m = 0; m < p.m_blocks; ++m) {
        if constexpr (is_tile<A>::value)
          this->hw.template wgmma<p.instruction>(
              acc.atom[m], descriptor<p.a>(a, p.first_row(share()) + m * 64, k * p.instruction.k), b_descriptor,
              accumulate);
        else
          this->hw.template wgmma<p.instruction>(acc.atom[m], a.atom[m], 4 * k, b_descriptor, accumulate);
      }
    }
  }
  this->hw.wgmma_commit();
  end_issue(s);
  wait(s.wait_after());
  release(s);
}

/// Writes a fragment to where the product reads it as its right factor. Nobody reads what was there before when all
/// have waited for that product, and met.
template <class K, class Machine>
template <product_plan P, class Factor>
constexpr void consumer<K, Machine>::place_factor(const Factor& x) {
  columns.meet(*this);
  write_factor<P.b>(*this, x, address_of(x));
  this->hw.fence_proxy_async();
  columns.meet(*this);
}

/// The instructions of acc += a * b for sparse a. A thread's word of metadata serves as many K steps as there are
/// selectors; all words are fetched first. They stay in their registers until the next sparse product, which waits
/// for this one: the tensor cores read them as they go.
template <class K, class Machine>
template <product_plan P, class Acc, class A, class B>
constexpr void consumer<K, Machine>::issue_sparse(Acc& acc, const A& a, const B& b) {
  constexpr metadata_plan md = operand_plan_of<K, P.a_operand>.metadata;
  touch_metadata();
  for (int m = 0; m < P.m_blocks; ++m)
    for (int k = 0; k < md.k_blocks; ++k) {
      const int offset = metadata_offset(md, share() * P.m_blocks + m, k) + 4 * thread;
      if constexpr (Machine::follows_order) {
        const observed_tile told = told_by(a);
        this->hw.observe_metadata(parameters.metadata_map[P.a_operand], told.at[1] * md.k_blocks + k,
                                  told.at[0] * md.row_blocks + share() * P.m_blocks + m);
      }
      const std::uint32_t word = this->hw.load_shared(a.slot.metadata + static_cast<std::uint32_t>(offset));
      if constexpr (computes) metadata[m * md.k_blocks + k] = word;
    }
  this->hw.wgmma_fence();
  observe_product<P>(acc, a, b);
  unroll<P.k_steps>([&](auto k) { issue_sparse_step<P, decltype(k)::value>(acc, a, b); });
}

/// K step number `Step`: which half of the metadata's lanes it takes is part of the instruction.
template <class K, class Machine>
template <product_plan P, int Step, class Acc, class A, class B>
constexpr void consumer<K, Machine>::issue_sparse_step(Acc& acc, const A& a, const B& b) {
  constexpr wgmma_instruction w = with_selector(P.instruction, metadata_selector(P.instruction.a.bits, Step));
  constexpr int k_blocks = operand_plan_of<K, P.a_operand>.metadata.k_blocks;
  constexpr int block = metadata_block(P.instruction.a.bits, Step);
  for (int m = 0; m < P.m_blocks; ++m)
    this->hw.template wgmma<w>(
        acc.atom[m], descriptor<P.a>(a, (share() * P.m_blocks + m) * 64, Step * stored_k(P.instruction)),
        descriptor<P.b>(b, 0, Step * P.instruction.k), Step > 0 || !acc.fresh, metadata, m * k_blocks + block);
}

/// The instructions of acc += a * b for a that is made of narrower elements. In two parts the tensor cores are at
/// work on one, of this product or the one before, while the other one is made. Behind a part all groups but its own
/// are complete; behind the first one that is what the plan has as the wait behind the product. (ptxas serialises
/// products if that wait stands anywhere but right behind the group.)
template <class K, class Machine>
template <product_plan P, class Acc, class A, class B>
constexpr void consumer<K, Machine>::issue_widened(const packed_step& s, Acc& acc, const A& a, const B& b) {
  constexpr int steps = P.k_steps / sets;
  wait(s.wait());
  unroll<sets>([&](auto number) {
    constexpr int n = decltype(number)::value;
    widen_part<P, n>(a);
    if (n == 0 && s.wait_in_order()) wait_in_order();
    this->hw.wgmma_fence();
    observe_product<P, n>(acc, a, b);
    for (int k = 0; k < steps; ++k)
      for (int m = 0; m < P.m_blocks; ++m)
        this->hw.template wgmma<P.instruction>(acc.atom[m], factor[n][m], 4 * k,
                                               descriptor<P.b>(b, 0, (n * steps + k) * P.instruction.k),
                                               n > 0 || k > 0 || !acc.fresh);
    this->hw.wgmma_commit();
    if constexpr (sets > 1) this->hw.template wgmma_wait<sets - 1>();
    if constexpr (sets > 1 && n == 0) release(s);
  });
  end_issue(s);
  if constexpr (sets > 1) return;
  wait(s.wait_after());
  release(s);
}

/// Part number `Part` of a product's left factor, in the set of registers that is its own.
template <class K, class Machine>
template <product_plan P, int Part, class A>
constexpr void consumer<K, Machine>::widen_part(const A& a) {
  constexpr int count = 4 * P.k_steps / sets;
  this->hw.observe_touch(widening_fragment(Part));
  for (int m = 0; m < P.m_blocks; ++m) {
    this->hw.touch(factor[Part][m]);
    if constexpr (computes) {
      auto& narrow = const_cast<A&>(a).narrow[m];
      this->hw.touch(narrow);  // what is made of these is made behind the wait
      SECTILE_UNROLL for (int i = 0; i < count; ++i) factor[Part][m][i] = a.register_at(m, Part * count + i);
    }
  }
}

/// What follows the last group of a product.
template <class K, class Machine>
constexpr void consumer<K, Machine>::end_issue(const packed_step& s) {
  if constexpr (how_of<K>.stagger > 0) count_for_stagger();
  if (s.arrive_in_order()) arrive_in_order();
  if constexpr (outbox<K>::deferred) out.put_next(*this);
  if constexpr (head_of<K>.trip_outputs > 0)
    if (s.put_off()) of_trips.let_go(*this);
}

template <class K, class Machine>
template <product_plan P, int Part, class Acc, class A, class B>
constexpr void consumer<K, Machine>::observe_product(const Acc& acc, const A& a, const B& b) {
  constexpr int kind = kind_of(P.instruction);
  if constexpr (is_widened<A>)
    this->hw.observe_product(acc.id, widening_fragment(Part), kind);
  else if constexpr (is_tile<A>::value)  // nor does the tensor core see a placed fragment's registers
    this->hw.observe_product(acc.id, -1, kind);
  else
    this->hw.observe_product(acc.id, a.id, kind);
  constexpr int steps = P.k_steps / (is_widened<A> ? sets : 1);
  if constexpr (Machine::follows_order)
    this->hw.observe_factors(told_by(a), told_by(b), P.m_blocks, steps, Part * steps, P.first_row(share()));
}

/// The descriptor of the instruction whose first element is (mn, k) of a tile: all fields but the address are
/// constants.
template <class K, class Machine>
template <operand_tile Tile, class T>
constexpr std::uint64_t consumer<K, Machine>::descriptor(const T& t, int mn, int k) const {
  constexpr std::uint64_t fields = encode(descriptor_at(Tile, 0, 0));
  constexpr operand_steps steps = steps_of(Tile);
  // In a cluster a shared address has the CTA's rank in its upper bits; the descriptor takes the lower 18.
  const std::uint32_t first = (address_of(t) & (descriptor_field_end - 1)) >> 4;
  return (fields | first) + start_of(steps, mn, k) / 16;  // within the tile, so that nothing leaves the field
}

}  // namespace sectile
