#pragma once
// What the libFuzzer targets share.

#include <cstdio>
#include <cstdlib>
#include <string>

namespace sectile_fuzz {

/// Ends the process, which libFuzzer reports together with the input.
inline void expect(bool ok, const char* law, const std::string& about = {}) {
  if (ok) return;
  std::fprintf(stderr, "BROKEN: %s: %s\n", law, about.c_str());
  std::abort();
}

}  // namespace sectile_fuzz
