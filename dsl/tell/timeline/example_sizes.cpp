#include <algorithm>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/linked_modes.hpp>
#include <sectile/dsl/tell/timeline/example_sizes.hpp>
#include <string>

namespace sectile::tell {
namespace {

/// Elements along modes of one name if the problem has `n` tiles of them: all operands walk over them, or it is one.
std::int64_t size_of(const plan& p, const linked_modes& modes, int n) {
  const bool stepped =
      std::ranges::all_of(modes.members, [&p](const operand_mode& m) { return p.operand[m.operand].stepped[m.mode]; });
  const bool places =  // of a filter, of which one shows as much as all
      std::ranges::any_of(modes.members,
                          [&p](const operand_mode& m) { return p.operand[m.operand].facts.im2col && m.mode == 0; });
  return std::int64_t{modes.extent} * (stepped && !places && !takes_one_tile(p, modes) ? n : 1);
}

int tiles_along(const plan& p, const linked_modes& modes, const tile_counts& n) {
  const int output = p.work;
  const auto of_output = std::ranges::find(modes.members, output, &operand_mode::operand);
  if (of_output == modes.members.end()) return n.others;
  const int from_the_last = p.operand[output].facts.tile.rank - 1 - of_output->mode;
  return from_the_last == 0 ? n.cols : from_the_last == 1 ? n.rows : 1;
}

/// And which cluster to look at.
example_sizes looked_at(example_sizes s, int cluster) {
  s.cluster = cluster;
  return s;
}

}  // namespace

example_sizes sizes_of(const plan& p, const tile_counts& n) {
  example_sizes s;
  for (const linked_modes& modes : modes_by_name(p))
    for (const operand_mode& m : modes.members)
      s.extent[m.operand][m.mode] = size_of(p, modes, tiles_along(p, modes, n));
  count_tiles(p, s.extent);
  return s;
}

std::vector<example_sizes> sizes_for(const plan& p) {
  const int trips = 2 * p.how.stages + 2, items = p.how.persistent ? 2 : 1;
  const tile_counts few{.rows = p.how.rows_of_item() * items, .cols = p.how.cluster.cols, .others = trips};
  tile_counts tall = few, wide = few;
  tall.rows *= trips;
  wide.cols *= trips;
  return {sizes_of(p, few), sizes_of(p, tall), looked_at(sizes_of(p, tall), -1), looked_at(sizes_of(p, wide), -1)};
}

std::string sizes_text(const plan& p, const example_sizes& s) {
  std::string text;
  for (const linked_modes& modes : modes_by_name(p)) {
    const operand_mode first = modes.members.front();
    text += say(text.empty() ? "" : ", ", modes.name, " = ", s.extent[first.operand][first.mode]);
  }
  return text;
}

}  // namespace sectile::tell
