// One wgmma instruction as a value: D[64 x n] (+)= A[64 x k] * B[k x n].
// PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
#pragma once
#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/element.hpp>

namespace sectile {

/// The shape, types and operand sources of `wgmma.mma_async`. M is always 64 rows, one warpgroup of 128 threads.
struct wgmma_instruction {
  int n;  // columns of D, elements
  int k;  // inner extent, elements: always 32 bytes of A
  element a, b, d;
  bool a_in_registers;
  major a_major, b_major;  // of the shared-memory operands; a register operand is K-major by construction

  friend constexpr bool operator==(const wgmma_instruction&, const wgmma_instruction&) = default;
};

/// 32-bit registers of D that each thread holds.
constexpr int accumulator_registers(const wgmma_instruction& i) { return i.n * i.d.bits / 64; }

}  // namespace sectile
