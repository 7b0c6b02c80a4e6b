// Without a GPU: every row of the instruction table on the model against the scalar reference, bit for bit.
//
//   model_check [--cases N] [--every N]
//
// N cases of each row; of the table only every N-th row. Exit code: 0 if all that was tried agrees, 1 if not.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "model_answer.hpp"

int main(int argc, char** argv) {
  using namespace sectile::conformance;
  int cases = 1, every = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--cases") cases = std::atoi(argv[i + 1]);
    if (std::string(argv[i]) == "--every") every = std::atoi(argv[i + 1]);
  }
  findings found;
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int row = every * next++; row < sectile::count_instructions(); row = every * next++) {
      const sectile::wgmma_instruction w = sectile::instruction_at(row);
      for (int i = 0; i < cases; ++i) {
        const prepared_case c = prepare_case(w, row, cases == 1 ? row / every : i, 1);
        found.compare(c.row, c.set, c.p, model_answer(c), reference_answer(c.p));
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
  return found.print(stdout) || every > 1 ? 0 : 1;
}
