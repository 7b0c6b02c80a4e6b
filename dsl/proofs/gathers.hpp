// Proof 8, feeding, of gathered rows: what the producer's threads are asked to copy. Each is recorded by
// itself. Together they bring each piece of 16 bytes of each tile that the body asks for once, from the row that the
// index picks to where the layout of the operand's tile has its elements.
#pragma once
#include <array>

#include <sectile/dsl/proofs/copies.hpp>
#include <sectile/layouts/operand_tile.hpp>

namespace sectile::protocol {

constexpr int pieces_of(const operand_facts& f) { return f.rows() * f.cols() * f.type.bits / 8 / gathered_piece; }
/// Pieces that a thread copies for all loads of a run.
constexpr int pieces_of_a_thread(const plan& p, const trace& t) {
  int n = 1;
  for (const event& e : t)
    if (e.kind == event_kind::load && p.operand[e.operand].facts.is_gathered())
      n += pieces_of(p.operand[e.operand].facts) / producer_threads(p);
  return n;
}
constexpr int most_pieces(const plan& p) {
  return most_of(p.operands, 1,
                 [&](int o) { return p.operand[o].facts.is_gathered() ? pieces_of(p.operand[o].facts) : 0; });
}

/// Where the pieces of operand I's tile belong, row by row, in bytes from the tile's first; no operand that is not
/// gathered has any.
template <class K, int I>
inline constexpr auto places_of_pieces = [] {
  constexpr operand_facts f = operand_facts_of<K, I>();
  constexpr int element = f.type.bits / 8, pieces = f.is_gathered() ? pieces_of(f) : 0;
  std::array<int, pieces> place{};
  if constexpr (pieces > 0) {
    const tile_writer lies(as_operand(f, true, false));
    for (int i = 0; i < pieces; ++i) {
      const int byte = i * gathered_piece, row_bytes = f.cols() * element;
      place[static_cast<std::size_t>(i)] = static_cast<int>(lies(byte / row_bytes, byte % row_bytes / element));
    }
  }
  return place;
}();

/// Which piece of the tile at these coordinates a thread copies; -1: none.
constexpr int find_piece(const operand_facts& f, const picked_rows& from, const operand_facts& picks,
                         const vector_place& index, const piece_copy& c, const std::int32_t (&tile)[5]) {
  const int rank = f.tile.rank, row_bytes = f.cols() * f.type.bits / 8;
  const long long pitch = from.pitch;
  long long offset = c.offset, begin = static_cast<long long>(tile[rank - 2]) * f.rows();
  for (int d = 0; d + 2 < rank; ++d)
    if (const int i = place_in_index(f, picks, d); i >= 0)
      begin += tile[d] * index.stride[i];
    else
      offset -= tile[d] * from.apart[d];
  if (offset < 0) return -1;
  const long long row = offset / pitch - begin;
  const long long byte = offset % pitch - static_cast<long long>(tile[rank - 1]) * row_bytes;
  if (row < 0 || row >= f.rows() || byte < 0 || byte >= row_bytes || byte % gathered_piece) return -1;
  return static_cast<int>((row * row_bytes + byte) / gathered_piece);
}

/// Whether all threads of the producer do this, not the first one for them. (They wait for no stage that only TMA
/// fills, whose barriers go on without them: behind by a round they would take a phase for another one.)
constexpr bool is_done_by_all(const plan& p, const action& x) {
  switch (x.what) {
    case act::wait: {
      const int at = p.ring[0].full_barrier + 8 * x.barrier;
      for (int r = 0; r < p.rings; ++r)
        if (at < p.ring[r].empty_barrier + 8 * p.ring[r].stages) return p.ring[r].copied_bytes > 0;
      return at < ticket_full_barrier(p.tickets, p.tickets.slots);
    }
    case act::initialise:
    case act::publish:
    case act::expect:
    case act::load:
    case act::draw:
    case act::hand_out:
    case act::arrive:
      return false;
    default:
      return true;
  }
}
/// The protocol's proof goes by the first thread. The others do the same, but for what that one does for all.
template <int Capacity>
constexpr violation check_helper(const plan& p, const action_log<Capacity>& first, const action_log<Capacity>& log,
                                 int thread) {
  const auto no = [&](const char* what) {
    return refuse(rule::protocol_races, "thread ", thread, " of the producer ", what);
  };
  int next = 0;
  for (int n = 0;; ++n, ++next) {
    while (next < first.count && !is_done_by_all(p, first.at[next])) ++next;
    if (n == log.count && next == first.count) return {};
    if (n < log.count && !is_done_by_all(p, log.at[n]))
      return no("announces bytes, loads, draws or waits, which the first one does for all");
    if (n == log.count || next == first.count || !(log.at[n] == first.at[next]))
      return no("waits, copies, reads or meets otherwise than the first one, by which the proof goes");
  }
}

/// What some threads copy in a run, each recorded by itself, and what one of them does that it must not. (So few that
/// clang++ has steps enough for the two operands of paged attention.)
inline constexpr int recorded_at_once = 8;
template <int Room>
struct some_copies {
  piece_copy at[recorded_at_once][Room]{};
  int count[recorded_at_once]{};
  violation fault{};
};
template <class K>
inline constexpr loop_table loops_that_turn_twice = turning(head_of<K>.loops, 2);
template <class K>
inline constexpr int room_for_pieces = pieces_of_a_thread(plan_of<K>, asked_for<K>(recorded_tile<K>(0, 1, 0),
                                                                                   loops_that_turn_twice<K>, 0));
template <class K, int Rank>
inline constexpr auto log_of_first_thread = [] {
  action_log<log_capacity(plan_of<K>)> log{};
  record<K>(log, loops_that_turn_twice<K>, 1, Rank, 0);
  return log;
}();
template <class K, int Rank, int Part>
inline constexpr auto copies_of_part = [] {
  constexpr const plan& p = plan_of<K>;
  some_copies<room_for_pieces<K>> copies{};
  action_log<log_capacity(p)> log{};
  for (int lane = 0; lane < recorded_at_once && copies.fault.holds(); ++lane) {
    const int thread = Part * recorded_at_once + lane;
    piece_list sent{copies.at[lane], room_for_pieces<K>};
    log.count = 0;
    record<K>(log, loops_that_turn_twice<K>, 1, Rank, 0, nullptr, nullptr, to_all, thread, &sent);
    copies.count[lane] = sent.count;
    if (thread > 0) copies.fault = check_helper(p, log_of_first_thread<K, Rank>, log, thread);
  }
  return copies;
}();

/// Of the tiles that CTA `Rank` loads in that run.
template <class K, int Rank>
constexpr violation check_gathered() {
  constexpr const plan& p = plan_of<K>;
  constexpr int room = room_for_pieces<K>, threads = producer_threads(p);
  constexpr int parts = threads / recorded_at_once;
  using machine = typename machine_under_test<K, recorder<log_capacity(p)>>::type;
  constexpr const auto& problem = recorded_parameters<K, machine>;
  const some_copies<room>* some[parts]{};
  unroll<parts>([&](auto n) { some[n] = &copies_of_part<K, Rank, n>; });
  for (const auto* one : some)
    if (!one->fault.holds()) return one->fault;
  const auto sent = [&](int thread) { return some[thread / recorded_at_once]->count[thread % recorded_at_once]; };
  const trace asked = asked_for<K>(recorded_tile<K>(0, 1, Rank), loops_that_turn_twice<K>, place_of_rank<K>(Rank).part,
                                   recorded_item<K>(problem.work.count, 0, 1).first);
  const int* places[operand_count<K>]{};
  unroll<operand_count<K>>([&](auto o) { places[o] = places_of_pieces<K, o>.data(); });
  int next = 0;
  for (const event& e : asked) {
    if (e.kind != event_kind::load || !p.operand[e.operand].facts.is_gathered()) continue;
    const operand_plan& op = p.operand[e.operand];
    const ring_plan& ring = p.ring[op.ring];
    const int index = find_index(p, e.operand);
    bool come[most_pieces(p)]{};
    for (int n = next; n < next + pieces_of(op.facts) / threads; ++n)
      for (int thread = 0; thread < threads; ++thread) {
        const piece_copy& c = some[thread / recorded_at_once]->at[thread % recorded_at_once][n < room ? n : 0];
        const int to = (static_cast<int>(c.shared) - ring.offset) % ring.stage_bytes - op.stage_offset;
        const int piece = find_piece(op.facts, problem.gathered[e.operand], p.operand[index].facts,
                                     problem.vector[index], c, e.coordinate);
        const int belongs = piece < 0 ? 0 : places[e.operand][piece];
        const bool right = n < sent(thread) && piece >= 0 && belongs == to && c.there;
        if (right && !come[piece]) {
          come[piece] = true;
          continue;
        }
        violation v = refuse(rule::wgmma_does_not_read_what_tma_wrote, "operand ", op.facts.name, ": thread ", thread,
                             " of CTA ", Rank);
        if (n >= sent(thread)) return v << " copies " << sent(thread) << " pieces, too few for its tiles";
        v << " copies a piece to byte " << to << " of a tile";
        if (!c.there) return v << " as zeros, where there are rows";
        if (piece < 0) return v << " that is no part of it";
        return belongs != to ? v << ", which belongs to byte " << belongs : v << ", which another one copies, too";
      }
    next += pieces_of(op.facts) / threads;
  }
  for (int thread = 0; thread < threads; ++thread)
    if (sent(thread) != next)
      return refuse(rule::wgmma_does_not_read_what_tma_wrote, "thread ", thread, " of CTA ", Rank, " copies ",
                    sent(thread), " pieces where the tiles that are asked for have ", next, " for it");
  return {};
}
template <class K, int Rank>
inline constexpr violation gathered_verdict = check_gathered<K, Rank>();
/// Of all CTAs of the cluster.
template <class K>
constexpr violation check_gathers() {
  return first_violation < gathers<K> ? head_of<K>.how.ctas()
                                      : 0 > ([](auto rank) { return gathered_verdict<K, rank>; });
}

}  // namespace sectile::protocol
