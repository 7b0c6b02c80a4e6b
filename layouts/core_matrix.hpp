#pragma once
// The core matrix, the piece of shared memory from which wgmma operands are built: 8 rows of 16 bytes. In a K-major
// operand a row is one index of M (or N) and its 16 bytes run along K; in an MN-major operand a row is one index of K
// and its 16 bytes run along M (or N). Without swizzle a core matrix is 128 contiguous bytes; with a swizzle its rows
// are one span apart. The eight ways to place core matrices are layout values in canonical_layout.hpp.
//
// Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout".

#include <sectile/layouts/major.hpp>

namespace sectile {

constexpr int core_matrix_rows = 8;
constexpr int core_matrix_row_bytes = 16;
constexpr int core_matrix_bytes = core_matrix_rows * core_matrix_row_bytes;

/// Elements in one row of a core matrix: 128, 16, 8, 4 for 1-, 8-, 16-, 32-bit elements.
constexpr int core_matrix_row_elements(int element_bits) { return core_matrix_row_bytes * 8 / element_bits; }

}  // namespace sectile
