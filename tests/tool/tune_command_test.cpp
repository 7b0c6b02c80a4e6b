// `sectile tune` and `sectile bench` as they are called: refusals, the report of a table, and the header made of it,
// which a compiler takes and a launch picks by.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tests/tool/cli.hpp"
#include "tests/tool/tune_kit.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/machines.hpp"
#include "tool/tune/measured_family.hpp"
#include "tool/tune/shapes.hpp"

namespace tune_command_test {
namespace {

using namespace tune_kit;
using cli::check_refusal, cli::contains, cli::outcome, cli::scratch_folder, cli::sectile_in;

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("what cannot be measured is refused") {
  const scratch_folder folder;
  check_refusal(folder, "tune", "which kernel? Or which --table?");
  check_refusal(folder, "tune gemm_s8", "gemm_s8 is no family of this build");
  check_refusal(folder, "bench gemm_s8", "bench is for families: gemm_bf16");
  check_refusal(folder, "bench", "kernel is required");
  check_refusal(folder, "tune gemm_bf17", "gemm_bf16");
  check_refusal(folder, "tune gemm_bf16 --shapes 1x2", "it ends before K");
  check_refusal(folder, "bench gemm_bf16 --shapes 8x8x7", "no member takes it: K = 7");
  check_refusal(folder, "bench gemm_bf16 --rounds 0", "--rounds");
  check_refusal(folder, "tune gemm_bf16 --header h.hpp", "say of which --table");
  check_refusal(folder, "tune gemm_bf16 --table t.json", "nothing is measured then");
  check_refusal(folder, "tune --table t.json", "t.json: it cannot be read");
  check_refusal(folder, "tune --table t.json --table u.json --out v.json", "one --table is taken over");
  if (why_no_gpu().empty()) return;
  check_refusal(folder, "tune gemm_bf16", "the members are timed on a GPU: ");
  check_refusal(folder, "bench gemm_bf16", "the members are timed on a GPU: ");
  CHECK(std::filesystem::is_empty(folder.path) == false);  // the output of the commands, and no table
  CHECK_FALSE(std::filesystem::exists(folder.path / "gemm_bf16_nvidia_h200.json"));
}

TEST_CASE("tables that do not belong together, or not to the family, are refused") {
  const scratch_folder folder;
  write_text(folder.path / "t.json", to_json(made_up_table("64x64x64")));
  write_text(folder.path / "same.json", to_json(made_up_table("64x64x128")));
  write_text(folder.path / "none.json", to_json({.head = head()}));
  write_text(folder.path / "a100.json", to_json(made_up_table("64x64x64", "NVIDIA A100")));
  tuning_table old = made_up_table("64x64x64");
  ++old.head.family;
  write_text(folder.path / "old.json", to_json(old));
  check_refusal(folder, "tune --table t.json --table same.json", "same.json: there is another table of an NVIDIA H200");
  check_refusal(folder, "tune --table none.json", "none.json: nothing was measured yet");
  check_refusal(folder, "tune --table old.json --out old.json", "old.json");
  CHECK(sectile_in(folder, "tune --table old.json --out now.json").status == 0);
  CHECK(content_of(folder.path / "now.json") == content_of(folder.path / "t.json"));
  check_refusal(folder, "tune --table a100.json", "a100.json: it was measured on an NVIDIA A100");
  check_refusal(folder, "tune --table old.json --header h.hpp", "the configurations of gemm_bf16 have changed");
  check_refusal(folder, "tune --table t.json --header t.json", "which would be lost");
  check_refusal(folder, "tune --table t.json --header no/folder.hpp", "no folder");
}

TEST_CASE("a header is made of tables, the same each time, and a launch picks by it" *
          doctest::test_suite("exhaustive")) {
  const scratch_folder folder;
  const std::string list = "1x4096x4096,64x64x64,4096x4096x4096,300x200x104";
  const tuning_table h200_table = made_up_table(list), h100_table = made_up_table("64x64x64", "NVIDIA H100 80GB HBM3");
  write_text(folder.path / "h200.json", to_json(h200_table));
  write_text(folder.path / "h100.json", to_json(h100_table));
  const outcome made = sectile_in(folder, "tune --table h200.json --table h100.json --header h.hpp");
  CHECK(made.err == "");
  CHECK(made.status == 0);
  CHECK(contains(made.out, "gemm_bf16 on an NVIDIA H100 80GB HBM3"));
  CHECK(contains(made.out,
                 "written: h.hpp; sectile/kernels/gemm_family.hpp includes it as "
                 "<sectile/kernels/tables/gemm_bf16_family.hpp>"));
  const std::string header = folder.read("h.hpp");
  const std::vector<tuning_table> both{table_from_json("h200.json", folder.read("h200.json")),
                                       table_from_json("h100.json", folder.read("h100.json"))};
  CHECK(header == header_text(family(), both));
  CHECK(contains(header, "//   NVIDIA H200: 4 problems, "));
  for (std::size_t at = 0, end = 0; at < header.size(); at = end + 1) {
    end = header.find('\n', at);
    CHECK(end - at <= 120);
  }

  std::string use =
      "#define SECTILE_NO_TABLES\n#include \"h.hpp\"\n#include <sectile/dsl/launch/family.hpp>\n"
      "using namespace sectile;\nusing family = kernels::gemm_bf16_family;\n"
      "static_assert(measured_tables<family>.count == 2 && family_facts_of<family>.table_count == 2);\n";
  for (std::size_t t = 0; t < both.size(); ++t) {
    picking_table data;
    make_picking_table(data, family(), both[t], constants_of(both[t].head.gpu.c_str()));
    use += fmt::format("static_assert(measured_tables<family>.at[{}].count == {});\n", t, data.table.count);
    for (std::size_t i = 0; i < data.shapes.size(); ++i)
      use += fmt::format(
          "static_assert(measured_tables<family>.at[{0}].shapes[{1}].best == {2} && "
          "measured_tables<family>.at[{0}].shapes[{1}].sizes[1] == {3} && "
          "measured_tables<family>.at[{0}].shapes[{1}].ratios[{2}] == '{4}');\n",
          t, i, data.shapes[i].best, data.shapes[i].sizes[1], data.shapes[i].ratios[data.shapes[i].best]);
  }
  std::ofstream(folder.path / "use.cu") << use;
  const outcome used = sectile_in(folder, "check use.cu");
  CHECK_MESSAGE(used.status == 0, used.out, used.err);

  write_text(folder.path / "h.hpp", [&] {
    std::string stale = header;
    const std::size_t at = stale.find(", 0x") + 4;
    stale[at] = stale[at] == '0' ? '1' : '0';
    return stale;
  }());
  const outcome stale = sectile_in(folder, "check use.cu");
  CHECK(stale.status == 1);
  CHECK(contains(
      stale.out,
      "a measured table is of another family, of this one before its configurations changed, or out of order"));
}

/// The fastest member and the sizes of each problem, as a header has them.
void check_lines(const std::string& header, const tuning_table& table) {
  for (const timed_problem& p : table.problems) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < p.us.size(); ++i)
      if (p.us[i] && (!p.us[best] || *p.us[i] < *p.us[best])) best = i;
    CHECK(contains(header, fmt::format("    {{{{{}}}, {}, \"", sizes_text(p.sizes, table.head.modes, ", "), best)));
  }
}

TEST_CASE("the headers of kernels/tables are what their tables make, whose texts say what the members are") {
  const scratch_folder folder;
  const std::filesystem::path tables = std::filesystem::path(__FILE__).parent_path() / "../../kernels/tables";
  int headers = 0;
  for (const auto& file : std::filesystem::directory_iterator(tables)) {
    if (file.path().extension() != ".hpp") continue;
    const std::string family = file.path().stem().string();  // "gemm_bf16_family"
    const std::string kernel = family.substr(0, family.rfind("_family")), header = content_of(file.path());
    const auto is_it = [&](const shipped_family* f) { return f->kernel == kernel; };
    const bool built = std::ranges::any_of(shipped_families(), is_it);
    std::set<std::filesystem::path> in_order;
    for (const auto& table : std::filesystem::directory_iterator(tables))
      if (table.path().extension() == ".json" && table.path().filename().string().starts_with(kernel + "_"))
        in_order.insert(std::filesystem::canonical(table.path()));
    std::string all;
    for (const std::filesystem::path& table : in_order) {
      const tuning_table measured = read_table(table);
      if (measured.head.kernel != kernel) continue;  // one whose name goes on
      all += fmt::format(" --table \"{}\"", table.string());
      check_lines(header, measured);
      if (built)
        CHECK(measured.head.members ==
              table_head_of(find_family(kernel, "tune"), measured.head.gpu, measured.head.software).members);
    }
    CHECK(all != "");
    ++headers;
    if (!built) continue;  // its letters need the family's predictions
    const outcome made = sectile_in(folder, fmt::format("tune{} --header {}", all, file.path().filename().string()));
    CHECK_MESSAGE(made.status == 0, made.out, made.err);
    CHECK(content_of(folder.path / file.path().filename()) == header);
  }
  CHECK(headers >= 5);
}

TEST_CASE("letters say how a member is off, and the fastest member is exact") {
  const tuning_table table = made_up_table("4096x4096x4096");
  picking_table data;
  make_picking_table(data, family(), table, h200());
  REQUIRE(data.table.count == 1);
  const measured_shape& shape = data.shapes[0];
  const std::string letters = shape.ratios;
  const int members = family().facts->count;
  REQUIRE(letters.size() == static_cast<std::size_t>(members));
  const auto letter = [&](int i) { return letters[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < members; ++i) {
    const auto& us = table.problems[0].us[static_cast<std::size_t>(i)];
    CHECK(letter(i) >= '`');
    CHECK(letter(i) <= '~');
    if (!us) CHECK(letter(i) == '~');
    if (us) CHECK(*us >= *table.problems[0].us[static_cast<std::size_t>(shape.best)]);
  }
  int neighbours = 0;  // whose factors are 0.03 apart: two of the letters' steps, where neither is at an end
  for (int i = 0; i + 1 < members; ++i) {
    const int step = letter(i + 1) - letter(i);
    const bool inside = std::min(letter(i), letter(i + 1)) > '`' && std::max(letter(i), letter(i + 1)) < '~';
    if (i % 3 == 2 || !inside || step < 0 || step > 3)
      continue;  // the last two: beside the one of which the model errs
    CHECK(step >= 1);
    ++neighbours;
  }
  CHECK(neighbours > 0);
}

}  // namespace tune_command_test
