// The proofs: what each said, and what it looked at, counted.
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/proofs_text.hpp>

namespace sectile::tell {
namespace {

/// Products that read their operands in another way than those before.
int distinct_products(const plan& p) {
  int n = 0;
  for (int i = 0; i < p.products.count; ++i) n += !is_repeated(p, i);
  return n;
}

/// Descriptors through which reachability looks: one for each instruction's part of each operand.
int descriptors_decoded(const plan& p) {
  int n = 0;
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    if (is_repeated(p, i)) continue;
    if (q.reads_a()) n += q.a.mn / wgmma_rows * (q.a.k / stored_k(q.instruction));
    n += q.b.mn / q.instruction.n * (q.b.k / q.instruction.k);
  }
  return n;
}

/// 16-byte chunks of tiles that are brought into registers.
int chunks_read(const plan& p) {
  int n = 0;
  for (int i = 0; i < p.products.reads; ++i) n += bytes(p.products.read[i].tile) / core_matrix_row_bytes;
  return n;
}

int wgmmas_fed(const plan& p) {
  int n = 0;
  for (int i = 0; i < p.products.count; ++i) n += p.products.at[i].m_blocks * p.products.at[i].k_steps;
  return n * p.how.consumers;
}

/// Places in shared memory where a box begins, all stages.
int box_places(const plan& p) {
  int n = 0;
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    if (op.facts.kind == operand_kind::input)
      n += p.ring[op.ring].stages * op.panels * (op.facts.strided() / op.box.extent[1]);
  }
  return n;
}

int descriptors_in_range(const plan& p) {
  int n = 0;
  for (int i = 0; i < p.products.count; ++i) n += p.products.at[i].reads_a() ? 2 : 1;
  return n;
}

int named_barrier_count(const plan& p) { return 1 + p.how.consumers * (p.how.takes_turns() ? 2 : 1); }

/// Elements whose registers are compared: those of every accumulator and every operand in registers, m64 blocks once.
int register_elements(const plan& p) {
  int n = 0;
  for (int i = 0; i < p.products.count; ++i) {
    const wgmma_instruction& w = p.products.at[i].instruction;
    n += wgmma_rows * w.n + (w.a_in_registers ? wgmma_rows * w.k : 0);
  }
  return n;
}

int panel_stores(const plan& p, const epilogue_plan& e) {
  const warp_stores s = stores_of(e, p.operand[e.operand].facts.type.bits);
  return s.along / s.step() * s.per_step();
}
/// Summed over all outputs.
int over_outputs(const plan& p, auto number_of) {
  int n = 0;
  for (int i = 0; i < p.epilogues; ++i) n += number_of(p.epilogue[i]);
  return n;
}

struct counted {
  const char* name;
  violation verdict;
  std::string covered;
  json counts;
};

json entry(const counted& c) {
  return {{"name", c.name},
          {"holds", c.verdict.holds()},
          {"says", c.verdict.holds() ? "holds" : c.verdict.says.text},
          {"covered", c.covered},
          {"counts", c.counts}};
}

json protocol_entry(const plan& p, const proof_results& r) {
  const protocol_census& c = r.protocol;
  const int roles = 1 + p.how.consumers;
  return entry({"protocol",
                r.said.protocol,
                say("one run decides for every interleaving: ", count(c.runs, "run"), " with loops of up to ",
                    c.longest, " trips, ", c.agents, " agents (", count(roles, "role"), " of ",
                    count(p.how.ctas(), "CTA"), "), ", c.actions, " actions: ", c.waits, " waits, ", c.arrivals,
                    " arrivals, ", c.copies, " copies, ", c.products, " products, ", c.touches,
                    " uses of registers; no deadlock, no race, no lagging parity, bytes and arrivals "
                    "as counted"),
                {{"agents", c.agents},
                 {"runs", c.runs},
                 {"longest", c.longest},
                 {"actions", c.actions},
                 {"waits", c.waits},
                 {"arrivals", c.arrivals},
                 {"copies", c.copies},
                 {"products", c.products},
                 {"touches", c.touches}}});
}

}  // namespace

void prove_plan(const plan& p, verdicts& to) {
  to.legality = check_legality(p);
  to.reachability = check_reachability(p);
  to.alignment = check_alignment(p);
  to.budgets = check_budgets(p);
  to.fragments = check_fragments(p);
  to.banks = check_banks(p);
}

json proofs_part(const plan& p, const proof_results& r) {
  const int chunks = chunks_compared(p) + chunks_read(p), tiles = box_places(p);
  const int panels = p.how.consumers * over_outputs(p, [](const epilogue_plan& e) { return e.buffers; });
  const int stored = p.how.sharers() * over_outputs(p, [](const epilogue_plan& e) { return e.panels; });
  const int stores = over_outputs(p, [&p](const epilogue_plan& e) { return panel_stores(p, e); });
  const epilogue_plan& first = p.epilogue[0];
  const int launched = warpgroup * launch_registers(p) * (1 + p.how.consumers);
  const int asked = warpgroup * (p.producer_registers + p.how.consumers * p.consumer_registers);
  json all = json::array();
  all.push_back(entry({"legality",
                       r.said.legality,
                       say(count(p.products.count, "product"), " of wgmma instructions that exist; the tiles of ",
                           count(p.operands, "operand"), " and the configuration are whole"),
                       {{"products", p.products.count}, {"operands", p.operands}}}));
  all.push_back(entry({"reachability",
                       r.said.reachability,
                       say(chunks, " chunks of ", core_matrix_row_bytes, " bytes looked up through ",
                           descriptors_decoded(p), " descriptors of ", count(distinct_products(p), "product"),
                           ": where TMA writes each is where wgmma reads it"),
                       {{"chunks", chunks}, {"descriptors", descriptors_decoded(p)}}}));
  all.push_back(entry({"feeding",
                       r.said.feeding,
                       say(wgmmas_fed(p), " wgmmas of ", count(p.how.consumers, "lowered consumer"),
                           ": every K step of every ", wgmma_rows, " rows once, A and B of the same step"),
                       {{"wgmmas", wgmmas_fed(p)}, {"consumers", p.how.consumers}}}));
  all.push_back(entry({"alignment",
                       r.said.alignment,
                       say(count(tiles, "place"), " where a box lands, ", count(panels, "panel"), " of the epilogue, ",
                           count(descriptors_in_range(p), "descriptor"), " and every range of shared memory"),
                       {{"box_places", tiles}, {"panels", panels}, {"descriptors", descriptors_in_range(p)}}}));
  all.push_back(entry({"budgets",
                       r.said.budgets,
                       say(p.shared_bytes, " of ", shared_memory_limit, " bytes of shared memory, ", asked, " of ",
                           launched, " registers, ", p.threads, " threads, ", named_barrier_count(p), " of ",
                           hardware_barriers, " named barriers"),
                       {{"shared_bytes", p.shared_bytes},
                        {"registers", asked},
                        {"threads", p.threads},
                        {"named_barriers", named_barrier_count(p)}}}));
  all.push_back(protocol_entry(p, r));
  all.push_back(
      entry({"fragments",
             r.said.fragments,
             say(register_elements(p), " elements of products in registers one to one; ",
                 p.epilogues > 0 ? say(count(stored, "panel"), " of ", first.panel_rows * first.panel_cols,
                                       p.epilogues > 1 ? " and other" : "",
                                       " elements store each element once, from where TMA takes it")
                                 : std::string("no matrix is stored")),
             {{"elements", register_elements(p)},
              {"panels", stored},
              {"panel_elements", first.panel_rows * first.panel_cols}}}));
  all.push_back(entry({"banks",
                       r.said.banks,
                       say(count(stores, "store"), " of a warp into a panel", p.epilogues > 1 ? " of each output" : ""),
                       {{"stores", stores}}}));
  return all;
}

}  // namespace sectile::tell
