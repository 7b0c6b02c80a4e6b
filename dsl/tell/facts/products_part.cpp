// Products, the fragments they keep in registers, and the rows of the instruction table behind them.
#include <algorithm>
#include <sectile/dsl/tell/body_text.hpp>
#include <sectile/dsl/tell/facts/parts.hpp>
#include <sectile/dsl/tell/ptx_text.hpp>
#include <sectile/layouts/fragment_layout.hpp>
#include <sectile/layouts/text.hpp>

namespace sectile::tell {
namespace {

/// "aligned to 25 bits, cut to 23": how an instruction adds up.
std::string sum_text(const instruction_family& f) {
  if (f.sum == summation::integer)
    return f.a.kind == number::bits ? "the ones of A and B, modulo 2^32" : "modulo 2^32, or clamped";
  return say("terms aligned to ", f.aligned_bits, " bits, the sum ",
             f.sum == summation::rounded ? "rounded to " : "cut to ", f.kept_bits);
}

json types_of(const wgmma_instruction& w) { return {{"a", w.a.name}, {"b", w.b.name}, {"d", w.d.name}}; }

const char* major_letters(major m) { return m == major::k ? "K" : "MN"; }

/// The first event of the run that issues the product at this position; -1 if there is none.
int event_at(const trace& t, event_kind kind, int position) {
  for (int i = 0; i < t.events; ++i)
    if (t.at[i].kind == kind && t.at[i].position == position) return i;
  return -1;
}

json product_facts(const plan& p, int index, const located_trace& run) {
  const product_plan& q = p.products.at[index];
  const wgmma_instruction& w = q.instruction;
  const int position = p.products.position[index];
  const int at = event_at(run.log, event_kind::issue, position);
  int same = 0;
  while (!(p.products.at[same] == q)) ++same;
  json j{{"index", index},
         {"position", position},
         {"m", wgmma_rows},
         {"n", w.n},
         {"k", w.k},
         {"instruction", say("m", wgmma_rows, "n", w.n, "k", w.k)},
         {"types", types_of(w)},
         {"b", q.placed ? json() : json(p.operand[q.b_operand].facts.name)},
         {"a_source", w.a_in_registers ? "registers" : "shared memory"},
         {"a_major", w.a_in_registers ? json() : json(major_letters(w.a_major))},
         {"b_major", major_letters(w.b_major)},
         {"k_steps", q.k_steps},
         {"m_blocks", q.m_blocks},
         {"count_per_trip", q.k_steps * q.m_blocks},
         {"tile", {{"m", wgmma_rows * q.m_blocks * p.how.sharers()}, {"n", w.n}, {"k", w.k * q.k_steps}}},
         {"accumulator_registers", accumulator_registers(w)},
         {"sparse", w.sparse},
         {"saturate", w.saturate},
         {"negate_a", w.negate_a},
         {"negate_b", w.negate_b},
         {"ptx", instruction_text(w)},
         {"sum", sum_text(family_of(w))},
         {"same_as", same == index ? json() : json(same)}};
  j["a"] = q.reads_a() ? json(p.operand[q.a_operand].facts.name) : json();
  const int line = at >= 0 ? run.line_of_event(at) : 0;
  j["line"] = line > 0 ? json(line) : json();
  if (at >= 0) {
    j["says"] = said_text(p, run.log, run.log.at[at]);
    j["derived"] = derived_text(p, run.log.at[at]);
    j["in_loop"] = run.log.at[at].loop >= 0;
    j["accumulator"] = say("f", run.log.at[at].value);
    if (run.log.at[at].takes_a()) j["a_fragment"] = say("f", run.log.at[at].a_value);
  }
  return j;
}

/// The text of a number of choices for N.
std::string n_text(const instruction_family& f) {
  std::vector<int> choices;
  for (int i = 0; i < f.n_choices(); ++i) choices.push_back(f.n_at(i));
  std::ranges::sort(choices);
  std::string text;
  constexpr std::size_t shown = 6;
  for (std::size_t i = 0; i < shown; ++i) text += say(choices[i], i + 1 < shown ? ", " : " .. ");
  return text + say(choices.back());
}

}  // namespace

json products_part(const plan& p, const located_trace& run) {
  json all = json::array();
  for (int i = 0; i < p.products.count; ++i) all.push_back(product_facts(p, i, run));
  return all;
}

json fragments_part(const plan& p, const trace& t) {
  json all = json::array();
  std::vector<int> told;
  const auto add = [&](int value, const char* kind, const element& type, int rows, int cols, int registers,
                       const layout& l, int parts, int product) {
    if (std::ranges::find(told, value) != told.end()) return;
    told.push_back(value);
    all.push_back({{"name", say("f", value)},
                   {"kind", kind},
                   {"type", type.name},
                   {"rows", rows},
                   {"cols", cols},
                   {"consumers", p.how.sharers()},
                   {"registers", registers},
                   {"elements_per_register", parts},
                   {"layout", to_string(l)},
                   {"product", product},
                   {"says", say(rows, " x ", cols, " ", type.name, " over ", count(p.how.sharers(), "consumer"), ": ",
                                count(registers, "register"), " of each thread")}});
  };
  for (int i = 0; i < p.products.count; ++i) {
    const product_plan& q = p.products.at[i];
    const wgmma_instruction& w = q.instruction;
    const int at = event_at(t, event_kind::issue, p.products.position[i]);
    if (at < 0) continue;
    const int rows = wgmma_rows * q.m_blocks * p.how.sharers();
    add(t.at[at].value, "accumulator", w.d, rows, w.n, q.m_blocks * accumulator_registers(w), d_layout(w.n),
        32 / w.d.bits, i);
    if (t.at[at].takes_a())
      add(t.at[at].a_value, "operand", w.a, rows, w.k * q.k_steps, q.m_blocks * q.k_steps * 4, a_layout(w.a.bits),
          a_parts(w.a.bits), i);
  }
  return all;
}

json instructions_part(const plan& p) {
  json all = json::array();
  for (const issued_wgmma& issued : issued_by(p)) {
    const wgmma_instruction& w = issued.instruction;
    const instruction_family f = family_of(w);
    all.push_back({{"ptx", instruction_text(w)},
                   {"times", issued.times},
                   {"family", family_number(w)},
                   {"types", types_of(w)},
                   {"form", w.sparse ? "sparse" : "dense"},
                   {"n", w.n},
                   {"k", w.k},
                   {"n_choices", n_text(f)},
                   {"majors", f.mn_major ? "K, MN" : "K"},
                   {"negation", f.negation},
                   {"saturation", f.saturation},
                   {"selectors", f.selectors},
                   {"selector", w.sparse ? json(w.selector) : json()},
                   {"sum", sum_text(f)},
                   {"registers", accumulator_registers(w)}});
  }
  return all;
}

}  // namespace sectile::tell
