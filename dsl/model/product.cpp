#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sectile/dsl/model/metadata.hpp>
#include <sectile/dsl/model/numerics.hpp>
#include <sectile/dsl/model/operand.hpp>
#include <sectile/dsl/model/product.hpp>
#include <sectile/dsl/plan/instruction_table.hpp>
#include <sectile/layouts/fragment.hpp>
#include <stdexcept>

namespace sectile::model {
namespace {

constexpr int max_n = 256;
constexpr int widest_k = 64;  // of 8-bit elements

/// One instruction with its operands.
struct product {
  const wgmma_instruction& i;
  const std::byte *a, *b;
  const std::uint8_t* columns;  ///< of sparse A: see find_columns; else nullptr
  const std::array<void*, 128>& d;
  bool accumulate;

  int b_row_bytes() const { return i.sparse ? 2 * operand_row_bytes : operand_row_bytes; }
};

// ---- the accumulator as a tile of 64 x n, row by row

template <class T>
struct tile {
  alignas(64) T at[wgmma_rows * max_n];
};

/// Calls f(element of the tile, register) for a D of 32 bits.
template <class T, class F>
void for_each_word(const product& p, T* tile, F f) {
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    auto* const registers = static_cast<std::byte*>(p.d[static_cast<std::size_t>(thread)]);
    for (int reg = 0; reg < accumulator_registers(p.i); ++reg) {
      const coord at = d_coord(thread, reg);
      f(tile + at.row * p.i.n + at.col, registers + 4 * reg);
    }
  }
}

/// The same for f16, two to a register.
template <class F>
void for_each_half(const product& p, float* tile, F f) {
  for (int thread = 0; thread < warpgroup_threads; ++thread) {
    auto* const registers = static_cast<std::byte*>(p.d[static_cast<std::size_t>(thread)]);
    for (int reg = 0; reg < accumulator_registers(p.i); ++reg) {
      for (int part = 0; part < 2; ++part) {
        const coord at = d16_coord(thread, reg, part);
        f(tile + at.row * p.i.n + at.col, registers + 4 * reg + 2 * part);
      }
    }
  }
}

template <class T>
void take_words(const product& p, T* tile) {
  static_assert(sizeof(T) == 4);
  for_each_word(p, tile, [](T* x, const std::byte* from) { std::memcpy(x, from, 4); });
}

template <class T>
void give_words(const product& p, T* tile) {
  for_each_word(p, tile, [](const T* x, std::byte* to) { std::memcpy(to, x, 4); });
}

void take_halves(const product& p, float* tile) {
  for_each_half(p, tile, [](float* x, const std::byte* from) {
    f16 half;
    std::memcpy(&half, from, 2);
    *x = static_cast<float>(half);
  });
}

void give_halves(const product& p, float* tile) {
  for_each_half(p, tile, [](const float* x, std::byte* to) {
    const f16 half(*x);
    std::memcpy(to, &half, 2);
  });
}

// ---- floats

/// A with the sign of every element changed.
template <class Bits>
void negate(const std::byte* a, Bits* negated) {
  constexpr int count = wgmma_rows * operand_row_bytes / static_cast<int>(sizeof(Bits));
  std::memcpy(negated, a, wgmma_rows * operand_row_bytes);
  for (int at = 0; at < count; ++at) negated[at] = static_cast<Bits>(negated[at] ^ Bits{1} << (8 * sizeof(Bits) - 1));
}

template <class Bits>
void multiply_floats(const product& p) {
  constexpr int size = static_cast<int>(sizeof(Bits)), a_stride = operand_row_bytes / size;
  const bool halves = p.i.d.bits == 16;
  tile<float> c;
  if (p.accumulate) halves ? take_halves(p, c.at) : take_words(p, c.at);

  alignas(64) Bits negated[wgmma_rows * a_stride];
  const Bits* a = reinterpret_cast<const Bits*>(p.a);
  if (p.i.negate_a != p.i.negate_b) {
    negate(p.a, negated);
    a = negated;
  }
  multiply_accumulate(accumulation_of(family_of(p.i)), c.at, p.i.n,
                      operand_rows<Bits>{a, a_stride, format_of(p.i.a), p.columns},
                      operand_rows<Bits>{reinterpret_cast<const Bits*>(p.b), p.b_row_bytes() / size, format_of(p.i.b)},
                      wgmma_rows, p.i.n, p.accumulate ? scale_d::one : scale_d::zero);
  halves ? give_halves(p, c.at) : give_words(p, c.at);
}

// ---- integers

/// What becomes of a sum that 32 bits cannot hold. A saturating instruction adds all products and C exactly and clamps
/// once.
std::int32_t add_products(std::int32_t c, std::int32_t products, bool saturate) {
  if (!saturate) return static_cast<std::int32_t>(static_cast<std::uint32_t>(c) + static_cast<std::uint32_t>(products));
  using limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(
      std::clamp(std::int64_t{c} + products, std::int64_t{limits::min()}, std::int64_t{limits::max()}));
}

/// d[row][col] += dot(row, col), as the instruction adds.
template <class Dot>
void add_dots(const product& p, Dot dot) {
  tile<std::int32_t> c;
  if (p.accumulate) {
    take_words(p, c.at);
  } else {
    std::fill_n(c.at, wgmma_rows * p.i.n, 0);
  }
  for (int row = 0; row < wgmma_rows; ++row) {
    std::int32_t* const d = c.at + row * p.i.n;
    for (int col = 0; col < p.i.n; ++col) d[col] = add_products(d[col], dot(row, col), p.i.saturate);
  }
  give_words(p, c.at);
}

std::int16_t widened(std::byte x, const element& e) {
  return e.kind == sectile::number::signed_integer ? static_cast<std::int8_t>(x) : static_cast<std::uint8_t>(x);
}

/// Sparse A is spread out first: to a sum of integers zeros make no difference.
template <int K>
void multiply_bytes(const product& p) {
  alignas(64) std::int16_t a[wgmma_rows * K] = {}, b[max_n * K];
  for (int at = 0; at < wgmma_rows * operand_row_bytes; ++at) {
    const int row = at / operand_row_bytes, column = p.columns != nullptr ? p.columns[at] : at % operand_row_bytes;
    a[row * K + column] = static_cast<std::int16_t>(a[row * K + column] + widened(p.a[at], p.i.a));
  }
  for (int at = 0; at < p.i.n * K; ++at) b[at] = widened(p.b[at], p.i.b);
  add_dots(p, [&](int row, int col) {
    std::int32_t sum = 0;
    for (int k = 0; k < K; ++k) sum += a[row * K + k] * b[col * K + k];
    return sum;
  });
}

void multiply_bits(const product& p) {
  constexpr int words = operand_row_bytes / 8;
  std::uint64_t a[wgmma_rows * words], b[max_n * words];
  std::memcpy(a, p.a, wgmma_rows * operand_row_bytes);
  std::memcpy(b, p.b, static_cast<std::size_t>(p.i.n * operand_row_bytes));
  add_dots(p, [&](int row, int col) {
    std::int32_t sum = 0;
    for (int w = 0; w < words; ++w) sum += std::popcount(a[row * words + w] & b[col * words + w]);
    return sum;
  });
}

}  // namespace

void multiply_rows(const wgmma_instruction& i, const std::byte* a, const std::byte* b, const std::uint32_t* metadata,
                   const std::array<void*, 128>& d, bool accumulate) {
  if (const violation v = check_instruction(i); !v.holds()) throw std::invalid_argument(v.says.text);
  std::uint8_t columns[wgmma_rows * operand_row_bytes];
  if (i.sparse) find_columns(i, metadata, columns);
  const product p{i, a, b, i.sparse ? columns : nullptr, d, accumulate};
  if (i.a.kind == sectile::number::bits) return multiply_bits(p);
  if (i.a.kind != sectile::number::floating)
    return i.sparse ? multiply_bytes<widest_k>(p) : multiply_bytes<widest_k / 2>(p);
  if (i.a.bits == 8) return multiply_floats<std::uint8_t>(p);
  if (i.a.bits == 16) return multiply_floats<std::uint16_t>(p);
  return multiply_floats<std::uint32_t>(p);
}

}  // namespace sectile::model
