#include <algorithm>
#include <bit>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/observed_tiles.hpp>

namespace sectile::model {
namespace {

std::string operand_name(const cuda_thread& t, int operand) {
  const auto& names = t.all->what.how.labels.operands;
  const auto number = static_cast<std::size_t>(operand);
  return number < names.size() ? names[number] : text("operand ", operand);
}

/// "(3, 1)"
std::string spell(std::span<const int> tile) {
  std::string all;
  for (const int x : tile) all += text(all.empty() ? "(" : ", ", x);
  return all + ")";
}

}  // namespace

void observed_tiles::observe_load(const cuda_thread& t, int operand, std::span<const int> tile, unsigned sharers) {
  const long number = loads_[{operand, t.block->rank}]++;
  const auto at = open_.try_emplace({operand, sharers, number}).first;
  shared_load& load = at->second;
  if (load.first == nullptr) {
    load.first = &t;
    load.tile.assign(tile.begin(), tile.end());
  } else if (!std::equal(tile.begin(), tile.end(), load.tile.begin(), load.tile.end())) {
    report(hazard_kind::wrong_tile,
           text(name(t), " brings its part of tile ", spell(tile), " of ", operand_name(t, operand),
                " for the CTAs that share it, but ", name(*load.first), " brought a part of tile ", spell(load.tile),
                ": coordinates of a shared operand must not differ between the CTAs of a cluster; use a cluster of "
                "1 x 1"));
  }
  if (++load.told == std::popcount(sharers)) open_.erase(at);
}

void report_stale_tile(const cuda_thread& t, int operand) {
  report(hazard_kind::wrong_tile,
         text(name(t), " reads a tile of ", operand_name(t, operand),
              " whose stage has been released, so that another tile is, or will be, in its place: a tile is what ",
              "one load brought, and a product or in_registers() that was not planned came too late; load it where it ",
              "is used, or, of several tiles that one expression reads, give each a name first: auto x = "
              "in_registers(a)"));
}

void report_wrong_store(const cuda_thread& t, int operand) {
  report(hazard_kind::wrong_tile,
         text(name(t), " stores another tile of ", operand_name(t, operand),
              " than the one that its work is about: store at the coordinates of tile_of()"));
}

}  // namespace sectile::model
