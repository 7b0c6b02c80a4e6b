#include <algorithm>
#include <sectile/dsl/tell/timeline/example_sizes.hpp>
#include <sectile/dsl/tell/words.hpp>
#include <string>

namespace sectile::tell {
namespace {

struct mode_place {
  int operand, mode;
};

/// Calls f(place) for every mode of every tensor.
template <class F>
void for_each_mode(const plan& p, F f) {
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.kind != operand_kind::scalar)
      for (int d = 0; d < p.operand[o].facts.tile.rank; ++d) f(mode_place{o, d});
}

const char* name_at(const plan& p, mode_place at) { return p.operand[at.operand].facts.mode_name[at.mode]; }
int tile_at(const plan& p, mode_place at) { return p.operand[at.operand].facts.tile.extent[at.mode]; }

/// Modes of one name are one mode; a mode without a name is itself only.
bool same_mode(const plan& p, mode_place a, mode_place b) {
  if (a.operand == b.operand) return a.mode == b.mode;
  return *name_at(p, a) != 0 && std::string(name_at(p, a)) == name_at(p, b);
}

/// What all operands that have the mode say of it.
struct mode_facts {
  int largest_tile = 0, smallest_tile = 0;
  bool stepped = true;   // by all of them
  int output_mode = -1;  // counted from the last
};
mode_facts facts_at(const plan& p, mode_place at) {
  mode_facts f{.largest_tile = tile_at(p, at), .smallest_tile = tile_at(p, at)};
  for_each_mode(p, [&](mode_place other) {
    if (!same_mode(p, at, other)) return;
    f.largest_tile = std::max(f.largest_tile, tile_at(p, other));
    f.smallest_tile = std::min(f.smallest_tile, tile_at(p, other));
    f.stepped = f.stepped && p.operand[other.operand].stepped[other.mode];
    if (other.operand == p.epilogue.operand) f.output_mode = p.operand[other.operand].facts.tile.rank - 1 - other.mode;
  });
  return f;
}

/// Tiles along each mode: of the output's rows, columns and batches, and of what is not in the output.
struct tile_counts {
  int rows = 1, cols = 1, others = 1;
};
example_sizes sizes_of(const plan& p, const tile_counts& n, int cluster) {
  example_sizes s{.cluster = cluster};
  for_each_mode(p, [&](mode_place at) {
    const mode_facts f = facts_at(p, at);
    const int tiles = f.output_mode < 0 ? n.others : f.output_mode == 0 ? n.cols : f.output_mode == 1 ? n.rows : 1;
    s.extent[at.operand][at.mode] = f.stepped ? std::int64_t{tiles} * f.largest_tile : f.smallest_tile;
  });
  return s;
}

}  // namespace

std::vector<example_sizes> sizes_for(const plan& p) {
  const int trips = 2 * p.how.stages + 2, items = p.how.persistent ? 2 : 1;
  const tile_counts few{.rows = p.how.cluster.rows * items, .cols = p.how.cluster.cols, .others = trips};
  tile_counts tall = few, wide = few;
  tall.rows *= trips;
  wide.cols *= trips;
  return {sizes_of(p, few, 0), sizes_of(p, tall, 0), sizes_of(p, tall, -1), sizes_of(p, wide, -1)};
}

std::string sizes_text(const plan& p, const example_sizes& s) {
  std::vector<std::string> said;
  std::vector<std::string> known;
  for_each_mode(p, [&](mode_place at) {
    const std::string name = name_at(p, at);
    if (name.empty() || std::ranges::find(known, name) != known.end()) return;
    known.push_back(name);
    said.push_back(say(name, " = ", s.extent[at.operand][at.mode]));
  });
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (f.kind == operand_kind::scalar || f.mode_name[0][0] != 0) continue;
    std::string sizes;
    for (int d = 0; d < f.tile.rank; ++d) sizes += (d == 0 ? "" : " x ") + std::to_string(s.extent[o][d]);
    said.push_back(say(f.name, " ", sizes));
  }
  std::string text;
  for (const std::string& part : said) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace sectile::tell
