// SPIN, asked about a protocol: a verifier is made of its Promela, compiled and run, and what it finds is told in the
// words of the export's comments.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sectile::witness {

struct spin_tools {
  std::string spin;              // commands
  std::string compiler;          // for verifiers of few states; cc optimises the others
  std::filesystem::path folder;  // to work in; what stands there of an earlier question is lost
};

/// What a verifier may use. Most states are few: then compiling takes the longest, and optimising does not pay.
struct spin_bounds {
  bool optimised = false;
  int megabytes = 500, seconds = 60;
};

struct spin_answer {
  bool whole = true;                 // all states were visited, or something is wrong
  std::string wrong{};               // what goes wrong in some order, nothing if nothing can
  std::vector<std::string> order{};  // what is done until then
  std::uint64_t states = 0;
  double seconds = 0;
};

/// What is said of an answer that is not whole.
std::string too_many_states(const spin_answer& answer);

bool has_spin(const spin_tools& tools);

/// Throws std::runtime_error where SPIN or the compiler does not take the text.
spin_answer ask_spin(const std::string& promela, const spin_tools& tools, const spin_bounds& bounds);

}  // namespace sectile::witness
