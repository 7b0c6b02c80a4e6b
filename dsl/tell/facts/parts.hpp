// The parts of the facts document, each a function of the plan. A plan that is refused has operands and a
// configuration, and whatever else its making came to; the other parts want one that holds.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <sectile/dsl/plan/trace.hpp>
#include <sectile/dsl/tell/facts/record.hpp>
#include <sectile/dsl/tell/facts/source.hpp>

namespace sectile::tell {

using nlohmann::json;

/// The configuration's constants and what they mean in words.
json configuration_part(const plan& p);
/// What a launch is made of: CTAs, threads, clusters and who walks over which tiles.
json grid_part(const plan& p);
/// From the cluster's tiles down to one instruction: rows, columns, and how many of each the next larger one holds.
json hierarchy_part(const plan& p);
/// Shared memory range by range.
json memory_part(const plan& p);
json shared_part(const plan& p);
json barriers_part(const plan& p);
json registers_part(const plan& p);
/// How many CTAs an SM has room for at once, and what they run out of first. `registers`: what the compiler gives each
/// thread. 0, it is not known: those of the plan count, which the launch bound makes ptxas keep to, so that there may
/// be room for more; of a kernel without a plan nothing is known, and then "ctas" is the most there can be.
json occupancy_part(const plan& p, int registers = 0);
/// How the output that is stored first leaves. Where there are several, "outputs" has each, in the order of the stores,
/// and "says" is about them all.
json epilogue_part(const plan& p);
/// Each kind of access to shared memory that ordinary instructions make, and the bank conflicts it has.
json banks_part(const plan& p);

/// Every operand, in the order of the declaration: what it is, and on its way from global memory to a descriptor.
json operands_part(const plan& p);
/// One operand; for a refused plan only what its declaration says.
json operand_part(const plan& p, int operand);

/// The products in the order of the body.
json products_part(const plan& p, const located_trace& run);
/// The accumulators and operands that products keep in registers.
json fragments_part(const plan& p, const trace& t);
/// Rows of the instruction table that the kernel uses.
json instructions_part(const plan& p);

/// What the body does place by place, and what was derived for it.
json positions_part(const plan& p, const located_trace& run);
/// A struct of the kernel other than the one in which its body stands, and what it is there for.
struct other_struct {
  source_text text{};
  std::string says{};
};
/// The kernel's text with what each line means: the struct of its body, and others. The first of `others` with a
/// configuration, or with operands, declares the kernel's, and else `text` does.
json source_part(const plan& p, const located_trace& run, const source_text& text,
                 const std::vector<other_struct>& others = {});
/// Whether a struct declares operands, or configurations.
bool declares_operands_in(const source_text& text);
bool declares_configuration_in(const source_text& text);

json proofs_part(const plan& p, const proof_results& results);
/// What differs between two plans that hold.
json differences(const plan& from, const plan& to);
/// An entry of the variations.
json variation(const std::string& constant, const std::string& from, const std::string& to, const violation& verdict,
               json changes);
json variations_part(const kernel_record& k, const trace& t);

/// The lines of a text, without the spaces around each.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace sectile::tell
