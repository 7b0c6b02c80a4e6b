// From a program to the generator of pages and back.
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sectile/dsl/tell/tutorial.hpp>
#include <sectile/dsl/tell/child_process.hpp>
#include <string>

using namespace sectile;
namespace fs = std::filesystem;

namespace {

/// A folder that goes away.
struct scratch {
  fs::path path = fs::temp_directory_path() / ("sectile_tutorial_" + std::to_string(::getpid()));
  scratch() { fs::create_directories(path); }
  ~scratch() { fs::remove_all(path); }
  fs::path operator/(const char* name) const { return path / name; }
};

/// What tutorial_program says on stderr is not looked at here; its status is.
int program_with(std::vector<std::string> words, tutorial_options* seen = nullptr) {
  static tutorial_options last;
  std::vector<char*> arguments;
  words.insert(words.begin(), "program");
  for (std::string& word : words) arguments.push_back(word.data());
  const int status = tell::tutorial_program(
      static_cast<int>(arguments.size()), arguments.data(), {},
      +[](const fs::path& folder, const tutorial_options& options) -> std::vector<fs::path> {
        last = options;
        if (folder == "launch") throw launch_error("too large");
        return {};
      });
  if (seen) *seen = last;
  return status;
}

}  // namespace

TEST_CASE("another program reads all of its input and says all that it has to say") {
  std::string much(3'000'000, 'x');
  const tell::child_result echo = tell::run_child({"cat"}, much);
  CHECK(echo.status == 0);
  CHECK(echo.output == much);
  const tell::child_result both = tell::run_child({"sh", "-c", "echo out; echo err >&2; exit 7"}, "");
  CHECK(both.status == 7);
  CHECK(both.output == "out\n");
  CHECK(both.complaints == "err\n");
  CHECK(tell::run_child({"sh", "-c", "kill -9 $$"}, "").status == 128 + 9);
  CHECK(tell::run_child({"no-such-program-at-all"}, "").status == -1);
}

TEST_CASE("a folder for pages is one that can be written into") {
  const scratch here;
  std::ofstream(here / "file") << "x";
  CHECK_NOTHROW(tell::require_folder(here.path));
  CHECK_NOTHROW(tell::require_folder(here / "new/and/newer"));
  const auto file = (here / "file").string() + " is a file; a page goes into a folder";
  CHECK_THROWS_WITH_AS(tell::require_folder(here / "file"), file.c_str(), tutorial_error);
  CHECK_THROWS_WITH_AS(tell::require_folder(here / "file/below"), file.c_str(), tutorial_error);
  CHECK_THROWS_AS(tell::require_folder(""), tutorial_error);
}

TEST_CASE("a page without a generator is refused") {
  const scratch here;
  CHECK_THROWS_WITH_AS(tell::write_page("{}", here.path, "nowhere"), "the generator of pages is not in 'nowhere'",
                       tutorial_error);
}

TEST_CASE("the name of a page is that of the kernel's type") {
  CHECK(tell::page_name("my_gemm") == "my_gemm");
  CHECK(tell::page_name("mine::deep::my_gemm") == "my_gemm");
  CHECK(tell::page_name("gemm<bf16, bf16, float>") == "gemm_bf16_bf16_float");
  CHECK(tell::page_name("mine::gemm<other::type>") == "gemm_other_type");
  CHECK(tell::page_name("<>") == "kernel");
}

TEST_CASE("a program of its own takes a folder, sizes and a seed") {
  tutorial_options seen;
  CHECK(program_with({"--out", "there", "--sizes", "M=256,long_name=8", "--seed", "7"}, &seen) == 0);
  REQUIRE(seen.run.sizes.size() == 2);
  CHECK(seen.run.sizes[1].mode == "long_name");
  CHECK(seen.run.sizes[1].size == 8);
  CHECK(seen.run.seed == 7);
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{{},
                                                                                     {"--out"},
                                                                                     {"--out", ""},
                                                                                     {"--color", "red"},
                                                                                     {"--out", "x", "--seed", "-1"},
                                                                                     {"--out", "x", "--seed", "1x"},
                                                                                     {"--out", "x", "--sizes", "M"},
                                                                                     {"--out", "x", "--sizes", "M="},
                                                                                     {"--out", "x", "--sizes", "=3"},
                                                                                     {"--out", "x", "--sizes", "M=0"},
                                                                                     {"--out", "launch"}})
    CHECK(program_with(wrong) == 2);
}
