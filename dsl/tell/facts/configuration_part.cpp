// The configuration, the grid and the tile hierarchy.
#include <algorithm>
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/operands_text.hpp>

namespace sectile::tell {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t first = text.find_first_not_of(' ', at);
    if (first < end) lines.push_back(text.substr(first, text.find_last_not_of(' ', end - 1) + 1 - first));
    at = end + 1;
  }
  return lines;
}

json configuration_part(const plan& p) {
  const configuration& c = p.how;
  json j{{"stages", c.stages},
         {"consumers", c.consumers},
         {"cluster", {{"rows", c.cluster.rows}, {"cols", c.cluster.cols}, {"size", c.cluster.size()}}},
         {"persistent", c.persistent},
         {"dynamic", c.dynamic},
         {"streamed", c.streamed},
         {"pingpong", c.pingpong},
         {"full_turns", c.full_turns},
         {"own_tiles", c.own_tiles},
         {"abreast", c.abreast},
         {"split", c.split},
         {"apart", c.apart},
         {"fan_in", c.fan_in},
         {"swap", c.swap},
         {"stagger", c.stagger},
         {"output_buffers", c.output_buffers},
         {"group", c.group},
         {"batches", c.batches},
         {"overlap", c.overlap == launch_overlap::both       ? "both"
                     : c.overlap == launch_overlap::prologue ? "prologue"
                                                             : "none"},
         {"order", c.rows == traversal::reversed ? "reversed" : "forward"},
         {"threads", (1 + c.consumers) * warpgroup},
         {"warpgroup", warpgroup}};
  if (p.refusal.holds()) j["says"] = lines_of(configuration_text(p));
  return j;
}

json grid_part(const plan& p) {
  const operand_facts& out = p.operand[p.work].facts;
  const cluster_shape& c = p.how.cluster;
  const std::string tiles = say(matrix_text(out), " elements of ", out.name);
  const char* item = p.whole_rows ? "row" : "tile";
  const std::string who = c.size() == 1 ? "a CTA" : say("a cluster of ", c.rows, " x ", c.cols, " CTAs");
  return {{"operand", out.name},
          {"tile", {out.rows(), out.cols()}},
          {"cluster_tile", {out.rows() * p.how.rows_of_item(), out.cols() * c.cols}},
          {"threads", p.threads},
          {"cluster", {{"rows", c.rows}, {"cols", c.cols}, {"size", c.size()}}},
          {"shared_bytes", p.shared_bytes},
          {"persistent", p.how.persistent},
          {"group", p.how.group},
          {"says",
           say("each CTA ", p.epilogues > 0 ? "makes " : "takes ",
               p.how.abreast
                   ? say(p.how.consumers, p.whole_rows ? " whole rows of tiles" : " tiles", ", one below the other,")
               : p.whole_rows ? "a whole row of tiles"
                              : "one tile",
               " of ", tiles, " at a time; ",
               p.how.dynamic    ? say("as many of ", who, " as fit the GPU draw one ", item, " after the other")
               : p.how.streamed ? say("as many of ", who, " as fit the GPU walk from ", item, " to ", item,
                                      ", and cut those of a last wave that is short along their loop")
               : p.how.persistent
                   ? say("as many of ", who, " as fit the GPU walk from ", item, " to ", item)
                   : say(p.how.uses_workspace() ? say("there are ", p.how.split, " times ") : std::string("there is "),
                         who, " for every ", p.how.abreast ? say(p.how.rows_of_item(), " of these ") : "",
                         c.size() == 1 || p.how.abreast ? "" : "group of ", item,
                         c.size() == 1 && !p.how.abreast ? "" : "s"))}};
}

json hierarchy_part(const plan& p) {
  const operand_facts& out = p.operand[p.work].facts;
  const cluster_shape& c = p.how.cluster;
  const int rows = out.rows(), cols = out.cols();
  json levels = json::array();
  const auto add = [&](const char* level, int m, int n, int number, std::string says) {
    levels.push_back({{"level", level}, {"rows", m}, {"cols", n}, {"count", number}, {"says", std::move(says)}});
  };
  if (c.size() > 1)
    add("cluster", rows * p.how.rows_of_item(), cols * c.cols, 1, say(c.rows, " x ", c.cols, " CTAs, one tile each"));
  const int sharers = p.how.sharers(), down = p.how.rows_of_cta();
  if (down > 1) add("CTA", down * rows, cols, c.size(), say(down, " tiles of ", out.name, ", one below the other"));
  add("tile", rows, cols, c.size() * down, say(down > 1 ? "a" : "a CTA's", " tile of ", out.name));
  if (p.how.own_tiles || p.how.abreast)
    add("consumer", rows, cols, 1, "the tile is one consumer warpgroup's");
  else if (p.how.swap)
    add("consumer", rows, cols / sharers, sharers, "the columns of one consumer warpgroup");
  else
    add("consumer", rows / sharers, cols, sharers, "the rows of one consumer warpgroup");
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    bool told = false;
    for (int j = 0; j < i; ++j) told = told || p.products.at[j].instruction == q.instruction;
    if (told) continue;
    add("instruction", p.how.swap ? q.instruction.n : wgmma_rows, p.how.swap ? wgmma_rows : q.instruction.n, q.m_blocks,
        say("one wgmma, ", q.instruction.k, " elements of K; ", count(q.k_steps, "step"), " along K make the tile"));
  }
  return levels;
}

}  // namespace sectile::tell
