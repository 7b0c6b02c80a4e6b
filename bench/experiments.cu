// Experiments for the course: on every rung the constants that its page speaks of are tried, N of the instruction,
// stages, swizzles, clusters and the like; and tiles of several sizes on products of several sizes.
//
//   bench_experiments [--rounds N] [--json FILE]
//
// What is tried on one rung is timed in turns, on random data that the L2 cache does not hold, and compared with
// cuBLASLt's result, or, of attention, with a plain kernel's. The exit code is 1 if a result is wrong.
#include "bench/experiments.hpp"

#include <cstdio>
#include <exception>

#include "bench/command_line.hpp"

namespace sectile::bench {

namespace {

int run(const options& how) {
  const machine m = this_machine();
  std::printf("%s\n\n", m.text().c_str());
  const stream on;
  experiments all{on, how.rounds};
  for (const auto trying : {try_rungs_by_hand, try_programs, try_types, try_attention, try_tiles}) trying(all);
  if (how.json.empty()) return all.right ? 0 : 1;
  measured_file file{.title = "Experiments on the rungs of the course",
                     .device = m.device(),
                     .software = m.software(),
                     .command = how.command,
                     .rounds = how.rounds,
                     .columns = occupancy::columns(),
                     .rows = std::move(all.rows)};
  file.columns.push_back({"tflops", "TFLOP/s", 0});
  file.columns.push_back({"over_first", "times the first", 2});
  file.write(how.json);
  return all.right ? 0 : 1;
}

}  // namespace

}  // namespace sectile::bench

int main(int count, char** words) {
  using namespace sectile::bench;
  try {
    options o = read_options(count, words, {.has_shapes = false}, {});
    o.command = command_of(count, words);
    return run(o);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_experiments: %s\n", e.what());
    return 2;
  }
}
