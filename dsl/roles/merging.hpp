// Parts of a tile become one as the body says, by sm.merge(f, ..): they meet where sums do, in the shared memory of the
// cluster (cluster_meeting.hpp) or in the workspace (workspace_meeting.hpp), and in the same order. But for one thing:
// f is of whole values, so that nobody can do a share of the words for others; one CTA reads what all have left.
#pragma once
#include <sectile/dsl/program/state.hpp>
#include <sectile/dsl/roles/cluster_meeting.hpp>
#include <sectile/dsl/roles/workspace_meeting.hpp>

namespace sectile {

/// The octets of rows of a state that this thread's warp has to hand on: those that the work has, which are the first.
/// (To who looks on all of them.)
template <class Layout, class Consumer>
constexpr int octets_there(const Consumer& sm) {
  using K = typename Consumer::kernel;
  using rows = typename Layout::rows;
  if constexpr (Consumer::computes && Layout::by_rows && !Consumer::swaps) {
    constexpr operand_facts work = operand_facts_of<K, work_operand<K>>();
    if constexpr (rows::name == work.row_mode() && rows::extent == work.rows()) {
      const int left = sm.template left_of_work<rows::name>();
      const int first = sm.share() * (rows::extent / Consumer::sharers) + sm.thread / 32 * 16;
      int there = 0;
      SECTILE_UNROLL for (int n = 0; n < Layout::octets; ++n) there += first + n / 2 * 64 + n % 2 * 8 < left;
      return Layout::octets > 2 && there > 1 ? Layout::octets : there;  // who merges reads one of them, or all
    }
  }
  return Layout::octets;
}
/// f(quad) for those of the first octets.
template <class Layout, class F>
constexpr void for_each_quad_there(int octets, F f) {
  SECTILE_UNROLL for (int octet = 0; octet < Layout::octets; ++octet) {
    if (octet < octets) unroll_late<Layout::octet_quads>([&](int n) { f(octet * Layout::octet_quads + n); });
  }
}

/// tell(the number that it has, words, how many) for each piece of a part's state, to whom who looks on is.
template <int N, class Pieces, class Words, class Tell>
constexpr void for_each_piece(const Words& own, int octets, Tell tell) {
  if constexpr (Pieces::count == 1)
    tell(N, &own.quad[0][0], own.count(octets));
  else
    for (int p = 0; p < Pieces::count; ++p) {
      constexpr int words = 4 * (Pieces::numbers + Pieces::quads);
      std::uint32_t word[words]{};
      for (int i = 0; i < words; ++i) word[i] = own.quad[Pieces::quad(p, i / 4)][i % 4];
      tell(N + max_meetings * p, word, words);
    }
}

/// The words of this part's state, which who looks on is told of.
template <int N, class Consumer, class... X>
constexpr auto own_words(Consumer& sm, int octets, X&... x) {
  state_words<state_layout<X...>> own{};
  if constexpr (Consumer::computes) own.take(x...);
  if constexpr (Consumer::follows_order)
    for_each_piece<N, state_pieces<X...>>(own, octets, [&](int number, const std::uint32_t* words, int count) {
      sm.hw.observe_state(number, sm.part, parts_of_tile(sm), words, count);
    });
  return own;
}

/// x becomes what it and the parts from `first` on are together, of the first `Octets` octets, of which `there` are
/// there; or, if that is part 0, what those alone are. read(part, number, word) brings four words that a part has left.
/// So many parts are on their way at once as there are registers for. The position in the text is that of f in each of
/// them: `at`. (To who looks on and does not compute they are alike, and f is read once.) `number`: of the state to
/// him.
template <int Octets, int Registers, class Consumer, class F, class Read, class... X>
constexpr void merge_octets(Consumer& sm, int number, int first, int there, int at, F& f, Read read, X&... x) {
  using its_layout = state_layout<X...>;
  using words = state_words<its_layout, Octets>;
  constexpr int at_once = Registers / (4 * words::quads) > 1 ? Registers / (4 * words::quads) : 1;
  const int parts = parts_of_tile(sm);
  if constexpr (Consumer::computes) clear_behind<its_layout, Octets>(x...);
  SECTILE_KEEP_LOOP for (int part = first; part < parts; part += at_once) {
    words other[at_once]{};
    SECTILE_UNROLL for (int i = 0; i < at_once; ++i) {
      if (part + i < parts) unroll_late<words::quads>([&](int n) { read(part + i, n, other[i].quad[n]); });
    }
    SECTILE_UNROLL for (int i = 0; i < at_once; ++i) {
      if (part + i >= parts) continue;
      if constexpr (Consumer::follows_order)
        sm.hw.observe_merge(number, part + i, parts, &other[i].quad[0][0], other[i].count(there));
      if (part + i == 0) {
        if constexpr (Consumer::computes) other[i].put(x...);
        continue;
      }
      if (!Consumer::computes && part + i > 1) continue;
      sm.text_begins(at);
      with_others(
          sm,
          [&](auto&... y) {
            if constexpr (Consumer::computes) other[i].put(y...);
            f(x..., y...);
          },
          x...);
      if constexpr (Consumer::computes) clear_behind<its_layout, Octets>(x...);
    }
  }
  if constexpr (Consumer::follows_order) sm.hw.observe_merged(number, parts);
}
/// The same of as many as there are; few rows have one. And of a state in pieces, one behind the other.
template <int N, class Consumer, class F, class Read, class... X>
constexpr void merge_from(Consumer& sm, int first, int there, int at, F& f, Read read, X&... x) {
  using pieces = state_pieces<X...>;
  constexpr int all = state_layout<X...>::octets, registers = pieces::left;
  if constexpr (Consumer::computes && all > 1) {
    if (there == 0) return;
    if (there == 1) return merge_octets<1, registers>(sm, N, first, there, at, f, read, x...);
  }
  if constexpr (Consumer::computes && pieces::count > 1) {
    unroll<pieces::count>([&](auto p) {
      const auto read_piece = [&](int part, int n, std::uint32_t(&word)[4]) { read(part, pieces::quad(p, n), word); };
      with_pieces<pieces>(
          sm, p,
          [&](auto&... own) {
            merge_octets<all, registers>(sm, N + max_meetings * p, first, there, at, f, read_piece, own...);
          },
          x...);
    });
  } else {
    merge_octets<all, registers>(sm, N, first, there, at, f, read, x...);
  }
}

/// Through the shared memory of the cluster's CTAs: the first one goes on.
template <int N, class Consumer, class F, class... X>
constexpr void merge_in_cluster(Consumer& sm, int here, F& f, X&... x) {
  using its_layout = state_layout<X...>;
  constexpr int consumers = Consumer::consumers;
  const int octets = octets_there<its_layout>(sm);
  const auto own = own_words<N>(sm, octets, x...);
  if (sm.part > 0) {
    if constexpr (consumers > 1) sm.hw.named_barrier_sync(sums_barrier(consumers), consumers * warpgroup);
    for_each_quad_there<its_layout>(octets, [&](int n) { sm.hw.store_shared(sums_address<N>(sm, n), own.quad[n]); });
    return announce_sums<N, 0>(sm, 0, 1);
  }
  if constexpr (Consumer::follows_order)
    if (octets > 0)
      for_each_piece<N, state_pieces<X...>>(own, octets, [&](int number, const std::uint32_t* words, int count) {
        sm.hw.observe_merge(number, 0, parts_of_tile(sm), words, count);
      });
  await_sums<N, 0>(sm);
  const auto read = [&](int part, int n, std::uint32_t(&word)[4]) {
    sm.hw.load_shared_at(word, sums_address<N>(sm, n), sm.rank_of_part(part));
  };
  merge_from<N>(sm, 1, octets, here + 1, f, read, x...);
}

/// Through the workspace: the last to come goes on, with all parts in their order.
template <int N, class Consumer, class F, class... X>
constexpr void merge_in_workspace(Consumer& sm, int here, F& f, X&... x) {
  using its_layout = state_layout<X...>;
  const int tile = tile_in_workspace(sm), octets = octets_there<its_layout>(sm);
  const auto place = [&](int part, int n) {
    using K = typename Consumer::kernel;
    constexpr int bytes = bytes_of_a_part(head_of<K>), begin = begin_of_sums(head_of<K>, N);
    const place_in_workspace at{tile, part, parts_of_tile(sm), bytes, begin, sm.index, its_layout::quads};
    return workspace_offset(at, n, sm.thread);
  };
  const auto own = own_words<N>(sm, octets, x...);
  for_each_quad_there<its_layout>(
      octets, [&](int n) { sm.hw.store_workspace(sm.parameters.sums, place(sm.part, n), own.quad[n]); });
  hand_over<N>(sm, tile);
  if (!sm.has_sums()) return;
  const auto read = [&](int part, int n, std::uint32_t(&word)[4]) {
    sm.hw.load_workspace(word, sm.parameters.sums, place(part, n));
  };
  merge_from<N>(sm, 0, octets, here + 1, f, read, x...);
}

}  // namespace sectile
