// The record of a run for readers: a page of Markdown.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>

#include "findings.hpp"

namespace sectile::conformance {

/// What the record says about the run besides its results.
struct run_facts {
  std::string date, gpu, driver, cuda;
  int cases;  // of each row
  std::uint64_t seed;
};

/// Asks the machine. Throws where CUDA does.
run_facts facts_of_run(int cases, std::uint64_t seed);

void write_page(std::FILE* to, const findings& found, const run_facts& run);

}  // namespace sectile::conformance
