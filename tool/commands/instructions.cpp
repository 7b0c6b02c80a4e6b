// The table of instructions: a line for each family and form, or one for each instruction.
#include <fmt/format.h>

#include <iterator>
#include <sectile/dsl/tell/instructions_by_number.hpp>
#include <sectile/dsl/tell/products_text.hpp>
#include <string_view>
#include <vector>

#include "tool/commands/commands.hpp"
#include "tool/input_error.hpp"
#include "tool/nearest.hpp"

namespace sectile::tool {
namespace {

/// The families that multiply `type`, all of them where none is given.
std::vector<instruction_family> families_of(const std::optional<std::string>& type) {
  const instruction_table table = wgmma_table();
  std::vector<instruction_family> chosen;
  std::vector<std::string_view> names;
  for (const instruction_family& f : table.at) {
    if (names.empty() || names.back() != f.a.name) names.push_back(f.a.name);  // rows of one A lie together
    if (!type || *type == f.a.name || *type == f.b.name) chosen.push_back(f);
  }
  if (!chosen.empty()) return chosen;
  throw input_error(fmt::format("wgmma multiplies no '{}'; {}", *type,
                                suggestion(*type, names, fmt::format("there are {}", fmt::join(names, ", ")))));
}

std::string sums_text(const instruction_family& f) {
  if (f.sum == summation::integer)
    return f.a.kind == number::bits ? "ones of A and B, modulo 2^32" : "modulo 2^32, or clamped";
  return fmt::format("aligned to {} bits, {} to {}", f.aligned_bits, f.sum == summation::rounded ? "rounded" : "cut",
                     f.kept_bits);
}

void add_forms(tell::table& lines, const instruction_family& f) {
  const std::string n = f.every_8 ? "8, 16, 24 .. 256" : "8, 16, 24, 32, 48 .. 256";
  const std::string d = f.d.bits == 16 ? "N/4" : "N/2";
  const int forms = f.selectors > 0 ? 2 : 1;
  for (int sparse = 0; sparse < forms; ++sparse) {
    const std::string selectors = sparse == 0 ? "-" : f.selectors == 1 ? "only 0" : "0, 1";
    lines.add(f.a.name, f.b.name, f.d.name, sparse ? "sparse" : "dense", f.k << sparse, n, f.mn_major ? "K, MN" : "K",
              f.negation ? "yes" : "-", f.saturation ? "yes" : "-", selectors, d, sums_text(f));
  }
}

void print_families(const std::vector<instruction_family>& families) {
  tell::table lines;
  lines.add("A", "B", "D", "form", "K", "N", "major", "negate", "clamp", "selector", "D regs", "sums");
  int instructions = 0;
  for (const instruction_family& f : families) {
    add_forms(lines, f);
    instructions += instructions_of(f);
  }
  fmt::print("{}", lines.text());
  fmt::print(
      "\n"
      "M is 64. A comes from shared memory or from registers (4 of each thread, K-major), B from shared memory.\n"
      "major: how an operand may lie in shared memory. negate: of A, of B. clamp: .satfinite. D regs: of each thread.\n"
      "selector: which lanes of each four hold a sparse A's metadata. sums: terms are cut below the largest exponent.\n"
      "{}, {} instructions; --csv spells them.\n",
      families.size() == 1 ? "1 family" : fmt::format("{} families", families.size()), instructions);
}

/// One instruction, then what an assembler is told. No field but the last has a comma.
void add_line(std::string& to, const wgmma_instruction& w) {
  const auto major_of = [](major m) { return m == major::k ? "K" : "MN"; };
  fmt::format_to(std::back_inserter(to), "{},{},{},{},{},{},{},{},{},{},{},{},{},\"{}\"\n", w.a.name, w.b.name,
                 w.d.name, w.n, w.k, w.sparse ? "sparse" : "dense", w.a_in_registers ? "registers" : "shared",
                 major_of(w.a_major), major_of(w.b_major), w.negate_a ? 1 : 0, w.negate_b ? 1 : 0, w.saturate ? 1 : 0,
                 w.sparse ? fmt::format_int(w.selector).c_str() : "", tell::instruction_text(w));
}

void print_csv(const std::vector<instruction_family>& families) {
  std::string lines = "a,b,d,n,k,form,a_from,a_major,b_major,negate_a,negate_b,clamp,selector,ptx\n";
  for (const instruction_family& f : families)
    for (int i = 0; i < instructions_of(f); ++i) add_line(lines, instruction_of(f, i));
  fmt::print("{}", lines);
}

}  // namespace

exit_status show_instructions(const instructions_options& options) {
  const std::vector<instruction_family> families = families_of(options.type);
  if (options.csv)
    print_csv(families);
  else
    print_families(families);
  return success;
}

}  // namespace sectile::tool
