// Where the parts of a tile meet that are too many for one cluster: a workspace in global memory, which the program
// that launches brings along.
//
// The parts are CTAs as any others. Each leaves its sums in the workspace and takes a ticket of the tile: a counter
// that tells it how many have been there before. Who finds that all others have is the last one, and adds up what they
// have left, in the order of the parts, its own among them, so that the bits do not depend on who that is. It goes on
// with the body and stores; the others go on without storing. Nobody waits for another CTA: so it does not matter how
// many of them run at the same time, and none of them can wait forever.
//
// Where a body uses several sums they meet one after the other. Who is last at the first meeting has the later ones as
// well: there the others leave their sums, and it waits until all of them have, by the tickets of that meeting. It
// waits for none that it could keep from coming: every part has taken a ticket of the first meeting, behind its last
// product, so it runs and waits for nobody.
//
// The tickets come first in the workspace, of all tiles those of each meeting; then the sums: of each tile those of
// each part, of these those of each meeting, of these those of each consumer, and of them four words of each thread
// beside those of its neighbour, so that a warp moves whole lines.
#pragma once
#include <sectile/dsl/plan/plan.hpp>

namespace sectile {

/// At most so many parts make a tile. With 64, two tiles fill the 132 SMs of a GPU; and the last part reads the sums of
/// all of them, which takes longer for each part more, while a part's loop gets shorter by less and less.
constexpr int most_parts = 64;

constexpr int ticket_bytes = 4;
constexpr int workspace_alignment = 16;  // bytes, of the whole: what a thread moves at once
/// Where the sums begin: behind so many ticket counters, at a line of L2 if the workspace does.
constexpr long long sums_begin(long long counters) { return (counters * ticket_bytes + 127) / 128 * 128; }

/// Bytes of one part's sums of a tile: of those that meet before meeting number `meeting`.
constexpr int begin_of_sums(const plan& p, int meeting) {
  int bytes = 0;
  for (int n = 0; n < meeting; ++n) bytes += p.how.consumers * (p.meeting[n].words / 4) * warpgroup * 16;
  return bytes;
}
/// And of all. 0: the kernel needs no workspace.
constexpr int bytes_of_a_part(const plan& p) { return p.how.uses_workspace() ? begin_of_sums(p, p.meetings) : 0; }
/// Bytes of the workspace for so many tiles, those of clusters that reach beyond the tensor's end among them.
constexpr long long workspace_bytes(long long tiles, int meetings, int parts, int part_bytes) {
  return part_bytes == 0 ? 0 : sums_begin(tiles * meetings) + tiles * parts * part_bytes;
}
constexpr long long workspace_bytes(const plan& p, long long tiles) {
  return workspace_bytes(tiles, p.meetings, p.how.split, bytes_of_a_part(p));
}

/// Where a consumer's sums lie, of a part of `part_bytes` those that begin at byte `begin`.
struct place_in_workspace {
  int tile = 0, part = 0, parts = 1, part_bytes = 0;
  int begin = 0;
  int consumer = 0, quads = 0;
};
/// Four words of a thread there: bytes behind the first sums of the workspace.
constexpr long long workspace_offset(const place_in_workspace& at, int quad, int thread) {
  const long long before = (static_cast<long long>(at.tile) * at.parts + at.part) * at.part_bytes + at.begin;
  return before + (at.consumer * at.quads + quad) * (warpgroup * 16) + thread * 16;
}

/// Proof 6, of sums that meet in a workspace: its tickets, and behind them the last four words of the last tile, end
/// where the workspace does. Tried for few tiles and for more than a line of L2 has tickets.
constexpr violation check_workspace_places(const plan& p,
                                           long long (&bytes)(const plan&, long long) = workspace_bytes) {
  if (!p.how.uses_workspace()) return {};
  for (const long long tiles : {1, 33, 1000}) {
    const int last = p.meetings - 1, quads = p.meeting[last].words / 4;
    const place_in_workspace at{static_cast<int>(tiles) - 1, p.how.split - 1,     p.how.split, bytes_of_a_part(p),
                                begin_of_sums(p, last),      p.how.consumers - 1, quads};
    const long long tickets = tiles * p.meetings * ticket_bytes, first = sums_begin(tiles * p.meetings);
    const long long end = first + workspace_offset(at, quads - 1, warpgroup - 1) + workspace_alignment;
    if (first >= tickets && end == bytes(p, tiles)) continue;
    return refuse(rule::epilogue_misses_or_doubles_elements, "the workspace of ", tiles, " tiles has ", bytes(p, tiles),
                  " bytes: ", tickets, " of tickets, and sums from byte ", first, " to ", end);
  }
  return {};
}

}  // namespace sectile
