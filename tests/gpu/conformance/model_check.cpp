// Without a GPU: every row of the instruction table on the model against the scalar reference, bit for bit.
//
//   model_check [--cases N] [--every N]
//
// N cases of each row, and of the table only every N-th row. Of D the 16 rows of one warp are compared, a random one,
// for the reference takes most of the time. Exit code: 0 if all that was tried agrees, 1 if not.
#include <atomic>

#include <cstdio>
#include <cstdlib>
#include <sectile/dsl/tell/instructions_by_number.hpp>
#include <string>
#include <thread>

#include "model_answer.hpp"

namespace {

using namespace sectile::conformance;

struct options {
  int cases = 1, every = 1;
};

options parse(int argc, char** argv) {
  options o;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--cases") o.cases = std::atoi(argv[i + 1]);
    if (std::string(argv[i]) == "--every") o.every = std::atoi(argv[i + 1]);
  }
  return o;
}

/// Case `number` of instruction `row`. With one case of each, neighbouring rows still get different data.
void check(int row, int number, findings& found) {
  const prepared_case c = prepare_case(sectile::instruction_at(row), row, number, 1);
  random_bits random{static_cast<std::uint64_t>(row) * 64 + static_cast<std::uint64_t>(number)};
  const int warp = random.below(4);
  const row_range rows{16 * warp, 16 * warp + 16};
  found.compare(row, c.set, c.p, model_answer(c), reference_answer(c.p, rows), rows);
}

}  // namespace

int main(int argc, char** argv) {
  const options o = parse(argc, argv);
  findings found;
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int row = o.every * next++; row < sectile::count_instructions(); row = o.every * next++)
      for (int i = 0; i < o.cases; ++i) check(row, o.cases == 1 ? row / o.every : i, found);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
  found.print(stdout);
  return found.counts().back().wrong == 0 ? 0 : 1;
}
