#pragma once
// The maps of sparse.hpp and metadata.hpp as layout values: from (thread, value) to the index m + 64 * k of an element
// of the whole (logical) matrix. These are CuTe's thread-value layouts of the sparse wgmma atoms.
//
// Source: PTX ISA, "Sparse matrix storage" of wgmma.mma_async.sp; the notation is CuTe's.

#include <sectile/layouts/fragment_layout.hpp>
#include <sectile/layouts/metadata.hpp>

namespace sectile {

namespace detail {

/// Refuses elements of which there is no sparse operand.
constexpr void require_sparse_bits(int element_bits) {
  if (element_bits != 8 && element_bits != 16 && element_bits != 32) {
    throw layout_error("there is no sparse operand of ", element_bits, "-bit elements: there are 8, 16 and 32");
  }
}

/// The two lanes of each four that a selector chooses lie `selector_stride` elements from the other two.
constexpr layout metadata_layout(int element_bits, int selector_stride) {
  require_sparse_bits(element_bits);
  const int_tuple threads = make_shape(2, 2, 8, 4);
  if (element_bits == 8) {
    return make_layout(make_shape(threads, 32), make_stride(make_stride(8, 32 * wgmma_rows, 1, 16), wgmma_rows));
  }
  const int columns = sparse_k(element_bits) / 2;  // that one thread's word covers of each of its two rows
  return make_layout(
      make_shape(threads, make_shape(columns, 2)),
      make_stride(make_stride(columns * wgmma_rows, selector_stride, 1, 16), make_stride(wgmma_rows, 8)));
}

}  // namespace detail

/// The elements whose metadata a thread holds, for one instruction: value v is described by the four bits from
/// 4 * (v / group) up of the thread's word. Of 16-bit and tf32 elements two lanes of every four are left out by the
/// selector; they repeat the others', with stride 0, as CuTe stores them.
/// 8: ((2,2,8,4),32):((8,2048,1,16),64); 16: ((2,2,8,4),(16,2)):((1024,0,1,16),(64,8)); 32: (8,2) and 512 instead.
constexpr layout metadata_layout(int element_bits) { return detail::metadata_layout(element_bits, 0); }

/// The same for the instructions of a block together: every lane's word in use, every element once.
constexpr layout metadata_block_layout(int element_bits) {
  detail::require_sparse_bits(element_bits);
  return detail::metadata_layout(element_bits, sparse_k(element_bits) * wgmma_rows);
}

/// The elements of the whole matrix that the registers of sparse A were chosen from, 64 x sparse_k: a register's window
/// is what it would hold of elements half as wide. Of 8-bit elements: ((4,8,4),(8,2,2)):((512,1,16),(64,8,2048)).
constexpr layout sparse_a_layout(int element_bits) {
  detail::require_sparse_bits(element_bits);
  return a_layout(element_bits / 2);
}

}  // namespace sectile
