// The arithmetic of one wgmma, on operands that have been fetched: which numerics belong to which instruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <sectile/dsl/plan/instruction.hpp>

namespace sectile::model {

/// D (+)= A * B. a: 64 rows of 32 bytes, as they are stored; b: n rows of 32 bytes, 64 if A is sparse; both
/// K-contiguous. metadata: the words of the 128 threads if A is sparse. d: accumulator_registers(i) words of each
/// thread. The nibbles of metadata are taken at their word, right or not. Throws std::invalid_argument if there is no
/// such instruction.
void multiply_rows(const wgmma_instruction& i, const std::byte* a, const std::byte* b, const std::uint32_t* metadata,
                   const std::array<void*, 128>& d, bool accumulate);

}  // namespace sectile::model
