// A sparse matrix that somebody else owns: what a launch takes for a sparse operand.
#pragma once
#include <cstdint>

#include <sectile/layouts/element.hpp>
#include <sectile/layouts/metadata.hpp>

namespace sectile {

/// A row-major M x K matrix of which two of every four neighbours along a row are stored (of tf32 one of two).
/// `values`: M x K/2 elements. `metadata`: the blocks of layouts/metadata.hpp, metadata_rows(M) x metadata_cols(K)
/// words.
template <class T>
struct sparse_view {
  T* values = nullptr;
  const std::uint32_t* metadata = nullptr;
  std::int64_t extent[2]{};          // M and K of the whole matrix
  std::int64_t stride = 0;           // elements from one row of values to the next
  std::int64_t metadata_stride = 0;  // words from one row of blocks to the next
};

/// A sparse matrix from its parts.
template <class T>
constexpr sparse_view<T> sparse(T* values, const std::uint32_t* metadata, std::int64_t m, std::int64_t k,
                                std::int64_t value_stride, std::int64_t metadata_stride) {
  return {values, metadata, {m, k}, value_stride, metadata_stride};
}
/// The same with packed metadata.
template <class T>
constexpr sparse_view<T> sparse(T* values, const std::uint32_t* metadata, std::int64_t m, std::int64_t k,
                                std::int64_t value_stride) {
  return sparse(values, metadata, m, k, value_stride, metadata_cols(k, element_of<T>().bits));
}
/// The same with packed values as well.
template <class T>
constexpr sparse_view<T> sparse(T* values, const std::uint32_t* metadata, std::int64_t m, std::int64_t k) {
  return sparse(values, metadata, m, k, k / 2);
}

/// Elements from row to row of the stored values of a matrix with K columns so that each row begins at a multiple of 16
/// bytes, as TMA needs.
template <class T>
constexpr std::int64_t sparse_value_stride(std::int64_t k) {
  constexpr std::int64_t step = 16 / static_cast<std::int64_t>(sizeof(T));
  return (k / 2 + step - 1) / step * step;
}

/// Words of metadata of an M x K matrix.
template <class T>
constexpr std::int64_t sparse_metadata_words(std::int64_t m, std::int64_t k) {
  return metadata_rows(m) * metadata_cols(k, element_of<T>().bits);
}

}  // namespace sectile
