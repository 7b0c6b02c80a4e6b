// What a run found: how many outputs were compared and differed, and of those that differed enough to tell why.
#pragma once
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include "data.hpp"

namespace sectile::conformance {

/// The stated rule of a family and others that differ from it in one point.
std::vector<rule> other_rules(const instruction_family& f);

/// "wgmma.mma_async..." of an instruction with its modifiers.
std::string spelling(const wgmma_instruction& w);

/// Outputs of one family, dense or sparse, under one data set.
struct finding {
  long long outputs = 0, wrong = 0;
  long long sampled_wrong = 0, sampled_right = 0;
  std::vector<long long> explains, breaks;  // of the samples, by other rule
  std::vector<std::string> stories;         // of outputs that differ, few

  void add(const finding& x);
};

/// One line of the summary: the rows of one family that are dense, or those that are sparse.
struct family_count {
  std::string name;
  int rows = 0, tried = 0, agreed = 0;
  long long outputs = 0, wrong = 0;

  void add(const family_count& x);
};

struct findings {
  findings();

  /// Compares D of one case, 64 rows of n, with what it ought to be, all of it or only some rows. row: number of the
  /// instruction in the whole table.
  void compare(int row, data_set set, const problem& p, const std::vector<std::uint32_t>& got,
               const std::vector<std::uint32_t>& want, row_range rows = {});

  /// Prints all of it; true if every row was tried and nothing differed.
  bool print(std::FILE* to) const;

  /// A line for every family and form, and one for all.
  std::vector<family_count> counts() const;

  /// One output of each family and form that differed, in words.
  std::vector<std::string> counterexamples() const;

 private:
  int place_of(int family, bool sparse, data_set set) const;
  void print_differences(std::FILE* to, int family, bool sparse, data_set set) const;

  std::mutex guard;
  std::vector<int> tried, bad;  // by row
  std::vector<finding> all;     // by family, form and set
};

}  // namespace sectile::conformance
