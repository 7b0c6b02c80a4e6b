// All pictures of a kernel's plan, by name.
//
//   hierarchy              the problem down to core matrices
//   OPERAND.global         the matrix in global memory and the tile in it, of an output as well
//   OPERAND.box            the TMA boxes that bring the tile
//   OPERAND.memory         the tile in shared memory
//   OPERAND.canonical      the tile as a matrix of core matrices, with LBO and SBO
//   OPERAND.descriptor     the 64 bits by which wgmma finds it (neither of operands that go through registers)
//   OPERAND.banks          the banks that a core matrix takes
//   OPERAND.metadata       of a sparse operand: whose word says what
//   fragment.accumulator   threads and registers of a product's result; with several shapes, the first
//   fragment.OPERAND       the same of an operand that goes through registers
//   fragment.left          the same of a left factor that the kernel computes
//   memory_map             shared memory to scale
//   epilogue.banks         the banks that the epilogue's stores take
#pragma once
#include <string>
#include <vector>

#include <sectile/dsl/plan/plan.hpp>
#include <sectile/dsl/tell/draw/figure.hpp>

namespace sectile::tell {

/// The names of the pictures that there are of a plan, in the order in which one would read them.
/// Precondition here and below: the plan is not refused.
std::vector<std::string> figure_ids(const plan& p);

/// The picture of that name. Throws layout_error if there is none.
figure draw_figure(const plan& p, const std::string& id);

struct named_figure {
  std::string id;
  figure picture;
};

/// All of them.
std::vector<named_figure> figures_of(const plan& p);

}  // namespace sectile::tell
