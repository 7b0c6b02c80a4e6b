// Proof 3, alignment: addresses, boxes and descriptor fields are such that the hardware does what the layouts say.
#pragma once
#include <sectile/dsl/plan/build.hpp>

namespace sectile {

constexpr violation check_box(const char* name, const tma_box& box) {
  const box_violation v = check(box);
  if (v.ok()) return {};
  return refuse(rule::tma_box_is_illegal, "operand ", name, ": the TMA box's mode ", v.dimension, " has ",
                static_cast<long long>(v.value), ", the limit is ", static_cast<long long>(v.limit));
}

constexpr violation check_address(const char* name, int address, int multiple) {
  if (address % multiple == 0) return {};
  return refuse(rule::shared_memory_is_misaligned, "operand ", name, ": shared-memory offset ", address,
                " is not a multiple of ", multiple, ", where its swizzle pattern repeats");
}

/// A piece of shared memory and whose it is.
struct region {
  int begin = 0, end = 0;
  const char* whose = "";
};

/// Stages, epilogue buffers and barriers lie apart from each other and inside what the kernel asks for.
constexpr violation check_regions(const plan& p) {
  region at[max_rings * max_stages * max_operands / 2 + max_meetings + 26]{};
  int n = 0;
  for (int r = 0; r < p.rings; ++r)
    for (int s = 0; s < p.ring[r].stages; ++s)
      for (int m = 0; m < p.ring[r].members; ++m) {
        const operand_plan& op = p.operand[p.ring[r].member[m]];
        const int begin = p.ring[r].offset + s * p.ring[r].stage_bytes + op.stage_offset;
        at[n++] = {begin, begin + op.tile_bytes, op.facts.name};
        if (!op.facts.sparse) continue;
        const int metadata = begin - op.stage_offset + op.metadata.stage_offset;
        at[n++] = {metadata, metadata + op.metadata.bytes, op.facts.name};
      }
  if (p.exchange.bytes > 0)
    at[n++] = {p.exchange.offset, p.exchange.offset + p.exchange.bytes, "the exchange of columns"};
  for (int i = 0; i < p.placed.places; ++i)
    at[n++] = {p.placed.offset + i * p.placed.pitch, p.placed.offset + (i + 1) * p.placed.pitch, "a left factor"};
  for (int i = 0; i < p.epilogues; ++i) {
    const epilogue_plan& e = p.epilogue[i];
    at[n++] = {e.offset, e.offset + p.how.consumers * e.buffers * e.panel_bytes, p.operand[e.operand].facts.name};
  }
  for (int i = 0; i < p.meetings; ++i) {
    const meeting_plan& m = p.meeting[i];
    at[n++] = {m.barrier, m.barrier + 8 * p.how.consumers * m.rounds, "a meeting's barriers"};
  }
  for (int r = 0; r < p.rings; ++r) {
    at[n++] = {p.ring[r].full_barrier, p.ring[r].full_barrier + 8 * p.ring[r].stages, "a ring's full barriers"};
    at[n++] = {p.ring[r].empty_barrier, p.ring[r].empty_barrier + 8 * p.ring[r].stages, "a ring's empty barriers"};
  }
  if (const ticket_plan& t = p.tickets; t.slots > 0) {
    at[n++] = {t.barrier, t.barrier + 8 * count_ticket_barriers(p), "the barriers of drawn work"};
    at[n++] = {t.offset, t.offset + ticket_bytes_of(p), "the numbers of drawn work"};
  }
  for (int i = 0; i < n; ++i) {
    if (at[i].begin < 0 || at[i].end > p.shared_bytes)
      return refuse(rule::shared_memory_overlaps, at[i].whose, ": bytes ", at[i].begin, " to ", at[i].end,
                    " lie outside the kernel's ", p.shared_bytes);
    for (int j = 0; j < i; ++j)
      if (at[i].begin < at[j].end && at[j].begin < at[i].end)
        return refuse(rule::shared_memory_overlaps, at[i].whose, " and ", at[j].whose, " both lie at byte ",
                      at[i].begin > at[j].begin ? at[i].begin : at[j].begin);
  }
  return {};
}

/// Metadata: a legal box, and blocks at the 128 bytes that TMA asks for.
constexpr violation check_metadata(const plan& p, const operand_plan& op) {
  if (const violation v = check_box(op.facts.name, op.metadata.box); !v.holds()) return v;
  const ring_plan& r = p.ring[op.ring];
  return check_address(op.facts.name, r.offset | r.stage_bytes | op.metadata.stage_offset | metadata_block_bytes,
                       destination_alignment(swizzle_mode::none));
}

/// The panels of an epilogue: a legal box, and buffers that begin where the swizzle's pattern does.
constexpr violation check_panel_alignment(const plan& p, int n) {
  const epilogue_plan& e = p.epilogue[n];
  const operand_facts& out = p.operand[e.operand].facts;
  if (const violation v = check_box(out.name, panel_box(p, n)); !v.holds()) return v;
  for (int b = 0; b < p.how.consumers * e.buffers; ++b)
    if (const violation v = check_address(out.name, e.offset + b * e.panel_bytes, destination_alignment(e.swizzle));
        !v.holds())
      return v;
  const bool fits = e.panel_cols * out.type.bits / 8 == e.row_bytes && e.panel_bytes == e.panel_rows * e.row_bytes;
  if (fits && (e.swizzle == swizzle_mode::none || e.row_bytes == span_bytes(e.swizzle))) return {};
  return refuse(rule::shared_memory_is_misaligned, "operand ", out.name, ": an epilogue panel of ", e.panel_cols,
                " columns and ", e.panel_bytes, " bytes is not ", e.panel_rows, " rows of ",
                e.swizzle == swizzle_mode::none ? e.row_bytes : span_bytes(e.swizzle), " bytes",
                e.swizzle == swizzle_mode::none ? "" : ", the swizzle's span");
}

constexpr violation check_alignment(const plan& p) {
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    if (!op.facts.comes_through_ring()) continue;
    if (const violation v = check_box(op.facts.name, op.box); !v.holds()) return v;
    for (int b = 0; op.facts.is_vector() && b < op.panels; ++b)
      if (const violation v = check_address(
              op.facts.name,
              p.ring[op.ring].offset | p.ring[op.ring].stage_bytes | (op.stage_offset + vector_box_offset(op.facts, b)),
              destination_alignment(op.swizzle));
          !v.holds())
        return v;
    if (op.facts.is_vector()) continue;
    if (op.facts.sparse)
      if (const violation v = check_metadata(p, op); !v.holds()) return v;
    // Boxes of a slice begin where TMA may write, those of a tile that comes whole where the pattern does, as the tile.
    const int pattern = destination_alignment(op.swizzle), least = destination_alignment(swizzle_mode::none);
    const ring_plan& r = p.ring[op.ring];
    for (int s = 0; s < r.stages; ++s)
      for (int panel = 0; panel < op.panels; ++panel)
        for (int row = 0; row < op.facts.strided(); row += op.box.extent[1]) {
          const int at =
              r.offset + s * r.stage_bytes + op.stage_offset + box_offset(op.facts.strided(), op.swizzle, panel, row);
          if (const violation v = check_address(op.facts.name, at, row > 0 && op.slices > 1 ? least : pattern);
              !v.holds())
            return v;
        }
  }
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    if (q.placed)
      if (const violation v = check_address("a left factor", p.placed.offset | p.placed.pitch, alignment(q.b));
          !v.holds())
        return v;
    for (int side = q.reads_a() ? 0 : 1; side < (q.placed ? 1 : 2); ++side) {
      const operand_plan& op = p.operand[side == 0 ? q.a_operand : q.b_operand];
      const ring_plan& r = p.ring[op.ring];
      matrix_descriptor d = descriptor_at(side == 0 ? q.a : q.b, 0, 0);
      d.start_bytes += static_cast<unsigned>(shared_alignment + r.offset + r.stages * r.stage_bytes);  // the highest
      if (!check(d).ok())
        return refuse(rule::descriptor_field_is_out_of_range, "operand ", op.facts.name, ": a descriptor with start ",
                      static_cast<int>(d.start_bytes), ", LBO ", static_cast<int>(d.leading_bytes), ", SBO ",
                      static_cast<int>(d.stride_bytes), " does not fit its fields (multiples of 16 below 262144)");
    }
  }
  for (int n = 0; n < p.epilogues; ++n)
    if (const violation v = check_panel_alignment(p, n); !v.holds()) return v;
  return check_regions(p);
}

}  // namespace sectile
