// What a run found: how many outputs were compared and differed, and of those that differed enough to tell why.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "data.hpp"

namespace sectile::conformance {

/// The stated rule of a family and others that differ from it in one point.
std::vector<rule> other_rules(const instruction_family& f);

/// Number of the instruction's family in the table.
int family_number(const wgmma_instruction& w);

/// "wgmma.mma_async..." of an instruction with its modifiers.
std::string spelling(const wgmma_instruction& w);

/// Outputs of one family, dense or sparse, under one data set.
struct finding {
  long long outputs = 0, wrong = 0;
  long long sampled_wrong = 0, sampled_right = 0;
  std::vector<long long> explains, breaks;  // of the samples, by other rule
  std::vector<std::string> stories;
};

struct findings {
  explicit findings(int cases_of_each);

  /// Compares D of one case, 64 rows of n, with what it ought to be. row: number of the instruction in the whole table.
  void compare(int row, int family, data_set set, const problem& p, const std::vector<std::uint32_t>& got,
               const std::vector<std::uint32_t>& want);

  /// Prints all of it; true if nothing differed.
  bool print(std::FILE* to) const;
  /// A short page in Markdown for the record. `where`: GPU, driver and CUDA version.
  void write_page(std::FILE* to, const std::string& where) const;

 private:
  finding& at(int family, bool sparse, data_set set);
  const finding& at(int family, bool sparse, data_set set) const;

  int cases;
  std::mutex guard;
  std::vector<int> tried, bad;  // by row
  std::vector<finding> all;
};

}  // namespace sectile::conformance
