// The options of `sectile run` that take operands from files: one for each name of an operand, in small letters.
#pragma once

#include <string>
#include <vector>

#include "tool/kernel_list.hpp"

namespace sectile::tool {

/// "--a" of A, "--of-row" of of_row.
std::string option_of(const operand_facts& operand);

struct operand_option {
  std::string name;
  std::string says;  // "V: B x H x S x D, or N x K"
};
/// Those of all kernels, in the order in which kernels and operands come.
std::vector<operand_option> operand_options();

}  // namespace sectile::tool
