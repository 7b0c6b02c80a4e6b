// Guards: bytes between the pieces of shared memory that nobody may touch, and the room in which the debug machine
// keeps its notes. A checked kernel's plan is the kernel's own with its pieces moved apart, and as many buffers in the
// epilogues as then fit; nothing else about it changes.
//
// What is a guard is not written down anywhere: whatever belongs to no piece is one. Each word of a guard holds a
// number that depends on its place, so that no data, and no copy of another guard, passes for it.
#pragma once
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/program/unroll.hpp>

namespace sectile {

constexpr int stage_guard = shared_alignment;  // bytes between stages: what is behind one keeps its alignment
constexpr int barrier_guard = 128;             // bytes before and behind the barriers

/// The word that a guard holds at byte `offset` (a multiple of 4) of the CTA's shared memory.
constexpr std::uint32_t guard_factor = 0x9E3779B1, guard_mask = 0x5EC711E5;
constexpr std::uint32_t guard_word(int offset) {
  return static_cast<std::uint32_t>(offset) * guard_factor ^ guard_mask;
}

// ---- pieces

enum class piece_kind : std::uint8_t { tile, metadata, exchange, factors, epilogue, barriers, tickets, notes };

/// A piece of shared memory: `count` times `bytes` bytes, `pitch` bytes from one to the next.
struct shared_piece {
  piece_kind kind = piece_kind::notes;
  int operand = -1;  // tiles, metadata, an epilogue's buffers
  int begin = 0, bytes = 0;
  int pitch = 0, count = 1;
  int alignment = 8;  // of its parts: where the swizzle pattern repeats
  int box_bytes = 0;  // of one copy into it

  /// Which of the `count` holds the byte at `offset`; -1: none.
  constexpr int index_of(int offset) const {
    const int inside = offset - begin;
    if (inside < 0 || inside >= pitch * count || inside % pitch >= bytes) return -1;
    return inside / pitch;
  }
  constexpr bool holds(int offset) const { return index_of(offset) >= 0; }
};

/// All pieces of a kernel's shared memory.
struct shared_map {
  static constexpr int most = 2 * max_operands + 6;
  int count = 0;
  int bytes = 0;
  shared_piece at[most]{};

  constexpr void add(const shared_piece& s) {
    if (s.bytes > 0) at[count++] = s;
  }
  /// Number of the piece that holds the byte at `offset`; -1: it is a guard, or lies outside.
  constexpr int find(int offset) const {
    for (int i = 0; i < count; ++i)
      if (at[i].holds(offset)) return i;
    return -1;
  }
};

/// Barriers lie one behind the other: per ring its full ones, then its empty ones; then those of the meetings,
/// of exchanges, and of drawn numbers.
constexpr int count_barriers(const plan_head& p) {
  int n = 0;
  for (int r = 0; r < p.rings; ++r) n += 2 * p.ring[r].stages;
  return n + count_cluster_barriers(p);
}

constexpr shared_map map_shared_memory(const plan& p) {
  shared_map m{};
  m.bytes = p.shared_bytes;
  for (int r = 0; r < p.rings; ++r)
    for (int i = 0; i < p.ring[r].members; ++i) {
      const ring_plan& ring = p.ring[r];
      const operand_plan& op = p.operand[ring.member[i]];
      m.add({piece_kind::tile, ring.member[i], ring.offset + op.stage_offset, op.tile_bytes, ring.stage_bytes,
             ring.stages, destination_alignment(op.swizzle), bytes(op.box)});
      if (op.facts.sparse)
        m.add({piece_kind::metadata, ring.member[i], ring.offset + op.metadata.stage_offset, op.metadata.bytes,
               ring.stage_bytes, ring.stages, destination_alignment(swizzle_mode::none), bytes(op.metadata.box)});
    }
  m.add({piece_kind::exchange, -1, p.exchange.offset, p.exchange.bytes, p.exchange.bytes});
  m.add({piece_kind::factors, -1, p.placed.offset, p.placed.pitch, p.placed.pitch, p.placed.places,
         destination_alignment(swizzle_mode::b128)});
  for (int n = 0; n < p.epilogues; ++n) {
    const epilogue_plan& e = p.epilogue[n];
    const int share = e.buffers * e.panel_bytes;  // of each consumer
    m.add({piece_kind::epilogue, e.operand, e.offset, share, share, p.how.consumers, destination_alignment(e.swizzle)});
  }
  const int barriers = 8 * count_barriers(p);
  m.add({piece_kind::barriers, -1, p.ring[0].full_barrier, barriers, barriers});
  m.add({piece_kind::tickets, -1, p.tickets.offset, ticket_bytes_of(p), ticket_bytes_of(p)});
  m.add({piece_kind::notes, -1, p.guards.notes, p.guards.note_bytes, p.guards.note_bytes});
  return m;
}

template <class K>
inline constexpr shared_map shared_map_of = map_shared_memory(plan_of<K>);

/// Calls f(piece, offset's number among its `count`) for the piece of K that holds the byte at `offset`, if one does;
/// for device code, where the map must dissolve into constants.
template <class K, class F>
constexpr bool with_piece_at(int offset, F f) {
  bool found = false;
  unroll<shared_map_of<K>.count>([&](auto i) {
    constexpr shared_piece s = shared_map_of<K>.at[i];
    const int index = s.index_of(offset);
    if (index >= 0) {
      found = true;
      f(s, index);
    }
  });
  return found;
}

// ---- guards, for whoever wants to count or name them

/// Bytes begin .. end - 1, behind one piece and before the next. -1: behind, before nothing. The numbers are those of
/// the pieces and of their repetitions.
struct guard {
  int begin = 0, end = 0;
  int behind = -1, behind_index = 0;
  int before = -1, before_index = 0;
};

/// The first guard that ends behind byte `offset`; begin == end == shared_bytes if there is none.
constexpr guard next_guard(const shared_map& m, int offset) {
  guard g{};
  g.begin = offset;
  for (int at = offset; at < m.bytes;) {  // step over the pieces that follow each other without a gap
    const int here = m.find(at);
    if (here < 0) break;
    g.behind = here;
    g.behind_index = m.at[here].index_of(at);
    at = m.at[here].begin + g.behind_index * m.at[here].pitch + m.at[here].bytes;
    g.begin = at;
  }
  g.end = m.bytes;
  for (int i = 0; i < m.count; ++i)
    for (int n = 0; n < m.at[i].count; ++n)
      if (const int begin = m.at[i].begin + n * m.at[i].pitch; begin >= g.begin && begin < g.end) {
        g.end = begin;
        g.before = i;
        g.before_index = n;
      }
  return g;
}

/// The guard that holds the byte at `offset`.
constexpr guard guard_at(const shared_map& m, int offset) {
  guard g = next_guard(m, 0);
  while (g.end <= offset && g.end < m.bytes) g = next_guard(m, g.end);
  return g;
}

constexpr int count_guards(const shared_map& m) {
  int n = 0;
  for (guard g = next_guard(m, 0); g.begin < m.bytes; g = next_guard(m, g.end)) ++n;
  return n;
}

// ---- notes
//
// Words of 32 bits: those of a complaint, four of each role, three of each barrier.

constexpr int complaint_words = 4, role_words = 4, barrier_words = 3;
constexpr int count_roles(const plan_head& p) { return 1 + p.how.consumers; }
constexpr int role_note(int role) { return complaint_words + role_words * role; }
constexpr int barrier_note(const plan_head& p, int barrier) {
  return role_note(count_roles(p)) + barrier_words * barrier;
}
constexpr int count_notes(const plan_head& p) { return barrier_note(p, count_barriers(p)); }

// ---- the plan of a checked kernel

/// Buffers of a consumer for one output, the most there are; 1 where all that is stored are vectors, which need none.
constexpr int most_buffers(const plan& p) {
  return most_of(p.epilogues, 1, [&](int n) { return p.epilogue[n].buffers; });
}

/// Where in a stage guards are put.
enum class guarding : std::uint8_t { none, stages, tiles };

/// Moves the pieces of p apart: a guard before the first ring, behind each stage or each tile in it, around the
/// barriers. An epilogue gets up to `buffers` buffers.
constexpr plan spread(plan p, guarding how, int buffers) {
  int at = how == guarding::none ? 0 : stage_guard;
  for (int r = 0; r < p.rings; ++r) {
    ring_plan& ring = p.ring[r];
    int moved = 0;  // within a stage
    for (int i = 0; i < ring.members; ++i) {
      operand_plan& op = p.operand[ring.member[i]];
      op.stage_offset += moved;
      op.metadata.stage_offset += moved;
      if (how == guarding::tiles) moved += stage_guard;
    }
    ring.stage_bytes += how == guarding::stages ? stage_guard : moved;
    ring.offset = at;
    at += ring.stages * ring.stage_bytes;
  }
  place_partial_sums(p);
  p.exchange.offset = at;
  at = place_factors(p, at + p.exchange.bytes);
  for (int n = 0; n < p.epilogues; ++n) {
    epilogue_plan& e = p.epilogue[n];
    int fewer = buffers < e.buffers ? buffers : e.buffers;
    while (e.panels % fewer != 0) --fewer;
    if (fewer != e.buffers) set_buffers(e, fewer);
    e.offset = at;
    at += buffer_bytes(p, n, e.buffers);
  }
  at += barrier_guard;
  at = place_barriers(p, at);
  share_gathers(p, 1);  // another warp of the producer's watches
  p.guards.notes = round_up(at + barrier_guard, 16);
  p.guards.note_bytes = 4 * count_notes(p);
  p.shared_bytes = round_up(p.guards.notes + p.guards.note_bytes, 16);
  return p;
}

/// The plan of a kernel as the debug machine runs it. Where there is no room for all guards, the epilogues make do with
/// fewer buffers; where that is not enough, there are fewer guards. If there is no room for the notes, the plan is
/// refused.
constexpr plan with_guards(const plan& p) {
  if (!p.refusal.holds()) return p;
  constexpr guarding choices[] = {guarding::tiles, guarding::stages, guarding::none};
  for (const guarding how : choices) {
    if (p.meetings > 0 && how != guarding::none) continue;  // partial sums run across stages
    for (int buffers = most_buffers(p); buffers > 0; --buffers) {
      plan apart = spread(p, how, buffers);
      if (apart.shared_bytes > shared_memory_limit) continue;
      apart.guards.count = count_guards(map_shared_memory(apart));
      return apart;
    }
  }
  plan refused = p;
  const int needed = spread(p, guarding::none, 1).shared_bytes;
  refused.refusal = refuse(rule::stages_do_not_fit_in_shared_memory, "the checked kernel needs ", needed,
                           " bytes of shared memory for its stages and the debug machine's notes, a CTA has ",
                           shared_memory_limit, "; use a stage less");
  return refused;
}

}  // namespace sectile
