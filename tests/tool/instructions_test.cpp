// `sectile instructions`: the table in full and in part, and each instruction's PTX.
#include <algorithm>
#include <sectile/dsl/tell/instructions_by_number.hpp>
#include <set>
#include <sstream>

#include "tests/tool/cli.hpp"

namespace {

using namespace cli;
using namespace sectile;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("the table has a line for each family and form") {
  const scratch_folder folder;
  const outcome all = sectile_in(folder, "instructions");
  CHECK(all.status == 0);
  CHECK(all.err == "");
  const std::vector<std::string> lines = lines_of(all.out);
  CHECK(std::ranges::count_if(lines, [](const std::string& line) { return contains(line, " dense "); }) == 17);
  CHECK(std::ranges::count_if(lines, [](const std::string& line) { return contains(line, "  sparse  "); }) == 16);
  CHECK(contains(all.out, "17 families, 12388 instructions"));
  for (const std::string& line : lines) CHECK(line.size() <= 132);
  const outcome b1 = sectile_in(folder, "instructions --type b1");
  CHECK(contains(b1.out, "1 family, 36 instructions"));
  CHECK(!contains(b1.out, "f16"));
  const outcome e5m2 = sectile_in(folder, "instructions --type e5m2");  // of A or of B
  CHECK(contains(e5m2.out, "6 families"));
}

TEST_CASE("every instruction has a line of CSV, and no two are the same") {
  const scratch_folder folder;
  const outcome all = sectile_in(folder, "instructions --csv");
  CHECK(all.status == 0);
  const std::vector<std::string> lines = lines_of(all.out);
  CHECK(lines.size() == 1 + static_cast<std::size_t>(count_instructions()));
  CHECK(lines[0] == "a,b,d,n,k,form,a_from,a_major,b_major,negate_a,negate_b,clamp,selector,ptx");
  std::set<std::string> spelled;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    CHECK(std::ranges::count(lines[i].substr(0, lines[i].find('"')), ',') == 13);
    spelled.insert(lines[i].substr(lines[i].find('"')));
  }
  CHECK(spelled.size() == lines.size() - 1);
  CHECK(std::ranges::count(lines,
                           "f16,f16,f32,8,32,sparse,shared,K,MN,0,1,0,0,\"wgmma.mma_async.sp.sync.aligned."
                           "m64n8k32.f32.f16.f16 {d0 .. d3}, a, b, m, 0, p, 1, -1, 0, 1\"") == 1);
  CHECK(lines_of(sectile_in(folder, "instructions --csv --type tf32").out).size() == 1 + 3 * 32 * 2 * 4);
}

TEST_CASE("a type that wgmma does not multiply is refused with the nearest names") {
  const scratch_folder folder;
  check_refusal(folder, "instructions --type bf61", "wgmma multiplies no 'bf61'; did you mean bf16?");
  check_refusal(folder, "instructions --type e4m4", "did you mean e4m3?");
  check_refusal(folder, "instructions --type complexdouble", "there are f16, bf16, tf32, e4m3, e5m2, s8, u8, b1");
  check_refusal(folder, "instructions b1", "b1");
}
