// The instructions that carry a plan out, as PTX: which of them a kernel issues, and how many.
// PTX ISA, "wgmma.mma_async" and "cp.async.bulk.tensor".
#pragma once
#include <string>
#include <vector>

#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/plan/groups.hpp>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/tell/products_text.hpp>

namespace sectile::tell {

/// A wgmma that a kernel issues, and how often a consumer warpgroup does when every product of the body runs once.
struct issued_wgmma {
  wgmma_instruction instruction;
  int times = 0;
};

/// The different instructions of a plan, in the order of the body. Steps along K of a sparse product take the selectors
/// in turn.
inline std::vector<issued_wgmma> issued_by(const plan& p) {
  std::vector<issued_wgmma> all;
  const auto add = [&all](const wgmma_instruction& w, int times) {
    for (issued_wgmma& known : all)
      if (known.instruction == w) return void(known.times += times);
    all.push_back({w, times});
  };
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    const int selectors = q.instruction.sparse ? family_of(q.instruction).selectors : 1;
    for (int s = 0; s < selectors && s < q.k_steps; ++s) {
      wgmma_instruction w = q.instruction;
      w.selector = s;
      add(w, (q.k_steps - s + selectors - 1) / selectors * q.m_blocks);
    }
  }
  return all;
}

/// "cp.async.bulk.tensor.2d..." that brings an input or stores the output.
inline std::string copy_spelling(const plan& p, int o) {
  const operand_plan& op = p.operand[o];
  if (op.facts.is_gathered()) return "cp.async.cg.shared.global, cp.async.mbarrier.arrive.noinc.shared::cta.b64";
  if (op.facts.is_scattered()) return "st.global.v4.b32, atom.acq_rel.gpu.global.add.u64, ld.global.cg.v4.b32";
  const std::string start = say("cp.async.bulk.tensor.", dimensions_of_map(p, o), "d.");
  if (op.facts.kind == operand_kind::output) return start + "global.shared::cta.bulk_group";
  return start + "shared::cluster.global." + (op.facts.im2col ? "im2col." : "") + "mbarrier::complete_tx::bytes" +
         (op.slices > 1 ? ".multicast::cluster" : "") + (op.facts.im2col ? "" : ".L2::cache_hint");
}

/// The instructions of a plan that carry it out: its products, what orders them, and its copies.
inline std::string ptx_text(const plan& p) {
  table lines;
  for (const issued_wgmma& issued : issued_by(p))
    lines.add(say(issued.times, " x"), instruction_text(issued.instruction));
  for (int o = 0; o < p.operands; ++o)
    if (p.operand[o].facts.is_tiled()) lines.add(p.operand[o].facts.name, copy_spelling(p, o));
  return lines.text();
}

}  // namespace sectile::tell
