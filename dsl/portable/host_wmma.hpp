// What nvcuda::wmma computes, on the CPU: the tensor core's sum of 16 products at a time (tf32: twice 4, because K = 8
// is two instructions HMMA.1684), as the model of wgmma has it (dsl/model/numerics.hpp).
//
// Where the lanes hold the elements of a fragment is not specified. The model uses an arrangement that no GPU has, so
// that a program that relied on a GPU's would be found out.
#pragma once
#include <array>
#include <cstring>
#include <vector>

#include <sectile/dsl/model/numerics.hpp>
#include <sectile/dsl/portable/wmma_product.hpp>
#include <sectile/layouts/element.hpp>

namespace sectile::portable {

struct host_coord {
  int row, col;
};
/// Element e (0..7) of a fragment with n columns in a lane: neighbours are in different lanes.
constexpr host_coord host_fragment_coord(int n, int lane, int e) {
  const int index = 32 * e + lane;
  return {index / n, index % n};
}

/// Element e of fragment f among a lane's registers: one to a register, or two if D has 16 bits.
template <class D>
constexpr auto host_element(const std::uint32_t* registers, int f, int e) {
  if constexpr (sizeof(D) == 2) {
    const std::uint32_t pair = registers[4 * f + e / 2];
    const D x = D::from_bits(static_cast<std::uint16_t>(pair >> (16 * (e % 2))));
    return x;
  } else {
    return __builtin_bit_cast(D, registers[8 * f + e]);
  }
}
template <class D>
constexpr void set_host_element(std::uint32_t* registers, int f, int e, D x) {
  if constexpr (sizeof(D) == 2) {
    const int shift = 16 * (e % 2);
    std::uint32_t& pair = registers[4 * f + e / 2];
    pair = (pair & ~(0xFFFFu << shift)) | static_cast<std::uint32_t>(x.bits) << shift;
  } else {
    registers[8 * f + e] = __builtin_bit_cast(std::uint32_t, x);
  }
}

/// __float_to_tf32: to the nearest, ties away from zero.
constexpr std::uint32_t round_to_tf32(std::uint32_t x) {
  const bool finite = (x & 0x7F80'0000u) != 0x7F80'0000u;
  return (finite ? x + 0x1000u : x) & 0xFFFF'E000u;
}

/// The bits of an element as the tensor core gets them.
template <class T, bool Negate>
auto host_bits(const unsigned char* at) {
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t,
                                  std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>;
  bits x;
  std::memcpy(&x, at, sizeof x);
  if constexpr (sizeof(T) == 4) x = round_to_tf32(x);
  if constexpr (Negate && element_of<T>().kind == number::floating)
    x = static_cast<bits>(x ^ (1u << (8 * sizeof(bits) - 1)));
  return x;
}

/// sum[row][col] += the products of one step along K.
template <class T, class D, bool Saturate, class Bits, class Sum>
void host_step(std::vector<Sum>& sum, const std::vector<Bits>& a, const std::vector<Bits>& b, int rows, int cols,
               int k) {
  if constexpr (element_of<T>().kind == number::floating) {
    const model::number_format f = model::format_of(element_of<T>());
    model::multiply_accumulate(model::accumulation_of(f, f, model::format_of(element_of<D>())), sum.data(), cols,
                               model::operand_rows<Bits>{a.data(), k, f}, model::operand_rows<Bits>{b.data(), k, f},
                               rows, cols, model::scale_d::one);
  } else {
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) {
        long long s = sum[static_cast<std::size_t>(r * cols + c)];
        for (int i = 0; i < k; ++i)
          s += static_cast<T>(a[static_cast<std::size_t>(r * k + i)]) *
               static_cast<T>(b[static_cast<std::size_t>(c * k + i)]);
        if (Saturate) s = s > 2147483647LL ? 2147483647LL : s < -2147483648LL ? -2147483648LL : s;
        sum[static_cast<std::size_t>(r * cols + c)] = static_cast<s32>(static_cast<std::uint32_t>(s));
      }
  }
}

/// d += a * b for one warp, whose lanes' registers are at `lanes`.
template <wmma_product P, class T, class D>
void host_multiply(const std::array<void*, 32>& lanes, const unsigned char* a_tile, const unsigned char* b_tile,
                   int warp) {
  using sum_type = std::conditional_t<std::is_same_v<D, s32>, s32, float>;
  using bits = decltype(host_bits<T, false>(a_tile));
  constexpr int rows = P.rows * P.m, cols = P.cols * P.n;
  std::vector<sum_type> sum(static_cast<std::size_t>(rows * cols));
  const auto each_element = [&](auto move) {
    for (int lane = 0; lane < 32; ++lane)
      for (int f = 0; f < P.rows * P.cols; ++f)
        for (int e = 0; e < 8; ++e) {
          const host_coord p = host_fragment_coord(P.n, lane, e);
          const int row = f / P.cols * P.m + p.row, col = f % P.cols * P.n + p.col;
          move(static_cast<std::uint32_t*>(lanes[static_cast<std::size_t>(lane)]), f, e,
               sum[static_cast<std::size_t>(row * cols + col)]);
        }
  };
  each_element(
      [](std::uint32_t* r, int f, int e, sum_type& s) { s = static_cast<sum_type>(host_element<D>(r, f, e)); });
  std::vector<bits> a(static_cast<std::size_t>(rows * P.k)), b(static_cast<std::size_t>(cols * P.k));
  constexpr int at_once = sizeof(T) == 4 ? 4 : P.k;  // of a step; the others are zero, and zeros take no part
  for (int part = 0; part < P.k_steps * P.k; part += at_once) {
    const int k = part / P.k * P.k;
    for (int r = 0; r < rows; ++r)
      for (int i = 0; i < P.k; ++i)
        a[static_cast<std::size_t>(r * P.k + i)] =
            (k + i) / at_once != part / at_once
                ? bits{}
                : host_bits<T, P.negate>(a_tile + P.a.at(P.first_row(warp) + r, k + i, sizeof(T)));
    for (int c = 0; c < cols; ++c)
      for (int i = 0; i < P.k; ++i)
        b[static_cast<std::size_t>(c * P.k + i)] =
            host_bits<T, false>(b_tile + P.b.at(P.first_col(warp) + c, k + i, sizeof(T)));
    host_step<T, D, P.saturate>(sum, a, b, rows, cols, P.k);
  }
  each_element([](std::uint32_t* r, int f, int e, const sum_type& s) { set_host_element<D>(r, f, e, D(s)); });
}

}  // namespace sectile::portable
