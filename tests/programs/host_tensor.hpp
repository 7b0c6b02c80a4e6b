// A tensor in host memory for the tests that run kernels on the model: any rank, padded strides, and a guard band on
// both sides.
//
// Every byte starts as 0xFF, which is NaN in bf16 and in float: a kernel that reads past an edge gets NaN into its
// sums, one that leaves an element unwritten leaves a NaN, one that writes past an edge changes bytes that are looked
// at later.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <sectile/dsl/launch/tensor_view.hpp>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "tests/programs/row_numbers.hpp"
#include "tool/random.hpp"

namespace sectile::test {

template <class T>
struct host_tensor {
  static constexpr std::size_t guard_bytes = 512;

  int rank = 0;
  std::int64_t extent[max_rank]{};
  std::int64_t stride[max_rank]{};  // elements
  std::size_t first = 0;            // byte of the first element
  std::vector<unsigned char> bytes;
  std::vector<bool> inside;  // per element of the allocation: whether the tensor has it

  /// Extents outermost first; one of a vector. The last mode is contiguous, or the last but one if `order` is
  /// col_major; the next one is padded to 16 bytes and by `pad` times 16 bytes more.
  host_tensor(std::initializer_list<int> extents, storage_order order = row_major, int pad = 0)
      : rank(static_cast<int>(extents.size())) {
    int d = 0;
    for (const int e : extents) extent[d++] = e;
    const std::int64_t granule = 16 / static_cast<std::int64_t>(sizeof(T));
    const int inner = rank == 1 || order == row_major ? rank - 1 : rank - 2;
    stride[inner] = 1;
    std::int64_t size = (extent[inner] + granule - 1) / granule * granule + pad * granule;
    if (rank > 1) {
      const int outer = 2 * rank - 3 - inner;
      stride[outer] = size;
      size *= extent[outer];
    }
    for (d = rank - 3; d >= 0; --d) {
      stride[d] = size + pad * granule;
      size = stride[d] * extent[d];
    }
    bytes.assign(2 * guard_bytes + static_cast<std::size_t>(size) * sizeof(T) + 128, 0xFF);
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    first = guard_bytes + (128 - address % 128) % 128;
    inside.assign(static_cast<std::size_t>(size), false);
    for_each([&](std::int64_t at) { inside[static_cast<std::size_t>(at)] = true; });
  }
  host_tensor(const host_tensor&) = delete;
  host_tensor& operator=(const host_tensor&) = delete;

  template <class... I>
  T operator()(I... index) const {
    return read(offset(index...));
  }
  template <class... I>
  double number(I... index) const {
    return static_cast<double>(static_cast<float>(read(offset(index...))));
  }
  /// The first `count` elements of row i of a matrix as numbers.
  std::vector<double> row(int i, std::int64_t count) const {
    if (count > extent[1]) throw std::logic_error("host_tensor: a row is not that long");
    return row_numbers(reinterpret_cast<const T*>(bytes.data() + first) + offset(i, 0), stride[1], count);
  }
  /// Calls f(element as a double, indices) for every element; f takes as many indices as there are modes.
  template <class F>
  void for_each_number(F f) const {
    for_each_index([&](const std::int64_t(&at)[max_rank], std::int64_t offset) {
      const double x = static_cast<double>(static_cast<float>(read(offset)));
      const auto i = [&](int d) { return static_cast<int>(at[d]); };
      if constexpr (std::is_invocable_v<F&, double, int, int>)
        f(x, i(0), i(1));
      else if constexpr (std::is_invocable_v<F&, double, int, int, int>)
        f(x, i(0), i(1), i(2));
      else
        f(x, i(0), i(1), i(2), i(3));
    });
  }
  /// Standard-normal numbers.
  host_tensor& fill(std::uint64_t seed) {
    std::uint64_t i = 0;
    for_each([&](std::int64_t at) { write(at, T(static_cast<float>(tool::standard_normal(seed, i++)))); });
    return *this;
  }

  tensor_view<T> view() { return view_of(reinterpret_cast<T*>(bytes.data() + first)); }
  tensor_view<const T> view() const { return view_of(reinterpret_cast<const T*>(bytes.data() + first)); }
  tensor_view<const T> in() const { return view(); }

  void poison() { bytes.assign(bytes.size(), 0xFF); }
  /// Bytes outside the tensor that are not what they were.
  int touched() const {
    int count = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const bool is_element = i >= first && i - first < inside.size() * sizeof(T) && inside[(i - first) / sizeof(T)];
      count += !is_element && bytes[i] != 0xFF;
    }
    return count;
  }
  /// The elements as they lie in memory.
  std::vector<T> elements() const {
    std::vector<T> all;
    for_each([&](std::int64_t at) { all.push_back(read(at)); });
    return all;
  }

 private:
  template <class... I>
  std::int64_t offset(I... index) const {
    const std::int64_t at[] = {static_cast<std::int64_t>(index)...};
    if (sizeof...(I) != static_cast<std::size_t>(rank)) throw std::logic_error("host_tensor: wrong number of indices");
    std::int64_t sum = 0;
    for (int d = 0; d < rank; ++d) {
      if (at[d] < 0 || at[d] >= extent[d]) throw std::logic_error("host_tensor: index out of range");
      sum += at[d] * stride[d];
    }
    return sum;
  }
  template <class F>
  void for_each(F f) const {
    for_each_index([&](const auto&, std::int64_t offset) { f(offset); });
  }
  template <class F>
  void for_each_index(F f) const {
    std::int64_t at[max_rank]{};
    for (;;) {
      std::int64_t sum = 0;
      for (int d = 0; d < rank; ++d) sum += at[d] * stride[d];
      f(at, sum);
      int d = rank - 1;
      while (d >= 0 && ++at[d] == extent[d]) at[d--] = 0;
      if (d < 0) return;
    }
  }
  T read(std::int64_t at) const {
    T x;
    std::memcpy(&x, bytes.data() + first + static_cast<std::size_t>(at) * sizeof(T), sizeof x);
    return x;
  }
  void write(std::int64_t at, T x) {
    std::memcpy(bytes.data() + first + static_cast<std::size_t>(at) * sizeof(T), &x, sizeof x);
  }
  template <class U>
  tensor_view<U> view_of(U* data) const {
    tensor_view<U> v{data, rank, {}, {}};
    for (int d = 0; d < rank; ++d) {
      v.extent[d] = extent[d];
      v.stride[d] = stride[d];
    }
    return v;
  }
};

}  // namespace sectile::test
