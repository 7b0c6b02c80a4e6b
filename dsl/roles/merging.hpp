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
template <class Pieces, class Words, class Tell>
constexpr void for_each_piece(int number, const Words& own, int octets, Tell tell) {
  if constexpr (Pieces::count == 1)
    tell(number, &own.quad[0][0], own.count(octets));
  else
    for (int p = 0; p < Pieces::count; ++p) {
      constexpr int words = 4 * (Pieces::numbers + Pieces::quads);
      std::uint32_t word[words]{};
      for (int i = 0; i < words; ++i) word[i] = own.quad[Pieces::quad(p, i / 4)][i % 4];
      tell(number + max_meetings * p, word, words);
    }
}

/// The words of this part's state, which who looks on is told of.
template <class Consumer, class... X>
constexpr auto own_words(Consumer& sm, int number, const parts_that_meet& meet, int octets, X&... x) {
  state_words<state_layout<X...>> own{};
  if constexpr (Consumer::computes) own.take(x...);
  if constexpr (Consumer::follows_order)
    for_each_piece<state_pieces<X...>>(number, own, octets, [&](int piece, const std::uint32_t* words, int count) {
      sm.hw.observe_state(piece, meet.own, meet.count, words, count);
    });
  return own;
}

/// x becomes what it and the parts from `first` on are together, of so many that meet, of the first `Octets` octets, of
/// which `there` are there; or, if that is part 0, what those alone are. read(part, number, word) brings four words
/// that a part has left. So many parts are on their way at once as there are registers for. The position in the text is
/// that of f in each of them: `at`. (To who looks on and does not compute they are alike, and f is read once.)
/// `number`: of the state to him.
template <int Octets, int Registers, class Consumer, class F, class Read, class... X>
constexpr void merge_octets(Consumer& sm, int number, int first, int parts, int there, int at, F& f, Read read,
                            X&... x) {
  using its_layout = state_layout<X...>;
  using words = state_words<its_layout, Octets>;
  constexpr int at_once = Registers / (4 * words::quads) > 1 ? Registers / (4 * words::quads) : 1;
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
template <class Consumer, class F, class Read, class... X>
constexpr void merge_from(Consumer& sm, int number, int first, int parts, int there, int at, F& f, Read read, X&... x) {
  using pieces = state_pieces<X...>;
  constexpr int all = state_layout<X...>::octets, registers = pieces::left;
  if constexpr (Consumer::computes && all > 1) {
    if (there == 0) return;
    if (there == 1) return merge_octets<1, registers>(sm, number, first, parts, there, at, f, read, x...);
  }
  if constexpr (Consumer::computes && pieces::count > 1) {
    unroll<pieces::count>([&](auto p) {
      const auto read_piece = [&](int part, int n, std::uint32_t(&word)[4]) { read(part, pieces::quad(p, n), word); };
      with_pieces<pieces>(
          sm, p,
          [&](auto&... own) {
            merge_octets<all, registers>(sm, number + max_meetings * p, first, parts, there, at, f, read_piece, own...);
          },
          x...);
    });
  } else {
    merge_octets<all, registers>(sm, number, first, parts, there, at, f, read, x...);
  }
}

/// Through the shared memory of the cluster's CTAs: the first one goes on.
template <int N, class Consumer, class F, class... X>
constexpr void merge_in_cluster(Consumer& sm, int here, F& f, X&... x) {
  using its_layout = state_layout<X...>;
  constexpr int consumers = Consumer::consumers;
  const int octets = octets_there<its_layout>(sm);
  const int parts = parts_of_tile(sm);
  const auto own = own_words(sm, N, {0, sm.part, parts}, octets, x...);
  if (sm.part > 0) {
    if constexpr (consumers > 1) sm.hw.named_barrier_sync(sums_barrier(consumers), consumers * warpgroup);
    for_each_quad_there<its_layout>(octets, [&](int n) { sm.hw.store_shared(sums_address<N>(sm, n), own.quad[n]); });
    return announce_sums<N, 0>(sm, 0, 1);
  }
  if constexpr (Consumer::follows_order)
    if (octets > 0)
      for_each_piece<state_pieces<X...>>(N, own, octets, [&](int number, const std::uint32_t* words, int count) {
        sm.hw.observe_merge(number, 0, parts, words, count);
      });
  await_sums<N, 0>(sm);
  const auto read = [&](int part, int n, std::uint32_t(&word)[4]) {
    sm.hw.load_shared_at(word, sums_address<N>(sm, n), sm.rank_of_part(part));
  };
  merge_from(sm, N, 1, parts, octets, here + 1, f, read, x...);
}

/// Those who meet in the workspace, and where: `counter` of those of a tile; `number`: of the meeting to who looks on.
struct meeting_in_workspace {
  parts_that_meet parts{};
  int begin = 0, counter = 0, number = 0, group = -1;
  bool of_groups = false;
};
/// Meeting N, of all parts; or of a group of them, and then, `again`, of groups.
template <int N, class Consumer>
constexpr meeting_in_workspace meeting_of_parts(const Consumer& sm, bool again) {
  using K = typename Consumer::kernel;
  constexpr int begin = begin_of_sums(head_of<K>, N);
  if constexpr (how_of<K>.fan_in == 0 || N > 0) {
    return {{0, sm.part, parts_of_tile(sm)}, begin, N, N};
  } else {
    constexpr int last = meetings_of<K>, begin_of_last = begin_of_sums(head_of<K>, last), fan_in = how_of<K>.fan_in;
    constexpr int groups = how_of<K>.groups_of_parts(), pieces = 64;  // a state has fewer
    const int group = sm.part / fan_in;
    if (again) return {among_groups(sm.part, parts_of<K>, fan_in), begin_of_last, last, last, groups, true};
    const int number = max_meetings * pieces * group;
    return {group_of_part(sm.part, parts_of<K>, fan_in), begin, counter_of_group(last, group), number, group};
  }
}
/// Leaves this part there. The last to come has all of those who meet from here on, merged in their order.
template <int N, class Consumer, class F, class... X>
constexpr void meet_and_merge(Consumer& sm, const meeting_in_workspace& to, int here, F& f, X&... x) {
  using its_layout = state_layout<X...>;
  using K = typename Consumer::kernel;
  const int tile = tile_in_workspace(sm), octets = octets_there<its_layout>(sm);
  const auto place = [&](int part, int n) {
    constexpr int bytes = bytes_of_a_part(head_of<K>);
    const place_in_workspace at{tile,     to.parts.first + part, parts_of_tile(sm), bytes, to.begin,
                                sm.index, its_layout::quads};
    return workspace_offset(at, n, sm.thread);
  };
  const auto own = own_words(sm, to.number, to.parts, octets, x...);
  for_each_quad_there<its_layout>(
      octets, [&](int n) { sm.hw.store_workspace(sm.parameters.sums, place(to.parts.own, n), own.quad[n]); });
  if constexpr (how_of<K>.fan_in > 0) sm.hw.observe_meeting(to.group, to.parts.count);
  hand_over<N>(sm, counter_in_workspace(sm, to.counter, tile), to.parts.count, to.of_groups);
  if (!sm.has_sums()) return;
  const auto read = [&](int part, int n, std::uint32_t(&word)[4]) {
    sm.hw.load_workspace(word, sm.parameters.sums, place(part, n));
  };
  merge_from(sm, to.number, 0, to.parts.count, octets, here + 1, f, read, x...);
}
/// Through the workspace: the last to come goes on. Groups meet by the instructions by which their parts have: a thread
/// has no registers for two copies of these.
template <int N, class Consumer, class F, class... X>
constexpr void merge_in_workspace(Consumer& sm, int here, F& f, X&... x) {
  if constexpr (N == 0 && how_of<typename Consumer::kernel>.fan_in > 0) {
    SECTILE_KEEP_LOOP for (int round = 0; round < 2; ++round) {
      meet_and_merge<N>(sm, meeting_of_parts<N>(sm, round > 0), here, f, x...);
      if (!sm.has_sums()) return;
    }
  } else {
    meet_and_merge<N>(sm, meeting_of_parts<N>(sm, false), here, f, x...);
  }
}

}  // namespace sectile
