// Vectors in host memory for programs under test.
#pragma once
#include "tests/programs/kit.hpp"

namespace sectile::test {

/// A vector in host memory, `off` elements behind a multiple of 128 bytes, between guards of NaN.
template <class T>
struct host_vector {
  std::vector<T> memory;
  std::int64_t off, size, rows, stride;

  host_vector(int n, int offset, std::uint64_t seed, int batches = 1, int pad = 0)
      : memory(static_cast<std::size_t>((n + pad) * batches + offset + 128), T(std::nanf(""))),
        off(offset),
        size(n),
        rows(batches),
        stride(n + pad) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    off += static_cast<std::int64_t>((128 - address % 128) % 128 / sizeof(T));
    for (std::int64_t b = 0; b < rows; ++b)
      for (std::int64_t i = 0; i < n; ++i)
        memory[static_cast<std::size_t>(off + b * stride + i)] =
            T(static_cast<float>(tool::standard_normal(seed, static_cast<std::uint64_t>(b * n + i))));
  }
  double operator()(int i, int batch = 0) const {
    return static_cast<float>(memory[static_cast<std::size_t>(off + batch * stride + i)]);
  }
  tensor_view<const T> in() const { return tensor(memory.data() + off, size); }
  tensor_view<const T> batches() const { return {memory.data() + off, 2, {rows, size}, {stride, 1}}; }
};

}  // namespace sectile::test
