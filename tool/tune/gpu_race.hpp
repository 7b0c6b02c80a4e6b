// The members of a family timed against each other on the GPU, and against cuBLASLt where this build has it.
//
// Operands are random and packed. Each call takes others, together well over the L2 cache, so that all find it cold;
// what is timed is the replay of a graph of calls, and the contestants take turns.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tool/family_list.hpp"

namespace sectile::tool {

/// The outcome of a race. Microseconds; 0 where nobody ran.
struct race_outcome {
  int pick = 0, best = 0;            // members: what a launch takes, and the fastest
  double picked = 0, best_time = 0;  // how long they took
  double lt_best = 0, lt_first = 0;  // cuBLASLt: the fastest of its candidates, and its heuristic's first choice
  double error = 0;  // how far the pick's result is from cuBLASLt's, or without that from the best member's
  double bar = 0;    // how far it may be

  bool right() const { return error <= bar; }  // false for NaN
};

/// The current GPU, with a family to measure on it.
class gpu_race {
 public:
  /// Throws input_error where there is no GPU, or no machine code of the family in this build.
  explicit gpu_race(const shipped_family& family);
  ~gpu_race();
  gpu_race(const gpu_race&) = delete;
  gpu_race& operator=(const gpu_race&) = delete;

  std::string gpu() const;       // "NVIDIA H200"
  std::string machine() const;   // "NVIDIA H200, 132 SMs"
  std::string software() const;  // "CUDA 13.0, driver for CUDA 13.0"
  /// cuBLASLt's version, or in brackets why it does not take part.
  std::string peer() const;

  /// Throws input_error where the problem's operands do not fit into the GPU's memory.
  void require_room(const problem_size& sizes) const;
  /// The microseconds of these members. Those that are far behind after two rounds leave the race.
  std::vector<double> times(const problem_size& sizes, std::span<const int> members);
  /// A race of the pick, the fastest member and cuBLASLt, in so many rounds.
  race_outcome race(const problem_size& sizes, int pick, int rounds);

 private:
  struct state;
  std::unique_ptr<state> all_;
};

}  // namespace sectile::tool
