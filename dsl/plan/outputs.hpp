// Matrices that a program stores: each once, behind the loops, at the tile of the work.
//
// The work is divided by the tiles of one output, the first in the list of operands (of a kernel that writes vectors
// alone, by those of the first matrix that it reads). The tiles of the others are the same: the same modes in the same
// order, hence of the same extents. So a run of the body makes a tile of each, and the
// tiles of the grid cover them all. They differ in what belongs to a store alone: the type of their elements, panels
// and buffers.
#pragma once
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/plan/trace.hpp>

namespace sectile {

/// Whether the two differ in the order of rows and columns alone.
constexpr bool is_transpose_of(const operand_facts& a, const operand_facts& b) {
  const int rank = a.tile.rank;
  bool same = rank == b.tile.rank && a.row_mode() == b.col_mode() && a.col_mode() == b.row_mode();
  for (int d = 0; d + 2 < rank && same; ++d) same = a.mode_at(d) == b.mode_at(d);
  return same;
}
/// The mode of the work along which an output's mode `d` counts, -1: it counts what trips do.
constexpr int mode_of_store(const operand_facts& work, const operand_facts& f, int d) {
  return f.of_trips ? work.position_of(f.mode_at(d)) : d;
}
/// Of a matrix that trips store: that some mode is theirs.
constexpr violation check_trip_modes(const operand_facts& work, const operand_facts& f) {
  for (int d = 0; d < f.tile.rank; ++d)
    if (work.position_of(f.mode_at(d)) < 0) return {};
  return refuse(rule::store_is_not_one_whole_tile, "trip_output ", f.name, " has no mode that ", work.name,
                " lacks, so all trips of the work of one tile would store the same tile; accumulate, and store once "
                "behind the loop, to output<..>()");
}
/// Whether an output's tiles are those of the work.
constexpr violation check_same_tiles(const operand_facts& work, const operand_facts& f) {
  if (f.of_trips) return check_trip_modes(work, f);
  bool same = f.tile == work.tile;
  for (int d = 0; d < f.tile.rank && same; ++d) same = f.mode_at(d) == work.mode_at(d);
  if (same) return {};
  violation v{.what = rule::store_is_not_one_whole_tile};
  v << "outputs " << work << " and " << f
    << ": the matrices that a kernel stores have the same modes in the same order";
  if (is_transpose_of(work, f))
    spell(v << "; in memory " << f << " is output<\"", f.name, work, work.tile.rank) << "\", ..>(col_major)";
  if (f.tile.rank < work.tile.rank) v << "; a number for each row or column is vector_output<\"" << f << "\", ..>()";
  return v;
}
/// What goes with outputs of trips: whole tensors, and CTAs that do not share the tiles that they store.
constexpr violation check_trip_output(const plan& p, int o) {
  const operand_facts &f = p.operand[o].facts, &work = p.operand[p.work].facts;
  if (!f.of_trips) return {};
  if (p.cuts.by[o] >= 0)
    return refuse(rule::operand_is_used_in_another_way, "trip_output ", f.name, ": ",
                  p.operand[p.cuts.ends[p.cuts.by[o]]].facts.cuts,
                  " is cut into groups, which end anywhere in a tile; trips store to matrices that lie whole");
  for (const bool cols : {false, true}) {
    const int w = work.tile.rank - (cols ? 1 : 2), ctas = cols ? p.how.cluster.cols : p.how.cluster.rows;
    if (ctas > 1 && f.position_of(work.mode_at(w)) < 0)
      return refuse(rule::cluster_is_illegal, "a cluster of ", p.how.cluster.rows, " x ", p.how.cluster.cols,
                    " CTAs, but trip_output ", f.name, " has no ", work.mode_name[w], ", along which ", ctas,
                    " of them would store the same tiles; use a cluster of one along it");
  }
  return {};
}
/// `has_work`: whether something divides the work: a matrix that is stored or, where vectors alone are written, read.
constexpr violation check_output_count(int outputs, bool has_work) {
  if (has_work && outputs <= max_outputs) return {};
  return refuse(rule::program_is_not_traceable, "a kernel stores 1 to ", max_outputs,
                " matrices, whose tiles are the work; this has ", outputs);
}

/// What a body takes for its work, by its first run: tiles, or whole rows of them. A block is one or the other, as the
/// body stores it.
template <class Planner>
constexpr void plan_work(const Planner& run, plan& p) {
  bool in_a_loop = false;
  for (const event& e : run.log)
    in_a_loop = in_a_loop || (e.kind == event_kind::store && e.loop >= 0 && !p.operand[e.operand].facts.of_trips);
  p.trip_outputs = sum_of(p.operands, [&](int o) { return int{p.operand[o].facts.of_trips}; });
  p.trips_on = run.trips_on;
  for (int o = 0; o < p.operands; ++o) p.operand[o].made = static_cast<std::uint8_t>(run.made[o]);
  p.tall_tiles = run.tall_tiles;
  p.whole_rows = run.whole_rows || (run.tall_tiles && in_a_loop && !run.wide_tiles);
  p.wide_tiles = run.wide_tiles || (run.tall_tiles && !in_a_loop);
}

/// Work that is rows of tiles stores each tile of its row once: in a loop over all of them, each in its trip. No
/// product reaches what is stored afterwards.
constexpr violation check_store_of_rows(const plan& p, const trace& t, int i) {
  const event& e = t.at[i];
  const operand_facts& f = p.operand[e.operand].facts;
  const int loop = e.trip < 0 ? -1 : p.loops.find(e.loop);
  if (loop < 0 || p.loops.least[loop] != 1 || !e.of_trip)
    return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name, " is stored ",
                  loop < 0 ? "outside of a loop" : "in a loop, but not at each tile once",
                  p.tall_tiles ? ": the work of block_of(" : ": the work of rows_of(", f.name,
                  ") is a whole row of tiles; for (auto j : sm.pipelined(tiles<\"",
                  f.mode_name[f.tile.rank - 1], "\">(", f.name, "))) sm.store(", f.name,
                  ", {.., j}, x), in no other loop");
  for (int j = i + 1; j < t.events; ++j)
    if (t.at[j].kind == event_kind::issue && t.at[j].value == e.value)
      return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name,
                    " is stored before a product into the fragment; what is stored is complete");
  return {};
}

/// What a loop stores of an output of its trips, event i: in a trip, at the work's coordinates where it has its modes,
/// and at no tile that another trip stores.
constexpr violation check_store_of_trip(const plan& p, const trace& t, int i) {
  const event& e = t.at[i];
  const operand_facts &f = p.operand[e.operand].facts, &work = p.operand[p.work].facts;
  if (e.trip < 0)
    return refuse(rule::store_is_not_one_whole_tile, "trip_output ", f.name, " is stored outside of a loop; store in ",
                  "one, in each trip, or declare it with output<..>()");
  for (int d = 0; d < f.tile.rank; ++d) {
    const int own = mode_of_store(work, f, d);
    if (own < 0 || own >= work.tile.rank - p.whole_rows) continue;
    if (e.coordinate[d] != t.tile[own] || p.operand[e.operand].made >> d & 1)
      return refuse(rule::store_is_not_one_whole_tile, "trip_output ", f.name, " is stored at ",
                    e.coordinate[d] != t.tile[own] ? "another tile along " : "a number made of coordinates along ",
                    f.mode_name[d], " than the work's, which others store; store at the coordinates of tile_of(",
                    work.name, ")");
  }
  for (int j = 0; j < t.events; ++j) {
    const event& other = t.at[j];
    if (j == i || other.kind != event_kind::store || other.operand != e.operand || e.unasked || other.unasked) continue;
    bool same = true;
    for (int d = 0; d < f.tile.rank; ++d) same = same && other.coordinate[d] == e.coordinate[d];
    if (same || other.position != e.position)
      return refuse(rule::store_is_not_one_whole_tile, "trip_output ", f.name,
                    same ? " is stored at one tile by two trips; store each trip's at the trip's own number"
                         : " is stored at two places of the body; store it in one loop, once in each trip");
  }
  return {};
}

/// Each output is stored exactly once, behind the loops and products, at the tile that tile_of() names: then the tiles
/// of the grid cover it, each element once, and what is stored is complete. (Those of trips apart.)
constexpr violation check_store(const plan& p, const trace& t) {
  if (p.whole_rows && p.how.cluster.cols > 1)  // vectors may be all that is written
    return refuse(rule::cluster_is_illegal, "a cluster of ", p.how.cluster.rows, " x ", p.how.cluster.cols,
                  " CTAs, but rows_of() gives each CTA whole rows: there is nothing beside them; use {",
                  p.how.cluster.size(), ", 1}");
  int stores[max_operands]{}, first_trip[max_operands]{};  // of a loop that stores: its first stands for the others
  for (int i = 0; i < t.events; ++i) {
    const event& e = t.at[i];
    if (e.kind != event_kind::store) continue;
    if (stores[e.operand] == 0) first_trip[e.operand] = e.trip;
    stores[e.operand] += e.trip == first_trip[e.operand];
    const operand_facts& f = p.operand[e.operand].facts;
    if (f.of_trips) {
      if (const violation v = check_store_of_trip(p, t, i); !v.holds()) return v;
      continue;
    }
    if (e.trip >= 0 && !p.whole_rows)
      return refuse(
          rule::store_is_not_one_whole_tile, "operand ", f.name,
          " is stored inside a loop; accumulate, and store once behind the loop, or declare a trip_output<..>() "
          "that has a mode of the trips");
    for (int d = 0; d < f.tile.rank - p.whole_rows; ++d) {
      const char* const at = p.tall_tiles ? "block_of(" : p.whole_rows ? "rows_of(" : "tile_of(";
      if (e.coordinate[d] != t.tile[d])
        return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name, " is stored at tile ", e.coordinate[d],
                      " of mode ", d, " by the work of tile ", t.tile[d], "; store at the coordinates of ", at, f.name,
                      ")");
      if (p.operand[e.operand].made >> d & 1)
        return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name, " is stored at a number along ",
                      f.mode_name[d], " that is made of the work's coordinates, and may be another tile's; store at ",
                      "the coordinates of ", at, f.name, ")");
    }
    if (p.whole_rows) {
      if (const violation v = check_store_of_rows(p, t, i); !v.holds()) return v;
      continue;
    }
    for (int j = i + 1; j < t.events; ++j)
      if (t.at[j].kind == event_kind::read && t.at[j].a_load >= 0 && t.at[j].a_load < i)
        return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name, " is stored before a tile of ",
                      p.operand[t.at[t.at[j].a_load].operand].facts.name,
                      " is read, which happens where it is used; compute all, and store then");
      else if (t.at[j].kind != event_kind::touch && t.at[j].kind != event_kind::store &&
               t.at[j].kind != event_kind::finish)
        return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name, " is stored before ",
                      t.at[j].kind == event_kind::loop    ? "a loop"
                      : t.at[j].kind == event_kind::issue ? "a product"
                                                          : "a load",
                      " of the body; what is stored is complete: store once, behind the last of them");
  }
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (f.kind != operand_kind::output || stores[o] == 1) continue;
    if (stores[o] == 0)
      return refuse(rule::program_is_not_traceable, "operand ", f.name,
                    " is an output that the body never stores; store() it, or take it out of the operands");
    return refuse(rule::store_is_not_one_whole_tile, "operand ", f.name, " is stored ", stores[o],
                  " times by the work of one tile; store each output once");
  }
  return {};
}

/// What a trip stores right ahead of a product leaves behind that, where it is the only such output and takes turns in
/// halves of its buffers.
constexpr void put_stores_off(const trace& t, plan& p) {
  if (p.trip_outputs != 1 || !p.epilogue[0].by_halves()) return;
  for (int i = 0; i + 1 < t.events; ++i) {
    const event &e = t.at[i], &next = t.at[i + 1];
    if (e.kind == event_kind::store && e.operand == p.epilogue[0].operand && next.kind == event_kind::issue &&
        next.trip == e.trip)
      p.steps[e.position].put_off = p.steps[next.position].put_off = true;
  }
}

/// The outputs in the order in which a run stores them. Precondition: check_store() holds of it.
constexpr void order_epilogues(const trace& t, plan& p) {
  p.epilogues = 0;
  for (const event& e : t)
    if (e.kind == event_kind::store && find_epilogue(p, e.operand) < 0) p.epilogue[p.epilogues++].operand = e.operand;
}

}  // namespace sectile
