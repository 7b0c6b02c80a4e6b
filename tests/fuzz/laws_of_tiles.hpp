#pragma once
// Laws of operand tiles: every element of what is accepted is read where it was written, and what is refused breaks a
// rule of hardware_model.hpp.

#include <sectile/layouts/canonical_layout.hpp>
#include <sectile/layouts/descriptor_text.hpp>
#include <sectile/layouts/rule_text.hpp>

#include "hardware_model.hpp"
#include "law.hpp"

namespace sectile_fuzz {

using namespace sectile;

inline constexpr swizzle_mode modes[] = {swizzle_mode::none, swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128};

template <class T>
inline std::string words(const T& value) {
  message text;
  text.add(value);
  return text.c_str();
}

/// A violation says something that fits its buffer, and only a violation does.
template <class Violation>
inline void check_words(const Violation& v) {
  const std::string text = words(v);
  require(v.ok() ? text.empty() : text.size() > 20 && text.size() < 400, "a violation is a sentence", text);
}

inline operand_tile random_tile(random_source& random) {
  operand_tile t;
  t.element_bits = random.one_of({1, 8, 16, 16, 16, 32});
  t.major = t.element_bits == 16 && random.once_in(2) ? major::mn : major::k;
  t.swizzle = modes[random.below(4)];
  const int width = span_bytes(random.once_in(8) ? modes[random.below(4)] : t.swizzle) * 8 / t.element_bits;
  int& along = t.major == major::k ? t.k : t.mn;
  int& rows = t.major == major::k ? t.mn : t.k;
  along = width * static_cast<int>(random.between(1, random.once_in(4) ? 16 : 3));
  rows = 8 * static_cast<int>(random.once_in(2) ? random.between(1, 40) : 1 << random.below(6));
  if (random.once_in(12)) t.mn += static_cast<int>(random.between(-9, 9));
  if (random.once_in(12)) t.k += static_cast<int>(random.between(-9, 9));
  if (random.once_in(40)) t.element_bits = random.one_of({0, -8, 2, 4, 12, 64, 128});
  if (random.once_in(40)) t.major = major::mn;
  if (random.once_in(60)) t.mn = random.one_of({INT32_MAX, INT32_MAX - 7, 1 << 30, INT32_MIN, 0});
  if (random.once_in(60)) t.k = random.one_of({INT32_MAX, INT32_MAX - 7, 1 << 30, INT32_MIN, 0});
  return t;
}

/// A divisor of n, often a large one; anything now and then.
inline int random_part(random_source& random, int n) {
  if (n < 1 || random.once_in(15)) return static_cast<int>(random.between(-8, 300));
  int part = n;
  while (part % 2 == 0 && part > 8 && !random.once_in(3)) part /= 2;
  return part;
}

/// The rules of a tile and of instructions that walk over it, in 64 bits.
inline bool is_legal_tile(const operand_tile& t, std::int64_t m_step, std::int64_t k_step) {
  const std::int64_t bits = t.element_bits;
  if (bits != 1 && bits != 8 && bits != 16 && bits != 32) return false;
  const bool k_major = t.major == major::k;
  if (!k_major && bits != 16) return false;
  if (t.mn < 1 || t.k < 1 || m_step < 1 || k_step < 1) return false;
  const std::int64_t span_bits = 8 * span_bytes(t.swizzle);
  const std::int64_t rows = k_major ? t.mn : t.k;
  const std::int64_t along_bits = (k_major ? t.k : t.mn) * bits;
  if (rows % 8 != 0 || along_bits % span_bits != 0) return false;
  if (static_cast<double>(rows) * static_cast<double>(along_bits) / 8 > 1 << 18) return false;
  if (t.mn % m_step != 0 || t.k % k_step != 0) return false;
  const std::int64_t row_step = k_major ? m_step : k_step;
  const std::int64_t along_step = (k_major ? k_step : m_step) * bits;
  if (row_step % 8 != 0 || along_step % 128 != 0) return false;
  if (t.swizzle != swizzle_mode::none) {
    if (k_major && span_bits % along_step != 0) return false;
    if (!k_major && m_step != t.mn && along_step % span_bits != 0) return false;
  }
  // Distances of the descriptor: eight rows, and a panel where it counts.
  const bool panel_counts = !(k_major && t.swizzle != swizzle_mode::none);
  return !panel_counts || rows * span_bits / 8 < 1 << 18;
}

inline hardware::operand operand_of(const operand_tile& t, const matrix_descriptor& d) {
  return hardware::decoded(encode(d), t.major == major::k, t.element_bits);
}

inline std::int64_t written_byte(const operand_tile& t, int mn, int k) {
  return hardware::written_byte(t.mn, t.k, t.element_bits, t.major == major::k, span_bytes(t.swizzle), mn, k);
}

inline std::string text_of(const operand_tile& t, int m_step, int k_step) {
  return std::to_string(t.mn) + " x " + std::to_string(t.k) + " of " + std::to_string(t.element_bits) + " bits, " +
         (t.major == major::k ? "K" : "MN") + "-major, " + swizzle_name(t.swizzle) + ", instructions of " +
         std::to_string(m_step) + " x " + std::to_string(k_step);
}

/// Whether all elements of all instructions are read where they were written.
template <class DescriptorOf>
inline bool all_reachable(const operand_tile& t, int m_step, int k_step, DescriptorOf descriptor_of) {
  for (int mn0 = 0; mn0 < t.mn; mn0 += m_step) {
    for (int k0 = 0; k0 < t.k; k0 += k_step) {
      const hardware::operand o = operand_of(t, descriptor_of(mn0, k0));
      for (int mn = 0; mn < m_step; ++mn) {
        for (int k = 0; k < k_step; k += t.element_bits == 1 ? 8 : 1) {
          if (hardware::read_byte(o, mn, k) != written_byte(t, mn0 + mn, k0 + k)) return false;
        }
      }
    }
  }
  return true;
}

/// A change that a mistaken descriptor may have.
inline matrix_descriptor mistaken(random_source& random, matrix_descriptor d) {
  const unsigned step = 16u << random.below(8);
  switch (random.below(5)) {
    case 0:
      d.leading_bytes += step;
      break;
    case 1:
      d.stride_bytes += random.once_in(2) ? step : 0u - step;
      break;
    case 2:
      d.start_bytes += step;
      break;
    case 3:
      std::swap(d.leading_bytes, d.stride_bytes);
      break;
    default:
      d.swizzle = modes[random.below(4)];
  }
  d.stride_bytes &= descriptor_field_end - 16;
  return d;
}

inline void check_tile(case_state& state) {
  random_source& random = state.random;
  const operand_tile t = random_tile(random);
  const int m_step = random_part(random, t.mn);
  const int k_step = random_part(random, t.k);
  const std::string name = text_of(t, m_step, k_step);
  const tile_violation v = check(t, m_step, k_step);
  require(v.ok() == is_legal_tile(t, m_step, k_step), "legal tiles", name, words(v));
  check_words(v);
  if (!v.ok()) return state.out.refuse("tiles", grounds::rule);
  state.out.accept("tiles");
  for (int k = 0; k < 64; ++k) {
    const int mn = static_cast<int>(random.below(t.mn));
    const int at_k = static_cast<int>(random.below(t.k));
    const std::int64_t byte = written_byte(t, mn, at_k);
    require(written_at(t, mn, at_k) == byte, "written_at", name, mn, at_k);
    require(read_at(t, mn, at_k, m_step, k_step) == byte, "read_at", name, mn, at_k);
  }
  const auto right = [&](int mn, int k) { return descriptor_at(t, mn, k); };
  require(check(right(t.mn - m_step, t.k - k_step)).ok(), "descriptor_at is legal", name);
  require(reachable(t, m_step, k_step).ok, "reachable", name);
  if (t.mn * t.k > 1 << 13) return;
  require(all_reachable(t, m_step, k_step, right), "every element is reached", name);
  random_source again = random;
  const auto wrong = [&](int mn, int k) {
    random_source same = again;
    return mistaken(same, descriptor_at(t, mn, k));
  };
  const bool all = all_reachable(t, m_step, k_step, wrong);
  require(reachable_through(t, m_step, k_step, wrong).ok == all, "the proof agrees with looking at every element", name,
          words(wrong(0, 0)));
  state.out.accept(all ? "mistakes without effect" : "mistakes found");
}

/// canonical_layout in elements against the same strides walked here.
inline void check_canonical(case_state& state) {
  random_source& random = state.random;
  const swizzle_mode mode = modes[random.below(4)];
  const major direction = random.once_in(2) ? major::k : major::mn;
  const int bits = direction == major::mn ? 16 : random.one_of({1, 8, 16, 32});
  const int t = 128 / bits;
  const int span = span_bytes(mode) / 16 * t;
  const bool k_major = direction == major::k;
  const bool swizzled = mode != swizzle_mode::none;
  const int mn = k_major ? 8 * static_cast<int>(random.between(1, 16)) : span * static_cast<int>(random.between(1, 4));
  const int k = k_major ? t * static_cast<int>(random.between(1, swizzled ? span / t : 8))
                        : 8 * static_cast<int>(random.between(1, 8));
  const std::int64_t lbo = t * random.below(64);
  const std::int64_t sbo = t * random.below(64);
  const layout l = canonical_layout(direction, mode, bits, mn, k, lbo, sbo);
  const hardware::operand o{0, lbo * bits / 8, sbo * bits / 8, span_bytes(mode), k_major, bits};
  const hardware::canonical strides = hardware::canonical_of(o);
  for (int n = 0; n < 32; ++n) {
    const std::int64_t row = random.below(mn);
    const std::int64_t column = random.below(k);
    require(l(row, column) * bits == hardware::walked(strides.mn, row) + hardware::walked(strides.k, column),
            "canonical_layout", l, row, column);
  }
  state.out.accept("canonical layouts");
}

}  // namespace sectile_fuzz
