#include "findings.hpp"

#include <cmath>
#include <cstdio>
#include <sectile/dsl/hopper/ptx_text.hpp>

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

int family_number(const wgmma_instruction& w) {
  const instruction_table table = wgmma_table();
  return static_cast<int>(find_family(table, w.a, w.b, w.d) - table.at);
}

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

findings::findings(int cases_of_each)
    : cases(cases_of_each),
      tried(static_cast<std::size_t>(count_instructions())),
      bad(static_cast<std::size_t>(count_instructions())),
      all(static_cast<std::size_t>(instruction_table::families * 2 * all_sets)) {}

finding& findings::at(int family, bool sparse, data_set set) {
  return all[static_cast<std::size_t>((family * 2 + sparse) * all_sets + static_cast<int>(set))];
}
const finding& findings::at(int family, bool sparse, data_set set) const {
  return const_cast<findings*>(this)->at(family, sparse, set);
}

void findings::compare(int row, int family, data_set set, const problem& p, const std::vector<std::uint32_t>& got,
                       const std::vector<std::uint32_t>& want) {
  const instruction_family f = family_of(p.w);
  const int n = p.w.n;
  std::vector<int> wrong;
  for (int i = 0; i < 64 * n; ++i)
    if (want[static_cast<std::size_t>(i)] != got[static_cast<std::size_t>(i)]) wrong.push_back(i);

  finding found;
  std::string story;
  if (!wrong.empty()) {
    const std::vector<rule> others = other_rules(f);
    found.explains.resize(others.size());
    found.breaks.resize(others.size());
    const rule stated = rule_of(f);
    const prepared x(p, stated);
    random_bits random{static_cast<std::uint64_t>(row)};
    std::vector<int> bad_ones, right_ones;
    for (int i = 0; i < samples_of_case; ++i) {
      bad_ones.push_back(wrong[static_cast<std::size_t>(random.below(static_cast<int>(wrong.size())))]);
      const int any = random.below(64 * n);
      if (want[static_cast<std::size_t>(any)] == got[static_cast<std::size_t>(any)]) right_ones.push_back(any);
    }
    found.sampled_wrong = samples_of_case;
    found.sampled_right = static_cast<long long>(right_ones.size());
    for (std::size_t r = 0; r < others.size(); ++r) {
      const prepared y(p, others[r]);
      const auto agrees = [&](int i) { return y.element_at(i / n, i % n, others[r]) == got[static_cast<std::size_t>(i)]; };
      found.explains[r] = std::count_if(bad_ones.begin(), bad_ones.end(), agrees);
      found.breaks[r] = found.sampled_right - std::count_if(right_ones.begin(), right_ones.end(), agrees);
    }
    int shown = bad_ones[0];
    if (p.w.a.kind == number::floating)
      for (const int i : bad_ones)
        if (live_products(x, i / n, i % n) < live_products(x, shown / n, shown % n)) shown = i;
    story = story_of(x, shown / n, shown % n, got[static_cast<std::size_t>(shown)], want[static_cast<std::size_t>(shown)],
                     stated);
  }

  const std::lock_guard lock(guard);
  ++tried[static_cast<std::size_t>(row)];
  bad[static_cast<std::size_t>(row)] += !wrong.empty();
  finding& sum = at(family, p.w.sparse, set);
  sum.outputs += 64 * n;
  sum.wrong += static_cast<long long>(wrong.size());
  if (wrong.empty()) return;
  sum.sampled_wrong += found.sampled_wrong;
  sum.sampled_right += found.sampled_right;
  sum.explains.resize(found.explains.size());
  sum.breaks.resize(found.breaks.size());
  for (std::size_t r = 0; r < found.explains.size(); ++r) {
    sum.explains[r] += found.explains[r];
    sum.breaks[r] += found.breaks[r];
  }
  if (sum.stories.size() < stories_of_each) sum.stories.push_back(story);
}

bool findings::print(std::FILE* to) const {
  const instruction_table table = wgmma_table();
  int row = 0, all_tried = 0, all_agreed = 0;
  long long all_outputs = 0, all_wrong = 0;
  std::fprintf(to, "%-26s %6s %6s %6s %14s %12s\n", "family", "rows", "tried", "agreed", "outputs", "differ");
  for (int family = 0; family < instruction_table::families; ++family) {
    const instruction_family& f = table.at[family];
    int rows[2]{}, run[2]{}, agreed[2]{};
    for (int i = 0; i < instructions_of(f); ++i, ++row) {
      const bool sparse = instruction_of(f, i).sparse;
      ++rows[sparse];
      run[sparse] += tried[static_cast<std::size_t>(row)] > 0;
      agreed[sparse] += tried[static_cast<std::size_t>(row)] > 0 && bad[static_cast<std::size_t>(row)] == 0;
    }
    for (const bool sparse : {false, true}) {
      if (rows[sparse] == 0) continue;
      long long outputs = 0, wrong = 0;
      for (int set = 0; set < all_sets; ++set) {
        outputs += at(family, sparse, static_cast<data_set>(set)).outputs;
        wrong += at(family, sparse, static_cast<data_set>(set)).wrong;
      }
      const std::string name = std::string(f.a.name) + " x " + f.b.name + " -> " + f.d.name + (sparse ? " sparse" : "");
      std::fprintf(to, "%-26s %6d %6d %6d %14lld %12lld\n", name.c_str(), rows[sparse], run[sparse], agreed[sparse], outputs, wrong);
      all_tried += run[sparse];
      all_agreed += agreed[sparse];
      all_outputs += outputs;
      all_wrong += wrong;
    }
  }
  std::fprintf(to, "%-26s %6d %6d %6d %14lld %12lld\n", "all", count_instructions(), all_tried, all_agreed, all_outputs, all_wrong);

  for (int family = 0; family < instruction_table::families; ++family) {
    const instruction_family& f = table.at[family];
    const std::vector<rule> others = other_rules(f);
    for (const bool sparse : {false, true}) {
      for (int set = 0; set < all_sets; ++set) {
        const finding& x = at(family, sparse, static_cast<data_set>(set));
        if (x.wrong == 0) continue;
        std::fprintf(to, "\n%s x %s -> %s%s [%s]: %lld of %lld differ; of %lld samples other rules explain:", f.a.name, f.b.name,
                     f.d.name, sparse ? " sparse" : "", name_of(static_cast<data_set>(set)), x.wrong, x.outputs, x.sampled_wrong);
        for (std::size_t r = 0; r < others.size(); ++r)
          if (x.explains[r] > 0)
            std::fprintf(to, " %s %lld (breaks %lld/%lld);", others[r].name, x.explains[r], x.breaks[r], x.sampled_right);
        std::fprintf(to, "\n");
        for (const std::string& story : x.stories) std::fprintf(to, "  %s\n", story.c_str());
      }
    }
  }
  return all_wrong == 0 && all_tried == count_instructions();
}

void findings::write_page(std::FILE* to, const std::string& where) const { std::fprintf(to, "%s\n%d\n", where.c_str(), cases); }

}  // namespace sectile::conformance
