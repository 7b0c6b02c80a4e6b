// How a kernel is laid over the machine. The body says what is computed; the schedule says how many stages, warpgroups
// and CTAs share the work. Everything else (barriers, waits, releases, register split) is derived.
#pragma once
#include <cstdint>

namespace sectile {

/// Output tiles that one cluster of CTAs works on together: rows x columns of tiles. Operands that several CTAs of a
/// cluster read alike are fetched once and multicast.
struct cluster_shape {
  int rows = 1;
  int cols = 1;
  constexpr int size() const { return rows * cols; }
};

/// The order in which output tiles are visited along their rows: `reversed` starts with the last, for programs whose
/// later tiles are heavier (causal attention).
enum class traversal : std::uint8_t { forward, reversed };

/// A kernel's schedule. None of its fields changes the result.
struct schedule {
  int stages = 4;                          // ring slots per pipelined operand
  cluster_shape cluster{};                 // CTAs that share loads
  int consumers = 2;                       // warpgroups that multiply; each takes an equal share of the tile's rows
  bool persistent = false;                 // one CTA per SM walks many tiles, stores overlap the next tile's loads
  bool pingpong = false;                   // consumers take turns at the tensor cores: one multiplies, one computes
  int stagger = 0;                         // products by which each consumer runs behind the one before it
  int group = 8;                           // tile rows visited together before moving along columns (L2 reuse)
  traversal rows = traversal::forward;
};

}  // namespace sectile
