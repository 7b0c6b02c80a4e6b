#include "candidates.hpp"

#include <sectile/dsl/hopper/ptx_text.hpp>
#include <sectile/dsl/tell/instructions_by_number.hpp>

namespace sectile::ptx_test {
namespace {

std::string destination(const wgmma_instruction& w) {
  const char* name = w.d.kind == number::floating && w.d.bits == 32 ? "f" : "r";
  std::string list;
  for (int i = 0; i < accumulator_registers(w); ++i) list += (i ? ", " : "") + std::string(name) + std::to_string(i);
  return "{" + list + "}";
}

std::string spelled(const wgmma_instruction& w, const std::string& modifiers) {
  return std::string(hopper::opcode(w).text) + " " + destination(w) + ", " + hopper::operand_a(w).text + ", b" +
         hopper::metadata(w).text + ", p" + modifiers;
}

/// The modifiers that the instruction would have if its types took all that it asks for.
std::string modifiers_as_asked(const wgmma_instruction& w) {
  std::string text;
  if (w.a.kind == number::floating || w.negate_a || w.negate_b)
    text = std::string(w.negate_a ? ", -1" : ", 1") + (w.negate_b ? ", -1" : ", 1");
  const bool a_mn = w.a_major == major::mn, b_mn = w.b_major == major::mn;
  if (w.a.bits != 16 && !a_mn && !b_mn) return text;
  if (!w.a_in_registers || a_mn) text += a_mn ? ", 1" : ", 0";
  return text + (b_mn ? ", 1" : ", 0");
}

/// Candidates, and what the table says about them.
struct list {
  std::vector<candidate> all;

  void add(const wgmma_instruction& w) {
    all.push_back({w, spelled(w, modifiers_as_asked(w)), check_instruction(w).holds()});
  }
};

/// A plain instruction of these types: both operands in shared memory and K-major, N = 8.
wgmma_instruction plain(const element& a, const element& b, const element& d, bool sparse) {
  wgmma_instruction w{8, (sparse ? 512 : 256) / a.bits, a, b, d, false, major::k, major::k};
  w.sparse = sparse;
  return w;
}

void all_types(list& to) {
  using namespace detail;
  for (const element& a : {e_f16, e_bf16, e_tf32, e_e4m3, e_e5m2, e_s8, e_u8, e_b1, e_f32})
    for (const element& b : {e_f16, e_bf16, e_tf32, e_e4m3, e_e5m2, e_s8, e_u8, e_b1, e_f32})
      for (const element& d : {e_f16, e_f32, e_s32, e_bf16})
        for (const bool sparse : {false, true}) to.add(plain(a, b, d, sparse));
}

void all_shapes(const wgmma_instruction& base, list& to) {
  wgmma_instruction w = base;
  for (const bool registers : {false, true}) {
    w.a_in_registers = registers;
    for (w.n = 8; w.n <= 264; w.n += 8) to.add(w);
    w.n = base.n;
    for (const int k : {base.k / 2, 2 * base.k}) {
      w.k = k;
      to.add(w);
    }
    w.k = base.k;
  }
}

void all_forms(const wgmma_instruction& base, list& to) {
  for (int form = 0; form < 64; ++form) {
    wgmma_instruction w = base;
    w.a_in_registers = form & 1;
    w.a_major = form & 2 ? major::mn : major::k;
    w.b_major = form & 4 ? major::mn : major::k;
    w.negate_a = form & 8;
    w.negate_b = form & 16;
    w.saturate = form & 32;
    for (w.selector = 0; w.selector < (w.sparse ? 4 : 1); ++w.selector) to.add(w);
  }
}

/// What no value of wgmma_instruction can say.
void other_spellings(list& to) {
  using namespace detail;
  const wgmma_instruction f16 = plain(e_f16, e_f16, e_f32, false), b1 = plain(e_b1, e_b1, e_s32, false);
  for (const char* modifiers : {", 0, 1, 0, 0", ", 1, 2, 0, 0", ", 1, 1, 2, 0", ", 1, 1, 0, 2", ", 1, 1", ""})
    to.all.push_back({f16, spelled(f16, modifiers), false});
  for (const char* op : {".xor.popc", ".or.popc", ""}) {
    std::string text = spelled(b1, "");
    to.all.push_back({b1, text.replace(text.find(".and.popc"), 9, op), false});
  }
}

}  // namespace

std::vector<candidate> rows_of_family(int family) {
  const instruction_table table = wgmma_table();
  const instruction_family& f = table.at[family];
  std::vector<candidate> rows;
  for (int i = 0; i < instructions_of(f); ++i) {
    const wgmma_instruction w = instruction_of(f, i);
    rows.push_back({w, spelled(w, hopper::modifiers(w).text), true});
  }
  return rows;
}

std::vector<candidate> around_the_table() {
  list found;
  all_types(found);
  const instruction_table table = wgmma_table();
  for (const instruction_family& f : table.at) {
    for (const bool sparse : {false, true}) {
      const wgmma_instruction base = plain(f.a, f.b, f.d, sparse);
      all_shapes(base, found);
      all_forms(base, found);
    }
  }
  other_spellings(found);
  return found.all;
}

}  // namespace sectile::ptx_test
