// Where the parts of a tile meet that are too many for one cluster: a workspace in global memory, which the program
// that launches brings along. Each part leaves its sums and takes a ticket, and the last one adds up what all have
// left, in the order of the parts; nobody waits for a CTA that may not run (docs/design/splits.md, which has
// groups of parts that meet first, too). Parts of tiles that are cut for the end of a walk (stream.hpp) meet likewise.
//
// The tickets come first in the workspace, of all tiles those of each meeting; then the sums: of each tile those of
// each part, of these those of each meeting, of these those of each consumer, and of them four words of each thread
// beside those of its neighbour, so that a warp moves whole lines.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/plan/stream.hpp>

namespace sectile {

/// At most so many parts make a tile. With 64, two tiles fill the 132 SMs of a GPU; and the last part reads the sums of
/// all of them, which takes longer for each part more, while a part's loop gets shorter by less and less.
constexpr int most_parts = 64;

constexpr int ticket_bytes = 8;
constexpr int workspace_alignment = 16;  // bytes, of the whole: what a thread moves at once
/// Where the sums begin: behind so many ticket counters, at a line of L2 if the workspace does.
constexpr long long sums_begin(long long counters) { return (counters * ticket_bytes + 127) / 128 * 128; }

/// Those of a tile that meet at once: parts from `first` on, or what groups of parts have become.
struct parts_that_meet {
  int first = 0, own = 0, count = 1;  // `own`: which of them this CTA has
  friend constexpr bool operator==(const parts_that_meet&, const parts_that_meet&) = default;
};
/// The group of part `part` of so many, and what that is among the groups. (By value: a GPU has no plan to refer to.)
constexpr parts_that_meet group_of_part(int part, int parts, int fan_in) {
  const int first = part - part % fan_in, left = parts - first;
  return {first, part - first, left < fan_in ? left : fan_in};
}
constexpr parts_that_meet among_groups(int part, int parts, int fan_in) {
  return {0, part / fan_in, (parts + fan_in - 1) / fan_in};
}
/// Meetings of a tile: those of the body, and behind them the one of groups, whose parts are as large as the first's.
constexpr int meetings_there(const plan_head& p) { return p.meetings + (p.how.fan_in > 0); }
/// Ticket counters of a tile: one of each meeting, and behind these those of the groups but for the first.
constexpr int counters_of_a_tile(const plan_head& p) { return meetings_there(p) + p.how.groups_of_parts() - 1; }
/// Which of these counts the parts of group number `group`, of a body with so many meetings.
constexpr int counter_of_group(int meetings, int group) { return group == 0 ? 0 : meetings + group; }

/// Bytes of one part's sums of a tile: of those that meet before meeting number `meeting`.
constexpr int begin_of_sums(const plan_head& p, int meeting) {
  int bytes = 0;
  for (int n = 0; n < meeting; ++n) bytes += p.how.consumers * (p.meeting[n].words / 4) * warpgroup * 16;
  return bytes;
}
/// And of all. 0: the kernel needs no workspace.
constexpr int bytes_of_a_part(const plan_head& p) {
  return p.how.uses_workspace() ? begin_of_sums(p, meetings_there(p)) : 0;
}
/// Tiles that have parts, and all parts, of so many tiles, those of clusters that reach beyond the tensor's end among
/// them; `ctas`: of a cluster.
struct part_counts {
  long long tiles = 0, parts = 0;
};
constexpr part_counts count_parts(long long tiles, int parts, bool streamed, int ctas) {
  if (!streamed) return {tiles, tiles * parts};
  return {most_streamed_tiles(tiles / ctas, ctas) * ctas, most_streamed_parts(tiles / ctas, ctas) * ctas};
}
constexpr part_counts count_parts(const plan& p, long long tiles) {
  return count_parts(tiles, p.how.split, p.how.streamed, p.how.ctas());
}
/// Bytes of the workspace for them; `counters`: of a tile.
constexpr long long workspace_bytes(const part_counts& n, int counters, int part_bytes) {
  return part_bytes == 0 ? 0 : sums_begin(n.tiles * counters) + n.parts * part_bytes;
}
constexpr long long workspace_bytes(const plan& p, long long tiles) {
  return workspace_bytes(count_parts(p, tiles), counters_of_a_tile(p), bytes_of_a_part(p));
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
    const int last = meetings_there(p) - 1, quads = p.meeting[last].words / 4;
    const part_counts n = count_parts(p, tiles * p.how.ctas());
    const place_in_workspace at{static_cast<int>(n.parts) - 1, 0,    1, bytes_of_a_part(p), begin_of_sums(p, last),
                                p.how.consumers - 1,           quads};
    const long long counters = n.tiles * counters_of_a_tile(p), tickets = counters * ticket_bytes;
    const long long first = sums_begin(counters);
    const long long end = first + workspace_offset(at, quads - 1, warpgroup - 1) + workspace_alignment;
    if (first >= tickets && end == bytes(p, tiles * p.how.ctas())) continue;
    return refuse(rule::epilogue_misses_or_doubles_elements, "the workspace of ", tiles * p.how.ctas(), " tiles has ",
                  bytes(p, tiles * p.how.ctas()), " bytes: ", tickets, " of tickets, and sums from byte ", first,
                  " to ", end);
  }
  return {};
}

}  // namespace sectile
