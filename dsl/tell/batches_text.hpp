// What the batches of an operand are called.
#pragma once
#include <string>

#include <sectile/dsl/plan/words.hpp>

namespace sectile::tell {

/// "B x H": the modes before the matrix's two, from mode `first` on; empty where there are none.
inline std::string batches_text(const operand_facts& f, int first = 0) {
  std::string text;
  for (int m = first; m + 2 < f.tile.rank; ++m) text += say(m > first ? " x " : "", f.mode_name[m]);
  return text;
}

}  // namespace sectile::tell
