#include <sectile/dsl/tell/facts/replan.hpp>

#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/tell/facts/variation.hpp>

namespace sectile::tell {
namespace {

/// Whether a product reads an operand transposed.
bool is_transposed(const plan& p, int operand, const operand_tile& t, bool is_a) {
  const bool contiguous_is_cols = p.operand[operand].facts.order == row_major;
  const bool k_is_cols = (t.major == major::k) == contiguous_is_cols;
  return k_is_cols != is_a;
}

const event* issue_at(const trace& t, int position) {
  for (int i = 0; i < t.events; ++i)
    if (t.at[i].kind == event_kind::issue && t.at[i].position == position) return &t.at[i];
  return nullptr;
}
bool is_stored(const trace& t, int value) {
  bool stored = false;
  for (int i = 0; i < t.events; ++i) stored = stored || (t.at[i].kind == event_kind::store && t.at[i].value == value);
  return stored;
}

/// The tile that in_registers() brings, where it is A of the product that `issue` issues; nullptr: A is computed.
const fragment_read* read_of(const plan& p, const trace& t, const event& issue) {
  if (!issue.takes_a() || issue.a_source < 0) return nullptr;
  for (int i = 0; i < p.products.reads; ++i)
    if (p.products.read[i].operand == t.at[issue.a_source].operand) return &p.products.read[i];
  return nullptr;
}

int rows_of(const plan& p, const product_plan& q) { return wgmma_rows * q.m_blocks * p.how.sharers(); }

/// What the planner worked out of the tiles, as it was before.
void forget_layout(plan& p) {
  for (int o = 0; o < p.operands; ++o) {
    operand_plan& op = p.operand[o];
    op.stage_offset = op.tile_bytes = op.panels = 0;
    op.metadata = {};
    if (op.facts.kind == operand_kind::input) op.swizzle = swizzle_of(op.facts);
  }
  for (int r = 0; r < p.rings; ++r) p.ring[r].stage_bytes = p.ring[r].transaction_bytes = 0;
  p.barrier_bytes = 0;
}

/// A product of the changed operands. False where its left factor is computed from other products, and it cannot be
/// known what that would be.
bool replan_product(const plan& before, const trace& t, int index, plan& p) {
  const product_plan& old = before.products.at[index];
  product_plan& q = p.products.at[index];
  const event* e = issue_at(t, before.products.position[index]);
  if (!e || old.placed) return false;
  q.b = as_operand(p.operand[q.b_operand].facts, false, is_transposed(before, old.b_operand, old.b, false));
  q.instruction.b = p.operand[q.b_operand].facts.type;
  q.instruction.n = q.b.mn;
  const fragment_read* read = read_of(before, t, *e);
  const operand_facts &out = p.operand[p.work].facts, &old_out = before.operand[p.work].facts;
  int rows = rows_of(before, old), k = q.b.k;
  if (q.reads_a()) {
    q.a = as_operand(p.operand[q.a_operand].facts, true, is_transposed(before, old.a_operand, old.a, true));
    q.instruction.a = p.operand[q.a_operand].facts.type;
    rows = q.a.mn;
    k = (q.instruction.sparse ? 2 : 1) * q.a.k;
  } else if (read) {
    const operand_facts& f = p.operand[read->operand].facts;
    const operand_tile tile = as_operand(f, true, is_transposed(before, read->operand, read->tile, true));
    q.instruction.a = f.type;
    rows = tile.mn;
    k = tile.k;
  } else {
    if (rows == old_out.rows()) rows = out.rows();
    // Some earlier product's accumulator, cast: its columns are this product's K.
    bool known = false;
    for (int j = 0; j < index; ++j)
      known = known || (before.products.at[j].instruction.n == old.b.k && p.products.at[j].instruction.n == q.b.k);
    if (!known || q.instruction.a != old.instruction.a) return false;
  }
  if (k != q.b.k) return false;
  q.instruction.k = old.instruction.k * old.instruction.a.bits / q.instruction.a.bits;  // as many bytes as before
  q.m_blocks = rows / wgmma_rows / p.how.sharers();
  q.k_steps = q.b.k / q.instruction.k;
  return true;
}

/// Products into one accumulator have one shape, and what is stored has that of the outputs.
bool shapes_agree(const plan& p, const trace& t) {
  const operand_facts& out = p.operand[p.work].facts;
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    const event* e = issue_at(t, p.products.position[i]);
    if (is_stored(t, e->value) && q.b.mn != (p.how.swap ? out.rows() : out.cols())) return false;
    for (int j = 0; j < i; ++j)
      if (issue_at(t, p.products.position[j])->value == e->value &&
          (p.products.at[j].b.mn != q.b.mn || p.products.at[j].m_blocks != q.m_blocks))
        return false;
  }
  return true;
}

/// Plans again what depends on the declarations, in the order in which build_plan() does.
std::optional<plan> replan(const plan& before, const trace& t, plan p) {
  forget_layout(p);
  p.refusal = check_declarations(p);
  if (!p.refusal.holds()) return p;
  for (int i = 0; i < p.products.reads; ++i) {
    const fragment_read& old = before.products.read[i];
    p.products.read[i].tile =
        as_operand(p.operand[old.operand].facts, true, is_transposed(before, old.operand, old.tile, true));
  }
  for (int i = 0; i < p.products.count; ++i)
    if (!replan_product(before, t, i, p)) return {};
  if (!shapes_agree(p, t) || plan_widening(p) != before.widening_parts) return {};
  for (violation (*rule_of)(const plan&) : {&check_reads, &check_products})
    if (p.refusal = rule_of(p); !p.refusal.holds()) return p;
  for (int o = 0; o < p.operands && p.refusal.holds(); ++o)
    if (p.operand[o].facts.kind == operand_kind::input) p.refusal = check_slices(p.operand[o]);
  if (p.refusal.holds()) plan_boxes(p);
  if (p.refusal.holds()) lay_out(p, t);
  if (p.refusal.holds()) p.refusal = first_refusal(p, {}, {});
  return p;
}

}  // namespace

violation first_refusal(const plan& p, const violation& feeding, const violation& protocol,
                        const violation& epilogue) {
  if (!p.refusal.holds()) return p.refusal;
  if (const violation v = check_legality(p); !v.holds()) return v;
  if (const violation v = check_alignment(p); !v.holds()) return v;
  if (const violation v = check_budgets(p); !v.holds()) return v;
  if (const violation v = check_reachability(p); !v.holds()) return v;
  if (const violation v = check_fragments(p); !v.holds()) return v;
  if (!epilogue.holds()) return epilogue;
  if (!feeding.holds()) return feeding;
  if (const violation v = check_banks(p); !v.holds()) return v;
  return protocol;
}

std::optional<plan> with_tile_extent(const plan& before, const trace& t, const linked_modes& modes, int extent) {
  plan p = before;
  for (const operand_mode& m : modes.members) p.operand[m.operand].facts.tile.extent[m.mode] = extent;
  for (int i = 0; i < max_tiled_modes; ++i)
    if (const mode_id m = p.how.tile[i].along.name; m != mode_id::any && text_of(without_prime(m)).text == modes.name)
      p.how.tile.set(i, {m, extent});
  return replan(before, t, p);
}

std::optional<plan> with_type(const plan& before, const trace& t, const element& from, const element& to) {
  plan p = before;
  for (int o = 0; o < p.operands; ++o)
    if (operand_facts& f = p.operand[o].facts; f.kind == operand_kind::input && f.type == from) f.type = to;
  return replan(before, t, p);
}

}  // namespace sectile::tell
