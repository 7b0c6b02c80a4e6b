// The parts of a tile meet in the shared memory of the cluster's CTAs (plan/split.hpp): what a consumer does where the
// body first uses sums.
#pragma once
#include <sectile/dsl/roles/parameters.hpp>
#include <sectile/dsl/roles/role.hpp>
#include <sectile/dsl/roles/sum_words.hpp>

namespace sectile {

/// f(block, quad in the block, quad) for all that a thread has.
template <class Fragment, class F>
constexpr void for_each_quad(F f) {
  constexpr int quads = Fragment::atom_registers / 4;
  for (int block = 0; block < Fragment::atoms; ++block)
    SECTILE_UNROLL for (int quad = 0; quad < quads; ++quad) f(block, quad, block * quads + quad);
}
/// The barrier at which a consumer waits for those of the other parts.
template <int N, int Round, class Consumer>
constexpr std::uint32_t sums_arrived(const Consumer& sm) {
  constexpr meeting_plan m = meeting_of<typename Consumer::kernel, N>;
  return sm.hw.shared_base() + static_cast<std::uint32_t>(meeting_barrier(m, sm.index, Round));
}
template <int N, int Round, class Consumer>
constexpr void await_sums(Consumer& sm) {
  sm.hw.mbarrier_wait_acquire(sums_arrived<N, Round>(sm), 0);
}
/// Tells this consumer of parts first .. last - 1, but not of its own, that what its warps have written is there.
template <int N, int Round, class Consumer>
constexpr void announce_sums(Consumer& sm, int first, int last) {
  sm.hw.named_barrier_sync(epilogue_barrier(sm.index), warpgroup);
  const auto tell = [&](int other) {
    if (other >= first && other < last && other != sm.part)
      sm.hw.mbarrier_arrive_release(sums_arrived<N, Round>(sm), sm.rank_of_part(other));
  };
  if constexpr (Consumer::whole_warpgroup)
    for (int other = 0; other < parts_of<typename Consumer::kernel>; ++other) tell(other);
  else
    tell(sm.thread);
}
/// Where quad number `number` of this thread's sums is left, and of its CTA's share.
template <int N, class Consumer>
constexpr std::uint32_t sums_address(const Consumer& sm, int number) {
  constexpr meeting_plan m = meeting_of<typename Consumer::kernel, N>;
  return sm.hw.shared_base() +
         static_cast<std::uint32_t>(sums_offset(m.offset, quads_of(m), sm.index, number, sm.thread));
}
template <int N, class Consumer>
constexpr std::uint32_t share_address(const Consumer& sm, int number) {
  using K = typename Consumer::kernel;
  constexpr meeting_plan m = meeting_of<K, N>;
  constexpr int quads = quads_of_share(m, parts_of<K>);
  return sm.hw.shared_base() + static_cast<std::uint32_t>(sums_offset(m.shares, quads, sm.index, number, sm.thread));
}
/// This thread's registers go to where the stages were, once all consumers of the CTA have done with these.
template <int N, class Consumer, class Fragment>
constexpr void leave_sums(Consumer& sm, const Fragment& x) {
  constexpr int consumers = Consumer::consumers;
  if constexpr (consumers > 1) sm.hw.named_barrier_sync(sums_barrier(consumers), consumers * warpgroup);
  for_each_quad<Fragment>([&](int block, int quad, int number) {
    std::uint32_t word[4]{};
    if constexpr (Consumer::computes)
      for (int i = 0; i < 4; ++i) word[i] = __builtin_bit_cast(std::uint32_t, x.atom[block][4 * quad + i]);
    sm.hw.store_shared(sums_address<N>(sm, number), word);
  });
}
/// Adds up this CTA's share of the words, of all parts.
template <int N, class Fragment, class Consumer>
constexpr void add_share(Consumer& sm) {
  using K = typename Consumer::kernel;
  constexpr meeting_plan m = meeting_of<K, N>;
  const trip_part own = part_of_trips(quads_of(m), sm.part, parts_of<K>);
  for (int quad = 0; quad < own.count; ++quad) {
    register_type<typename Fragment::element_type> sum[4]{};
    for (int other = 0; other < parts_of<K>; ++other) {
      std::uint32_t word[4]{};
      sm.hw.load_shared_at(word, sums_address<N>(sm, own.first + quad), sm.rank_of_part(other));
      if constexpr (Consumer::computes)
        for (int i = 0; i < 4; ++i) {
          if (other == 0)
            set_word(sum[i], word[i]);
          else
            add_word(sm.hw, sum[i], word[i]);
        }
    }
    std::uint32_t word[4]{};
    if constexpr (Consumer::computes)
      for (int i = 0; i < 4; ++i) word[i] = __builtin_bit_cast(std::uint32_t, sum[i]);
    sm.hw.store_shared(share_address<N>(sm, quad), word);
  }
}
/// Through the shared memory of the cluster's CTAs. Whether this one has the sums then.
template <int N, class Consumer, class Fragment>
constexpr bool meet_in_cluster(Consumer& sm, Fragment& x) {
  using K = typename Consumer::kernel;
  constexpr int parts = parts_of<K>, rounds = meeting_of<K, N>.rounds;
  if (rounds == 2 || sm.part > 0) leave_sums<N>(sm, x);
  if constexpr (rounds == 1) {
    if (sm.part > 0) {
      announce_sums<N, 0>(sm, 0, 1);
      return false;
    }
    await_sums<N, 0>(sm);
    for (int other = 1; other < parts; ++other)
      for_each_quad<Fragment>([&](int block, int quad, int number) {
        std::uint32_t word[4]{};
        sm.hw.load_shared_at(word, sums_address<N>(sm, number), sm.rank_of_part(other));
        if constexpr (Consumer::computes)
          for (int i = 0; i < 4; ++i) add_word(sm.hw, x.atom[block][4 * quad + i], word[i]);
      });
  } else {
    announce_sums<N, 0>(sm, 0, parts);
    await_sums<N, 0>(sm);
    add_share<N, Fragment>(sm);
    if (sm.part > 0) {
      announce_sums<N, 1>(sm, 0, 1);
      return false;
    }
    await_sums<N, 1>(sm);
    for_each_quad<Fragment>([&](int block, int quad, int number) {
      constexpr int quads = quads_of(meeting_of<K, N>), split = parts_of<K>;
      const int owner = part_of_trip(number, quads, split);
      const int in_share = number - part_of_trips(quads, owner, split).first;
      std::uint32_t word[4]{};
      sm.hw.load_shared_at(word, share_address<N>(sm, in_share), sm.rank_of_part(owner));
      if constexpr (Consumer::computes)
        for (int i = 0; i < 4; ++i) set_word(x.atom[block][4 * quad + i], word[i]);
    });
  }
  return true;
}

}  // namespace sectile
