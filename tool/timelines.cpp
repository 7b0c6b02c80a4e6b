#include "tool/timelines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tool/groups.hpp"
#include "tool/operand_buffers.hpp"
#include "tool/problem.hpp"
#include "tool/sizes.hpp"

namespace sectile::tool {
namespace {

/// Runs the kernel on a problem's operands, watched.
tell::timeline watched(const kernel_facts& kernel, const problem& p) {
  operand_buffers operands(kernel, p);
  return tell::watch([&] { kernel.wgmma.on_model(operands.arguments, {}); });
}

/// Operands of zeros; of groups the first has all rows.
problem zeros(const kernel_facts& kernel, const tell::example_sizes& sizes) {
  const plan& p = *kernel.planned;
  problem of;
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    const std::int64_t* const extent = sizes.extent[o];
    std::vector<std::int64_t> shape;
    if (f.im2col) {  // as many pixels and places: of one row of an image, and a filter of one row
      of.path.filter = {1, static_cast<int>(extent[0])};
      shape = {1, 1, extent[1] + extent[0] - 1, extent[2]};
    } else {
      for (const int d : given_modes(kernel, o)) shape.push_back(extent[d]);
    }
    if (f.kind == operand_kind::scalar) {
      of.numbers.push_back(1.0F);
    } else if (f.is_written()) {
      of.output_shapes.push_back(shape);
    } else {
      std::size_t elements = 1;
      for (const std::int64_t e : shape) elements *= static_cast<std::size_t>(e);
      of.inputs.push_back({shape, std::vector<float>(elements, 0)});
    }
  }
  for (const int vector : vectors_of_groups(kernel)) {  // all rows are the first group's, or its room's
    std::vector<float>& numbers = of.inputs[static_cast<std::size_t>(vector)].values;
    const std::int64_t rows = rows_of_groups(kernel, of.inputs, vector);
    const std::int64_t value = kernel.input(vector).counts_rows ? rows / std::ssize(numbers) : rows;
    std::ranges::fill(numbers, static_cast<float>(value));
  }
  return of;
}

/// One tile of a kernel that is written by hand, and a few trips along K.
std::string shape_by_hand(const kernel_facts& kernel) {
  constexpr int trips = 5;
  return fmt::format("{}x{}x{}", kernel.output().rows(), kernel.output().cols(), trips * kernel.input(0).cols());
}

}  // namespace

tell::kernel_timeline timeline_of(const kernel_facts& kernel, const std::optional<std::string>& shape) {
  if (!kernel.wgmma.on_model)
    return {.refused = fmt::format("a timeline shows Hopper's units at work, and {} is read for GPUs without them",
                                   kernel.name)};
  if (!shape && kernel.planned)
    return tell::choose_timeline(*kernel.planned, [&](const tell::example_sizes& s) {
      operand_buffers operands(kernel, zeros(kernel, s));
      kernel.wgmma.on_model(operands.arguments, {});
    });
  const problem p = random_problem(kernel, reading::wgmma, shape.value_or(shape_by_hand(kernel)), 0);
  return {.shown = watched(kernel, p), .sizes = p.what};
}

}  // namespace sectile::tool
