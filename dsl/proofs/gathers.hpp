// Proof 8, feeding, of gathered rows: what the producer's threads are asked to copy. Each is recorded by
// itself. Together they bring each piece of 16 bytes of each tile that the body asks for once, from the row that the
// index picks to where the layout of the operand's tile has its elements.
#pragma once
#include <sectile/dsl/proofs/copies.hpp>
#include <sectile/layouts/operand_tile.hpp>

namespace sectile::protocol {

constexpr int pieces_of(const operand_facts& f) { return f.rows() * f.cols() * f.type.bits / 8 / gathered_piece; }
/// Pieces that a thread copies for all loads of a run.
constexpr int pieces_of_a_thread(const plan& p, const trace& t) {
  int n = 1;
  for (int i = 0; i < t.events; ++i)
    if (const event& e = t.at[i]; e.kind == event_kind::load && p.operand[e.operand].facts.is_gathered())
      n += pieces_of(p.operand[e.operand].facts) / producer_threads(p);
  return n;
}
constexpr int most_pieces(const plan& p) {
  int most = 1;
  for (int o = 0; o < p.operands; ++o)
    if (const operand_facts& f = p.operand[o].facts; f.is_gathered() && pieces_of(f) > most) most = pieces_of(f);
  return most;
}

/// Which piece of the tile at these coordinates a thread copies, row by row, -1: none; and where it belongs, in bytes
/// from the tile's first.
struct piece_place {
  int number = -1, byte = 0;
};
constexpr piece_place place_of_piece(const operand_facts& f, const tile_writer& lies, const picked_rows& from,
                                     const vector_place& index, const piece_copy& c, const std::int32_t (&tile)[5]) {
  const int rank = f.tile.rank, element = f.type.bits / 8, row_bytes = f.cols() * element;
  const long long pitch = from.pitch;
  long long row = c.offset / pitch - static_cast<long long>(tile[rank - 2]) * f.rows();
  for (int d = 0; d + 2 < rank; ++d) row -= tile[d] * index.stride[d];
  const long long byte = c.offset % pitch - static_cast<long long>(tile[rank - 1]) * row_bytes;
  if (row < 0 || row >= f.rows() || byte < 0 || byte >= row_bytes || byte % gathered_piece) return {};
  return {static_cast<int>((row * row_bytes + byte) / gathered_piece),
          static_cast<int>(lies(static_cast<int>(row), static_cast<int>(byte) / element))};
}

/// What a thread of the producer does besides, of which the first one does all that others do not. It has no part in a
/// ring without copies, whose barriers go on without it: behind by a round it would take a phase for another one.
constexpr violation check_helper(const plan& p, const action& x, int thread) {
  const bool of_first = x.what == act::expect || x.what == act::load || x.what == act::initialise;
  if (thread > 0 && of_first)
    return refuse(rule::protocol_races, "thread ", thread,
                  " of the producer announces or loads what the first one does");
  int ring = 0, number = x.barrier;
  while (ring < p.rings && number >= 2 * p.ring[ring].stages) number -= 2 * p.ring[ring++].stages;
  if (thread == 0 || x.what != act::wait || ring == p.rings || p.ring[ring].copied_bytes > 0) return {};
  return refuse(rule::protocol_races, "thread ", thread, " of the producer waits for a stage of ",
                p.operand[p.ring[ring].member[0]].facts.name,
                ", to which it copies nothing: the others may go on "
                "without it, and it take a phase for another one");
}

/// Of the tiles that CTA `rank` loads in a run whose loops turn twice.
template <class K>
constexpr violation check_gathered(int rank) {
  constexpr const plan& p = plan_of<K>;
  constexpr loop_table loops = turning(p.loops, 2);
  constexpr int room = pieces_of_a_thread(p, asked_for<K>(recorded_tile<K>(0, 1, 0), loops, 0));
  using machine = typename machine_under_test<K, recorder<log_capacity(p)>>::type;
  constexpr const auto& problem = recorded_parameters<K, machine>;
  constexpr int threads = producer_threads(p);
  piece_copy copy[threads][room]{};
  piece_list sent[threads]{};
  action_log<log_capacity(p)> log{};
  for (int thread = 0; thread < threads; ++thread) {
    sent[thread] = {copy[thread], room};
    log.count = 0;
    record<K>(log, loops, 1, rank, 0, nullptr, nullptr, to_all, thread, &sent[thread]);
    for (int n = 0; n < log.count; ++n)
      if (const violation v = check_helper(p, log.at[n], thread); !v.holds()) return v;
  }
  const trace asked = asked_for<K>(recorded_tile<K>(0, 1, rank), loops, place_of_rank<K>(rank).part,
                                   recorded_item<K>(problem.work.count, 0, 1).first);
  int next = 0;
  for (int i = 0; i < asked.events; ++i) {
    const event& e = asked.at[i];
    if (e.kind != event_kind::load || !p.operand[e.operand].facts.is_gathered()) continue;
    const operand_plan& op = p.operand[e.operand];
    const ring_plan& ring = p.ring[op.ring];
    const tile_writer lies(as_operand(op.facts, true, false));
    bool come[most_pieces(p)]{};
    for (int n = next; n < next + pieces_of(op.facts) / threads; ++n)
      for (int thread = 0; thread < threads; ++thread) {
        const piece_copy& c = copy[thread][n < room ? n : 0];
        const int to = (static_cast<int>(c.shared) - ring.offset) % ring.stage_bytes - op.stage_offset;
        const piece_place at = place_of_piece(op.facts, lies, problem.gathered[e.operand],
                                              problem.vector[find_index(p, e.operand)], c, e.coordinate);
        const bool right = n < sent[thread].count && at.number >= 0 && at.byte == to && c.there;
        if (right && !come[at.number]) {
          come[at.number] = true;
          continue;
        }
        violation v = refuse(rule::wgmma_does_not_read_what_tma_wrote, "operand ", op.facts.name, ": thread ", thread,
                             " of CTA ", rank);
        if (n >= sent[thread].count) return v << " copies " << sent[thread].count << " pieces, too few for its tiles";
        v << " copies a piece to byte " << to << " of a tile";
        if (!c.there) return v << " as zeros, where there are rows";
        if (at.number < 0) return v << " that is no part of it";
        return at.byte != to ? v << ", which belongs to byte " << at.byte : v << ", which another one copies, too";
      }
    next += pieces_of(op.facts) / threads;
  }
  for (int thread = 0; thread < threads; ++thread)
    if (sent[thread].count != next)
      return refuse(rule::wgmma_does_not_read_what_tma_wrote, "thread ", thread, " of CTA ", rank, " copies ",
                    sent[thread].count, " pieces where the tiles that are asked for have ", next, " for it");
  return {};
}
template <class K, int Rank>
inline constexpr violation gathered_verdict = check_gathered<K>(Rank);
/// Of all CTAs of the cluster.
template <class K>
constexpr violation check_gathers() {
  violation v{};
  if constexpr (gathers<K>) [&]<int... Rank>(std::integer_sequence<int, Rank...>) {
      ((v.holds() ? void(v = gathered_verdict<K, Rank>) : void()), ...);
    }
  (std::make_integer_sequence<int, plan_of<K>.how.ctas()>{});
  return v;
}

}  // namespace sectile::protocol
