#include "findings.hpp"

#include <cmath>
#include <cstdio>
#include <sectile/dsl/hopper/ptx_text.hpp>
#include <sectile/dsl/tell/instructions_by_number.hpp>

namespace sectile::conformance {
namespace {

constexpr int stories_of_each = 3;
constexpr int samples_of_case = 24;

std::string hex(std::uint32_t x, int bits) {
  char text[16];
  std::snprintf(text, sizeof text, "%0*x", bits / 4, x);
  return text;
}

std::string text_of(const term& t) {
  if (t.kind == kind::nan) return "nan";
  if (t.kind == kind::infinite) return t.negative ? "-inf" : "inf";
  if (t.significand == 0) return t.negative ? "-0" : "0";
  char text[64];
  std::snprintf(text, sizeof text, "%a", std::ldexp(static_cast<double>(t.significand), t.unit));
  return text;
}

/// The products of one output, the largest first, as far as there is room.
std::string products(const prepared& x, int row, int col, const rule& r) {
  const problem& p = x.p;
  std::vector<term> terms;
  for (int s = 0; s < p.stored(); ++s) terms.push_back(multiply(x.a_at(row, s), x.b_at(col, x.column(row, s)), r));
  const auto size = [](const term& t) {
    if (t.kind != kind::finite) return 1e300;
    return std::abs(std::ldexp(static_cast<double>(t.significand), t.unit));
  };
  std::stable_sort(terms.begin(), terms.end(), [&](const term& l, const term& m) { return size(l) > size(m); });
  std::string out;
  int shown = 0, plus_zeros = 0, minus_zeros = 0, left = 0;
  for (const term& t : terms) {
    if (t.kind == kind::finite && t.significand == 0)
      ++(t.negative ? minus_zeros : plus_zeros);
    else if (shown < 10)
      out += (shown++ ? " " : "") + text_of(t);
    else
      ++left;
  }
  if (left) out += " and " + std::to_string(left) + " more";
  return out + "; zeros " + std::to_string(plus_zeros) + "+ " + std::to_string(minus_zeros) + "-";
}

int live_products(const prepared& x, int row, int col) {
  int live = 0;
  for (int s = 0; s < x.p.stored(); ++s)
    live += x.a_at(row, s).significand != 0 && x.b_at(col, x.column(row, s)).significand != 0;
  return live;
}

std::string story_of(const prepared& x, int row, int col, std::uint32_t got, std::uint32_t want, const rule& r) {
  const problem& p = x.p;
  const std::uint32_t c = p.c[static_cast<std::size_t>(row * p.w.n + col)];
  std::string out = spelling(p.w) + " D(" + std::to_string(row) + "," + std::to_string(col) + ") hw " +
                    hex(got, p.w.d.bits) + " want " + hex(want, p.w.d.bits);
  if (!p.accumulate) out += " scale-d 0";
  out += " C " + hex(c, p.w.d.bits);
  if (p.w.a.kind != number::floating) return out;
  out += "=" + text_of(decode(p.w.d, c, r, false));
  return out + " products " + products(x, row, col, r);
}

}  // namespace

std::string spelling(const wgmma_instruction& w) {
  std::string out = hopper::opcode(w).text + 16;
  if (w.a_in_registers) out += " A in registers";
  out += hopper::metadata(w).text;
  return out + hopper::modifiers(w).text;
}

std::vector<rule> other_rules(const instruction_family& f) {
  std::vector<rule> all;
  if (f.sum == summation::integer) return all;
  const auto add = [&](const char* name, auto change) {
    rule r = rule_of(f);
    r.name = name;
    change(r);
    all.push_back(r);
  };
  add("as stated", [](rule&) {});
  add("align 2 less", [](rule& r) { r.aligned_bits -= 2; });
  add("align 1 less", [](rule& r) { r.aligned_bits -= 1; });
  add("align 1 more", [](rule& r) { r.aligned_bits += 1; });
  add("align 2 more", [](rule& r) { r.aligned_bits += 2; });
  add("align 3 more", [](rule& r) { r.aligned_bits += 3; });
  add("align 12 more", [](rule& r) { r.aligned_bits += 12; });
  add("keep 1 less", [](rule& r) { r.kept_bits -= 1; });
  add("keep 1 more", [](rule& r) { r.kept_bits = std::min(r.kept_bits + 1, 23); });
  add("other rounding", [](rule& r) { r.to_nearest = !r.to_nearest; });
  add("cut to 10 first", [](rule& r) { r.precut_bits = 10; });
  add("cut to 11 first", [](rule& r) { r.precut_bits = 11; });
  add("cut to 12 first", [](rule& r) { r.precut_bits = 12; });
  add("cut to 13 first", [](rule& r) { r.precut_bits = 13; });
  add("cut to 14 first", [](rule& r) { r.precut_bits = 14; });
  add("cut to 22 first", [](rule& r) { r.precut_bits = 22; });
  add("cut to 23 first", [](rule& r) { r.precut_bits = 23; });
  add("cut to 24 first", [](rule& r) { r.precut_bits = 24; });
  add("cut to 25 first", [](rule& r) { r.precut_bits = 25; });
  add("zero products align", [](rule& r) { r.zero_products_align = true; });
  add("floor 6", [](rule& r) { r.alignment_floor = 6; });
  add("floor 8", [](rule& r) { r.alignment_floor = 8; });
  add("no floor", [](rule& r) { r.alignment_floor = 10'000; });
  add("zero C aligns", [](rule& r) { r.zero_c_aligns = true; });
  add("all zeros align", [](rule& r) { r.zero_products_align = r.zero_c_aligns = true; });
  add("overflow to largest", [](rule& r) { r.overflow_to_largest = true; });
  add("-0 kept", [](rule& r) { r.keeps_negative_zero = true; });
  add("-0 when cut to zero", [](rule& r) { r.negative_when_cut_to_zero = true; });
  add("both -0", [](rule& r) { r.keeps_negative_zero = r.negative_when_cut_to_zero = true; });
  add("flush results", [](rule& r) { r.flush_results = true; });
  add("flush C", [](rule& r) { r.flush_c = true; });
  add("flush C and results", [](rule& r) { r.flush_c = r.flush_results = true; });
  add("flush inputs", [](rule& r) { r.flush_inputs = true; });
  add("normalized products", [](rule& r) { r.normalizes_products = true; });
  add("normalized subnormals", [](rule& r) { r.normalizes_subnormals = true; });
  add("two steps", [](rule& r) { r.steps = 2; });
  add("four steps", [](rule& r) { r.steps = 4; });
  add("quiet NaN 7fc00000/7e00", [](rule& r) { r.nan = 0x7FC0'0000, r.nan16 = 0x7E00; });
  add("NaN ffffffff/ffff", [](rule& r) { r.nan = 0xFFFF'FFFF, r.nan16 = 0xFFFF; });
  add("NaN ffc00000/fe00", [](rule& r) { r.nan = 0xFFC0'0000, r.nan16 = 0xFE00; });
  return all;
}

void finding::add(const finding& x) {
  const auto sum = [](std::vector<long long>& to, const std::vector<long long>& from) {
    if (to.size() < from.size()) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
  };
  outputs += x.outputs;
  wrong += x.wrong;
  sampled_wrong += x.sampled_wrong;
  sampled_right += x.sampled_right;
  sum(explains, x.explains);
  sum(breaks, x.breaks);
  for (const std::string& story : x.stories)
    if (stories.size() < stories_of_each) stories.push_back(story);
}

void family_count::add(const family_count& x) {
  rows += x.rows;
  tried += x.tried;
  agreed += x.agreed;
  outputs += x.outputs;
  wrong += x.wrong;
}

namespace {

std::string name_of_family(const instruction_family& f, bool sparse) {
  return std::string(f.a.name) + " x " + f.b.name + " -> " + f.d.name + (sparse ? " sparse" : "");
}

/// Tries other rules on a sample of a case's outputs, both of those that differ and of those that do not, and tells the
/// simplest of those that differ. `wrong`: which ones differ, at least one.
finding explain(const problem& p, int row, row_range rows, const std::vector<int>& wrong,
                const std::vector<std::uint32_t>& got, const std::vector<std::uint32_t>& want) {
  const instruction_family f = family_of(p.w);
  const int n = p.w.n;
  const auto at = [](const auto& list, int i) { return list[static_cast<std::size_t>(i)]; };
  random_bits random{static_cast<std::uint64_t>(row)};
  std::vector<int> bad, right;
  for (int i = 0; i < samples_of_case; ++i) {
    bad.push_back(at(wrong, random.below(static_cast<int>(wrong.size()))));
    const int any = random.between(rows.first * n, rows.last * n - 1);
    if (at(want, any) == at(got, any)) right.push_back(any);
  }

  finding found;
  found.sampled_wrong = samples_of_case;
  found.sampled_right = static_cast<long long>(right.size());
  for (const rule& r : other_rules(f)) {
    const prepared x(p, r);
    const auto agrees = [&](int i) { return x.element_at(i / n, i % n, r) == at(got, i); };
    found.explains.push_back(std::count_if(bad.begin(), bad.end(), agrees));
    found.breaks.push_back(found.sampled_right - std::count_if(right.begin(), right.end(), agrees));
  }

  const rule stated = rule_of(f);
  const prepared x(p, stated);
  int shown = bad[0];
  if (p.w.a.kind == number::floating)
    for (const int i : bad)
      if (live_products(x, i / n, i % n) < live_products(x, shown / n, shown % n)) shown = i;
  found.stories.push_back(story_of(x, shown / n, shown % n, at(got, shown), at(want, shown), stated));
  return found;
}

}  // namespace

findings::findings()
    : tried(static_cast<std::size_t>(count_instructions())),
      bad(static_cast<std::size_t>(count_instructions())),
      all(static_cast<std::size_t>(instruction_table::families * 2 * all_sets)) {}

int findings::place_of(int family, bool sparse, data_set set) const {
  return (family * 2 + sparse) * all_sets + static_cast<int>(set);
}

void findings::compare(int row, data_set set, const problem& p, const std::vector<std::uint32_t>& got,
                       const std::vector<std::uint32_t>& want, row_range rows) {
  std::vector<int> wrong;
  for (int i = rows.first * p.w.n; i < rows.last * p.w.n; ++i)
    if (want[static_cast<std::size_t>(i)] != got[static_cast<std::size_t>(i)]) wrong.push_back(i);
  finding found;
  if (!wrong.empty()) found = explain(p, row, rows, wrong, got, want);
  found.outputs = (rows.last - rows.first) * p.w.n;
  found.wrong = static_cast<long long>(wrong.size());

  const std::lock_guard lock(guard);
  ++tried[static_cast<std::size_t>(row)];
  bad[static_cast<std::size_t>(row)] += !wrong.empty();
  all[static_cast<std::size_t>(place_of(family_number(p.w), p.w.sparse, set))].add(found);
}

std::vector<family_count> findings::counts() const {
  const instruction_table table = wgmma_table();
  std::vector<family_count> lines;
  family_count total{.name = "all"};
  int row = 0;
  for (int family = 0; family < instruction_table::families; ++family) {
    const instruction_family& f = table.at[family];
    family_count forms[2] = {{.name = name_of_family(f, false)}, {.name = name_of_family(f, true)}};
    for (int i = 0; i < instructions_of(f); ++i, ++row) {
      const auto at = static_cast<std::size_t>(row);
      forms[instruction_of(f, i).sparse].add({{}, 1, tried[at] > 0, tried[at] > 0 && bad[at] == 0});
    }
    for (const bool sparse : {false, true}) {
      if (forms[sparse].rows == 0) continue;
      for (int set = 0; set < all_sets; ++set) {
        const finding& x = all[static_cast<std::size_t>(place_of(family, sparse, static_cast<data_set>(set)))];
        forms[sparse].add({{}, 0, 0, 0, x.outputs, x.wrong});
      }
      lines.push_back(forms[sparse]);
      total.add(forms[sparse]);
    }
  }
  lines.push_back(total);
  return lines;
}

std::vector<std::string> findings::counterexamples() const {
  std::vector<std::string> stories;
  for (int family = 0; family < instruction_table::families; ++family) {
    for (const bool sparse : {false, true}) {
      for (int set = 0; set < all_sets; ++set) {
        const finding& x = all[static_cast<std::size_t>(place_of(family, sparse, static_cast<data_set>(set)))];
        if (x.stories.empty()) continue;
        stories.push_back(std::string(name_of(static_cast<data_set>(set))) + ": " + x.stories[0]);
        break;
      }
    }
  }
  return stories;
}

void findings::print_differences(std::FILE* to, int family, bool sparse, data_set set) const {
  const finding& x = all[static_cast<std::size_t>(place_of(family, sparse, set))];
  if (x.wrong == 0) return;
  const instruction_table table = wgmma_table();
  const instruction_family& f = table.at[family];
  const std::vector<rule> others = other_rules(f);
  std::fprintf(to, "\n%s [%s]: %lld of %lld differ; of %lld samples other rules explain:",
               name_of_family(f, sparse).c_str(), name_of(set), x.wrong, x.outputs, x.sampled_wrong);
  for (std::size_t r = 0; r < others.size(); ++r)
    if (x.explains[r] > 0)
      std::fprintf(to, " %s %lld (breaks %lld/%lld);", others[r].name, x.explains[r], x.breaks[r], x.sampled_right);
  std::fprintf(to, "\n");
  for (const std::string& story : x.stories) std::fprintf(to, "  %s\n", story.c_str());
}

bool findings::print(std::FILE* to) const {
  const std::vector<family_count> lines = counts();
  std::fprintf(to, "%-26s %6s %6s %6s %14s %12s\n", "family", "rows", "tried", "agreed", "outputs", "differ");
  for (const family_count& l : lines)
    std::fprintf(to, "%-26s %6d %6d %6d %14lld %12lld\n", l.name.c_str(), l.rows, l.tried, l.agreed, l.outputs,
                 l.wrong);
  for (int family = 0; family < instruction_table::families; ++family)
    for (const bool sparse : {false, true})
      for (int set = 0; set < all_sets; ++set) print_differences(to, family, sparse, static_cast<data_set>(set));
  return lines.back().agreed == lines.back().rows;
}

}  // namespace sectile::conformance
