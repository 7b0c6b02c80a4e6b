// Consumers abreast: each makes a whole tile of its own, those of a CTA one below the other, at the same time. The
// producer reads the body once for all of them. What their tiles read alike it loads once; of what hangs on the tile's
// row each has a lane of the ring, an equal part of its stages.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/plan/trace.hpp>

namespace sectile {

constexpr violation refuse_abreast(sentence why) {
  return refuse(rule::configuration_does_not_fit_the_program, ".abreast = true", why);
}

/// What has consumers share a tile, or take turns, does not go with it.
constexpr violation check_abreast(const configuration& s) {
  if (!s.abreast) return {};
  if (s.consumers < 2)
    return refuse_abreast(sentence{} << " needs at least 2 consumers that make a tile each, not " << s.consumers);
  const char* other = s.own_tiles ? ".own_tiles" : s.stagger > 0 ? ".stagger" : s.streamed ? ".streamed" : nullptr;
  if (!other) return {};
  return refuse_abreast(sentence{} << " and " << other << ": " << s.consumers
                                   << " consumers make a tile each at the same time; leave out one of the two");
}

/// What the producer knows of all consumers' tiles from reading the body for the first one's: as many trips, and loads
/// at the tile's row or at none that hangs on it.
constexpr violation check_lanes(const plan& p, const trace& t, const hangs_on (&loads_on)[max_operands]) {
  if (!p.how.abreast) return {};
  const operand_facts& work = p.operand[p.work].facts;
  const char* row_mode = work.mode_name[work.tile.rank - 2];
  if (p.trips_on & of_tile_row)
    return refuse_abreast(sentence{} << ": a loop makes as many trips as the tile's place along " << row_mode
                                     << " says, and the tiles of a CTA's " << p.how.consumers
                                     << " consumers are loaded in one loop; leave it out");
  if (p.tall_tiles)
    return refuse_abreast(sentence{} << ": a tile has all of " << row_mode << ", so there is none below it");
  if (work.is_scattered() || p.cuts.position[p.work] >= 0)
    return refuse_abreast(sentence{} << ": rows of " << work.name << " are "
                                     << (work.is_scattered() ? "scattered" : "cut into groups")
                                     << ", and tiles one below the other are those of one matrix");
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.is_gathered() && loads_on[o] & of_tile_row)
      return refuse_abreast(sentence{} << ": rows of " << p.operand[o].facts.name
                                       << " are gathered, by threads that load for one tile");
  for (const event& e : t) {
    if (e.kind != event_kind::load || !(loads_on[e.operand] & of_tile_row)) continue;
    const operand_facts& f = p.operand[e.operand].facts;
    const int row = f.position_of(work.row_mode());
    if (row < 0 || e.coordinate[row] != t.tile[work.tile.rank - 2])
      return refuse_abreast(sentence{} << ": the tile of " << f.name << " that is loaded hangs on the place along "
                                       << row_mode << ", and is not the one at it; the tiles of " << p.how.consumers
                                       << " consumers are loaded one below the other");
  }
  return {};
}

}  // namespace sectile
