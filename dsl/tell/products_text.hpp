// The products of a plan in words: which wgmma, how many, and the descriptors by which they find their operands.
#pragma once
#include <string>

#include <sectile/dsl/hopper/ptx_text.hpp>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/plan/widening.hpp>
#include <sectile/layouts/descriptor_fields.hpp>

namespace sectile::tell {

/// "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {d0 .. d127}, a, b, p, 1, 1, 0, 0"
inline std::string instruction_text(const wgmma_instruction& w) {
  return say(hopper::opcode(w).text, " {d0 .. d", accumulator_registers(w) - 1, "}, ", hopper::operand_a(w).text, ", b",
             hopper::metadata(w).text, ", p", hopper::modifiers(w).text);
}

/// The fields of a descriptor: bits, what they mean, and what stands there.
inline std::string descriptor_table(const matrix_descriptor& d, const operand_tile& t) {
  table rows;
  rows.add("bits", "field", "bytes", "value", "");
  for (const descriptor_field& f : descriptor_fields(encode(d), t))
    rows.add(say(f.first_bit, "-", f.last_bit), f.name, f.bytes < 0 ? std::string() : say(f.bytes), f.value, f.meaning);
  return rows.text();
}

/// Start addresses of an operand's instructions along K, in bytes from the first.
inline std::string k_steps_text(const operand_tile& t, const product_plan& q, int k_step) {
  std::string text;
  const unsigned first = descriptor_at(t, 0, 0).start_bytes;
  for (int k = 0; k < q.k_steps; ++k)
    text += say(k > 0 ? ", " : "", descriptor_at(t, 0, k * k_step).start_bytes - first);
  return text;
}

inline std::string descriptor_text(const plan& p, const product_plan& q, int operand, bool is_a) {
  const operand_tile& t = is_a ? q.a : q.b;
  matrix_descriptor d = descriptor_at(t, 0, 0);
  d.start_bytes += static_cast<unsigned>(tile_offset(p, operand));
  std::string text = say("    descriptor of ", p.operand[operand].facts.name,
                         ", stage 0, first k step: ", hexadecimal(encode(d), 16), "\n");
  std::string fields = descriptor_table(d, t);
  for (std::size_t at = 0; at < fields.size(); at = fields.find('\n', at) + 1) fields.insert(at, "    ");
  text += fields;
  if (q.k_steps > 1)
    text += say("      k steps begin at + ", k_steps_text(t, q, is_a ? stored_k(q.instruction) : q.instruction.k),
                " bytes\n");
  if (is_a && q.m_blocks * p.how.sharers() > 1)
    text += say("      blocks of 64 rows begin ", descriptor_at(t, 64, 0).start_bytes, " bytes apart\n");
  return text;
}

/// Why a product does not make its left factor in two sets of registers by turns.
inline std::string why_whole(const plan& p, const product_plan& q) {
  if (p.how.stages <= widening_sets)
    return say("two sets of registers by turns take ", widening_sets + 1, " stages, there are ", p.how.stages);
  if (p.how.pingpong) return "with .pingpong = true another consumer has the tensor cores meanwhile";
  if (has_halves(q, p.how)) return "another product of the body has no two halves";
  if (const int step = widening_sets * a_columns(q.narrow.bits); q.b.k % step != 0)
    return say("two sets of registers by turns take tiles of a multiple of ", step, " along K, not ", q.b.k);
  return say("a lone consumer converts ", q.narrow.name, " faster so");
}

inline std::string product_text(const plan& p, int index) {
  const product_plan& q = p.products.at[index];
  const wgmma_instruction& w = q.instruction;
  const int selectors = metadata_selectors(w.a.bits);
  const std::string a = q.reads_a() ? p.operand[q.a_operand].facts.name : "fragment";
  std::string text = say("  position ", p.products.position[index], ": ", a, " times ", name_of_right(p, q), "\n    ",
                         instruction_text(w), "\n");
  text += say("    A: ", w.a_in_registers ? "from registers" : "from shared memory, " + major_text(w.a_major),
              "; B: from shared memory, ", major_text(w.b_major), "\n");
  text += say("    each consumer issues ", q.k_steps * q.m_blocks, ": ", count(q.k_steps, "step"), " along K, ",
              count(q.m_blocks, "block"), " of 64 rows; an accumulator is ", accumulator_registers(w),
              " registers a thread\n");
  if (widens(q))
    text += p.widening_parts > 1
                ? say("    A is made of ", q.narrow.name, " in ", p.widening_parts, " sets of ",
                      4 * q.m_blocks * q.k_steps / p.widening_parts,
                      " registers a thread that take turns: one is filled while wgmma reads the other\n")
                : say("    A is made of ", q.narrow.name, ", and each trip waits for its products: ", why_whole(p, q),
                      "\n");
  if (w.sparse)
    text += say("    A is sparse: m is a thread's word of metadata, which serves ", count(selectors, "step"),
                " along K", selectors > 1 ? " (the selector says which lanes hold whose)\n" : "\n");
  if (q.reads_a()) text += descriptor_text(p, q, q.a_operand, true);
  if (q.placed)
    return text +
           say("    B: the consumers write it there, turned, ", bytes(q.b), " bytes, and meet before and behind\n");
  return text + descriptor_text(p, q, q.b_operand, false);
}

/// All products; those that read the same operands in the same way are told once.
inline std::string products_text(const plan& p) {
  std::string text;
  for (int i = 0; i < p.products.count; ++i) {
    int same = 0;
    while (!(p.products.at[same] == p.products.at[i])) ++same;
    text += same == i ? product_text(p, i)
                      : say("  position ", p.products.position[i], ": the same as at position ",
                            p.products.position[same], "\n");
  }
  return text;
}

}  // namespace sectile::tell
