// Matrices of any element type that wgmma multiplies, for tests that run one program on all of them: filled either with
// small whole numbers, whose products every type sums exactly, or with everything that the type can hold.
#pragma once
#include <cstdint>
#include <sectile/dsl/launch/sparse.hpp>
#include <sectile/dsl/launch/tensor_view.hpp>
#include <type_traits>
#include <vector>

#include "tests/programs/row_numbers.hpp"
#include "tool/random.hpp"

namespace sectile::test {

enum class contents { whole_numbers, any };

/// A rows x cols matrix, contiguous along its columns (row_major) or rows, padded to 16 bytes.
template <class T>
struct typed_matrix {
  static constexpr int bits = element_of<T>().bits, packing = bits < 8 ? 8 / bits : 1;

  std::int64_t rows, cols;
  storage_order order;
  std::int64_t stride;  // elements from one row (column) to the next
  std::vector<T> data;

  typed_matrix(std::int64_t m, std::int64_t n, storage_order o = row_major) : rows(m), cols(n), order(o) {
    const std::int64_t granule = 128 / bits, inner = o == row_major ? n : m, outer = o == row_major ? m : n;
    stride = (inner + granule - 1) / granule * granule;
    data.resize(static_cast<std::size_t>(stride * outer / packing));
    for (T& x : data) x = T{};
  }

  std::size_t place(std::int64_t i, std::int64_t j) const {
    return static_cast<std::size_t>((order == row_major ? i * stride + j : j * stride + i) / packing);
  }
  /// Element (i, j) as a number.
  double operator()(std::int64_t i, std::int64_t j) const {
    const T& x = data[place(i, j)];
    if constexpr (bits == 1)
      return x.bits >> (order == row_major ? j : i) % 8 & 1;
    else if constexpr (std::is_arithmetic_v<T>)
      return static_cast<double>(x);
    else
      return static_cast<double>(static_cast<float>(x));
  }
  /// The first `count` elements of row i as numbers.
  std::vector<double> row(std::int64_t i, std::int64_t count) const {
    if constexpr (bits >= 8) {
      return row_numbers(data.data() + place(i, 0), order == row_major ? 1 : stride, count);
    } else {
      std::vector<double> numbers;
      for (std::int64_t j = 0; j < count; ++j) numbers.push_back((*this)(i, j));
      return numbers;
    }
  }
  void set(std::int64_t i, std::int64_t j, int number) {
    T& x = data[place(i, j)];
    if constexpr (bits == 1)
      x.bits = static_cast<std::uint8_t>(x.bits | (number & 1) << (order == row_major ? j : i) % 8);
    else if constexpr (std::is_arithmetic_v<T>)
      x = static_cast<T>(number);
    else
      x = T(static_cast<float>(number));
  }

  typed_matrix& fill(contents what, std::uint64_t seed) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < cols; ++j) {
        const std::uint64_t index = static_cast<std::uint64_t>(i * cols + j);
        const double x = tool::standard_normal(seed, index);
        constexpr element e = element_of<T>();
        if (e.kind != number::floating)
          set(i, j,
              static_cast<int>(x * (what == contents::any ? 1e6 : 3)) & (e.kind == number::unsigned_integer ? 7 : -1));
        else if (what == contents::whole_numbers)
          set(i, j, static_cast<int>(x * 2));
        else if constexpr (e.kind == number::floating)
          data[place(i, j)] = T(static_cast<float>(x));
      }
    return *this;
  }

  template <class U>
  tensor_view<U> view_of(U* p) const {
    return order == row_major ? matrix(p, rows, cols, stride) : matrix_col_major(p, rows, cols, stride);
  }
  tensor_view<const T> in() const { return view_of(data.data()); }
  tensor_view<T> out() { return view_of(data.data()); }
};

/// Element (i, j) of A * B^T, exact for whole numbers.
template <class A, class B>
double exact_dot(const typed_matrix<A>& a, const typed_matrix<B>& b, std::int64_t i, std::int64_t j) {
  return sum_of_products(a.row(i, a.cols), b.row(j, a.cols));
}

}  // namespace sectile::test
