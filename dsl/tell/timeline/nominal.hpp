// How long things take, nominally: the only place where a timeline gets its cycles from.
//
// The model has no clock. These are the rates of an H100 SXM on paper or as published, in cycles of one SM's clock,
// with all SMs at work. They give a picture its proportions; a measurement they are not.
#pragma once

#include <cstdint>
#include <sectile/dsl/launch/words.hpp>
#include <sectile/dsl/model/verb_log.hpp>
#include <sectile/dsl/plan/instruction.hpp>
#include <sectile/layouts/banks.hpp>
#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/fragment.hpp>
#include <string>

namespace sectile::tell {

using cycles = std::int64_t;

namespace nominal {

inline constexpr int multiprocessors = 132;      // of an H100 SXM
inline constexpr int l2_bytes_per_cycle = 5120;  // that the L2 cache sends to all of them
inline constexpr int copy_latency = 365;         // from a TMA request to its first byte in shared memory
inline constexpr int remote_latency = 200;       // of an arrival in another CTA of the cluster
inline constexpr int shared_bytes_per_cycle = shared_banks * bank_bytes;
inline constexpr int columns_per_cycle = 2;  // of D, for 64 rows and 32 bytes of K
inline constexpr int quantum = 64;           // by which warpgroups share what computes

/// Threads of an SM whose instruction begins in a cycle.
inline constexpr int plain_rate = 128, comparison_rate = 64, conversion_rate = 64, special_rate = 16, shuffle_rate = 32;

}  // namespace nominal

struct nominal_constant {
  const char *name, *unit, *source;
  int value;
};

inline constexpr const char* hopper_benchmark =
    "log of an H800 of the benchmark of W. Luo and others, Dissecting the NVIDIA Hopper Architecture, 2025 (arXiv "
    "2501.12084)";

/// The constants, each with where it is from.
inline constexpr nominal_constant nominal_constants[] = {
    {"SMs that share the L2 cache", "", "NVIDIA H100 SXM data sheet", nominal::multiprocessors},
    {"L2 cache to all SMs", "bytes a cycle",
     "8986 GB/s at 1755 MHz: Ultrasonics Sonochemistry 99 (2023) 106546, table 3", nominal::l2_bytes_per_cycle},
    {"latency of a TMA copy from L2", "cycles", hopper_benchmark, nominal::copy_latency},
    {"latency of an arrival in another CTA", "cycles", "distributed shared memory in the same benchmark",
     nominal::remote_latency},
    {"shared memory", "bytes a cycle", "32 banks of 4 bytes", nominal::shared_bytes_per_cycle},
    {"wgmma, columns of D for 64 rows and 32 bytes of K", "a cycle",
     "H100 data sheet: 4096 dense bf16 FLOP a cycle and SM", nominal::columns_per_cycle},
    {"additions, products", "threads a cycle",
     "CUDA Programming Guide 12.6, throughput of arithmetic instructions, 9.0", nominal::plain_rate},
    {"maxima", "threads a cycle", "the same table", nominal::comparison_rate},
    {"conversions of a pair of numbers", "threads a cycle", "none is published; taken as for maxima",
     nominal::conversion_rate},
    {"exponentials, reciprocals", "threads a cycle", "the same table", nominal::special_rate},
    {"shuffles", "threads a cycle", "the same table", nominal::shuffle_rate},
};

/// "bytes" through one SM's share of what the L2 cache sends.
constexpr cycles copy_cycles(std::int64_t bytes) {
  return (bytes * nominal::multiprocessors + nominal::l2_bytes_per_cycle - 1) / nominal::l2_bytes_per_cycle;
}
constexpr cycles shared_cycles(std::int64_t bytes) {
  return (bytes + nominal::shared_bytes_per_cycle - 1) / nominal::shared_bytes_per_cycle;
}

/// One wgmma: the multiplications, or, if that takes longer, reading its operands from shared memory. Each is 32 bytes
/// wide along K as it is stored; sparse A takes twice as much of B.
constexpr cycles wgmma_cycles(const wgmma_instruction& i) {
  const cycles multiplying = (i.n + nominal::columns_per_cycle - 1) / nominal::columns_per_cycle;
  constexpr int step = 2 * core_matrix_row_bytes;  // along K
  const cycles reading = shared_cycles((i.a_in_registers ? 0 : wgmma_rows * step) + i.n * step * (i.sparse ? 2 : 1));
  return multiplying > reading ? multiplying : reading;
}

/// Ordinary instructions of `threads` threads that have the SM to themselves.
constexpr cycles arithmetic_cycles(const model::arithmetic_count& n, int threads) {
  const auto spent = [threads](std::uint32_t count, int rate) { return cycles{count} * threads / rate; };
  return spent(n.plain, nominal::plain_rate) + spent(n.comparisons, nominal::comparison_rate) +
         spent(n.conversions, nominal::conversion_rate) + spent(n.special, nominal::special_rate);
}

/// What every timeline has to say of its times.
inline std::string nominal_note(int ctas_of_an_sm = 1) {
  return say("The order is what the model ran; the times are nominal: cycles from published rates, with ",
             ctas_of_an_sm == 1 ? std::string("one CTA") : say(ctas_of_an_sm, " CTAs"), " on an SM, not measurements.");
}

}  // namespace sectile::tell
