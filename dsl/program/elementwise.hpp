// Element by element: what a body may do to a fragment between products.
//
// Each function touches the fragments that it reads, so the reading knows where a product's result is first needed.
// Numbers are rounded as the named PTX instruction rounds them, on every machine: nothing is contracted behind the
// program's back, so a kernel's numbers do not depend on a compiler's mood.
#pragma once
#include <sectile/dsl/program/handle.hpp>
#include <sectile/dsl/program/rows.hpp>
#include <sectile/dsl/program/unroll.hpp>
#include <sectile/layouts/operand_exchange.hpp>

namespace sectile {

/// What a masked score becomes.
inline constexpr float infinity = __builtin_huge_valf();

/// A fresh fragment whose element at register i of block m is f(machine, m, i); empty in readings that do not compute.
template <class R, int Rows, int Cols, class F>
constexpr fragment<R, float, Rows, Cols> generate(const fragment<R, float, Rows, Cols>& like, F f) {
  fragment<R, float, Rows, Cols> y(*like.reading);
  y.fresh = false;
  if constexpr (R::computes)
    for (int m = 0; m < y.atoms; ++m)
      for (int i = 0; i < y.atom_registers; ++i) y.atom[m][i] = f(like.reading->hw, m, i);
  return y;
}

/// x * scale + shift, rounded once; shift is one number per row.
template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols> fma(const fragment<R, float, Rows, Cols>& x, float scale,
                                             const row_vector<R, Rows>& shift) {
  x.touch();
  return generate(x, [&](auto& hw, auto block, auto reg) {
    return hw.fma(x.atom[block][reg], scale, shift.value[block][row_half(reg)]);
  });
}

/// 2 to the power x (ex2.approx.ftz).
template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols> exp2(const fragment<R, float, Rows, Cols>& x) {
  x.touch();
  return generate(x, [&](auto& hw, auto block, auto reg) { return hw.exp2(x.atom[block][reg]); });
}

/// Every element times a number.
template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols> operator*(const fragment<R, float, Rows, Cols>& x, float y) {
  x.touch();
  return generate(x, [&x, y](auto& hw, auto block, auto reg) { return hw.multiply(x.atom[block][reg], y); });
}

template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols> operator*(float x, const fragment<R, float, Rows, Cols>& y) {
  return y * x;
}
/// Every row times its number.
template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols> operator*(const fragment<R, float, Rows, Cols>& x,
                                                   const row_vector<R, Rows>& y) {
  x.touch();
  return generate(x, [&](auto& hw, auto block, auto reg) {
    return hw.multiply(x.atom[block][reg], y.value[block][row_half(reg)]);
  });
}

/// f(number) for every element: any function of one float that the host and the device can both call.
template <class R, int Rows, int Cols, class F>
constexpr fragment<R, float, Rows, Cols> map(const fragment<R, float, Rows, Cols>& x, F f) {
  x.touch();
  return generate(x, [&](auto&, auto block, auto reg) { return f(x.atom[block][reg]); });
}

/// x + y, x - y and x * y, element by element; each is rounded to nearest.
template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols> operator+(const fragment<R, float, Rows, Cols>& x,
                                                   const fragment<R, float, Rows, Cols>& y) {
  x.touch();
  y.touch();
  return generate(x, [&](auto& hw, auto block, auto reg) { return hw.add(x.atom[block][reg], y.atom[block][reg]); });
}
template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols> operator-(const fragment<R, float, Rows, Cols>& x,
                                                   const fragment<R, float, Rows, Cols>& y) {
  x.touch();
  y.touch();
  return generate(x,
                  [&](auto& hw, auto block, auto reg) { return hw.subtract(x.atom[block][reg], y.atom[block][reg]); });
}
template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols> operator*(const fragment<R, float, Rows, Cols>& x,
                                                   const fragment<R, float, Rows, Cols>& y) {
  x.touch();
  y.touch();
  return generate(x,
                  [&](auto& hw, auto block, auto reg) { return hw.multiply(x.atom[block][reg], y.atom[block][reg]); });
}

/// x = f(machine, x, y) in place, element by element.
template <class R, int Rows, int Cols, class F>
constexpr fragment<R, float, Rows, Cols>& update(fragment<R, float, Rows, Cols>& x,
                                                 const fragment<R, float, Rows, Cols>& y, F f) {
  x.touch();
  y.touch();
  x.fresh = false;  // a product that follows must not overwrite
  const auto& before = x;
  if constexpr (R::computes)
    for (int m = 0; m < x.atoms; ++m)
      for (int i = 0; i < x.atom_registers; ++i) x.atom[m][i] = f(x.reading->hw, before.atom[m][i], y.atom[m][i]);
  return x;
}
template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols>& operator+=(fragment<R, float, Rows, Cols>& x,
                                                     const fragment<R, float, Rows, Cols>& y) {
  return update(x, y, [](auto& hw, float a, float b) { return hw.add(a, b); });
}
template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols>& operator-=(fragment<R, float, Rows, Cols>& x,
                                                     const fragment<R, float, Rows, Cols>& y) {
  return update(x, y, [](auto& hw, float a, float b) { return hw.subtract(a, b); });
}

/// Scales every row in place by its number.
template <class R, int Rows, int Cols>
constexpr fragment<R, float, Rows, Cols>& operator*=(fragment<R, float, Rows, Cols>& x,
                                                     const row_vector<R, Rows>& y) {
  x.touch();
  const auto& before = x;
  if constexpr (R::computes)
    for (int m = 0; m < x.atoms; ++m)
      for (int i = 0; i < x.atom_registers; ++i)
        x.atom[m][i] = x.reading->hw.multiply(before.atom[m][i], y.value[m][row_half(i)]);
  return x;
}

/// Two numbers rounded to 16-bit or 8-bit elements, the first in the low bits.
template <class T, class Machine>
constexpr std::uint32_t pack(Machine& hw, float low, float high) {
  if constexpr (std::is_same_v<T, bf16>)
    return hw.pack_bf16(low, high);
  else if constexpr (std::is_same_v<T, f16>)
    return hw.pack_f16(low, high);
  else if constexpr (std::is_same_v<T, e4m3>)
    return hw.pack_e4m3(low, high);
  else
    return hw.pack_e5m2(low, high);
}

/// Packs an accumulator into 16-bit elements (rounded to nearest even). The result is the left operand of a product as
/// it stands: the accumulator's registers 8c .. 8c+7, packed in pairs, are the A fragment of K columns 16c .. 16c+15.
template <class T, class R, int Rows, int Cols>
  requires(std::is_same_v<T, bf16> || std::is_same_v<T, f16>)
constexpr fragment<R, T, Rows, Cols> cast(const fragment<R, float, Rows, Cols>& x) {
  x.touch();
  fragment<R, T, Rows, Cols> y(*x.reading);
  y.fresh = false;
  if constexpr (R::computes)
    for (int m = 0; m < x.atoms; ++m)
      for (int i = 0; i < y.atom_registers; ++i)
        y.atom[m][i] = pack<T>(x.reading->hw, x.atom[m][2 * i], x.atom[m][2 * i + 1]);
  return y;
}

/// An accumulator as the left operand of a product of 8-bit or tf32 elements (rounded to nearest even; what is too
/// large for 8 bits becomes the largest number). Here the registers do not line up: the four lanes of a row exchange
/// words.
template <class T, class R, int Rows, int Cols>
  requires(std::is_same_v<T, e4m3> || std::is_same_v<T, e5m2> || std::is_same_v<T, tf32>)
constexpr fragment<R, T, Rows, Cols> cast(const fragment<R, float, Rows, Cols>& x) {
  constexpr int bits = element_of<T>().bits, taken = accumulator_registers_of_step(bits);
  static_assert(Cols % a_columns(bits) == 0,
                "cast: the columns must be whole K steps of the product (32 of 8-bit types, 8 of tf32)");
  x.touch();
  fragment<R, T, Rows, Cols> y(*x.reading);
  y.fresh = false;
  if constexpr (R::computes) {
    auto& hw = x.reading->hw;
    const int lane = x.reading->thread % 32;
    const auto shuffle = [&hw](std::uint32_t word, int from) { return hw.shuffle(word, from); };
    for (int m = 0; m < x.atoms; ++m)
      unroll<Cols / a_columns(bits)>([&](auto step) {
        std::uint32_t a[4]{};
        if constexpr (bits == 8) {
          std::uint32_t pair[8]{};
          for (int p = 0; p < 8; ++p)
            pair[p] = pack<T>(hw, x.atom[m][taken * step + 2 * p], x.atom[m][taken * step + 2 * p + 1]);
          make_operand_8bit(pair, lane, a, shuffle);
        } else {
          std::uint32_t value[4]{};
          for (int p = 0; p < 4; ++p)
            value[p] = __builtin_bit_cast(std::uint32_t, T(x.atom[m][taken * step + p]).value);
          make_operand_32bit(value, lane, a, shuffle);
        }
        for (int i = 0; i < 4; ++i) y.atom[m][4 * step + i] = a[i];
      });
  }
  return y;
}

/// An f32 accumulator as it is, for programs that are written for any type of sum.
template <class T, class R, int Rows, int Cols>
  requires(std::is_same_v<T, float>)
constexpr fragment<R, float, Rows, Cols> cast(const fragment<R, float, Rows, Cols>& x) {
  return x;
}

/// An s32 accumulator (rounded to nearest even), or a fragment of f16 or bf16 (exact), as f32.
template <class T, class R, class Sum, int Rows, int Cols>
  requires(std::is_same_v<T, float> &&
           (std::is_same_v<Sum, s32> || std::is_same_v<Sum, f16> || std::is_same_v<Sum, bf16>))
constexpr fragment<R, float, Rows, Cols> cast(const fragment<R, Sum, Rows, Cols>& x) {
  x.touch();
  fragment<R, float, Rows, Cols> y(*x.reading);
  y.fresh = false;
  if constexpr (R::computes)
    for (int m = 0; m < x.atoms; ++m)
      for (int i = 0; i < x.atom_registers; ++i) {
        if constexpr (std::is_same_v<Sum, s32>) {
          y.atom[m][i] = x.reading->hw.to_float(x.atom[m][i]);
        } else if constexpr (std::is_same_v<Sum, bf16>) {  // the upper half of an f32
          y.atom[m][2 * i] = __builtin_bit_cast(float, x.atom[m][i] << 16);
          y.atom[m][2 * i + 1] = __builtin_bit_cast(float, x.atom[m][i] & 0xFFFF'0000u);
        } else {
          y.atom[m][2 * i] = x.reading->hw.low_f16(x.atom[m][i]);
          y.atom[m][2 * i + 1] = x.reading->hw.high_f16(x.atom[m][i]);
        }
      }
  return y;
}

/// Sets to `value` every element for which visible(row, col) is false. `at` is the fragment's position in units of its
/// own shape (row and col count from the whole matrix); `needed` says whether any element can be hidden, so that inner
/// tiles pay one branch.
template <class R, int Rows, int Cols, class Visible>
constexpr void mask(fragment<R, float, Rows, Cols>& x, tile_coordinates<2> at, bool needed, Visible visible,
                    float value) {
  x.touch();
  if constexpr (R::computes)
    if (needed)
      for (int m = 0; m < x.atoms; ++m)
        for (int i = 0; i < x.atom_registers; ++i) {
          const auto [row, col] = x.reading->template position_of<Rows>(m, i);
          if (!visible(at.at[0] * Rows + row, at.at[1] * Cols + col)) x.atom[m][i] = value;
        }
}

}  // namespace sectile
