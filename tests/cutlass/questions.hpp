// Each file of this program has questions; main() asks them all.
#pragma once

#include <set>
#include <vector>

namespace witness {

inline std::vector<void (*)()>& all_questions() {
  static std::vector<void (*)()> list;
  return list;
}

/// Registers a function that asks.
struct questions {
  explicit questions(void (*ask)()) { all_questions().push_back(ask); }
};

}  // namespace witness
