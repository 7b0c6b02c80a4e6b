// The configuration, the operands' tiles and the copies that bring them, in words.
#pragma once
#include <algorithm>
#include <iterator>
#include <string>

#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/tell/pictures.hpp>
#include <sectile/layouts/text.hpp>

namespace sectile::tell {

/// "B x H": the modes before the matrix's two, from mode `first` on; empty where there are none.
inline std::string batches_text(const operand_facts& f, int first = 0) {
  std::string text;
  for (int m = first; m + 2 < f.tile.rank; ++m) text += say(m > first ? " x " : "", f.mode_name[m]);
  return text;
}

inline std::string configuration_text(const plan& p) {
  const configuration& c = p.how;
  std::string text = say(
      "  ", p.gather_warps > 0 ? say(producer_threads(p), " producer threads") : "one producer thread", " and ",
      count(c.consumers, "consumer warpgroup"), ", ", p.threads, " threads a CTA; ", count(c.stages, "stage"), "\n");
  text += c.cluster.size() == 1
              ? "  clusters of one CTA\n"
              : say("  clusters of ", c.cluster.rows, " x ", c.cluster.cols, " CTAs, ",
                    c.abreast ? say(c.consumers, " tiles each\n") : "one tile each\n");
  const char* item = p.whole_rows ? "row of tiles" : "tile";
  text += c.dynamic            ? say("  dynamic: as many clusters as fit; each draws its next ", item, "'s number while it ",
                                     "loads the one before, from a counter in the workspace\n")
          : c.streamed         ? say("  streamed: as many clusters as fit walk from ", item, " to ", item, "; those of a "
                                     "last wave that is short are cut along their loop\n")
          : c.persistent       ? say("  persistent: as many clusters as fit walk from ", item, " to ", item, "\n")
          : c.uses_workspace() ? say("  ", c.split, " new clusters for each ", item, "\n")
          : c.abreast          ? say("  a new cluster for every ", p.whole_rows ? c.rows_of_item() : c.tiles_of_item(),
                                     p.whole_rows ? " rows of tiles\n" : " tiles\n")
                               : say("  a new cluster for each ", item, "\n");
  if (c.streamed)
    text += say("  parts of a ", item, " have ", least_trips_of_a_part, " trips or more; each leaves its sums, ",
                bytes_of_a_part(p), " bytes, in a workspace; the last to come adds them up\n");
  else if (c.uses_workspace())
    text +=
        say("  loops are split: ", c.split, " CTAs make a part of each tile's trips, and leave ",
            p.shares ? "what it has made, " : "its sums, ", bytes_of_a_part(p), " bytes, in a workspace; the last ",
            c.fan_in > 0 ? say("of ", c.fan_in, " ") : std::string(), "to come ", p.shares ? "merges" : "adds", " them",
            p.shares ? "" : " up",
            c.fan_in > 0 ? say(", and of what ", c.groups_of_parts(), " groups have become again the last") : "", "\n");
  else if (c.split > 1)
    text += say("  loops are split: ", c.split, " CTAs make a part of each tile's trips, the first ",
                p.shares ? "merges what they have made" : "adds their sums up", "\n");
  if (c.swap) text += "  factors are swapped: the instructions' 64 rows lie along the output's columns\n";
  if (c.abreast) text += "  abreast: the consumers make a tile each at the same time, one below the other\n";
  if (c.own_tiles) text += "  own tiles: the consumers make the tiles of a CTA by turns, each whole ones\n";
  if (c.pingpong)
    text += say("  ping-pong: the consumers take turns at the tensor cores",
                c.full_turns ? ", each until its first result is complete\n" : "\n");
  if (c.stagger > 0) text += say("  each consumer runs ", count(c.stagger, "product"), " behind the one before it\n");
  if (c.overlap != launch_overlap::none)
    text += say("  overlaps the kernel before on its stream",
                c.overlap == launch_overlap::both ? ", and lets the one behind do the same\n" : "\n");
  const std::string band = c.batches > 1 ? say(c.batches, " batches, tile by tile") : count(c.group, "cluster row");
  text += say("  tiles ", walks_groups(p) ? "of each group " : "", "are visited in bands of ", band,
              c.rows == traversal::reversed ? ", the last rows first\n" : "\n");
  return text;
}

/// What a vector says that cuts a mode into groups.
inline std::string group_numbers_text(const operand_facts& f) {
  return f.counts_rows ? say("how many rows each group along ", f.cuts, " has")
                       : say("where groups along ", f.cuts, " end");
}

/// What an index says.
inline std::string picked_text(const plan& p, int index) {
  std::string names;
  for (int o = 0; o < p.operands; ++o)
    if (find_index(p, o) == index) names += say(names.empty() ? "" : " and ", p.operand[o].facts.name);
  return names_rows(p, index) ? "which rows of " + names + " those that are stored become a part of"
                              : "which rows of " + names + " are picked";
}

/// What threads do with the elements of a vector that they write.
inline const char* written_text(const operand_plan& op) {
  constexpr const char* words[] = {"store, each element once", "combine by max", "combine by min",
                                   "combine by adding in any order", "combine by adding in the order of the tiles"};
  static_assert(std::size(words) == static_cast<std::size_t>(reduction::add) + 1);
  return words[static_cast<int>(op.combined)];
}

/// How tiles meet whose numbers are added up in order.
inline std::string ordered_sums_text(const plan& p) {
  std::string text;
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.is_scattered())
      text += say("  ", p.operand[o].facts.name, ": a warp leaves each of its rows, ",
                  4 * numbers_of_a_tile(p.operand[o].facts), " bytes of a tile, where ", p.operand[o].facts.index,
                  " says, in a workspace; the last to come adds up a row's summands in their order\n");
    else if (adds_in_order(p, o))
      text += say("  ", p.operand[o].facts.name, ": each tile leaves ", 4 * numbers_of_a_tile(p.operand[o].facts),
                  " bytes in a workspace; the last to come adds all tiles up in their order\n");
  return text;
}

/// How many elements a part of a vector has.
inline std::string part_text(const operand_facts& f) {
  if (f.tile.rank == 0 || f.block[f.line()] == 1) return say(f.cols());
  return say(f.held(f.line()), " for ", f.cols());
}

inline std::string operands_text(const plan& p) {
  table t;
  t.add("name", "kind", "type", "tile", "bytes", "in shared memory", "(M or N, K) -> element, or (row, column)");
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    const operand_facts& f = op.facts;
    if (f.kind == operand_kind::scalar) {
      t.add(f.name, "scalar", f.type.name);
    } else if (f.path == with_tiles && op.ring >= 0) {
      t.add(f.name, "vector", f.type.name, part_text(f), op.tile_bytes, say("as it lies in memory, in ring ", op.ring));
    } else if (f.kind == operand_kind::vector) {
      t.add(f.name, f.tile.rank == 0 ? "number in memory" : "vector", f.type.name, part_text(f), "",
            f.cuts[0]          ? say("read by each role: ", group_numbers_text(f))
            : picks_rows(p, o) ? say("read by the ", names_rows(p, o) ? "consumers: " : "producer: ", picked_text(p, o))
                               : "read where it is used");
    } else if (f.kind == operand_kind::vector_output) {
      t.add(f.name, f.tile.rank == 0 ? "number written" : "vector written", f.type.name, f.cols(), "",
            written_text(op));
    } else if (f.kind == operand_kind::output) {
      const epilogue_plan& e = p.epilogue[find_epilogue(p, o)];
      t.add(f.name,
            f.is_scattered() ? "scattered output"
            : f.of_trips     ? "trip output"
                             : "output",
            f.type.name, matrix_text(f), stage_bytes_of(f),
            say("panels of ", e.panel_rows, " x ", e.panel_cols, ", ", swizzle_text(e.swizzle)));
    } else if (const operand_use use = use_of(p, o); use.is_input()) {
      t.add(f.name,
            f.sparse          ? "sparse input"
            : f.im2col        ? "image"
            : f.is_gathered() ? "gathered input"
            : use.is_addend() ? "addend"
                              : "input",
            f.type.name, matrix_text(f), op.tile_bytes, major_text(use.tile.major) + ", " + swizzle_text(op.swizzle),
            to_string(layout_of(use.tile)));
    }
  }
  return t.text();
}

/// "2 boxes of 64 x 128, 16384 bytes each": extents innermost first, batch modes left out. TMA knows no elements of
/// less than a byte, so where `element_bits` are fewer, the text says what the box counts.
inline std::string boxes_text(int number, const tma_box& b, int element_bits = 0) {
  return say(count(number, "box"), " of ", b.extent[0], " x ", b.extent[1],
             element_bits > 0 && element_bits < b.element_bits ? say(" (counted in ", b.element_bits, " bits)") : "",
             ", ", bytes(b), " bytes", number == 1 ? "" : " each");
}

/// What stands behind the modes of an image.
inline std::string image_text(const operand_facts& f) {
  return say(f.name, " is stored as images, N x H x W x ", f.mode_name[2], ", and not by ", f.mode_name[0], " and ",
             f.mode_name[1], ": TMA finds the pixels that a filter meets, in im2col mode");
}

/// How one input's tile comes: boxes, bytes, and who else gets them.
inline std::string copy_text(const plan& p, int o) {
  const operand_plan& op = p.operand[o];
  const int boxes = op.panels * op.boxes_per_panel;
  std::string text = say("  ", op.facts.name, ": ");
  if (op.facts.is_gathered())
    return text + say(op.facts.rows(), " rows that ", op.facts.index, " picks, ", op.tile_bytes, " bytes, which the ",
                      producer_threads(p), " threads of the producer copy in pieces of ", gathered_piece, " bytes\n");
  if (op.facts.is_vector())
    return text + say(count(boxes, "box"), " of ", op.box.extent[0], ", ", op.tile_bytes,
                      " bytes, from the last multiple of 16 bytes in front of a part\n");
  if (op.metadata.bytes > 0)
    text += say(boxes_text(op.metadata.k_blocks, op.metadata.box), " of metadata, ");
  if (op.slices == 1) {
    return text + boxes_text(boxes, op.box, op.facts.type.bits) +
           (p.how.cluster.size() > 1 ? ", for this CTA alone\n" : "\n");
  }
  const char* lines = op.facts.order == row_major ? " rows (" : " columns (";
  return text + say("each of ", op.slices, " CTAs fetches ", op.facts.strided() / op.slices, " of the tile's ",
                    op.facts.strided(), lines, boxes_text(boxes, op.box, op.facts.type.bits),
                    ") and multicasts them to all ", op.slices, "\n");
}

/// What the tensor maps of operands have that vector number `n` cuts into groups.
inline std::string groups_text(const plan& p, int n) {
  const operand_facts& ends = p.operand[p.cuts.ends[n]].facts;
  std::string names;
  int modes = 0;
  for (int o = 0; o < p.operands; ++o)
    if (p.cuts.by[o] == n && p.operand[o].facts.is_tiled() && p.operand[o].facts.has_tensor_map()) {
      names += say(names.empty() ? "" : " and ", p.operand[o].facts.name);
      modes = std::max(modes, p.operand[o].facts.tile.rank);
    }
  return say(names, ": the rows of all groups, ",
             ends.counts_rows ? "each in a room of its own" : "one behind the other", ", in a tensor map of ",
             modes + 1, " dimensions, in which the end of a group along ", ends.cuts, " is an edge");
}

inline std::string copies_text(const plan& p) {
  std::string text;
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.comes_through_ring()) text += copy_text(p, o);
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.im2col) text += say("  ", image_text(p.operand[o].facts), "\n");
  for (int n = 0; n < p.epilogues; ++n)
    if (const operand_facts& out = p.operand[p.epilogue[n].operand].facts; !out.is_scattered())
      text += say("  ", out.name, ": each consumer stores ", boxes_text(p.epilogue[n].panels, panel_box(p, n)),
                  out.of_trips ? " in each trip\n" : "\n");
  for (int n = 0; n < p.cuts.count; ++n) text += "  " + groups_text(p, n) + "\n";
  return text + ordered_sums_text(p);
}

}  // namespace sectile::tell
