// One wgmma instruction as a value: D[64 x n] (+)= A[64 x k] * B[k x n].
// PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
#pragma once
#include <sectile/layouts/element.hpp>
#include <sectile/layouts/major.hpp>

namespace sectile {

/// The shape, types and operand sources of `wgmma.mma_async`. M is always 64 rows, one warpgroup of 128 threads. Which
/// of these exist is said by instruction_table.hpp.
struct wgmma_instruction {
  int n;  // columns of D, elements
  int k;  // inner extent, elements: 32 bytes of A, or of sparse A as it is stored
  element a, b, d;
  bool a_in_registers;
  major a_major, b_major;  // of the shared-memory operands; a register operand is K-major by construction
  bool negate_a = false, negate_b = false;
  bool saturate = false;  // clamp an s32 sum instead of wrapping it
  bool sparse = false;    // A holds two of every four elements (tf32: one of two), and metadata says which
  int selector = 0;       // of sparse: which lanes of each four hold the metadata

  friend constexpr bool operator==(const wgmma_instruction&, const wgmma_instruction&) = default;
};

/// 32-bit registers of D that each thread holds.
constexpr int accumulator_registers(const wgmma_instruction& i) { return i.n * i.d.bits / 64; }

/// Columns (K) of A that one instruction takes as they are stored: all of a dense operand, half of a sparse one.
constexpr int stored_k(const wgmma_instruction& i) { return i.sparse ? i.k / 2 : i.k; }

/// The same instruction with its metadata in other lanes.
constexpr wgmma_instruction with_selector(wgmma_instruction i, int selector) {
  i.selector = selector;
  return i;
}

}  // namespace sectile
