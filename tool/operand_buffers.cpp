#include "tool/operand_buffers.hpp"

namespace sectile::tool {
namespace {

/// Which input lies where the first output goes; 0: none.
std::size_t input_in_place(const kernel_facts& kernel) {
  const auto* what = std::get_if<product_formula>(&kernel.computes);
  return what ? static_cast<std::size_t>(what->in_place) : 0;
}

}  // namespace

operand_buffers::operand_buffers(const kernel_facts& kernel, const problem& p) {
  const std::size_t in_place = input_in_place(kernel);
  if (const operand_facts& out = kernel.output(); in_place > 0)
    outputs.emplace_back(out.type, p.output_shapes[0], out.order).fill(p.inputs[in_place].values);
  std::size_t read = 0, written = 0, number = 0;
  for (int o = 0; o < kernel.declared->operands; ++o) {
    const operand_facts& facts = kernel.declared->operand[o].facts;
    if (facts.kind == operand_kind::scalar) {
      arguments.push_back({.number = p.numbers.at(number++)});
    } else if (facts.is_written()) {
      if (written == outputs.size()) outputs.emplace_back(facts.type, p.output_shapes[written], facts.order);
      arguments.push_back(outputs[written++].as_argument());
    } else if (const std::size_t i = read++; i == in_place && in_place > 0) {
      arguments.push_back(outputs[0].as_argument());
    } else if (const operand_data& data = p.inputs[i]; facts.sparse) {
      arguments.push_back(sparse.emplace_back(facts.type, data).as_argument());
    } else {
      tensor_buffer& tensor = inputs.emplace_back(facts.type, data.shape, facts.order);
      tensor.fill(data.values);
      arguments.push_back(tensor.as_argument());
      arguments.back().path = p.path;
    }
  }
}

}  // namespace sectile::tool
