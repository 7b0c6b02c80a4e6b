// The header of a .npy file: a Python dictionary with the keys 'descr', 'fortran_order' and 'shape', in any order.
#pragma once

#include <string>
#include <string_view>

#include "tool/npy.hpp"

namespace sectile::tool {

/// Fills type, order and shape of an array whose `file` is set. Throws input_error at the first thing that is not
/// exactly such a dictionary, with its position in the header.
void parse_npy_header(std::string_view header, npy_array& array);

/// "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
std::string format_npy_header(const npy_array& array);

/// "(2, 3)", "(3,)" or "()": a shape as Python writes it.
std::string python_shape(std::span<const std::int64_t> shape);

}  // namespace sectile::tool
