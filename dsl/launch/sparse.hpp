// Sparse matrices on the host: is a dense matrix 2:4 sparse, make it so, compress it into values and metadata, and
// back.
//
//   auto a = sectile::compress(dense.data(), M, K);       // throws unless 2:4 sparse; prune() makes any matrix so
//   sectile::run_on_model<kernel>(a.view(), ...);
//
// Matrices are row-major; of every four neighbours along a row two may be non-zero, of tf32 one of two. Everything here
// throws launch_error. The same for matrices in device memory: sparse_device.hpp.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/launch/sparse_group.hpp>
#include <sectile/dsl/launch/sparse_view.hpp>

namespace sectile {

/// A sparse matrix that owns its parts. Rows of values begin at multiples of 16 bytes, padded with zeros.
template <sparse_element T>
struct sparse_matrix {
  std::int64_t rows = 0, cols = 0;  // M and K of the whole matrix
  std::int64_t value_stride = 0;    // elements from one row of values to the next
  std::vector<T> values;
  std::vector<std::uint32_t> metadata;  // packed: metadata_rows(rows) x metadata_cols(cols)

  sparse_view<const T> view() const { return sparse(values.data(), metadata.data(), rows, cols, value_stride); }
};

namespace detail {

/// "2:4" or, of tf32, "1:2".
template <sparse_element T>
std::string sparsity_name() {
  return std::to_string(kept_of<T>) + ":" + std::to_string(group_of<T>);
}

template <sparse_element T>
std::string value_text(T x) {
  if constexpr (std::is_integral_v<T>)
    return std::to_string(x);
  else {
    char text[32];
    std::snprintf(text, sizeof text, "%g", static_cast<double>(static_cast<float>(x)));
    return text;
  }
}

/// "row 3, columns 8 to 11".
template <sparse_element T>
std::string group_text(std::int64_t row, std::int64_t group) {
  const std::int64_t first = group * group_of<T>;
  return "row " + std::to_string(row) + ", columns " + std::to_string(first) + " to " +
         std::to_string(first + group_of<T> - 1);
}

/// The sentence about a group that keeps too many elements.
template <sparse_element T>
std::string not_sparse_text(std::int64_t row, std::int64_t group, const T* x) {
  std::string values = value_text(x[0]);
  for (int i = 1; i < group_of<T>; ++i) values += ", " + value_text(x[i]);
  return "the matrix is not " + sparsity_name<T>() + " sparse: " + group_text<T>(row, group) + " hold " +
         std::to_string(count_of_mask(non_zero_mask(x))) + " non-zero values (" + values + "), at most " +
         std::to_string(kept_of<T>) + " may be; prune() keeps the largest of each group";
}

/// Throws unless `who` can read an M x K matrix with that row stride.
template <sparse_element T>
void check_sparse_shape(const std::string& who, const void* dense, std::int64_t m, std::int64_t k,
                        std::int64_t row_stride) {
  if (m < 1) throw launch_error(who, ": M = ", m, ": every size must be at least 1");
  if (k < 1) throw launch_error(who, ": K = ", k, ": every size must be at least 1");
  constexpr std::int64_t largest = 2147479551;  // a launch takes no larger one
  if (m > largest || k > largest || row_stride >= std::int64_t{1} << 40)
    throw launch_error(who, ": M = ", m, ", K = ", k, ", rows ", row_stride,
                       " elements apart: sizes go up to 2147479551, strides to 2^40 - 1");
  if (k % group_of<T>)
    throw launch_error(who, ": K = ", k, " is not a multiple of ", group_of<T>, ", the group of ", sparsity_name<T>(),
                       " sparse ", element_of<T>().name);
  if (row_stride < k) throw launch_error(who, ": rows are ", row_stride, " elements apart, but K = ", k);
  if (!dense) throw launch_error(who, ": the pointer is null");
}

/// Calls visit(row, group, pointer to the group) for each group, row by row.
template <class T, class Visit>
void for_each_group(T* dense, std::int64_t m, std::int64_t k, std::int64_t row_stride, Visit visit) {
  constexpr int group = group_of<std::remove_const_t<T>>;
  for (std::int64_t row = 0; row < m; ++row)
    for (std::int64_t g = 0; g < k / group; ++g) visit(row, g, dense + row * row_stride + g * group);
}

}  // namespace detail

/// Throws unless the M x K matrix is 2:4 sparse (tf32: 1:2), naming the first group that is not. Rows are `row_stride`
/// elements apart. -0 counts as zero, NaN does not.
template <sparse_element T>
void check_sparse(const T* dense, std::int64_t m, std::int64_t k, std::int64_t row_stride) {
  detail::check_sparse_shape<T>("check_sparse", dense, m, k, row_stride);
  detail::for_each_group(dense, m, k, row_stride, [](std::int64_t row, std::int64_t g, const T* x) {
    if (!fits_group(element_of<T>().bits, non_zero_mask(x))) throw launch_error(detail::not_sparse_text(row, g, x));
  });
}
/// The same, packed.
template <sparse_element T>
void check_sparse(const T* dense, std::int64_t m, std::int64_t k) {
  check_sparse(dense, m, k, k);
}

/// Makes a matrix 2:4 sparse (tf32: 1:2) in place: the elements that are largest in magnitude stay, of equal ones the
/// first; the others become zero. NaN counts as larger than any number.
template <sparse_element T>
void prune(T* dense, std::int64_t m, std::int64_t k, std::int64_t row_stride) {
  detail::check_sparse_shape<T>("prune", dense, m, k, row_stride);
  detail::for_each_group(dense, m, k, row_stride, [](std::int64_t, std::int64_t, T* x) { prune_group(x); });
}
/// The same, packed.
template <sparse_element T>
void prune(T* dense, std::int64_t m, std::int64_t k) {
  prune(dense, m, k, k);
}

/// Values and metadata of a dense matrix. Throws unless it is 2:4 sparse (tf32: 1:2). Every nibble is legal, those
/// beyond the edges included. A zero that is not stored comes back as +0; every other element keeps its bits.
template <sparse_element T>
sparse_matrix<T> compress(const T* dense, std::int64_t m, std::int64_t k, std::int64_t row_stride) {
  constexpr int bits = element_of<T>().bits;
  detail::check_sparse_shape<T>("compress", dense, m, k, row_stride);
  sparse_matrix<T> s{m, k, sparse_value_stride<T>(k), {}, {}};
  s.values.resize(static_cast<std::size_t>(m * s.value_stride));
  s.metadata.resize(static_cast<std::size_t>(sparse_metadata_words<T>(m, k)), empty_metadata);
  const std::int64_t metadata_stride = metadata_cols(k, bits);
  detail::for_each_group(dense, m, k, row_stride, [&](std::int64_t row, std::int64_t g, const T* x) {
    if (!fits_group(bits, non_zero_mask(x))) throw launch_error(detail::not_sparse_text(row, g, x));
    const int nibble = compress_group(x, s.values.data() + row * s.value_stride + g * kept_of<T>);
    const metadata_place at = metadata_place_of(bits, row, g);
    std::uint32_t& word = s.metadata[static_cast<std::size_t>(at.row * metadata_stride + at.col)];
    word = with_nibble(word, at.bit, nibble);
  });
  return s;
}
/// The same, packed.
template <sparse_element T>
sparse_matrix<T> compress(const T* dense, std::int64_t m, std::int64_t k) {
  return compress(dense, m, k, k);
}

/// Throws unless a sparse matrix is one: sizes and strides, and every nibble of its metadata, those beyond the edges of
/// the matrix included (the hardware reads them, too).
template <class T>
void check_metadata(const sparse_view<T>& s) {
  using element_type = std::remove_const_t<T>;
  constexpr int bits = element_of<element_type>().bits;
  const auto [m, k] = s.extent;
  const std::int64_t words = metadata_cols(k, bits);
  detail::check_sparse_shape<element_type>("sparse matrix", s.values, m, k, k);
  if (!s.metadata) throw launch_error("sparse matrix: the pointer to the metadata is null");
  if (s.stride < k / 2)
    throw launch_error("sparse matrix: rows of values are ", s.stride, " elements apart, but K = ", k, " stores ",
                       k / 2);
  if (s.metadata_stride < words)
    throw launch_error("sparse matrix: rows of metadata are ", s.metadata_stride, " words apart, but K = ", k,
                       " takes ", words);
  for (std::int64_t row = 0; row < metadata_rows(m); ++row)
    for (std::int64_t col = 0; col < words; ++col)
      for (int bit = 0; bit < 32; bit += 4) {
        const int nibble = nibble_at(s.metadata[row * s.metadata_stride + col], bit);
        if (is_legal_nibble(bits, nibble)) continue;
        const matrix_group at = metadata_group_at(bits, {row, col, bit});
        const bool outside = at.row >= m || at.group * group_of<element_type> >= k;
        throw launch_error("metadata: word ", col, " of row ", row, " has the bits ", "0123456789ABCDEF"[nibble],
                           " (hexadecimal) for ", detail::group_text<element_type>(at.row, at.group),
                           outside ? " (beyond the matrix)" : "",
                           bits == 32 ? ": of tf32 only 4 and E select an element"
                                      : ": the low two bits must be less than the high two, 4 8 C 9 D E");
      }
}

/// The same, and that its vectors have the sizes its extents ask for.
template <class T>
void check_metadata(const sparse_matrix<T>& s) {
  const std::string who = "sparse matrix of " + std::to_string(s.rows) + " x " + std::to_string(s.cols) + ": ";
  const auto check_size = [&](const char* what, std::size_t have, std::int64_t rows, std::int64_t cols) {
    if (static_cast<std::int64_t>(have) != rows * cols)
      throw launch_error(who, have, " ", what, ", it needs ", rows, " rows of ", cols);
  };
  check_size("words of metadata", s.metadata.size(), metadata_rows(s.rows),
             metadata_cols(s.cols, element_of<T>().bits));
  check_size("values", s.values.size(), s.rows, s.value_stride);
  check_metadata(s.view());
}

/// The dense matrix, packed. Throws as check_metadata does.
template <class T>
std::vector<std::remove_const_t<T>> decompress(const sparse_view<T>& s) {
  using element_type = std::remove_const_t<T>;
  constexpr int bits = element_of<element_type>().bits;
  check_metadata(s);
  const auto [m, k] = s.extent;
  std::vector<element_type> dense(static_cast<std::size_t>(m * k));
  const auto fill = [&](std::int64_t row, std::int64_t g, element_type* x) {
    const metadata_place at = metadata_place_of(bits, row, g);
    const int nibble = nibble_at(s.metadata[at.row * s.metadata_stride + at.col], at.bit);
    decompress_group(s.values + row * s.stride + g * kept_of<element_type>, nibble, x);
  };
  detail::for_each_group(dense.data(), m, k, k, fill);
  return dense;
}

template <class T>
std::vector<T> decompress(const sparse_matrix<T>& s) {
  check_metadata(s);
  return decompress(s.view());
}

}  // namespace sectile
