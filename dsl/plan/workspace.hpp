// Where the parts of a tile meet that are too many for one cluster: a workspace in global memory, which the program
// that launches brings along.
//
// The parts are CTAs as any others. Each leaves its sums in the workspace and takes a ticket of the tile: a counter
// that tells it how many have been there before. Who finds that all others have is the last one, and adds up what they
// have left, in the order of the parts, its own among them, so that the bits do not depend on who that is. It goes on
// with the body and stores; the others go on without storing. Nobody waits for another CTA: so it does not matter how
// many of them run at the same time, and none of them can wait forever.
//
// The tickets of all tiles come first in the workspace, then the sums: of each tile those of each part, of these those
// of each consumer, and of them four words of each thread beside those of its neighbour, so a warp moves whole lines.
#pragma once
#include <sectile/dsl/plan/plan.hpp>

namespace sectile {

/// At most so many parts make a tile. With 64, two tiles fill the 132 SMs of a GPU; and the last part reads the sums of
/// all of them, which takes longer for each part more, while a part's loop gets shorter by less and less.
constexpr int most_parts = 64;

constexpr int ticket_bytes = 4;
constexpr int workspace_alignment = 16;  // bytes, of the whole: what a thread moves at once
/// Where the sums begin: behind the tickets of so many tiles, at a line of L2 if the workspace does.
constexpr long long sums_begin(long long tiles) { return (tiles * ticket_bytes + 127) / 128 * 128; }

/// Bytes of one part's sums of a tile.
constexpr int bytes_of_a_part(int consumers, int words) { return consumers * (words / 4) * warpgroup * 16; }
constexpr int bytes_of_a_part(const plan& p) {
  return p.how.uses_workspace() ? bytes_of_a_part(p.how.consumers, p.meeting[0].words) : 0;
}
/// Bytes of the workspace for so many tiles, those of clusters that reach beyond the tensor's end among them. 0: the
/// kernel needs none.
constexpr long long workspace_bytes(long long tiles, int parts, int part_bytes) {
  return part_bytes == 0 ? 0 : sums_begin(tiles) + tiles * parts * part_bytes;
}
constexpr long long workspace_bytes(const plan& p, long long tiles) {
  return workspace_bytes(tiles, p.how.split, bytes_of_a_part(p));
}

/// Where four words of a thread's sums lie behind the first sums of the workspace, of `quads` quads of each thread.
struct place_in_workspace {
  int tile = 0, part = 0, parts = 1;
  int consumer = 0, consumers = 1;
  int quads = 0;
};
constexpr long long workspace_offset(const place_in_workspace& at, int quad, int thread) {
  const long long before = (static_cast<long long>(at.tile) * at.parts + at.part) * at.consumers + at.consumer;
  return (before * at.quads + quad) * (warpgroup * 16) + thread * 16;
}

}  // namespace sectile
