// A tensor of any element type and rank in host memory, with padded strides, a guard band on both sides and bytes that
// are NaN until they are written.
#pragma once
#include <cstdint>
#include <cstring>
#include <sectile/dsl/launch/tensor_view.hpp>
#include <type_traits>
#include <vector>

namespace sectile::naive {

/// Strides in elements. Of one-bit elements, eight share a byte along the contiguous mode.
template <class T>
struct tensor {
  static constexpr int bits = element_of<T>().bits, packing = bits < 8 ? 8 / bits : 1;
  static constexpr std::size_t guard = 512;

  int rank = 0;
  int contiguous = 0;  // mode
  std::int64_t extent[max_rank]{}, stride[max_rank]{};
  std::size_t first = 0;  // byte of the first element
  std::vector<unsigned char> bytes;
  std::vector<bool> inside;  // per byte: whether an element lies there

  /// `pad` times 16 bytes are left free behind each row and each matrix.
  tensor(int modes, const std::int64_t (&extents)[max_rank], storage_order order, int pad)
      : rank(modes), contiguous(order == row_major ? modes - 1 : modes - 2) {
    const std::int64_t granule = 128 / bits;
    const int outer = order == row_major ? rank - 2 : rank - 1;
    for (int d = 0; d < rank; ++d) extent[d] = extents[d];
    stride[contiguous] = 1;
    stride[outer] = (extent[contiguous] + granule - 1) / granule * granule + pad * granule;
    std::int64_t size = stride[outer] * extent[outer];
    for (int d = rank - 3; d >= 0; --d) {
      stride[d] = size + pad * granule;
      size = stride[d] * extent[d];
    }
    bytes.assign(2 * guard + static_cast<std::size_t>(size * bits / 8) + 128, 0xFF);
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    first = guard + (16 - address % 16) % 16;
    inside.assign(bytes.size(), false);
    for_each([&](const auto& at) {
      for (std::size_t b = 0; b < sizeof(T); ++b) inside[byte_of(at) + b] = true;
    });
  }
  tensor(const tensor&) = delete;
  tensor& operator=(const tensor&) = delete;
  tensor(tensor&&) = default;  // the bytes stay where they are

  bool has(const std::int64_t (&at)[max_rank]) const {
    for (int d = 0; d < rank; ++d)
      if (at[d] < 0 || at[d] >= extent[d]) return false;
    return true;
  }
  double number(const std::int64_t (&at)[max_rank]) const {
    T x;
    std::memcpy(&x, bytes.data() + byte_of(at), sizeof x);
    if constexpr (bits == 1)
      return x.bits >> at[contiguous] % 8 & 1;
    else if constexpr (std::is_arithmetic_v<T>)
      return static_cast<double>(x);
    else
      return static_cast<double>(static_cast<float>(x));
  }
  double number_or_zero(const std::int64_t (&at)[max_rank]) const { return has(at) ? number(at) : 0; }
  void set(const std::int64_t (&at)[max_rank], int value) {
    unsigned char* to = bytes.data() + byte_of(at);
    T x;
    std::memcpy(&x, to, sizeof x);
    if constexpr (bits == 1) {
      const int shift = static_cast<int>(at[contiguous] % 8);
      x.bits = static_cast<std::uint8_t>((x.bits & ~(1 << shift)) | (value & 1) << shift);
    } else if constexpr (std::is_arithmetic_v<T>) {
      x = static_cast<T>(value);
    } else {
      x = T(static_cast<float>(value));
    }
    std::memcpy(to, &x, sizeof x);
  }

  /// f(coordinates) for every element.
  template <class F>
  void for_each(F f) const {
    std::int64_t at[max_rank]{};
    for (;;) {
      f(at);
      int d = rank - 1;
      while (d >= 0 && ++at[d] == extent[d]) at[d--] = 0;
      if (d < 0) return;
    }
  }
  void poison() { bytes.assign(bytes.size(), 0xFF); }
  /// Bytes outside the tensor that are not what they were.
  int touched() const {
    int n = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) n += !inside[i] && bytes[i] != 0xFF;
    return n;
  }
  template <class U>
  tensor_view<U> view_as() {
    tensor_view<U> v{reinterpret_cast<U*>(bytes.data() + first), rank, {}, {}};
    for (int d = 0; d < rank; ++d) {
      v.extent[d] = extent[d];
      v.stride[d] = stride[d];
    }
    return v;
  }

 private:
  std::size_t byte_of(const std::int64_t (&at)[max_rank]) const {
    std::int64_t sum = 0;
    for (int d = 0; d < rank; ++d) sum += at[d] * stride[d];
    return first + static_cast<std::size_t>(sum / packing) * sizeof(T);
  }
};

}  // namespace sectile::naive
