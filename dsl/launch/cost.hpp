// What a kernel asks of an SM, counted off its plan: what a cost model needs to know of it, as one value.
//
// The tensor cores of an SM take an m64nNk instruction in N / 2 cycles (all types: k is 32 bytes), and read what lies
// in shared memory, 128 bytes a cycle: 64 rows of A and N rows of B, 32 bytes each, of B 64 where A is sparse. Both
// follow from the ISA's shapes and the chip's peak; what a GPU reaches of that are the cost model's constants, which are
// measured (cost_model.hpp).
#pragma once
#include <sectile/dsl/plan/build.hpp>

namespace sectile {

/// How many parts of so many elements cover a size: with the reciprocal at hand, because a pick asks a hundred times.
struct part_count {
  int elements = 0;
  double reciprocal = 0;

  constexpr part_count() = default;
  constexpr part_count(int n) : elements(n), reciprocal(n > 0 ? 1.0 / n : 0.0) {}  // implicit on purpose
  /// size / elements, rounded up; exact for whole sizes from 1 to 2^31 - 1: half an element less is never a multiple,
  /// and further from one than the product is inexact. (What is added to 2^52 loses its fraction.)
  constexpr double of(double size) const {
    constexpr double no_fraction = 4503599627370496.0;  // 2^52
    return (size - 0.5) * reciprocal + 0.5 + no_fraction - no_fraction;
  }
};

/// One trip of a loop of the body, or what stands outside of loops, for one CTA.
struct phase_cost {
  mode_id along = mode_id::any;  // the mode that trips step along; any: there is one trip
  part_count step{};             // elements of it in a trip
  mode_id over = mode_id::any;   // a mode each of whose elements has all these trips: places of a filter
  int tensor_cycles = 0;         // of the products
  int shared_cycles = 0;         // to read their operands
  int arriving_bytes = 0;        // written to shared memory by TMA
  int fetched_bytes = 0;         // of those, what this CTA itself asks L2 for
  int row_shared_bytes = 0;      // of those, what the CTA of the next row of tiles asks for as well; 0 in a cluster,
  int col_shared_bytes = 0;      // which multicasts; and the one of the next column
  int row_bytes = 0;             // of what arrives, the part that has the output's rows, some of which are beyond the
  int col_bytes = 0;             // tensor's end where tiles do not divide it; and the part that has its columns
  bool loads = false;
};

/// What a mode of the problem is to the grid.
struct grid_mode {
  mode_id along = mode_id::any;
  part_count tiles{};  // elements of a cluster's tiles
};

/// A kernel for the cost model.
struct kernel_cost {
  int phases = 0;
  phase_cost phase[max_loops + 1]{};
  int grid_modes = 0;
  grid_mode grid[max_rank]{};  // of the output
  int cluster = 1;             // CTAs, of all parts that meet in one
  int clusters = 1;            // that make a tile: parts that meet in a workspace
  int parts = 1;               // into which trips are divided
  int part_bytes = 0;          // that each of a tile's CTAs leaves in the workspace; 0: they need none
  int meetings = 0;            // where they leave them
  int counters = 0;            // of tickets, that a tile has there
  int meeting_bytes = 0;       // of sums of others that the first part reads, or waits for, for a tile
  int stages = 1;              // of the deepest ring: what loops load from
  int output_bytes = 0;        // of a tile of each output
  bool wide_rows = false;      // an output has 4-byte elements, written row by row (not turned)
  bool wide_tiles = false;     // no row is longer than a tile
  bool tall_tiles = false;     // no column is
  int again_bits = 0;          // of each element of the work that is loaded once more, in another loop over its row
  bool persistent = false;
  bool streamed = false;       // the tiles of the last wave are cut: then the parts are theirs
  bool dynamic = false;        // its clusters draw their tiles
  bool deferred = false;       // a tile is stored while the next one is multiplied,
  bool own_tiles = false;      // or another consumer's
  launch_overlap overlap = launch_overlap::none;
};

/// Counts the events of the first trip of every loop.
template <class K>
constexpr kernel_cost count_cost() {
  const plan& p = plan_of<K>;
  const trace t = trace_body<K>({}).log;
  const operand_facts& out = p.operand[p.work].facts;
  kernel_cost c{};
  c.phases = 1 + p.loops.count;
  int first_trip[max_loops]{};
  for (int l = 0; l < p.loops.count; ++l) first_trip[l] = -1;
  const event* first_load[max_loops + 1][max_positions]{};  // by phase and position
  for (int i = 0; i < t.events; ++i) {
    const event& e = t.at[i];
    const int loop = e.loop < 0 ? -1 : p.loops.find(e.loop);
    phase_cost& phase = c.phase[loop + 1];
    if (loop >= 0 && first_trip[loop] < 0) first_trip[loop] = e.trip;
    if (loop >= 0 && e.trip != first_trip[loop]) {  // a later trip: which mode has been stepped along?
      if (e.kind != event_kind::load || phase.along != mode_id::any || !first_load[loop + 1][e.position]) continue;
      const operand_facts& f = p.operand[e.operand].facts;
      if (f.is_vector()) continue;  // along a mode that counts tiles
      for (int d = 0; d < f.tile.rank; ++d)
        if (first_load[loop + 1][e.position]->coordinate[d] != e.coordinate[d]) {
          phase.along = without_prime(f.mode_at(d));
          phase.step = f.tile.extent[d];
        }
      continue;
    }
    if (e.kind == event_kind::load) {
      const operand_plan& op = p.operand[e.operand];
      if (p.ring[op.ring].resident) continue;  // by the first work alone
      if (op.facts.im2col && loop >= 0 && op.stepped[0]) {  // by all places of the filter and their channels
        phase.along = op.facts.col_mode();
        phase.step = op.facts.cols();
        phase.over = op.facts.mode_at(0);
      }
      first_load[loop + 1][e.position] = &e;
      phase.loads = true;
      const int bytes = op.tile_bytes + op.metadata.bytes;
      phase.arriving_bytes += bytes;
      phase.fetched_bytes += bytes / op.slices;
      if (op.facts.position_of(out.row_mode()) >= 0) phase.row_bytes += bytes;
      if (op.facts.position_of(out.col_mode()) >= 0 && !p.whole_rows) phase.col_bytes += bytes;
      if (p.how.cluster.size() == 1) {
        if (op.facts.position_of(out.row_mode()) < 0) phase.row_shared_bytes += bytes;
        if (op.facts.position_of(out.col_mode()) < 0) phase.col_shared_bytes += bytes;
      }
    }
    if (e.kind != event_kind::issue) continue;
    for (int x = 0; x < p.products.count; ++x) {
      if (p.products.position[x] != e.position) continue;
      const product_plan& q = p.products.at[x];
      const int instructions = p.how.rows_of_cta() * p.how.sharers() * q.m_blocks * q.k_steps;
      phase.tensor_cycles += instructions * q.instruction.n / 2;
      const int rows_of_a = q.instruction.a_in_registers ? 0 : 64, times = q.instruction.sparse ? 2 : 1;
      phase.shared_cycles += instructions * (rows_of_a + times * q.instruction.n) * 32 / 128;
    }
  }
  c.grid_modes = out.tile.rank;
  for (int d = 0; d < out.tile.rank; ++d) {
    const int tiles = d == out.tile.rank - 2 ? p.how.rows_of_item() : d == out.tile.rank - 1 ? p.how.cluster.cols : 1;
    const bool whole = p.whole_rows && d == out.tile.rank - 1;  // one for all
    c.grid[d] = {out.mode_at(d), whole ? 1 << 30 : out.tile.extent[d] * tiles};
  }
  c.cluster = p.how.ctas();
  c.clusters = p.how.clusters_of_a_tile();
  c.parts = p.how.split;
  c.part_bytes = bytes_of_a_part(p);
  c.meetings = meetings_there(p);
  c.counters = counters_of_a_tile(p);
  c.meeting_bytes = p.how.split * c.part_bytes / p.how.sharers();  // each consumer reads its own
  if (p.how.fan_in > 0) {  // who is last reads a group's parts, and one of each group
    const int left = (2 * p.how.split - p.how.fan_in - p.how.groups_of_parts()) * begin_of_sums(p, 1);
    c.meeting_bytes -= left / p.how.sharers();
  }
  for (int n = 0; n < p.meetings && c.part_bytes == 0; ++n) {
    const int all = partial_sums_bytes(p, p.meeting[n]), others = p.how.split - 1;
    c.meeting_bytes += p.meeting[n].rounds == 1 ? others * all : 2 * others * (all / p.how.split);
  }
  for (int r = 0; r < p.rings; ++r)
    if (p.ring[r].stages > c.stages) c.stages = p.ring[r].stages;
  for (int n = 0; n < p.epilogues; ++n) {
    const int bits = p.operand[p.epilogue[n].operand].facts.type.bits;
    if (p.operand[p.epilogue[n].operand].facts.of_trips) continue;  // beside the trip's products
    c.output_bytes += out.rows() * out.cols() * bits / 8;
    c.wide_rows = c.wide_rows || (bits == 32 && !p.epilogue[n].transposed);
  }
  for (int o = 0; o < p.operands && p.whole_rows; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (f.kind != operand_kind::input) continue;
    if (f.position_of(out.row_mode()) < 0 || f.position_of(out.col_mode()) < 0) continue;
    int loops = 0;  // that load it
    for (int l = 0; l < p.loops.count; ++l)
      for (int at = p.loops.position[l], x = 0; x < max_positions; ++x)
        if (const event* e = first_load[l + 1][x]; e && e->operand == o && e->loop == at) {
          ++loops;
          break;
        }
    if (loops > 1) c.again_bits += (loops - 1) * f.type.bits;
  }
  c.wide_tiles = p.wide_tiles;
  c.tall_tiles = p.tall_tiles;
  c.persistent = p.how.persistent;
  c.streamed = p.how.streamed;
  c.dynamic = p.how.dynamic;
  c.deferred = p.epilogue[0].deferred;
  c.own_tiles = p.how.own_tiles;
  c.overlap = p.how.overlap;
  return c;
}

template <class K>
inline constexpr kernel_cost cost_of = count_cost<K>();

}  // namespace sectile
