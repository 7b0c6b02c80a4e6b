// The problems of `sectile tune` and `sectile bench`: lists, files, the usual ones, and what no member takes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/tool/cli.hpp"
#include "tests/tool/tune_kit.hpp"
#include "tool/input_error.hpp"

namespace tune_shapes_test {
namespace {

using namespace tune_kit;

std::string why_refused(const std::string& list) {
  try {
    problems(list);
    return "taken";
  } catch (const input_error& error) {
    return error.what();
  }
}
std::string why_not_taken(const std::string& shape) {
  try {
    require_taken(operands(), sizes_of_text(shape));
    return "taken";
  } catch (const input_error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("sizes are written as the output's modes and then the others") {
  CHECK(sizes_text(sizes_of_text("1x4096x512"), modes()) == "1x4096x512");
  CHECK(sizes_text(sizes_of_text("1x4096x512"), modes(), " x ") == "1 x 4096 x 512");
  CHECK(sizes_of_text("1x4096x512").of(mode_named("M")) == 1);
  CHECK(sizes_of_text("1x4096x512").of(mode_named("N")) == 4096);
  CHECK(sizes_of_text("1x4096x512").of(mode_named("K")) == 512);
}

TEST_CASE("a list has each problem once, in its order") {
  const std::vector<problem_size> all = problems("64x8x8,1x8x16,64x8x8");
  REQUIRE(all.size() == 2);
  CHECK(all[0] == sizes_of_text("64x8x8"));
  CHECK(all[1] == sizes_of_text("1x8x16"));
}

TEST_CASE("what is no list of sizes is refused with the item") {
  CHECK(why_refused("") == "--shapes: the list is empty");
  CHECK(why_refused("64x8") ==
        "--shapes: there is no file '64x8', and as a list: shape '64x8': it ends before K; expected MxNxK");
  CHECK(why_refused("64x8x8,1x2x3x4").find("shape '1x2x3x4': 'x4' at position 5 is too much") != std::string::npos);
  CHECK(why_refused("64x8x8,,1x8x8").find("shape '': it ends before M") != std::string::npos);
  CHECK(why_refused("0x8x8").find("M = 0: every size must be at least 1") != std::string::npos);
  CHECK(why_refused("8x8x99999999999").find("at most 2147483647") != std::string::npos);
  CHECK(why_refused("shapes.txt").find("there is no file 'shapes.txt'") != std::string::npos);
}

TEST_CASE("a file has a problem in each line, and comments; a wrong line is named") {
  const cli::scratch_folder folder;
  const std::string file = (folder.path / "shapes").string();
  const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
  write("# few rows\n1x4096x4096\n\n 16 x 4096 x 4096  # and more\r\n1x4096x4096");
  CHECK(problems(file) == std::vector<problem_size>{sizes_of_text("1x4096x4096"), sizes_of_text("16x4096x4096")});
  write("1x8x8\n1x8\n");
  CHECK(why_refused(file) == file + ", line 2: shape '1x8': it ends before K; expected MxNxK");
  write("# nothing\n");
  CHECK(why_refused(file) == file + ": there is no problem in it");
}

TEST_CASE("sizes that no member takes are refused with the row and the rule") {
  CHECK(why_not_taken("1x8x8") == "taken");
  CHECK(why_not_taken("7x4096x4096") == "taken");
  CHECK(
      why_not_taken("8x8x7") ==
      "shape 8x8x7: no member takes it: K = 7 makes rows of A of 14 bytes, and TMA takes multiples of 16; K has to be "
      "a multiple of 8");
  CHECK(why_not_taken("8x12x8").find("N = 12 makes rows of C of 24 bytes") != std::string::npos);
}

TEST_CASE("the usual problems are about 200, each once, taken, and spread over the sizes") {
  const std::vector<problem_size> all = problems_to_tune();
  CHECK(all.size() >= 180);
  CHECK(all.size() <= 220);
  int few = 0, many = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK_NOTHROW(require_taken(operands(), all[i]));
    for (std::size_t j = 0; j < i; ++j) CHECK(all[i] != all[j]);
    few += all[i].of(mode_named("M")) <= 64;
    many += all[i].of(mode_named("M")) >= 2048;
  }
  CHECK(few >= 40);
  CHECK(many >= 40);
  CHECK(problems_to_tune() == all);
  CHECK(problems_to_race().size() == 60);
  CHECK(problems_to_race() == problems_to_race());
  for (const problem_size& p : problems_to_race()) CHECK_NOTHROW(require_taken(operands(), p));
}

TEST_CASE("a family that is no GEMM has no usual problems") {
  const std::vector<mode_id> others{mode_named("B"), mode_named("S"), mode_named("D")};
  CHECK_THROWS_WITH_AS(problems_asked(std::nullopt, others, problems_to_tune),
                       "which sizes? Say --shapes: the usual ones are of a GEMM", input_error);
  CHECK(problems_asked("1x2x3", others, problems_to_tune).size() == 1);
  CHECK(problems_asked(std::nullopt, modes(), problems_to_race).size() == 60);
}

}  // namespace tune_shapes_test
