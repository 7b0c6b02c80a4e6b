// A matrix in the middle of bytes that nobody may touch: a guard band before it, padding behind each row, and a guard
// band after it.
//
// Every byte starts as 0xFF, so in bf16 and in float everything is NaN. A kernel that reads past an edge of an input
// gets NaN into its sums; one that leaves an element of an output unwritten leaves a NaN; one that writes past an edge
// changes bytes that are looked at afterwards.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sectile/dsl/launch/tensor_view.hpp>
#include <vector>

namespace sectile::gpu_test {

/// rows x cols elements with `row_stride` elements from row to row. `skew_bytes`, a multiple of 16, moves the first
/// element off the allocation's alignment: 16 bytes is all that TMA asks for.
template <class T>
struct guarded {
  static constexpr std::size_t guard_bytes = 4096;

  std::int64_t rows = 0, cols = 0, row_stride = 0;
  std::size_t first = 0;  // byte offset of element (0, 0)
  std::vector<unsigned char> bytes;

  guarded() = default;
  guarded(std::int64_t row_count, std::int64_t col_count, std::int64_t stride, int skew_bytes = 0)
      : rows(row_count),
        cols(col_count),
        row_stride(stride),
        first(guard_bytes + static_cast<std::size_t>(skew_bytes)),
        bytes(first + static_cast<std::size_t>(row_count * stride) * sizeof(T) + guard_bytes, 0xFF) {}

  void poison() { bytes.assign(bytes.size(), 0xFF); }

  T at(std::int64_t row, std::int64_t col) const {
    T x;
    std::memcpy(&x, bytes.data() + offset(row, col), sizeof x);
    return x;
  }
  void set(std::int64_t row, std::int64_t col, T x) { std::memcpy(bytes.data() + offset(row, col), &x, sizeof x); }

  /// All elements as floats, packed.
  std::vector<float> values() const {
    std::vector<float> packed;
    packed.reserve(static_cast<std::size_t>(rows * cols));
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < cols; ++c) packed.push_back(static_cast<float>(at(r, c)));
    return packed;
  }
  /// All elements as they lie in memory, packed.
  std::vector<unsigned char> bits() const {
    std::vector<unsigned char> packed;
    const std::size_t row_bytes = static_cast<std::size_t>(cols) * sizeof(T);
    packed.reserve(static_cast<std::size_t>(rows) * row_bytes);
    for (std::int64_t r = 0; r < rows; ++r) {
      const auto row = bytes.begin() + static_cast<std::ptrdiff_t>(offset(r, 0));
      packed.insert(packed.end(), row, row + static_cast<std::ptrdiff_t>(row_bytes));
    }
    return packed;
  }
  /// How many bytes outside the matrix are no longer what they were.
  std::int64_t touched() const {
    std::int64_t count = 0;
    const auto look = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) count += bytes[i] != 0xFF;
    };
    look(0, first);
    for (std::int64_t r = 0; r < rows; ++r) look(offset(r, cols), r + 1 < rows ? offset(r + 1, 0) : bytes.size());
    return count;
  }

  /// The matrix in these bytes, or in a copy of them that begins at `base`.
  tensor_view<T> view(unsigned char* base) const {
    return matrix(reinterpret_cast<T*>(base + first), rows, cols, row_stride);
  }
  tensor_view<const T> const_view(const unsigned char* base) const {
    return matrix(reinterpret_cast<const T*>(base + first), rows, cols, row_stride);
  }

 private:
  std::size_t offset(std::int64_t row, std::int64_t col) const {
    return first + static_cast<std::size_t>(row * row_stride + col) * sizeof(T);
  }
};

}  // namespace sectile::gpu_test
