// The numbers that a kernel takes besides its tensors: alpha and beta of a sum, the epsilon of a norm.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/kernel_list.hpp"

namespace sectile::tool {

struct named_number {
  const operand_facts* operand = nullptr;
  float value = 0;  // what it is unless someone says otherwise
};

/// Those that a user may choose, in the order of the operands: attention's scale follows from its sizes. Behind them,
/// of a convolution, how the filter goes over images.
std::vector<named_number> numbers_of(const kernel_facts& kernel);

/// Their values. Throws input_error where what is given is no finite number. `given` answers with what was said of an
/// option ("--alpha"), or with nothing.
std::vector<float> chosen_numbers(const kernel_facts& kernel,
                                  const std::function<std::optional<std::string>(const std::string&)>& given);

/// ", alpha = 0.5, beta = -2"; "" where there are none.
std::string numbers_text(const kernel_facts& kernel, const std::vector<float>& values);

}  // namespace sectile::tool
