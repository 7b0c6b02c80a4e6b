// `sectile check`: what it says of files that hold, are refused, or do not compile; and what it makes of the messages
// of each compiler.
#include "tool/check.hpp"

#include <algorithm>

#include "tests/tool/cli.hpp"

namespace {

using namespace cli;
using sectile::tool::asserted_kernels;
using sectile::tool::complaint;
using sectile::tool::read_complaint;

/// A kernel whose tiles are `k` deep, and whose body is `product`.
std::string kernel_file(const std::string& k,
                        const std::string& product = "sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}))") {
  return "#include <sectile/dsl.hpp>\n"
         "using namespace sectile;\n"
         "struct kernel {\n"
         "  static constexpr auto operands = sectile::operands(input<\"A(M,K)\", bf16>(),\n"
         "                                                     input<\"B(N,K)\", bf16>(),\n"
         "                                                     output<\"C(M,N)\", bf16>());\n"
         "  static constexpr configuration how{.tile = {{\"M\", 128}, {\"N\", 64}, {\"K\", " +
         k +
         "}},\n"
         "                                     .stages = 2};\n"
         "  static constexpr void body(auto& sm, auto A, auto B, auto C) {\n"
         "    auto [m, n] = sm.tile_of(C);\n"
         "    auto acc = sm.accumulator(C);\n"
         "    for (auto k : sm.pipelined(tiles<\"K\">(A))) acc += " +
         product +
         ";\n"
         "    sm.store(C, {m, n}, acc);\n"
         "  }\n"
         "};\n"
         "static_assert(verified<kernel>);\n";
}

outcome check(const scratch_folder& folder, const std::string& text, const std::string& more = "",
              const std::string& name = "kernel.cu") {
  std::ofstream(folder.path / name) << text;
  return sectile_in(folder, "check " + name + " " + more);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST_CASE("a file whose kernels hold") {
  const scratch_folder folder;
  const outcome result = check(folder, kernel_file("64"));
  CHECK(result.status == 0);
  CHECK(first_line(result.out) == "holds: kernel.cu");
  CHECK(contains(result.out,
                 "\n  kernel: legality, reachability, feeding, alignment, budgets, protocol, fragments, banks\n"));
  CHECK(result.err == "");
}

TEST_CASE("a file that asserts no kernel is told so") {
  const scratch_folder folder;
  const outcome result = check(folder, "int main() {}\n");
  CHECK(result.status == 0);
  CHECK(contains(result.out, "compiles: kernel.cu, but it asserts no kernel"));
}

TEST_CASE("a refusal: the sentence, the line, and what the compiler said") {
  const scratch_folder folder;
  const outcome result = check(folder, kernel_file("40"));
  CHECK(result.status == 1);
  CHECK(result.err == "");
  CHECK(first_line(result.out).starts_with("refused: tile"));
  CHECK(contains(first_line(result.out), "40"));
  CHECK(contains(result.out, "\nkernel.cu:16: static_assert(verified<kernel>);\n"));
  CHECK(contains(result.out, "\nThe compiler says:\n"));
  CHECK(std::count(result.out.begin(), result.out.end(), '\n') <= 20);
}

TEST_CASE("a refusal in the body names its line") {
  const scratch_folder folder;
  const outcome result = check(folder, kernel_file("64", "sm.load(A, {m, k}) * sm.load(B, {n, k})"));
  CHECK(result.status == 1);
  CHECK(first_line(result.out).starts_with("refused: "));
  CHECK(contains(result.out, "\nkernel.cu:12: for (auto k : sm.pipelined(tiles<\"K\">(A))) acc += sm.load(A"));
}

TEST_CASE("a file that is not C++, with blanks in its name") {
  const scratch_folder folder;
  std::ofstream(folder.path / "two words.cpp") << "int main( {}\n";
  const outcome result = sectile_in(folder, "check 'two words.cpp'");
  CHECK(result.status == 1);
  CHECK(first_line(result.out).starts_with("does not compile: "));
  CHECK(contains(result.out, "\ntwo words.cpp:1: int main( {}\n"));
}

TEST_CASE("flags behind -- are the compiler's") {
  const scratch_folder folder;
  const std::string text = "#ifndef NEEDED\n#error no flag\n#endif\n";
  CHECK(check(folder, text).status == 1);
  CHECK(check(folder, text, "-- -DNEEDED").status == 0);
  CHECK(check(folder, text, "-- '-DNEEDED=\"a b\"' -Wall").status == 0);
}

TEST_CASE("no file, no compiler, a compiler of another time") {
  const scratch_folder folder;
  check_refusal(folder, "check", "file is required");
  check_refusal(folder, "check nowhere.cpp", "nowhere.cpp cannot be read");
  check_refusal(folder, "check .", ". cannot be read");
  std::ofstream(folder.path / "empty.cpp") << "";
  const auto with = [&](const std::string& compiler, const std::string& words) {
    const std::string command =
        "cd '" + folder.path.string() + "' && CXX='" + compiler + "' '" SECTILE_CLI "' check empty.cpp >.out 2>.err";
    const int status = std::system(command.c_str());
    CHECK(WEXITSTATUS(status) == 2);
    CHECK_MESSAGE(contains(folder.read(".err"), words), folder.read(".err"));
    CHECK(folder.read(".out") == "");
  };
  with("no-such-compiler", "there is no compiler 'no-such-compiler'");
  with("false", "the compiler 'false' does not take C++20 (-std=c++20)");
}

// ---- messages

TEST_CASE("g++: the sentence as it was written, and the first line that is the user's") {
  const complaint found = read_complaint(
      "In file included from /inc/sectile/dsl/dsl.hpp:20,\n"
      "                 from kernel.cu:1:\n"
      "/inc/sectile/dsl/program/tile.hpp: In instantiation of 'x':\n"
      "kernel.cu:11:52:   required from 'constexpr const bool sectile::verified<kernel>'\n"
      "kernel.cu:15:15:   required from here\n"
      "/inc/sectile/dsl/program/tile.hpp:158:50: error: 'verified' is not a member of "
      "'sectile::refused_because<sectile::sentence{\"the writers\\' fence: \\\"A\\\" is 64 x 40\"}>'\n",
      {"/inc", "/usr/"});
  CHECK(found.refusal);
  CHECK(found.why == "the writers' fence: \"A\" is 64 x 40");
  REQUIRE(found.where);
  CHECK(found.where->file == "kernel.cu");
  CHECK(found.where->number == 11);
}

TEST_CASE("clang++ and nvcc: the rule and its numbers") {
  const complaint clang = read_complaint(
      "In file included from kernel.cu:1:\n"
      "/inc/sectile/dsl/proofs/verified.hpp:84:3: error: static_assert failed due to requirement "
      "'refused_because<sectile::rule::tile_is_not_a_multiple_of_the_instruction, 40, 16>::verified'\n"
      "kernel.cu:15:15: note: in instantiation of variable template specialization\n",
      {"/inc"});
  CHECK(clang.refusal);
  CHECK(clang.why == "tile is not a multiple of the instruction (40, 16)");
  REQUIRE(clang.where);
  CHECK(clang.where->number == 15);
  const complaint nvcc = read_complaint(
      "/inc/sectile/dsl/proofs/verified.hpp(84): error: class "
      "\"sectile::refused_because<sectile::rule::protocol_deadlocks, 1LL, -2LL>\" has no member \"verified\"\n"
      "kernel.cu(15): note: here\n",
      {"/inc"});
  CHECK(nvcc.why == "protocol deadlocks (1, -2)");
  REQUIRE(nvcc.where);
  CHECK(nvcc.where->number == 15);
  CHECK(read_complaint(
            "x.hpp:1:1: error: no member in 'sectile::refused_because<sectile::rule::registers_are_in_use>'\n", {})
            .why == "registers are in use");
}

TEST_CASE("what a check of layouts found is said as a refusal is") {
  const complaint found = read_complaint(
      "/inc/sectile/layouts/finding.hpp: In instantiation of 'constexpr const bool sectile::holds<sectile::finding{"
      "sectile::check_rule::sizes_differ, \"4:1 has 4 elements and 5:1 has 5\", 2, int64_t [8]{4, 5}}>':\n"
      "kernel.cu:15:15:   required from here\n"
      "/inc/sectile/layouts/finding.hpp:118:99: error: 'holds' is not a member of 'sectile::it_was_found_that<"
      "sectile::literal_text<34>{\"4:1 has 4 elements and 5:1 has 5\"}>'\n",
      {"/inc"});
  CHECK(found.refusal);
  CHECK(found.why == "4:1 has 4 elements and 5:1 has 5");
  REQUIRE(found.where);
  CHECK(found.where->number == 15);
  CHECK(read_complaint(
            "x.hpp:1:1: error: no member named 'holds' in "
            "'sectile::it_was_found_that<sectile::check_rule::layouts_differ, 1, 8, 1>'\n",
            {})
            .why == "layouts differ (1, 8, 1)");
}

TEST_CASE("other errors are the compiler's own words") {
  const complaint found = read_complaint("<command-line>: note: x\na.cpp:3:1: error: expected ';'\n", {});
  CHECK(!found.refusal);
  CHECK(found.why == "expected ';'");
  REQUIRE(found.where);
  CHECK(found.where->file == "a.cpp");
  CHECK(found.where->number == 3);
  const complaint silent = read_complaint("", {});
  CHECK(silent.why == "the compiler does not say why");
  CHECK(!silent.where);
  CHECK(read_complaint("\ncc1plus: out of memory\n", {}).why == "cc1plus: out of memory");
  CHECK(read_complaint("cc1plus: fatal error: x.cpp: No such file\n", {}).why == "x.cpp: No such file");
}

TEST_CASE("the kernels that a file asserts") {
  CHECK(asserted_kernels("static_assert(sectile::verified<a> && st::verified<b<1, c<2>>>);\nbool x = verified<d>;") ==
        std::vector<std::string>{"a", "b<1, c<2>>"});
  CHECK(asserted_kernels("static_assert(sizeof(int) == 4);").empty());
  CHECK(asserted_kernels("").empty());
  CHECK(asserted_kernels("static_assert(verified<a").size() <= 1);
}

}  // namespace
