// The rows of bench/types.cu: what one measures, and what it brings back. Each family of types is compiled by itself.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "bench/command_line.hpp"
#include "bench/timing.hpp"

namespace sectile::bench {

/// Ours against cuBLASLt's fastest candidate. Without a peer `candidates` is 0.
struct dense_outcome {
  shape size;
  race_time ours{}, peer{};
  std::size_t best_candidate = 0, candidates = 0;
  double error = 0, bar = 0;  // from cuBLASLt's result, relative in Euclidean norms; and the largest that is right

  bool has_peer() const { return candidates > 0; }
  bool right() const { return error <= bar; }  // false for NaN
};

/// A sparse product of ours against cuSPARSELt's and against the dense products of the same matrices.
struct sparse_outcome {
  shape size;
  race_time ours{}, our_dense{}, dense_peer{}, peer{};
  double error = 0, peer_error = 0, bar = 0;  // both from cuBLASLt's dense result
  std::string without_peer{};                 // why cuSPARSELt took no part; empty if it did

  bool has_peer() const { return without_peer.empty(); }
  bool right() const { return error <= bar && (!has_peer() || peer_error <= bar); }
};

struct dense_case {
  const char* name;
  dense_outcome (*measure)(const shape& size, int rounds, const stream& on);
};

struct sparse_case {
  const char* name;
  sparse_outcome (*measure)(const shape& size, int rounds, const stream& on);
};

struct case_list {
  std::vector<dense_case> dense;
  std::vector<sparse_case> sparse;
};

void add_half_cases(case_list& to);     // f16 and bf16
void add_tf32_cases(case_list& to);     // tf32
void add_fp8_cases(case_list& to);      // 8-bit floats
void add_integer_cases(case_list& to);  // 8-bit integers and bits

}  // namespace sectile::bench
