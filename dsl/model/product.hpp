// The arithmetic of one wgmma, on operands that have been fetched: which numerics belong to which instruction.
#pragma once

#include <array>
#include <cstddef>
#include <sectile/dsl/plan/instruction.hpp>

namespace sectile::model {

/// D (+)= A * B. a: 64 rows, b: n rows, both of operand_row_bytes, K-contiguous. d: the accumulator registers of each
/// of the 128 threads. Throws std::invalid_argument for types the model does not compute.
void multiply_rows(const wgmma_instruction& i, const std::byte* a, const std::byte* b, const std::array<void*, 128>& d,
                   bool accumulate);

}  // namespace sectile::model
