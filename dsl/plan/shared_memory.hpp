// What TMA brings at once, and where it lies in a CTA's shared memory: ring stages first, then the exchange of columns,
// left factors that are written there, the epilogues' buffers, the barriers.
#pragma once
#include <sectile/dsl/plan/epilogue.hpp>
#include <sectile/dsl/plan/gather.hpp>
#include <sectile/dsl/plan/groups.hpp>
#include <sectile/dsl/plan/split.hpp>
#include <sectile/dsl/plan/tickets.hpp>
#include <sectile/layouts/operand_tile.hpp>

namespace sectile {

// ---- TMA boxes

/// The box that brings one slice of one panel of an input tile, with the operand's batch modes around it. `inner`
/// counts elements; one-bit elements travel as bytes.
constexpr tma_box box_of(const operand_facts& f, swizzle_mode swizzle, int inner, int rows) {
  return {.rank = f.tile.rank,
          .extent = {inner / f.packing(), rows, 1, 1, 1},
          .element_bits = f.type.bits * f.packing(),
          .swizzle = swizzle};
}

/// The box of a panel of epilogue `n`: what TMA stores at once.
constexpr tma_box panel_box(const plan& p, int n) {
  const epilogue_plan& e = p.epilogue[n];
  return in_map(p, e.operand, box_of(p.operand[e.operand].facts, e.swizzle, e.panel_cols, e.panel_rows));
}

/// Blocks of 128 words for 64 rows each.
constexpr void plan_metadata(plan& p, operand_plan& op) {
  metadata_plan& m = op.metadata;
  m.row_blocks = op.facts.rows() / 64;
  m.k_blocks = op.facts.cols() / metadata_k(op.facts.type.bits);
  m.bytes = m.row_blocks * m.k_blocks * metadata_block_bytes;
  m.box = {.rank = op.facts.tile.rank,
           .extent = {metadata_block_bytes / 4, m.row_blocks / op.slices, 1, 1, 1},
           .element_bits = 32};
  if (m.row_blocks % op.slices != 0)
    p.refusal = refuse(rule::cluster_is_illegal, "operand ", op.facts.name, ": ", op.slices,
                       " CTAs fetch a slice each, but the tile has metadata for ", m.row_blocks,
                       " blocks of 64 rows; use a taller tile or a cluster of fewer columns");
}

constexpr void plan_boxes(plan& p) {
  for (int o = 0; o < p.operands; ++o) {
    operand_plan& op = p.operand[o];
    if (op.facts.path == with_tiles) {
      op.panels = boxes_of_vector(op.facts);
      op.box = box_of_vector(op.facts);
    }
    if (op.facts.kind != operand_kind::input) continue;
    const int width = span_bytes(op.swizzle) * 8 / op.facts.type.bits;
    const int rows = op.facts.strided() / op.slices;  // of this CTA's slice
    op.panels = op.facts.contiguous() / width;
    op.boxes_per_panel = boxes_per_panel({.mn = rows, .major = major::k});
    op.box = in_map(p, o, box_of(op.facts, op.swizzle, width, rows / op.boxes_per_panel));
    if (op.facts.sparse) plan_metadata(p, op);
  }
}

// ---- shared memory

/// Why a CTA has no `needed` bytes of shared memory: those of stages, what there is once, `least` of the epilogue.
constexpr violation check_shared_memory(const plan& p, int per_stage, int once, int least, int needed, int fitting) {
  const int least_stages = p.products.count > 0 ? 2 : 1;
  violation v = refuse(rule::stages_do_not_fit_in_shared_memory, p.how.stages, " stages of ", per_stage, " bytes");
  if (once > 0) v << ", " << once << " for what has stages of its own";
  v << " and " << least << " for the epilogue need " << needed << " bytes of shared memory, a CTA has "
    << shared_memory_limit << "; " << (fitting > 0 ? fitting : 0) << (fitting == 1 ? " stage fits" : " stages fit");
  if (fitting == 1 && least_stages > 1) v << ", and a loop of products takes two";
  return v << (fitting < least_stages ? ", so use smaller tiles" : "");
}
/// The mbarriers of no ring of stages: of parts of sums, of parts of columns, and of numbers that are drawn.
constexpr int count_cluster_barriers(const plan_head& p) {
  return count_meeting_barriers(p) + count_exchange_barriers(p) + count_ticket_barriers(p);
}
/// Gives all mbarriers their places from `at` on, those of rings first, and the words of the numbers theirs. Returns
/// where that ends.
constexpr int place_barriers(plan& p, int at) {
  for (int r = 0; r < p.rings; ++r) {
    p.ring[r].full_barrier = at;
    p.ring[r].empty_barrier = at + 8 * p.ring[r].stages;
    at += 16 * p.ring[r].stages;
  }
  p.exchange.barrier = place_meeting_barriers(p, at);
  return place_tickets(p.tickets, p.exchange.barrier + 8 * count_exchange_barriers(p));
}

/// What left factors in registers take: the largest, for each tile at a time.
constexpr int place_factors(plan& p, int at) {
  p.placed.offset = at;
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    if (!q.placed) continue;
    const int pitch = round_up(bytes(q.b), shared_alignment);
    p.placed.pitch = pitch > p.placed.pitch ? pitch : p.placed.pitch;
    p.placed.places = p.how.tiles_at_once();
  }
  return at + p.placed.pitch * p.placed.places;
}

/// The order is that of the file's first lines.
constexpr void lay_out_shared_memory(plan& p) {
  share_gathers(p, most_gather_warps);
  int at = 0, resident = 0, per_stage = 0;
  for (int r = 0; r < p.rings; ++r) {
    ring_plan& ring = p.ring[r];
    for (int m = 0; m < ring.members; ++m) {
      operand_plan& op = p.operand[ring.member[m]];
      op.tile_bytes = stage_bytes_of(op.facts);
      op.stage_offset = ring.stage_bytes;
      const int alignment = op.facts.is_vector() ? destination_alignment(op.swizzle) : shared_alignment;  // vectors last
      op.metadata.stage_offset = ring.stage_bytes + round_up(op.tile_bytes, alignment);
      ring.stage_bytes = op.metadata.stage_offset + round_up(op.metadata.bytes, shared_alignment);
      const int brought =
          op.facts.is_vector() ? boxes_of_vector(op.facts) * bytes(box_of_vector(op.facts)) : op.tile_bytes;
      (op.facts.is_gathered() ? ring.copied_bytes : ring.transaction_bytes) += brought + op.metadata.bytes;
    }
    ring.stage_bytes = round_up(ring.stage_bytes, shared_alignment);
    ring.offset = at;
    at += ring.stages * ring.stage_bytes;
    const bool settled = ring.stages_of_lane() == 1 || p.operand[ring.member[0]].facts.stages > 0;
    (settled ? resident : per_stage) += (settled ? ring.stages : ring.lanes) * ring.stage_bytes;
    p.barrier_bytes += 2 * 8 * ring.stages;
  }
  if (p.how.dynamic) p.tickets.slots = ticket_slots;
  p.exchange.ctas = p.row_sharers();
  p.exchange.buffers = p.exchange.ctas > 1 ? 2 : 1;
  p.barrier_bytes = round_up(p.barrier_bytes + 8 * count_cluster_barriers(p), 16) + ticket_bytes_of(p);
  place_partial_sums(p);
  p.refusal = check_partial_sums(p);
  if (!p.refusal.holds()) return;
  p.exchange.offset = at;
  p.exchange.bytes = p.exchange.buffers *
                     round_up(4 * p.exchange.columns * exchange_pitch(p.how, p.exchange.ctas) * p.how.tiles_at_once(),
                              shared_alignment);
  at += p.exchange.bytes;
  at = place_factors(p, at);
  resident += p.exchange.bytes + p.placed.pitch * p.placed.places;

  const int space = shared_memory_limit - p.barrier_bytes - at;
  for (int n = 0; n < p.epilogues; ++n)
    p.epilogue[n] = plan_epilogue(p, p.epilogue[n].operand, space / (p.epilogues * p.how.consumers));
  const int least = least_buffer_bytes(p, 0);
  if (space < least) {
    const int fitting = per_stage ? (shared_memory_limit - p.barrier_bytes - resident - least) / per_stage : 0;
    p.refusal = check_shared_memory(p, per_stage, resident, least, at + least + p.barrier_bytes, fitting);
    return;
  }
  at = place_buffers(p, at, space);
  at = place_barriers(p, at);
  p.shared_bytes = round_up(at, 16);
}

}  // namespace sectile
