// Scenarios that a process does not survive, or that must be its first: each runs in a child of its own, forked before
// this process has touched CUDA.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <span>
#include <string>

#include "tests/gpu/probe.hpp"

namespace sectile::gpu_test {

struct scenario {
  std::string name;
  std::function<void(tally&)> run;
};

/// What happens in a child: the exit code of the scenario.
inline int run_scenario(const scenario& s) {
  try {
    if (const std::string no_gpu = why_no_gpu(); !no_gpu.empty()) {
      std::printf("skipped: %s\n", no_gpu.c_str());
      return exit_skipped;
    }
    tally count;
    s.run(count);
    std::printf("%s: %d checks, %d failures\n", s.name.c_str(), count.checks, count.failures);
    return count.failures ? 1 : 0;
  } catch (const std::exception& e) {
    std::printf("FAIL %s: %s\n", s.name.c_str(), e.what());
    return 1;
  }
}

/// Runs all scenarios, or those whose name contains `only`. Returns the exit code of the program: 0, 1, or 77 if there
/// is no GPU. A scenario that takes more than two minutes is killed. If no name contains `only`, that is a failure.
inline int run_in_children(std::span<const scenario> all, const std::string& only) {
  constexpr unsigned seconds = 120;
  int run = 0, failed = 0;
  for (const scenario& s : all) {
    if (s.name.find(only) == std::string::npos) continue;
    ++run;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      alarm(seconds);
      const int code = run_scenario(s);
      std::fflush(nullptr);
      _exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == exit_skipped) return exit_skipped;
    if (WIFSIGNALED(status)) std::printf("FAIL %s: ended by signal %d\n", s.name.c_str(), WTERMSIG(status));
    failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  }
  std::printf("%d scenarios, %d failed\n", run, failed);
  return failed || run == 0 ? 1 : 0;
}

}  // namespace sectile::gpu_test
