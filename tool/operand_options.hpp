// The options of `sectile run` that say what operands are, from files or as numbers, and that take results to files:
// one for each name of an operand, in small letters.
#pragma once

#include <string>
#include <vector>

#include "tool/kernel_list.hpp"

namespace sectile::tool {

/// "--a" of A, "--of-row" of of_row.
std::string option_of(const operand_facts& operand);

/// "--out" of the first output, which is the matrix; "--out-amax" of amax behind it.
std::string output_option(const kernel_facts& kernel, int i);

struct operand_option {
  std::string name;
  std::string says;               // "V: B x H x S x D, or N x K"
  std::string takes{"FILE.npy"};  // or "NUMBER"; "FILE.npy|NUMBER" where one kernel takes this and another that
};
/// Those of all kernels' inputs and numbers, and of their outputs behind the first, in the order in which kernels and
/// operands come.
std::vector<operand_option> operand_options();
std::vector<operand_option> output_options();

}  // namespace sectile::tool
