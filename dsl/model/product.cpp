#include <bit>
#include <cstdint>
#include <cstring>
#include <sectile/dsl/model/numerics.hpp>
#include <sectile/dsl/model/operand.hpp>
#include <sectile/dsl/model/product.hpp>
#include <sectile/layouts/fragment.hpp>
#include <stdexcept>
#include <string>

namespace sectile::model {
namespace {

constexpr int max_n = 256;

number_format format_of(const element& e) {
  const bool e4m3 = e.exponent_bits == 4;
  const int ignored = e.bits - 1 - e.exponent_bits - e.mantissa_bits;
  return {e.bits, e.exponent_bits, e.mantissa_bits, ignored,
          e4m3 ? top_exponent::one_nan : top_exponent::infinity_and_nan};
}

/// Moves a 64 x n tile between a plain array and the fragments of the warpgroup.
template <class T, class Move>
void for_each_register(int n, T* tile, const std::array<void*, 128>& d, Move move) {
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    auto* registers = static_cast<T*>(d[static_cast<std::size_t>(thread)]);
    for (int reg = 0; reg < n / 2; ++reg) {
      const position at = d_position(thread, reg);
      move(tile[at.row * n + at.col], registers[reg]);
    }
  }
}

/// Brings the accumulator into a tile, lets `multiply` change it, and puts it back.
template <class T, class Multiply>
void with_tile(int n, const std::array<void*, 128>& d, bool accumulate, Multiply multiply) {
  alignas(64) T tile[wgmma_rows * max_n];
  if (accumulate) {
    for_each_register(n, tile, d, [](T& x, const T& r) { x = r; });
  } else {
    std::memset(tile, 0, sizeof(T) * static_cast<std::size_t>(wgmma_rows * n));
  }
  multiply(tile);
  for_each_register(n, tile, d, [](const T& x, T& r) { r = x; });
}

template <class Bits>
void multiply_floats(const wgmma_instruction& i, const std::byte* a, const std::byte* b,
                     const std::array<void*, 128>& d, bool accumulate) {
  constexpr int stride = operand_row_bytes / static_cast<int>(sizeof(Bits));
  with_tile<float>(i.n, d, accumulate, [&](float* tile) {
    multiply_accumulate(tile, i.n, operand_rows<Bits>{reinterpret_cast<const Bits*>(a), stride, format_of(i.a)},
                        operand_rows<Bits>{reinterpret_cast<const Bits*>(b), stride, format_of(i.b)}, wgmma_rows, i.n,
                        accumulate ? scale_d::one : scale_d::zero);
  });
}

/// Sum over one row pair of 8-bit or one-bit integers; wraps modulo 2^32.
std::uint32_t integer_dot(const wgmma_instruction& i, const std::byte* a, const std::byte* b) {
  std::uint32_t sum = 0;
  for (int k = 0; k < operand_row_bytes; ++k) {
    const auto x = static_cast<std::uint8_t>(a[k]);
    const auto y = static_cast<std::uint8_t>(b[k]);
    if (i.a.kind == sectile::number::bits) {
      sum += static_cast<std::uint32_t>(std::popcount(static_cast<unsigned>(x & y)));
      continue;
    }
    const int p = i.a.kind == sectile::number::signed_integer ? static_cast<std::int8_t>(x) : x;
    const int q = i.b.kind == sectile::number::signed_integer ? static_cast<std::int8_t>(y) : y;
    sum += static_cast<std::uint32_t>(p * q);
  }
  return sum;
}

void multiply_integers(const wgmma_instruction& i, const std::byte* a, const std::byte* b,
                       const std::array<void*, 128>& d, bool accumulate) {
  with_tile<std::uint32_t>(i.n, d, accumulate, [&](std::uint32_t* tile) {
    for (int row = 0; row < wgmma_rows; ++row) {
      for (int col = 0; col < i.n; ++col) {
        tile[row * i.n + col] += integer_dot(i, a + row * operand_row_bytes, b + col * operand_row_bytes);
      }
    }
  });
}

}  // namespace

void multiply_rows(const wgmma_instruction& i, const std::byte* a, const std::byte* b, const std::array<void*, 128>& d,
                   bool accumulate) {
  const bool floats = i.a.kind == sectile::number::floating && i.b.kind == sectile::number::floating &&
                      i.a.bits == i.b.bits && i.d.kind == sectile::number::floating && i.d.bits == 32;
  const bool integers = i.a.kind != sectile::number::floating && i.b.kind != sectile::number::floating &&
                        i.a.bits == i.b.bits && i.a.bits <= 8 && i.d.kind == sectile::number::signed_integer &&
                        i.d.bits == 32;
  if (floats && i.a.bits == 16) return multiply_floats<std::uint16_t>(i, a, b, d, accumulate);
  if (floats && i.a.bits == 8) return multiply_floats<std::uint8_t>(i, a, b, d, accumulate);
  if (floats && i.a.bits == 32) return multiply_floats<std::uint32_t>(i, a, b, d, accumulate);
  if (integers) return multiply_integers(i, a, b, d, accumulate);
  throw std::invalid_argument(std::string("the model does not compute wgmma of ") + i.a.name + " x " + i.b.name +
                              " -> " + i.d.name);
}

}  // namespace sectile::model
