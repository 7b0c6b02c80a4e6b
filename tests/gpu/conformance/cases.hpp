// Cases: an instruction, its data and where all of it lies before it is issued.
#pragma once
#include "findings.hpp"
#include "job.hpp"
#include "placement.hpp"

namespace sectile::conformance {

constexpr int most_pieces = 128 + 1024;  // of A and of B
constexpr int source_words = 5 * 128;

struct prepared_case {
  problem p;
  data_set set{};
  int row;  // number of the instruction in the whole table
  job work;
  std::vector<piece> pieces;           // of shared memory
  std::vector<std::uint32_t> sources;  // four registers of A and the metadata, register by register of 128 threads
  std::vector<std::uint32_t> d;        // C as registers, in the same order
  std::string layouts;                 // in words
};

/// Case `number` of an instruction: its data set, its layouts and whether it accumulates follow from row and number.
prepared_case prepare_case(const wgmma_instruction& w, int row, int number, std::uint64_t seed);

/// The same for data that are given. `choice` counts round the legal layouts.
prepared_case prepare_problem(const problem& p, int row, int choice, std::uint64_t seed);

}  // namespace sectile::conformance
