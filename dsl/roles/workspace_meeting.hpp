// The parts of a tile meet in the workspace (plan/workspace.hpp): what a consumer does where the body first uses sums.
#pragma once
#include <sectile/dsl/roles/parameters.hpp>
#include <sectile/dsl/roles/role.hpp>
#include <sectile/dsl/roles/sum_words.hpp>

namespace sectile {

/// The number of the tile that this CTA makes a part of, among those of all clusters that have parts.
template <class Consumer>
constexpr int tile_in_workspace(const Consumer& sm) {
  using K = typename Consumer::kernel;
  constexpr int ctas = how_of<K>.ctas();
  int item = 0;
  if constexpr (streams<K>)
    item = sm.now.tile - sm.parameters.stream.whole;
  else
    item = sm.hw.cluster_index() - sm.part * sm.parameters.work.count;
  return ctas == 1 ? item : item * ctas + sm.hw.cta_rank();
}
/// The ticket counter that is number `number` of those of a tile.
template <class Consumer>
constexpr int counter_in_workspace(const Consumer& sm, int number, int tile) {
  using K = typename Consumer::kernel;
  constexpr int ctas = how_of<K>.ctas();
  if constexpr (streams<K>)
    return number * ctas * sm.parameters.stream.rest() + tile;
  else
    return number * ctas * sm.parameters.work.count + tile;
}
/// Parts of its tile.
template <class Consumer>
constexpr int parts_of_tile(const Consumer& sm) {
  if constexpr (streams<typename Consumer::kernel>)
    return sm.now.parts;
  else
    return parts_of<typename Consumer::kernel>;
}

/// f(block, quad in the block, byte offset) for all sums of this thread that part `part` leaves.
template <int N, class Fragment, class Consumer, class F>
constexpr void for_each_left(const Consumer& sm, int tile, int part, F f) {
  using K = typename Consumer::kernel;
  constexpr int quads = Fragment::atom_registers / 4, all = Fragment::atoms * quads;
  constexpr int bytes = bytes_of_a_part(head_of<K>), begin = begin_of_sums(head_of<K>, N);
  static_assert(4 * all == meeting_of<K, N>.words);
  const place_in_workspace at{tile, part, parts_of_tile(sm), bytes, begin, sm.index, all};
  unroll_late<all>([&](int n) { f(n / quads, n % quads, workspace_offset(at, n, sm.thread)); });
}

/// Adds up what all parts have left, in their order. It begins with what changes no number when it is added: a loop
/// that is the same for all parts takes ptxas 13.0 fewer registers than one behind a first part that is only loaded.
template <int N, class Consumer, class Fragment>
constexpr void add_up_parts(Consumer& sm, int tile, Fragment& x) {
  if constexpr (Consumer::computes)
    unroll_late<Fragment::atoms * Fragment::atom_registers>(
        [&](int n) { set_to_nothing(x.atom[n / Fragment::atom_registers][n % Fragment::atom_registers]); });
  SECTILE_KEEP_LOOP for (int part = 0; part < parts_of_tile(sm); ++part) {
    for_each_left<N, Fragment>(sm, tile, part, [&](int block, int quad, long long offset) {
      std::uint32_t word[4]{};
      sm.hw.load_workspace(word, sm.parameters.sums, offset);
      if constexpr (Consumer::computes)
        for (int i = 0; i < 4; ++i) add_word(sm.hw, x.atom[block][4 * quad + i], word[i]);
    });
  }
}

/// What this CTA's threads have left of a tile is there for all parts, as many as take tickets from that counter. If it
/// is the last of them to come to the first meeting it has the sums from here on, and goes on alone; `again`: so far it
/// was the last of its group, and so it is of groups.
template <int N, class Consumer>
constexpr void hand_over(Consumer& sm, int counter, int parts, bool again = false) {
  constexpr int threads = Consumer::consumers * warpgroup;
  const auto& to = sm.parameters;
  // What all threads have written, one of them makes visible to whoever takes a later ticket; and of what others have
  // written before theirs it tells all threads here.
  sm.hw.named_barrier_sync(sums_barrier(Consumer::consumers), threads);
  const bool takes = sm.index == 0 && sm.thread == 0;
  bool first = N == 0;  // but where a compiler has an expression's right side evaluated before its left one
  if constexpr (Consumer::follows_order) first = !sm.found;
  first = first || again;
  if (first) {
    bool last = false;
    if (takes) last = sm.hw.take_ticket(to.tickets, counter, parts) == parts - 1;
    last = sm.hw.named_barrier_any(sums_barrier(Consumer::consumers), threads, last);
    sm.holder = last ? sm.part : nobody;
    sm.found = true;
  } else {  // the others are on their way
    if (takes && sm.has_sums()) sm.hw.await_tickets(to.tickets, counter, parts - 1);
    if (takes) sm.hw.take_ticket(to.tickets, counter, parts);
    if (sm.has_sums()) sm.hw.named_barrier_sync(sums_barrier(Consumer::consumers), threads);
  }
}
/// Leaves this thread's part of x in the workspace. Who has the sums adds up what all parts have left.
template <int N, class Consumer, class Fragment>
constexpr void meet_in_workspace(Consumer& sm, Fragment& x) {
  const int tile = tile_in_workspace(sm);
  for_each_left<N, Fragment>(sm, tile, sm.part, [&](int block, int quad, long long offset) {
    std::uint32_t word[4]{};
    if constexpr (Consumer::computes)
      for (int i = 0; i < 4; ++i) word[i] = __builtin_bit_cast(std::uint32_t, x.atom[block][4 * quad + i]);
    sm.hw.store_workspace(sm.parameters.sums, offset, word);
  });
  hand_over<N>(sm, counter_in_workspace(sm, N, tile), parts_of_tile(sm));
  if (sm.has_sums()) add_up_parts<N>(sm, tile, x);
}

}  // namespace sectile
