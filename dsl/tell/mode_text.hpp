// What the modes of an operand are called.
#pragma once
#include <string>

#include <sectile/dsl/plan/words.hpp>

namespace sectile::tell {

/// "M", or "mode 0" where the program gives no names.
inline std::string mode_words(const operand_facts& f, int mode) {
  return f.mode_name[mode][0] != '\0' ? std::string(f.mode_name[mode]) : say("mode ", mode);
}

/// "B x H": the modes before the matrix's two; empty where there are none.
inline std::string batches_text(const operand_facts& f) {
  std::string text;
  for (int m = 0; m + 2 < f.tile.rank; ++m) text += (m > 0 ? " x " : "") + mode_words(f, m);
  return text;
}

}  // namespace sectile::tell
