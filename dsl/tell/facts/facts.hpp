// All facts of a kernel as one JSON document, for pages, tools and whoever wants to look inside: `facts<K>()`.
//
// The file that calls it is compiled with -g1 -gdwarf-4, so that lines of the program can be named, and linked with
// sectile_tell. A document has
//
// - name, type, title, summary
// - refused: why there is no such kernel, or null; planned: whether there is a plan
// - source: file, first_line, lines of {n, code, notes}; others: structs besides the one of the body; attributed, says
// - configuration, grid, hierarchy, shared, registers, epilogue
// - operands: each from its declaration through global memory, box, tile and swizzle to the descriptor's fields
// - products in the order of the body; fragments: what they hold in registers; instructions: rows of the table; ptx
// - memory: ranges in order; barriers; banks: accesses of ordinary instructions
// - positions: what the body does place by place, its line, and what was derived there
// - proofs: each with what it covered, in words and in counts
// - variations: constants with neighbouring values: whether the kernel holds, the refusal, what differs
// - figures by name: svg, title, alt; timeline; run: the checked run that was handed in
//
// Where a kernel is refused before it has a plan, lists are empty and the rest is null, but for name, operands, source,
// configuration and variations.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include <sectile/dsl/tell/facts/record.hpp>

namespace sectile::tell {

/// A run that was compared with a reference, by whoever made it.
struct checked_run {
  std::string machine{};  // "CPU model", "NVIDIA H100"
  std::string shape{};    // "256x512x192"
  std::string what{};     // "C = A B^T with M = 256, N = 512, K = 192"
  std::string data{};     // "random, seed 0"
  std::string error{};    // how far off the result is, in words
  double relative_error = 0;
  double bar = 0;  // the largest relative error that rounding explains; 0: every element is exact
  bool ok = false;
  bool watched = true;      // the model looked for hazards
  std::string hazard{};     // the report of the one that was found, "" if none
  std::string schedules{};  // what was explored
  std::string command{};    // that makes the same run
};

/// What a page says besides what follows from the kernel.
struct fact_options {
  std::string name{};     // "": the type's
  std::string title{};    // "": the name
  std::string summary{};  // one line
  std::string root{};     // file names are told relative to this folder; files elsewhere by their last part
  std::string source{};   // the kernel's file, for a kernel whose body could not be read; "": not known
  std::optional<checked_run> run{};
  int registers = 0;          // that the compiler gives each thread; 0: not known
  bool figures = true;        // draw them, which takes some milliseconds
  nlohmann::json timeline{};  // facts_of(timeline_of_kernel<K>()), which needs the model
};

/// The facts of a kernel.
nlohmann::json facts_of(const kernel_record& kernel, const fact_options& options = {});

/// Of a program that is written by hand, without the planner: its text, and what it declares (`declared`: the operands
/// of a plan, threads and bytes of shared memory; nothing else counts). `program` is the name of its struct in
/// options.source.
nlohmann::json facts_of_listing(const plan& declared, const std::string& program, const fact_options& options);

/// The facts of kernel K, also of one that is refused.
template <class K>
nlohmann::json facts(const fact_options& options = {}) {
  return facts_of(record_of<K>(), options);
}

}  // namespace sectile::tell
