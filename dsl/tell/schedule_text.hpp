// A plan in words, first part: the schedule, the operands' tiles, how they travel, and where they lie.
#pragma once
#include <string>

#include <sectile/dsl/tell/pictures.hpp>
#include <sectile/dsl/tell/words.hpp>
#include <sectile/layouts/text.hpp>

namespace sectile::tell {

inline std::string schedule_text(const plan& p) {
  const schedule& s = p.how;
  std::string text = say("  ", count(1, "producer thread"), " and ", count(s.consumers, "consumer warpgroup"), ", ",
                         p.threads, " threads a CTA; ", count(s.stages, "stage"), "\n");
  text += s.cluster.size() == 1 ? "  clusters of one CTA\n"
                                : say("  clusters of ", s.cluster.rows, " x ", s.cluster.cols, " CTAs\n");
  text += s.persistent ? "  persistent: each cluster walks from tile to tile\n" : "  one tile for each CTA\n";
  if (s.pingpong) text += "  ping-pong: consumers take turns at the tensor cores\n";
  if (s.stagger > 0) text += say("  each consumer runs ", count(s.stagger, "product"), " behind the one before it\n");
  text += say("  tiles in bands of ", count(s.group, "cluster row"),
              s.rows == traversal::reversed ? ", the last rows first\n" : "\n");
  return text;
}

inline std::string operands_text(const plan& p) {
  table t;
  t.add("name", "kind", "type", "tile", "bytes", "in shared memory", "layout (elements)");
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    const operand_facts& f = op.facts;
    if (f.kind == operand_kind::scalar) {
      t.add(f.name, "scalar", f.type.name);
    } else if (f.kind == operand_kind::output) {
      t.add(f.name, "output", f.type.name, matrix_text(f), stage_bytes_of(f),
            say("panels of ", epilogue_rows_text(p), ", ", swizzle_text(p.epilogue.swizzle)));
    } else {
      const operand_tile tile = use_of(p, o).tile;
      t.add(f.name, "input", f.type.name, matrix_text(f), op.tile_bytes,
            major_text(tile.major) + ", " + swizzle_text(op.swizzle), to_string(layout_of(tile)));
    }
  }
  return t.text();
}

}  // namespace sectile::tell
