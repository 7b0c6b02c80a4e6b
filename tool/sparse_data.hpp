// Sparse operands of a run: dense numbers of which whole groups keep half, and the values and metadata made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tool/input_error.hpp"
#include "tool/operand_data.hpp"

namespace sectile::tool {

/// Keeps the numbers of each group that are largest in magnitude: two of four neighbours along a row, of tf32 one of
/// two. Throws launch_error where the columns do not make whole groups.
void prune(const element& type, operand_data& data);

/// Throws input_error naming `what`, the first group that keeps too many numbers, and what helps.
void require_sparse(const element& type, const operand_data& data, const std::string& what);

/// A sparse matrix in host memory, as a launch takes it.
struct sparse_buffer {
  std::vector<std::int64_t> shape;  // of the whole matrix
  std::int64_t row_elements = 0;    // from one row of values to the next
  std::vector<std::byte> values;
  std::vector<std::uint32_t> metadata;

  /// Precondition: the numbers are sparse.
  sparse_buffer(const element& type, const operand_data& data);

  argument as_argument();
};

}  // namespace sectile::tool
