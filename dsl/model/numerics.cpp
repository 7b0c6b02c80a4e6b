// The fast form of wgmma's arithmetic: the same bits as `dot_accumulate`, one host vector of columns at a time.
//
// Integers are not needed to imitate an integer adder. A product of two inputs has at most 22 significant bits, so an
// f32 multiplication computes it exactly; multiplying by the power of two 2^(aligned_bits - E) moves the binary point
// to where the tensor core cuts, exactly again; and the conversion to int32 truncates toward zero. So a term costs an
// addition and a maximum for its exponent, and two multiplications, a conversion and an addition for its value.
//
// If D is f16 the sum is brought to 24 bits, the last of which says whether anything was lost below: rounding that to
// 11 bits gives what rounding the sum would.
//
// It holds while E, the largest exponent, lies in [lowest, highest]. Below, 2^(25 - E) or a term that still matters
// would leave the range of a normal f32; a product that underflows although E >= lowest is under one unit and counts as
// zero either way. Above, a product or the result might overflow. Columns with E out of range, with infinities or with
// NaNs are left to `dot_accumulate`. The host must be as a program finds it: rounding to nearest, subnormals on.
#include <sectile/dsl/model/numerics.hpp>

#include <cstddef>
#include <cstring>
#include <vector>

namespace sectile::model {
namespace {

constexpr int f32_bias = f32_format.bias();

constexpr int lowest = -100;  // 25 - lowest = 125 of at most 127
constexpr int highest = 120;  // 33 terms below 4 * 2^highest stay below 2^128

// Exponents of what has none. Sums of two: 0 * finite and 0 * 0 stay far below any exponent, anything with an infinity
// or a NaN (including 0 * inf) stays far above. A column without any term is common (padding, zero tiles) and is zero.
constexpr int exponent_of_zero = -3000;
constexpr int exponent_of_special = 10000;
constexpr int below_every_exponent = -1000;

// The choices that are built into it.
static_assert(!joins_alignment({number_kind::zero, false, 0, 10, -14}));
static_assert(least_alignment(f32_format) < lowest);
static_assert(zero_result(f32_format, true) == 0 && zero_result(f16_format, true) == 0);
static_assert(overflowed_result(f16_format, true) == infinite_result(f16_format, true));

/// An input element as the kernel wants it. An infinity or a NaN has no value, only an exponent that gives it away.
struct split {
  float value;
  std::int32_t exponent;
};

split split_number(const number_format& format, std::uint32_t bits) {
  const number x = decode(format, bits);
  if (x.kind == number_kind::zero) return {0.0f, exponent_of_zero};
  if (x.kind != number_kind::finite) return {0.0f, exponent_of_special};
  // In double no step can round or underflow, and every format here is a subset of f32.
  const auto unit = std::bit_cast<double>(static_cast<std::uint64_t>(x.exponent - x.fraction_bits + 1023) << 52);
  const double magnitude = static_cast<double>(x.significand) * unit;
  return {static_cast<float>(x.negative ? -magnitude : magnitude), x.exponent};
}

/// Columns of the product, that is rows of B, are stored transposed in blocks of as many as the widest vector holds.
constexpr int block_columns = 16;

constexpr int max_k = 32;  // of instruction_k

/// One instruction on operands taken apart.
struct split_tile {
  float* d;
  int d_row_stride;
  int m, n, k;
  int b_k;  ///< elements in a column of B: k, or 2 k if A is sparse
  accumulation keep;
  scale_d scale;
  const split* rows;              ///< A: element (row, i) at row * k + i
  const std::int32_t* met;        ///< of sparse A: 16 times the element of a column that it meets; else nullptr
  const float* values;            ///< B: element (column, i) at (column / 16 * b_k + i) * 16 + column % 16
  const std::int32_t* exponents;  ///< likewise
  unsigned char* refused;         ///< out: for each stretch of columns, for each row of it
};

/// Most stretches are full: keep the length of their copy constant.
template <int lanes>
inline void copy_columns(float* to, const float* from, int count) {
  if (count == lanes) {
    std::memcpy(to, from, sizeof(float) * lanes);
  } else {
    for (int i = 0; i < count; ++i) to[i] = from[i];
  }
}

namespace baseline {
#define SECTILE_LANES 4
#define SECTILE_TARGET
#include <sectile/dsl/model/numerics_lanes.inc>
#undef SECTILE_TARGET
#undef SECTILE_LANES
}  // namespace baseline

#if defined(__x86_64__)
namespace avx2 {
#define SECTILE_LANES 8
#define SECTILE_TARGET __attribute__((target("avx2")))
#include <sectile/dsl/model/numerics_lanes.inc>
#undef SECTILE_TARGET
#undef SECTILE_LANES
}  // namespace avx2

namespace avx512 {
#define SECTILE_LANES 16
#define SECTILE_TARGET __attribute__((target("avx512f")))
#include <sectile/dsl/model/numerics_lanes.inc>
#undef SECTILE_TARGET
#undef SECTILE_LANES
}  // namespace avx512

host_vectors detect_host_vectors() {
  if (__builtin_cpu_supports("avx512f")) return host_vectors::avx512;
  return __builtin_cpu_supports("avx2") ? host_vectors::avx2 : host_vectors::baseline;
}
#else
host_vectors detect_host_vectors() { return host_vectors::baseline; }
#endif

/// Runs the kernel and returns its stretch of columns.
int accumulate_tile(const split_tile& t, host_vectors vectors) {
#if defined(__x86_64__)
  if (vectors == host_vectors::avx512) return avx512::accumulate_tile(t), 16;
  if (vectors == host_vectors::avx2) return avx2::accumulate_tile(t), 8;
#endif
  static_cast<void>(vectors);
  return baseline::accumulate_tile(t), 4;
}

template <class bits>
std::vector<split> split_rows(const operand_rows<bits>& a, int m, int k) {
  std::vector<split> rows(static_cast<std::size_t>(m) * static_cast<std::size_t>(k));
  split* next = rows.data();
  for (int row = 0; row < m; ++row) {
    const bits* const elements = a.data + static_cast<std::ptrdiff_t>(row) * a.row_stride;
    for (int i = 0; i < k; ++i) *next++ = split_number(a.format, elements[i]);
  }
  return rows;
}

/// Between the bits of D and the float of the same value.
float as_float(const accumulation& keep, std::uint32_t bits) {
  if (keep.d == f32_format) return std::bit_cast<float>(bits);
  return static_cast<float>(f16::from_bits(static_cast<std::uint16_t>(bits)));
}
std::uint32_t as_bits(const accumulation& keep, float x) {
  return keep.d == f32_format ? std::bit_cast<std::uint32_t>(x) : f16(x).bits;
}

/// B taken apart and transposed; the columns that fill up the last block are zero.
struct split_columns {
  std::vector<float> values;
  std::vector<std::int32_t> exponents;

  template <class bits>
  split_columns(const operand_rows<bits>& b, int n, int k)
      : values(static_cast<std::size_t>((n + block_columns - 1) / block_columns * block_columns * k), 0.0f),
        exponents(values.size(), exponent_of_zero) {
    for (int column = 0; column < n; ++column) {
      const bits* const elements = b.data + static_cast<std::ptrdiff_t>(column) * b.row_stride;
      std::size_t at = static_cast<std::size_t>(column / block_columns * block_columns * k + column % block_columns);
      for (int i = 0; i < k; ++i, at += block_columns) {
        const split x = split_number(b.format, elements[i]);
        values[at] = x.value;
        exponents[at] = x.exponent;
      }
    }
  }
};

}  // namespace

host_vectors best_host_vectors() {
  static const host_vectors best = detect_host_vectors();
  return best;
}

template <class bits>
void multiply_accumulate(const accumulation& keep, float* d, int d_row_stride, const operand_rows<bits>& a,
                         const operand_rows<bits>& b, int m, int n, scale_d scale, host_vectors vectors) {
  constexpr int narrowest = 4;
  const int k = instruction_k(a.format), b_k = a.met != nullptr ? 2 * k : k;
  const std::vector<split> rows = split_rows(a, m, k);
  const split_columns columns(b, n, b_k);
  std::vector<std::int32_t> met;
  if (a.met != nullptr) met.assign(a.met, a.met + m * k);
  for (std::int32_t& at : met) at *= block_columns;
  std::vector<unsigned char> refused(static_cast<std::size_t>((n + narrowest - 1) / narrowest * m));
  const int lanes =
      accumulate_tile({d, d_row_stride, m, n, k, b_k, keep, scale, rows.data(), a.met != nullptr ? met.data() : nullptr,
                       columns.values.data(), columns.exponents.data(), refused.data()},
                      vectors);

  const auto slowly = [&](int row, int column) {
    const bits* const b_row = b.data + static_cast<std::ptrdiff_t>(column) * b.row_stride;
    bits terms[max_k];
    for (int i = 0; i < k; ++i) terms[i] = b_row[a.met != nullptr ? a.met[row * k + i] : i];
    float& element = d[static_cast<std::ptrdiff_t>(row) * d_row_stride + column];
    element = as_float(keep, dot_accumulate(keep, a.format, a.data + static_cast<std::ptrdiff_t>(row) * a.row_stride,
                                            b.format, terms, k, as_bits(keep, element)));
  };
  std::size_t stretch = 0;
  for (int first = 0; first < n; first += lanes) {
    for (int row = 0; row < m; ++row) {
      if (refused[stretch++] == 0) continue;
      for (int column = first; column < n && column < first + lanes; ++column) slowly(row, column);
    }
  }
}

template void multiply_accumulate(const accumulation&, float*, int, const operand_rows<std::uint8_t>&,
                                  const operand_rows<std::uint8_t>&, int, int, scale_d, host_vectors);
template void multiply_accumulate(const accumulation&, float*, int, const operand_rows<std::uint16_t>&,
                                  const operand_rows<std::uint16_t>&, int, int, scale_d, host_vectors);
template void multiply_accumulate(const accumulation&, float*, int, const operand_rows<std::uint32_t>&,
                                  const operand_rows<std::uint32_t>&, int, int, scale_d, host_vectors);

}  // namespace sectile::model
