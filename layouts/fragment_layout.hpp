#pragma once
// The register fragments of fragment.hpp as layout values: from (thread, value) to the element's index m + 64 * column
// in a column-major 64 x columns tile. A thread's values count through its registers, and inside a register from the
// low-order bits. These are CuTe's thread-value layouts of the wgmma atoms.
//
// Source: PTX ISA, "Register Fragments for wgmma.mma_async"; the notation is CuTe's.

#include <sectile/layouts/fragment.hpp>
#include <sectile/layouts/modes.hpp>

namespace sectile {

/// An accumulator of 64 x n: ((4,8,4),(2,2,n/8)):((128,1,16),(64,8,512)). Value v is register v of an f32 or s32
/// accumulator, and part v % 2 of register v / 2 of an f16 one. Refuses an n that is not a multiple of 8.
constexpr layout d_layout(int n) {
  if (n < 8 || n % 8 != 0) throw layout_error("accumulator layout: n = ", n, " is not a multiple of 8");
  return make_layout(make_shape(make_shape(4, 8, 4), make_shape(2, 2, n / 8)),
                     make_stride(make_stride(128, 1, 16), make_stride(64, 8, 512)));
}

/// Operand A of 64 x (256 / element_bits). Value v is part v % p of register v / p, p = 32 / element_bits. For 16 bits:
/// ((4,8,4),(2,2,2)):((128,1,16),(64,8,512)). element_bits: 1, 8, 16, 32 (2 and 4 as well, which no dense product has).
/// Refuses other widths.
constexpr layout a_layout(int element_bits) {
  if (element_bits < 1 || element_bits > 32 || (element_bits & (element_bits - 1)) != 0) {
    throw layout_error("operand A has elements of 1, 8, 16 or 32 bits, not ", element_bits);
  }
  const int parts = a_parts(element_bits);
  const int_tuple threads = make_shape(4, 8, 4);
  const int_tuple thread_strides = make_stride(64 * parts, 1, 16);
  if (parts == 1) {
    return make_layout(make_shape(threads, make_shape(2, 2)), make_stride(thread_strides, make_stride(8, 256)));
  }
  return make_layout(make_shape(threads, make_shape(parts, 2, 2)),
                     make_stride(thread_strides, make_stride(64, 8, 256 * parts)));
}

}  // namespace sectile
