// Seeded faults: recorded logs with one mistake, as tests/dsl/all_orders tries them, and plans with one. SPIN's verdict
// on each is held against the proof's.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/spin/ask.hpp"

namespace sectile::witness {

/// How faults were judged.
struct witnessed_faults {
  std::string what;  // the kernel whose roles make them
  int faults = 0, both_refuse = 0, both_accept = 0;
  std::uint64_t states = 0;
  std::map<std::string, int> found{};     // by SPIN, in its words
  std::map<std::string, int> stricter{};  // refused by the proof alone, for what is not in the Promela: its sentences
  std::vector<std::string> disagreements{};  // each with the order that shows it, if there is one
};

/// All kernels, each told when it is done; of the mistakes in their logs every `every`-th. Parts 0 to every - 1 are
/// together all mistakes.
void witness_faults(int every, int part, const spin_tools& tools,
                    const std::function<void(const witnessed_faults&)>& tell);

}  // namespace sectile::witness
