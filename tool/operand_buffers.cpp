#include "tool/operand_buffers.hpp"

namespace sectile::tool {

operand_buffers::operand_buffers(const kernel_facts& kernel, const problem& p) {
  for (std::size_t i = 0; i < p.inputs.size(); ++i) {
    const operand_facts& facts = kernel.input(static_cast<int>(i));
    if (facts.sparse) {
      arguments.push_back(sparse.emplace_back(facts.type, p.inputs[i]).as_argument());
    } else {
      tensor_buffer& tensor = dense.emplace_back(facts.type, p.inputs[i].shape, facts.order);
      tensor.fill(p.inputs[i].values);
      arguments.push_back(tensor.as_argument());
    }
  }
  arguments.push_back(dense.emplace_back(kernel.output().type, p.output_shape).as_argument());
  if (p.number) arguments.push_back({.number = *p.number});
}

}  // namespace sectile::tool
