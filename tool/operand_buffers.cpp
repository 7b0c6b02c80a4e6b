#include "tool/operand_buffers.hpp"

namespace sectile::tool {

operand_buffers::operand_buffers(const kernel_facts& kernel, const problem& p) {
  std::size_t read = 0;
  for (int o = 0; o < kernel.declared->operands; ++o) {
    const operand_facts& facts = kernel.declared->operand[o].facts;
    if (facts.kind == operand_kind::scalar) {
      arguments.push_back({.number = p.number.value()});
    } else if (facts.is_written()) {
      arguments.push_back(outputs.emplace_back(facts.type, p.output_shapes[outputs.size()]).as_argument());
    } else if (const operand_data& data = p.inputs[read++]; facts.sparse) {
      arguments.push_back(sparse.emplace_back(facts.type, data).as_argument());
    } else {
      tensor_buffer& tensor = inputs.emplace_back(facts.type, data.shape, facts.order);
      tensor.fill(data.values);
      arguments.push_back(tensor.as_argument());
    }
  }
}

}  // namespace sectile::tool
