// Runs every row of the instruction table on a Hopper GPU and compares D bit for bit.
//
//   gpu_conformance [--cases N] [--families FIRST LAST] [--seed N] [--page FILE] | --probe
//
// Every case is answered by the CPU model first; other rules are tried on what differs, so that a difference comes with
// a hint. --page writes the record docs/conformance.md. --probe asks the questions of docs/hopper-numerics.md instead.
// Exit code: 0 if every row was tried and agrees, 1 if not, 2 on an error, 77 if there is no GPU.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "cases.hpp"
#include "findings.hpp"
#include "gpu_runner.hpp"
#include "model_answer.hpp"
#include "page.hpp"
#include "probe.hpp"
#include "rows.hpp"
#include "tool/progress.hpp"

namespace sectile::conformance {
namespace {

/// Some cases of some forms of one family and one N.
struct portion {
  int family, n_index, first, count;  // cases first .. first + count - 1 of form-major order: variant * cases + case
};

struct options {
  int cases = 16, first_family = 0, last_family = instruction_table::families - 1;
  std::uint64_t seed = 1;
  const char* page = nullptr;
  bool probe = false;
};

/// Number of the row in the whole table.
int row_number(const portion& x, int variant) {
  const instruction_table table = wgmma_table();
  int row = 0;
  for (int f = 0; f < x.family; ++f) row += instructions_of(table.at[f]);
  return row + x.n_index + table.at[x.family].n_choices() * variant;
}

/// Makes the cases of a portion, has them run, compares.
void run(const portion& x, const options& o, gpu_runner& gpu, findings& found) {
  const instruction_table table = wgmma_table();
  const instruction_family& f = table.at[x.family];
  std::vector<prepared_case> ready;
  for (int i = 0; i < x.count; ++i) {
    const int variant = (x.first + i) / o.cases, number = (x.first + i) % o.cases;
    ready.push_back(prepare_case(variant_of(f, x.n_index, variant), row_number(x, variant), number, o.seed));
    ready.back().work.variant = variant;
  }
  std::vector<std::vector<std::uint32_t>> expected;  // first: the GPU overwrites D
  for (const prepared_case& c : ready) expected.push_back(model_answer(c));
  gpu.run(x.family, x.n_index, ready);
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const prepared_case& c = ready[i];
    found.compare(c.row, c.set, c.p, matrix_of(c.p.w, c.d.data()), expected[i]);
  }
}

std::vector<portion> portions(const options& o) {
  const instruction_table table = wgmma_table();
  std::vector<portion> all;
  for (int family = o.first_family; family <= o.last_family; ++family) {
    const instruction_family& f = table.at[family];
    const int total = variants(f) * o.cases;
    for (int n = f.n_choices() - 1; n >= 0; --n)
      for (int first = 0; first < total; first += gpu_runner::most_cases)
        all.push_back({family, n, first, std::min(gpu_runner::most_cases, total - first)});
  }
  return all;
}

void run_all(const options& o, findings& found) {
  const std::vector<portion> todo = portions(o);
  tool::progress tick("instructions on the GPU", static_cast<std::int64_t>(todo.size()));
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex guard;
  std::string why;
  const auto work = [&] {
    try {
      gpu_runner gpu;
      for (std::size_t i = next++; i < todo.size() && !failed; i = next++) {
        run(todo[i], o, gpu, found);
        tick.add();
      }
    } catch (const std::exception& e) {
      const std::lock_guard lock(guard);
      failed = true;
      why = e.what();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
  if (failed) throw std::runtime_error(why);
}

options parse(int argc, char** argv) {
  options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc) throw std::runtime_error(word + " needs a value");
      return argv[++i];
    };
    if (word == "--cases")
      o.cases = std::atoi(value());
    else if (word == "--seed")
      o.seed = std::strtoull(value(), nullptr, 10);
    else if (word == "--page")
      o.page = value();
    else if (word == "--probe")
      o.probe = true;
    else if (word == "--families") {
      o.first_family = std::atoi(value());
      o.last_family = std::atoi(value());
    } else {
      throw std::runtime_error("unknown option " + word);
    }
  }
  if (o.cases < 1 || o.first_family < 0 || o.last_family >= instruction_table::families)
    throw std::runtime_error("out of range");
  return o;
}

}  // namespace
}  // namespace sectile::conformance

int main(int argc, char** argv) try {
  using namespace sectile::conformance;
  const options o = parse(argc, argv);
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    std::puts("there is no GPU");
    return 77;
  }
  const run_facts facts = facts_of_run(o.cases, o.seed);
  std::printf("%s, driver %s, CUDA %s\n", facts.gpu.c_str(), facts.driver.c_str(), facts.cuda.c_str());
  if (o.probe) {
    probe();
    return 0;
  }
  findings found;
  run_all(o, found);
  const bool good = found.print(stdout);
  if (o.page) {
    std::FILE* to = std::fopen(o.page, "w");
    if (!to) throw std::runtime_error(std::string("cannot write ") + o.page);
    write_page(to, found, facts);
    std::fclose(to);
  }
  return good ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "conformance: %s\n", e.what());
  return 2;
}
