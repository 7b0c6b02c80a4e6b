// What GPUs reach: the numbers of the cost model (cost_model.hpp).
#pragma once
#include <sectile/dsl/launch/cost.hpp>

namespace sectile {

/// What a Hopper reaches, its SMs and the way to them, fitted to what `sectile tune` measured of six families
/// (kernels/tables): to how far what is picked is from the best, more than to the times. Cycles are of the SM's clock.
struct hopper_constants {
  double cycles_per_us = 1650;        // under load
  double launch_us = 0.94;            // of a kernel that overlaps none, in CTAs without clusters
  double cluster_us = 0.26;           // more for clusters
  double prologue_us = 0.69;          // hidden by launch_overlap::prologue
  double dependents_us = 1.13;        // and by `both`
  double crowding_us = 1.82;          // lost by `both` where half of the SMs are left to the kernel behind, which
                                      // begins in two parts then; less in proportion where fewer are
  double fill_cycles = 4380;          // until the first tile has landed, besides its copy, and behind the last product
  double epilogue_bytes = 51;         // stored a cycle by an SM
  double wide_epilogue_bytes = 27.3;  // of 4-byte elements, row by row
  double meeting_cycles = 130;        // from the last product of the parts to their sum, besides reading
  double meeting_bytes = 15;          // of others' sums that a CTA reads a cycle
  // Of parts that meet in a workspace: fitted to 24 kernels of 4 to 64 parts and five problems.
  double ticket_cycles = 3000;        // from the last product to the ticket, and to the first of the others' sums
  double workspace_bytes = 36;        // of all parts' sums that a consumer of the last one reads a cycle
  double walk_cycles = 1450;          // from tile to tile of a persistent kernel,
  double turn_cycles = 800;           // or from one consumer's to the next one's
  double tensor_share = 0.89;         // of the peak, that products reach
  double reading_share = 0.94;        // of shared memory's 128 bytes a cycle, that products read beside TMA's writing
  double arriving_bytes = 80;         // written to shared memory by TMA, a cycle
  double fetched_bytes = 94.5;        // from L2 to an SM, a cycle
  double l2_bytes = 5430;             // from L2 to all SMs, a cycle
  double beyond_bytes = 1500;         // of zeros for the rows of tiles beyond a tensor's end
  double shared_by_two = 0.655;       // of what both SMs of a TPC ask for at the same time, that L2 sends once
  double half_lines = 1.21;           // times as long from L2, where a tensor's rows begin at halves of its lines,
  double sectors = 1.24;              // at 32 bytes of them,
  double half_sectors = 1.49;         // or within these, where nothing is sent once for two
  double copy_cycles = 2640;          // of a tile's way from memory, that stages hide
  double kept_bytes = 16e6;           // of rows at work, of which L2 has half when they are loaded again
};
inline constexpr hopper_constants hopper_reaches{};

/// And what is a GPU's own.
struct gpu_constants {
  static constexpr int max_cluster = 8;  // CTAs

  const char* name = "";  // as CUDA says it; a prefix
  int multiprocessors = 132;
  double memory_bytes_per_us = 0;
  part_count at_once[max_cluster + 1]{};  // clusters of so many CTAs that find room

  constexpr gpu_constants(const char* prefix, int sms, double bytes_per_us)
      : name(prefix), multiprocessors(sms), memory_bytes_per_us(bytes_per_us) {
    // A cluster lies within a GPC, whose SMs are no multiple of a larger one: some are left over. This is what an H200 of
    // 132 SMs was seen to run at once: one cluster more of three or four CTAs, or two more of six, took as long as two
    // waves do. (Of five, 16 found room and 23 did not; of eight, 12 did and 16 did not.)
    constexpr int seen_sms = 132, seen[max_cluster + 1] = {0, 132, 66, 39, 30, 22, 16, 14, 14};
    for (int ctas = 1; ctas <= max_cluster; ++ctas) {
      const int room = seen[ctas] * sms / seen_sms;
      at_once[ctas] = room < 1 ? 1 : room;
    }
  }
};

/// The GPU that CUDA calls so; of one that is not known, the most like it.
const gpu_constants& constants_of(const char* device);

}  // namespace sectile
