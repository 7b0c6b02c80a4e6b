// One group of a sparse matrix: what is zero, what is largest, what is stored. The same code runs on the CPU and on the
// GPU. A group is sparse_group elements of a row; masks have element i at bit i.
#pragma once
#include <cstdint>
#include <type_traits>

#include <sectile/layouts/element.hpp>
#include <sectile/layouts/sparse.hpp>

namespace sectile {

/// The types that operand A of a sparse wgmma can have.
template <class T>
concept sparse_element = std::is_same_v<T, f16> || std::is_same_v<T, bf16> || std::is_same_v<T, tf32> ||
    std::is_same_v<T, e4m3> || std::is_same_v<T, e5m2> || std::is_same_v<T, s8> || std::is_same_v<T, u8>;

/// Elements in a group of T, and how many of them are stored.
template <sparse_element T>
inline constexpr int group_of = sparse_group(element_of<T>().bits);
template <sparse_element T>
inline constexpr int kept_of = sparse_kept(element_of<T>().bits);

/// |x| as a number that orders like it: of floating types the bits without the sign (a NaN is above infinity).
template <sparse_element T>
constexpr std::uint32_t magnitude(T x) {
  if constexpr (std::is_same_v<T, tf32>)
    return __builtin_bit_cast(std::uint32_t, x) & 0x7FFF'FFFFu;
  else if constexpr (std::is_same_v<T, s8>)
    return static_cast<std::uint32_t>(x < 0 ? -x : x);
  else if constexpr (std::is_same_v<T, u8>)
    return x;
  else
    return x.bits & ((1u << (element_of<T>().bits - 1)) - 1);
}

/// +0 and -0 are zero; a NaN is not.
template <sparse_element T>
constexpr bool is_zero(T x) {
  return magnitude(x) == 0;
}

/// The elements of a group that are not zero.
template <sparse_element T>
constexpr unsigned non_zero_mask(const T* group) {
  unsigned mask = 0;
  for (int i = 0; i < group_of<T>; ++i) mask |= is_zero(group[i]) ? 0u : 1u << i;
  return mask;
}

/// The elements of a group that are largest in magnitude, as many as are stored; of equal ones the first.
template <sparse_element T>
constexpr unsigned largest_mask(const T* group) {
  unsigned mask = 0;
  for (int i = 0; i < group_of<T>; ++i) {
    int larger = 0;
    for (int j = 0; j < group_of<T>; ++j) {
      const bool before = magnitude(group[j]) == magnitude(group[i]) && j < i;
      larger += magnitude(group[j]) > magnitude(group[i]) || before;
    }
    if (larger < kept_of<T>) mask |= 1u << i;
  }
  return mask;
}

/// Sets all but the largest elements of a group to zero.
template <sparse_element T>
constexpr void prune_group(T* group) {
  const unsigned kept = largest_mask(group);
  for (int i = 0; i < group_of<T>; ++i)
    if ((kept >> i & 1u) == 0) group[i] = T{};
}

/// Stores the elements of a group that are not zero, with zeros beside them if they are fewer than a group stores, in
/// values[0 .. kept - 1], and returns its metadata. Precondition: fits_group(bits, non_zero_mask(group)).
template <sparse_element T>
constexpr int compress_group(const T* group, T* values) {
  constexpr int bits = element_of<T>().bits;
  const int nibble = nibble_of_mask(bits, non_zero_mask(group));
  for (int i = 0; i < kept_of<T>; ++i) values[i] = group[kept_index(bits, nibble, i)];
  return nibble;
}

/// The inverse: writes a whole group, zeros where nothing is stored. Precondition: is_legal_nibble(bits, nibble).
template <sparse_element T>
constexpr void decompress_group(const T* values, int nibble, T* group) {
  for (int i = 0; i < group_of<T>; ++i) group[i] = T{};
  for (int i = 0; i < kept_of<T>; ++i) group[kept_index(element_of<T>().bits, nibble, i)] = values[i];
}

}  // namespace sectile
