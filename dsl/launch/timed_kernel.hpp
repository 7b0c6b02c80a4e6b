// A kernel's time on a Hopper, as far as no problem changes it: a pick predicts dozens of kernels within a microsecond,
// so a family has this of every member as a constant (family.hpp).
#pragma once
#include <sectile/dsl/launch/cost.hpp>
#include <sectile/dsl/launch/gpu_constants.hpp>

namespace sectile {

/// A problem's sizes are kept by number: of operand `o` the one along its mode at position `d`, as one finds them
/// without comparing names.
constexpr int size_number(int o, int d) { return o * max_rank + d; }
inline constexpr int max_sizes = size_number(max_operands, 0);
/// The number of a size along mode m, else along m' with a prime; -1 if no operand has it.
constexpr int find_size(const operand_table& operands, mode_id m) {
  int primed = -1;
  for (int o = operands.count - 1; o >= 0; --o)
    for (int d = operands.at[o].tile.rank - 1; d >= 0; --d) {
      const mode_id own = operands.at[o].mode_at(d);
      if (own == m) return size_number(o, d);
      if (without_prime(own) == m) primed = size_number(o, d);
    }
  return primed;
}

/// What stands where there is no mode: one element.
inline constexpr int no_size = max_sizes;

/// The constants that are left, of what a kernel asks of an SM and of what that reaches.
struct timed_kernel {
  /// Of a trip of a loop, or of what stands outside; only phases that load or multiply.
  struct phase {
    int along = -1;  // the size that trips step along; -1: there is one trip
    part_count step{};
    int over = no_size;          // the size that times these are made
    double own_cycles = 0;       // of what an SM does by itself: the longest
    const char* longest = "";    // and its name
    double fetching_cycles = 0;  // of the way from L2, of whole lines
    double fetched_bytes = 0;    // of L2, and what of them others ask for too (cost.hpp)
    double row_shared_bytes = 0, col_shared_bytes = 0;
    double row_bytes = 0, col_bytes = 0;  // fetched for the output's rows and columns
    double arriving = 1;                  // bytes that arrive for each that is fetched
  };
  int phases = 0;
  phase at[max_loops + 1]{};
  int grid_modes = 0;
  struct {
    int along = -1;
    part_count tiles{};  // elements of a cluster's tiles
  } grid[max_rank]{};
  int cluster = 1, clusters = 1;  // CTAs; and those that make a tile
  int part_bytes = 0;             // that each of its parts leaves in a workspace,
  int meetings = 0;               // in so many meetings,
  int counters = 0;               // with so many counters
  bool streamed = false;          // the tiles of the last wave are cut: those have parts,
  double part_cycles = 0;         // each of which the last one adds for so long
  double meeting_cycles = 0;      // and all of them together take so long to meet
  bool dynamic = false;           // its clusters draw their tiles, from a counter in a workspace
  bool wide_tiles = false;        // no row is longer than a tile,
  bool tall_tiles = false;        // and no column
  double again_bytes = 0;   // of each element of the work that is loaded once more
  part_count parts{};      // of a loop
  double once_cycles = 0;  // before an SM's first tile and behind its last,
  double tile_cycles = 0;  // and for each of its tiles, besides trips
  double launch_us = 0;
  double crowding_us = 0;  // lost to the kernel behind, if half of the SMs are left to it

  constexpr timed_kernel() = default;
  /// Of a program with these operands.
  constexpr timed_kernel(const kernel_cost& k, const operand_table& operands);
};

constexpr timed_kernel::timed_kernel(const kernel_cost& k, const operand_table& operands)
    : grid_modes(k.grid_modes),
      cluster(k.cluster),
      clusters(k.clusters),
      part_bytes(k.part_bytes),
      meetings(k.meetings),
      counters(k.counters),
      streamed(k.streamed),
      dynamic(k.dynamic),
      wide_tiles(k.wide_tiles),
      tall_tiles(k.tall_tiles),
      parts(k.parts) {
  const hopper_constants& h = hopper_reaches;
  for (int d = 0; d < grid_modes; ++d) grid[d] = {find_size(operands, k.grid[d].along), k.grid[d].tiles};
  for (int i = 0; i < k.phases; ++i) {
    const phase_cost& q = k.phase[i];
    if (!q.loads && q.tensor_cycles == 0) continue;
    phase& to = at[phases++];
    const auto take = [&to](double cycles, const char* name) {
      if (cycles > to.own_cycles) to.own_cycles = cycles, to.longest = name;
    };
    take(q.tensor_cycles / h.tensor_share, "tensor cores");
    take(q.shared_cycles / h.reading_share, "reading shared memory");
    take(q.arriving_bytes / h.arriving_bytes, "TMA's writing");
    if (q.loads) take(h.copy_cycles / k.stages, "a copy's latency");
    to.along = q.along == mode_id::any ? -1 : find_size(operands, q.along);
    to.step = q.step;
    if (q.over != mode_id::any) to.over = find_size(operands, q.over);
    to.fetching_cycles = q.fetched_bytes / h.fetched_bytes;
    to.fetched_bytes = q.fetched_bytes;
    to.row_shared_bytes = q.row_shared_bytes;
    to.col_shared_bytes = q.col_shared_bytes;
    if (q.loads) to.arriving = 1.0 * q.arriving_bytes / q.fetched_bytes;
    to.row_bytes = q.row_bytes / to.arriving;
    to.col_bytes = q.col_bytes / to.arriving;
  }
  again_bytes = k.again_bits / 8.0;
  const double epilogue = k.output_bytes / (k.wide_rows ? h.wide_epilogue_bytes : h.epilogue_bytes);
  const double meeting = k.parts == 1        ? 0.0
                         : k.part_bytes == 0 ? h.meeting_cycles + k.meeting_bytes / h.meeting_bytes
                                             : k.meetings * h.ticket_cycles + k.meeting_bytes / h.workspace_bytes;
  const bool hidden = k.deferred || k.own_tiles;  // but for the last one
  const bool split = k.part_bytes > 0 && !k.streamed;
  if (k.streamed) part_cycles = k.meeting_bytes / h.workspace_bytes, meeting_cycles = k.meetings * h.ticket_cycles;
  once_cycles = !k.persistent ? 0.0 : hidden ? h.fill_cycles + epilogue : h.fill_cycles;
  if (split) once_cycles = meeting + epilogue;  // one part of each tile, and of all waves the last
  tile_cycles = split           ? h.fill_cycles
                : !k.persistent ? h.fill_cycles + meeting + epilogue
                : k.own_tiles ? h.turn_cycles
                : k.deferred  ? h.walk_cycles
                              : h.walk_cycles + epilogue;
  launch_us = h.launch_us + (k.cluster > 1 ? h.cluster_us : 0.0);
  if (k.overlap != launch_overlap::none) launch_us -= h.prologue_us;
  if (k.overlap == launch_overlap::both) launch_us -= h.dependents_us, crowding_us = h.crowding_us;
}

}  // namespace sectile
