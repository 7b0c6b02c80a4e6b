// `sectile tune KERNEL` on a machine that is made up: what is written and said, how it goes on, and that nothing is
// lost whatever ends the program.
#include "tool/tune/tune_on.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "tests/tool/cli.hpp"
#include "tests/tool/tune_kit.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/tune/interrupt.hpp"

namespace tune_on_test {
namespace {

using namespace tune_kit;
namespace fs = std::filesystem;

/// `measured` counts its problems; before each, `disturb` is called with that count.
tuning_machine made_up_machine(
    int& measured, const std::function<void(int)>& disturb = [](int) {}) {
  return {.gpu = "NVIDIA H200",
          .name = "NVIDIA H200, 132 SMs",
          .software = "CUDA 13.0",
          .require_room = [](const problem_size&) {},
          .measure =
              [&measured, disturb](const problem_size& of, std::span<const int> members) {
                disturb(measured++);
                std::vector<double> times;
                for (const int m : members) times.push_back(made_up_time(of, m));
                return times;
              }};
}
const std::vector<problem_size> several = problems("1x4096x4096,64x64x64,4096x4096x4096,300x200x104,16x28672x8192");

struct ending {
  int status = 0;  // as waitpid has it
  std::string out{};
};
/// What becomes of a process that tunes, and what it prints.
ending tune_in_child(const fs::path& folder, const std::function<void(int)>& disturb) {
  const std::string said = (folder / "said").string();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen(said.c_str(), "w", stdout) == nullptr) _exit(99);
    setenv("SECTILE_NO_PROGRESS", "1", 1);
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);  // the tests' own handlers
    int measured = 0;
    const exit_status status = tune_on(made_up_machine(measured, disturb), family(), several, folder / "t.json");
    std::fflush(stdout);
    _exit(status);
  }
  ending end;
  REQUIRE(waitpid(child, &end.status, 0) == child);
  std::ifstream in(said);
  end.out = {std::istreambuf_iterator<char>(in), {}};
  return end;
}
std::size_t problems_in(const fs::path& folder) { return read_table(folder / "t.json").problems.size(); }

}  // namespace

TEST_CASE("a table is measured, said and judged") {
  const cli::scratch_folder folder;
  const ending end = tune_in_child(folder.path, [](int) {});
  REQUIRE(WIFEXITED(end.status));
  CHECK(WEXITSTATUS(end.status) == success);
  CHECK(problems_in(folder.path) == 5);
  CHECK(cli::contains(end.out, "problems: 5, of which 0 are measured\n"));
  CHECK(cli::contains(end.out, "gemm_bf16_family of sectile/kernels/gemm_family.hpp, "));
  CHECK(cli::contains(end.out, "1.0000  by the table\n"));
  const ending again = tune_in_child(folder.path, [](int) { std::abort(); });  // nothing is left to measure
  CHECK(again.status == 0);
  CHECK(cli::contains(again.out, "problems: 5, of which 5 are measured\n"));
}

TEST_CASE("an earlier table of another kernel, or whose members cannot be told by their names, is refused") {
  const cli::scratch_folder folder;
  int measured = 0;
  const auto refusal = [&](const tuning_table& earlier) -> std::string {
    write_text(folder.path / "earlier.json", to_json(earlier));
    try {
      tune_on(made_up_machine(measured), family(), several, folder.path / "t.json", folder.path / "earlier.json");
    } catch (const input_error& error) {
      return error.what();
    }
    return "";
  };
  tuning_table earlier = made_up_table("1x4096x4096");
  earlier.head.kernel = "gemm_f16";
  CHECK(cli::contains(refusal(earlier), "earlier.json: it is of gemm_f16, not of gemm_bf16"));
  earlier = made_up_table("1x4096x4096");
  earlier.head.members[3] = earlier.head.members[4];
  CHECK(cli::contains(refusal(earlier), "earlier.json: members go by their names, and more than one is called " +
                                            earlier.head.members[4]));
  CHECK(measured == 0);
  earlier = made_up_table("1x4096x4096");
  CHECK(refusal(earlier).empty());
  CHECK(measured == 4);  // nothing of the problem that it has
  CHECK(problems_in(folder.path) == 5);
}

TEST_CASE("Ctrl-C ends it after the problem at hand, and the same command goes on from there") {
  const cli::scratch_folder folder;
  const ending end = tune_in_child(folder.path, [](int measured) {
    if (measured == 1) raise(SIGINT);
  });
  REQUIRE(WIFEXITED(end.status));
  CHECK(WEXITSTATUS(end.status) == failed);
  CHECK(cli::contains(end.out, "interrupted: 2 of 5 problems are in the table; the same command goes on from there\n"));
  CHECK(problems_in(folder.path) == 2);
  const ending rest = tune_in_child(folder.path, [](int) {});
  CHECK(rest.status == 0);
  CHECK(cli::contains(rest.out, "problems: 5, of which 2 are measured\n"));
  CHECK(problems_in(folder.path) == 5);
}

TEST_CASE("a second Ctrl-C ends it at once, and SIGKILL does: what was measured before is there") {
  for (const int signal : {SIGINT, SIGKILL, SIGTERM}) {
    CAPTURE(signal);
    const cli::scratch_folder folder;
    const ending end = tune_in_child(folder.path, [signal](int measured) {
      if (measured != 3) return;
      if (signal == SIGINT) raise(signal);
      raise(signal);
    });
    CHECK(WIFSIGNALED(end.status));
    CHECK(WTERMSIG(end.status) == signal);
    CHECK(problems_in(folder.path) == 3);
    CHECK(tune_in_child(folder.path, [](int) {}).status == 0);
    CHECK(problems_in(folder.path) == 5);
  }
}

TEST_CASE("a watch leaves what was there before, and what is ignored") {
  const auto handler_of_the_tests = std::signal(SIGINT, SIG_IGN);
  {
    const interrupt_watch watch;
    raise(SIGINT);
    CHECK_FALSE(watch.asked());
  }
  CHECK((std::signal(SIGINT, SIG_DFL) == SIG_IGN));
  {
    const interrupt_watch watch;
    CHECK_FALSE(watch.asked());
    raise(SIGINT);
    CHECK(watch.asked());
  }
  CHECK((std::signal(SIGINT, handler_of_the_tests) == SIG_DFL));
}

TEST_CASE("a table that cannot be gone on with stays as it is, and nothing is measured") {
  const cli::scratch_folder folder;
  const fs::path path = folder.path / "t.json";
  int measured = 0;
  const auto why = [&](const tuning_machine& machine) -> std::string {
    const std::string before = folder.read("t.json");
    try {
      tune_on(machine, family(), several, path);
    } catch (const input_error& error) {
      CHECK(folder.read("t.json") == before);
      return error.what();
    }
    return "accepted";
  };
  write_text(path, to_json(made_up_table("64x64x64", "NVIDIA H100 PCIe")));
  CHECK(cli::contains(why(made_up_machine(measured)),
                      "it was measured on an NVIDIA H100 PCIe, and this is an NVIDIA H200"));
  write_text(path, "{");
  CHECK(cli::contains(why(made_up_machine(measured)), "it ends in the middle, in line 1"));
  tuning_machine other = made_up_machine(measured);
  other.gpu = "NVIDIA A100";
  CHECK(cli::contains(why(other), "of which the cost model has no constants"));
  other = made_up_machine(measured);
  other.require_room = [](const problem_size&) { throw input_error("it does not fit"); };
  CHECK(why(other) == "it does not fit");
  CHECK(measured == 0);
}

}  // namespace tune_on_test
