// Matrices whose columns are shuffled, on the host: weights of 8 or 4 bits that become a left factor of 16 bits in
// registers, once, before they are used many times.
//
//   const auto w = sectile::shuffle(weights.data(), N, K, K);  // std::vector<sectile::shuffled<sectile::s4x2>>
//   sectile::run_on_model<kernel>(matrix(w.data(), N, K), ...);
//
// The order is that of layouts/shuffled_columns.hpp.
#pragma once
#include <cstdint>
#include <vector>

#include <sectile/dsl/launch/error.hpp>
#include <sectile/layouts/shuffled_rows.hpp>

namespace sectile {

/// The rows x cols matrix at `from`, whose rows are row_stride elements apart, with packed rows of shuffled columns.
/// Throws launch_error unless cols is a multiple of 32, of 4-bit elements of 64: pad rows with zeros.
template <class T>
std::vector<shuffled<T>> shuffle(const T* from, std::int64_t rows, std::int64_t cols, std::int64_t row_stride) {
  constexpr element e = element_of<T>();
  static_assert(e.bits == 8 || e.bits == 4, "shuffle(): elements of 8 or 4 bits become 16 bits in registers");
  constexpr int block = shuffled_columns(e.bits), in_one = 8 / e.bits;
  if (rows < 1 || cols < 1) throw launch_error("shuffle(): ", rows, " x ", cols, ": every size must be at least 1");
  if (cols % block != 0)
    throw launch_error("shuffle(): ", cols, " columns of ", e.name, ": ", block,
                       " are shuffled among each other; pad to ", (cols / block + 1) * block, " with zeros");
  if (row_stride < cols || row_stride % in_one != 0)
    throw launch_error("shuffle(): rows are ", row_stride, " elements apart: it takes ", cols,
                       " or more, in whole bytes");
  std::vector<shuffled<T>> all(static_cast<std::size_t>(rows * cols / in_one));
  for (std::int64_t i = 0; i < rows; ++i)
    shuffle_row(e.bits, reinterpret_cast<const std::uint8_t*>(from + i * row_stride / in_one),
                reinterpret_cast<std::uint8_t*>(all.data() + i * cols / in_one), cols);
  return all;
}

}  // namespace sectile
