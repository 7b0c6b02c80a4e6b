#pragma once
// The smallest pieces of shared memory that wgmma reads, by the names that CuTe has for them: 8 rows of one swizzle
// span across the contiguous direction. An operand tile in shared memory is such an atom, repeated:
//
//   tile_to_shape(layout_k_sw128_atom<bf16>, "(128,64)"_shape)
//
// Source: PTX ISA, "Strides"; the names are CuTe's (Layout_K_SW128_Atom and so on), whose swizzles count bytes where
// these count elements.

#include <sectile/layouts/core_matrix.hpp>
#include <sectile/layouts/element.hpp>
#include <sectile/layouts/major.hpp>
#include <sectile/layouts/swizzled_algebra.hpp>

namespace sectile {

/// The atom of a direction and a swizzle for elements of so many bits: 8 x span, K-major (8,span):(span,1), MN-major
/// (span,8):(1,span), behind the swizzle. Refuses elements that do not fill 16 bytes evenly.
constexpr swizzled_layout swizzle_atom(major direction, swizzle_mode mode, int element_bits) {
  if (element_bits < 1 || 128 % element_bits != 0)
    throw layout_error("an atom is made of pieces of 16 bytes, which elements of ", element_bits, " bits do not fill");
  const int span = span_bytes(mode) * 8 / element_bits;
  const layout rows = direction == major::k ? make_layout(make_shape(core_matrix_rows, span), make_stride(span, 1))
                                            : make_layout(make_shape(span, core_matrix_rows), make_stride(1, span));
  return with_swizzle(rows, recast(byte_swizzle(mode), 8, element_bits));
}

template <class T>
inline constexpr swizzled_layout layout_k_inter_atom = swizzle_atom(major::k, swizzle_mode::none, element_of<T>().bits);
template <class T>
inline constexpr swizzled_layout layout_k_sw32_atom = swizzle_atom(major::k, swizzle_mode::b32, element_of<T>().bits);
template <class T>
inline constexpr swizzled_layout layout_k_sw64_atom = swizzle_atom(major::k, swizzle_mode::b64, element_of<T>().bits);
template <class T>
inline constexpr swizzled_layout layout_k_sw128_atom = swizzle_atom(major::k, swizzle_mode::b128, element_of<T>().bits);
template <class T>
inline constexpr swizzled_layout layout_mn_inter_atom = swizzle_atom(major::mn, swizzle_mode::none,
                                                                     element_of<T>().bits);
template <class T>
inline constexpr swizzled_layout layout_mn_sw32_atom = swizzle_atom(major::mn, swizzle_mode::b32, element_of<T>().bits);
template <class T>
inline constexpr swizzled_layout layout_mn_sw64_atom = swizzle_atom(major::mn, swizzle_mode::b64, element_of<T>().bits);
template <class T>
inline constexpr swizzled_layout layout_mn_sw128_atom = swizzle_atom(major::mn, swizzle_mode::b128,
                                                                     element_of<T>().bits);

}  // namespace sectile
