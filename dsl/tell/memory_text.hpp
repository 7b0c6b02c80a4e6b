// Shared memory, barriers and registers of a plan, in words.
#pragma once
#include <string>

#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/tell/words.hpp>
#include <sectile/layouts/operand_tile.hpp>

namespace sectile::tell {

inline std::string rings_text(const plan& p) {
  std::string text;
  for (int r = 0; r < p.rings; ++r) {
    const ring_plan& ring = p.ring[r];
    text += say("  ring ", r, ": ", count(ring.stages, "stage"), " of ", ring.stage_bytes, " bytes for ",
                members_text(p, ring), "\n");
  }
  return text;
}

/// Every range of shared memory, in order.
inline std::string memory_text(const plan& p) {
  table t;
  t.add("offset", "bytes", "aligned to", "what");
  for (int r = 0; r < p.rings; ++r)
    for (int s = 0; s < p.ring[r].stages; ++s)
      for (int m = 0; m < p.ring[r].members; ++m) {
        const int o = p.ring[r].member[m];
        t.add(tile_offset(p, o) + s * p.ring[r].stage_bytes, p.operand[o].tile_bytes,
              pattern_bytes(p.operand[o].swizzle), say(p.operand[o].facts.name, ", stage ", s, " of ring ", r));
        const metadata_plan& md = p.operand[o].metadata;
        if (md.bytes > 0)
          t.add(p.ring[r].offset + md.stage_offset + s * p.ring[r].stage_bytes, md.bytes, shared_alignment,
                say("metadata of ", p.operand[o].facts.name, ", stage ", s, " of ring ", r));
      }
  const epilogue_plan& e = p.epilogue;
  for (int c = 0; c < p.how.consumers; ++c)
    t.add(e.offset + c * e.buffers * e.panel_bytes, e.buffers * e.panel_bytes, pattern_bytes(e.swizzle),
          say(p.operand[e.operand].facts.name, ", ", count(e.buffers, "panel"), " of consumer ", c));
  for (int r = 0; r < p.rings; ++r) {
    t.add(p.ring[r].full_barrier, 8 * p.ring[r].stages, 8, say("full barriers of ring ", r));
    t.add(p.ring[r].empty_barrier, 8 * p.ring[r].stages, 8, say("empty barriers of ring ", r));
  }
  if (p.guards.note_bytes > 0) {
    t.add(p.guards.notes, p.guards.note_bytes, 16, "notes of the debug machine");
    t.add("", "", "", count(p.guards.count, "guard") + " in the gaps");
  }
  return say("  ", p.shared_bytes, " of ", shared_memory_limit, " bytes; offsets count from the CTA's dynamic shared ",
             "memory, which is aligned to ", shared_alignment, "\n") +
         t.text();
}

/// Who gives a stage back: "4 (2 consumers of 2 CTAs)".
inline std::string empty_arrivals_text(const plan& p, const ring_plan& r) {
  const int ctas = r.empty_arrivals / p.how.consumers;
  return say(r.empty_arrivals, " (", count(p.how.consumers, "consumer"), " of ", count(ctas, "CTA"), ")");
}

inline std::string barriers_text(const plan& p) {
  table t;
  t.add("barrier", "number", "arrivals", "bytes", "completes when");
  for (int r = 0; r < p.rings; ++r) {
    const ring_plan& ring = p.ring[r];
    t.add(say("full, ring ", r), ring.stages, "1 (the producer)", ring.transaction_bytes,
          members_text(p, ring) + (ring.members == 1 ? " has landed" : " have landed"));
    t.add(say("empty, ring ", r), ring.stages, empty_arrivals_text(p, ring), "", "nobody reads the stage any more");
  }
  std::string text = t.text();
  const int n = p.how.consumers;
  text +=
      say("  named barriers: ", epilogue_barrier(0), n > 1 ? say(" to ", epilogue_barrier(n - 1)) : std::string(),
          " for the epilogue of each consumer (", warpgroup, " threads)");
  if (p.how.pingpong || p.how.stagger > 0)
    text += say(", ", turn_barrier(n, 0), n > 1 ? say(" to ", turn_barrier(n, n - 1)) : std::string(),
                " for their turns (", 2 * warpgroup, " threads)");
  return text + "\n";
}

inline std::string registers_text(const plan& p) {
  const int launch = launch_registers(p.threads);
  const int moved = warpgroup * (p.producer_registers + p.how.consumers * p.consumer_registers);
  return say("  at launch: ", p.threads, " threads of ", launch, ", ", p.threads * launch, " of ", register_pool,
             "\n") +
         say("  then: ", p.producer_registers, " for the producer's warpgroup, ", p.consumer_registers,
             " for each consumer's, ", moved, " of ", p.threads * launch, " (setmaxnreg)\n") +
         say("  fragments take ", p.accumulator_registers, " of a consumer thread's ", p.consumer_registers, "\n");
}

/// How the result leaves.
inline std::string epilogue_text(const plan& p) {
  const epilogue_plan& e = p.epilogue;
  const bool wide = p.operand[e.operand].facts.type.bits == 32;
  return say("  each consumer writes ", count(e.panels, "panel"), " of ", epilogue_rows, " x ", e.panel_cols, " with ",
             wide ? "8-byte stores" : "stmatrix", e.panels > 1 ? say(", ", e.batch, " at a time") : std::string(), "; ",
             e.buffers, e.buffers == 1 ? " fits" : " fit", " in shared memory; ",
             e.bank_conflicts == 1 ? std::string("no bank conflicts") : say(e.bank_conflicts, "-way bank conflicts"),
             "\n") +
         (e.deferred ? "  deferred: packed in registers, and put out during the next tile's first products\n" : "");
}

}  // namespace sectile::tell
