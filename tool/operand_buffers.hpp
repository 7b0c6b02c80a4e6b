// All operands of one run of a kernel in host memory.
#pragma once

#include <deque>
#include <vector>

#include "tool/problem.hpp"
#include "tool/sparse_data.hpp"

namespace sectile::tool {

/// The operands in host memory, as a launch takes them. An input that lies where the first output goes is no tensor of
/// its own: the output holds its numbers until the kernel has run.
struct operand_buffers {
  std::deque<tensor_buffer> inputs{}, outputs{};
  std::deque<sparse_buffer> sparse{};
  std::vector<argument> arguments{};

  operand_buffers(const kernel_facts& kernel, const problem& p);
};

}  // namespace sectile::tool
