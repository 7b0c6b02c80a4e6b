// What a body means, read naively: every tile is a matrix of doubles, every operation is done where it stands, one
// output tile after the other. No planner, no schedule, no machine: what the lowered kernel computes is held against
// this.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sectile/dsl/program/handle.hpp>
#include <sectile/dsl/program/tile.hpp>
#include <vector>

#include "tests/fuzz/programs/tensor.hpp"

namespace sectile::naive {

/// A matrix of numbers.
struct block {
  int rows = 0, cols = 0;
  std::vector<double> at;

  block() = default;
  block(int m, int n) : rows(m), cols(n), at(static_cast<std::size_t>(m) * static_cast<std::size_t>(n)) {}
  double& operator()(int i, int j) { return at[static_cast<std::size_t>(i * cols + j)]; }
  double operator()(int i, int j) const { return at[static_cast<std::size_t>(i * cols + j)]; }
};

/// Whether every sum so far is one that any order and any rounding of the tensor cores gives exactly: whole numbers
/// whose magnitudes together stay below what an accumulator keeps.
struct exactness {
  bool exact = true;
  double largest = 0;  // sum of magnitudes of the terms of one element
};

/// A loaded tile, or one in registers: a factor of a product.
struct tile {
  block values;
  element type{};
  double sign = 1;
  exactness* watch = nullptr;
};
inline tile transpose(const tile& t) {
  tile x{block(t.values.cols, t.values.rows), t.type, t.sign, t.watch};
  for (int i = 0; i < x.values.rows; ++i)
    for (int j = 0; j < x.values.cols; ++j) x.values(i, j) = t.values(j, i);
  return x;
}
inline tile in_registers(const tile& t) { return t; }
inline tile operator-(tile t) {
  t.sign = -t.sign;
  return t;
}

/// A product that has been written but not added to anything.
struct product {
  block sum, magnitude;
  element a{};
  exactness* watch = nullptr;
};
inline product operator*(const tile& a, const tile& b) {
  product p{block(a.values.rows, b.values.cols), block(a.values.rows, b.values.cols), a.type,
            a.watch ? a.watch : b.watch};
  for (int i = 0; i < a.values.rows; ++i)
    for (int k = 0; k < a.values.cols; ++k) {
      const double x = a.values(i, k) * a.sign * b.sign;
      if (x == 0) continue;
      for (int j = 0; j < b.values.cols; ++j) {
        p.sum(i, j) += x * b.values(k, j);
        p.magnitude(i, j) += std::abs(x * b.values(k, j));
      }
    }
  return p;
}
inline product operator-(product p) {
  for (double& x : p.sum.at) x = -x;
  return p;
}
inline product saturate(const product& p) { return p; }  // the data stay far from the ends of s32

/// A number as an element of T holds it.
template <class T>
double rounded(double x) {
  if constexpr (std::is_same_v<T, float>)
    return static_cast<double>(static_cast<float>(x));
  else if constexpr (std::is_integral_v<T>)
    return x;
  else
    return static_cast<double>(static_cast<float>(T(static_cast<float>(x))));
}

/// A matrix in registers. Of T = float it can be computed with, of other types it is a factor.
template <class T>
struct fragment {
  block values;
  exactness* watch = nullptr;

  fragment(int rows, int cols, exactness& w) : values(rows, cols), watch(&w) {}
  fragment(const block& b, exactness& w) : values(b), watch(&w) {}
  explicit fragment(const product& p) : fragment(p.sum.rows, p.sum.cols, *p.watch) { *this += p; }
  fragment(const fragment&) = default;
  fragment& operator=(const fragment&) = default;

  fragment& operator=(const product& p) {
    for (double& x : values.at) x = 0;
    return *this += p;
  }
  /// The terms' magnitudes must stay below what the accumulator of this instruction keeps: 10 bits behind the first of
  /// f16, 13 of f32 that 8-bit floats are summed in, 23 else.
  fragment& operator+=(const product& p) {
    const bool small = p.a.kind == number::floating && p.a.bits == 8;
    const double limit = std::is_same_v<T, f16> ? 0x1p10 : small ? 0x1p12 : 0x1p22;
    for (std::size_t i = 0; i < values.at.size(); ++i) {
      const double magnitude = p.magnitude.at[i] + std::abs(values.at[i]);
      watch->largest = std::max(watch->largest, magnitude);
      if (magnitude > limit || values.at[i] != std::floor(values.at[i])) watch->exact = false;
      values.at[i] += p.sum.at[i];
    }
    return *this;
  }
  fragment& operator-=(const product& p) { return *this += -p; }
};

template <class T>
tile factor_of(const fragment<T>& x) {
  return {x.values, element_of<T>(), 1, x.watch};
}
template <class T>
requires(!std::is_same_v<T, float> && !std::is_same_v<T, s32>) product operator*(const fragment<T>& a, const tile& b) {
  return factor_of(a) * b;
}
template <class T>
requires(!std::is_same_v<T, float> && !std::is_same_v<T, s32>) tile operator-(const fragment<T>& a) {
  return -factor_of(a);
}

// ---- element by element, as f32

using numbers = fragment<float>;

template <class F>
numbers each(const numbers& x, F f) {
  numbers y = x;
  for (double& v : y.values.at) v = rounded<float>(f(v));
  return y;
}
template <class F>
numbers each(const numbers& x, const numbers& y, F f) {
  numbers z = x;
  for (std::size_t i = 0; i < z.values.at.size(); ++i)
    z.values.at[i] = rounded<float>(f(x.values.at[i], y.values.at[i]));
  return z;
}
template <class Y>
requires staged_or_known<Y> numbers operator*(const numbers& x, Y y) {
  return each(x, [y](double v) { return v * static_cast<double>(plain(y)); });
}
template <class X>
requires staged_or_known<X> numbers operator*(X x, const numbers& y) { return y * x; }
template <class Y>
requires staged_or_known<Y> numbers& operator*=(numbers& x, Y y) { return x = x * y; }
inline numbers operator+(const numbers& x, const numbers& y) {
  return each(x, y, [](double a, double b) { return a + b; });
}
inline numbers operator-(const numbers& x, const numbers& y) {
  return each(x, y, [](double a, double b) { return a - b; });
}
inline numbers operator*(const numbers& x, const numbers& y) {
  return each(x, y, [](double a, double b) { return a * b; });
}
inline numbers& operator+=(numbers& x, const numbers& y) { return x = x + y; }
inline numbers& operator-=(numbers& x, const numbers& y) { return x = x - y; }
/// f of each number; what f captures may be known only when the program runs, and then so is what it returns.
template <class F>
numbers map(const numbers& x, F f) {
  return each(x, [f](double v) { return static_cast<double>(plain(f(static_cast<float>(v)))); });
}
template <class Y, class F>
requires staged_or_known<Y> numbers map(const numbers& x, Y y, F f) {
  return map(x, [y, f](float v) { return f(v, static_cast<float>(plain(y))); });
}

/// One number per row. A sum is whole from the start here.
struct rows {
  std::vector<double> at;
  rows total() const { return *this; }
};
template <class F>
rows reduce(const numbers& x, double start, F f) {
  rows r{std::vector<double>(static_cast<std::size_t>(x.values.rows), start)};
  for (int i = 0; i < x.values.rows; ++i)
    for (int j = 0; j < x.values.cols; ++j) {
      double& to = r.at[static_cast<std::size_t>(i)];
      to = f(to, x.values(i, j));
    }
  return r;
}
inline rows row_max(const numbers& x) {
  return reduce(x, -HUGE_VAL, [](double a, double b) { return std::max(a, b); });
}
inline rows row_sum(const numbers& x) {
  return reduce(x, 0, [](double a, double b) { return a + b; });
}
inline rows max(rows u, const rows& v) {
  for (std::size_t i = 0; i < u.at.size(); ++i) u.at[i] = std::max(u.at[i], v.at[i]);
  return u;
}
inline rows operator-(rows u) {
  for (double& x : u.at) x = -x;
  return u;
}
inline rows operator*(rows u, float y) {
  for (double& x : u.at) x *= static_cast<double>(y);
  return u;
}
inline numbers operator*(const numbers& x, const rows& y) {
  numbers z = x;
  for (int i = 0; i < x.values.rows; ++i)
    for (int j = 0; j < x.values.cols; ++j)
      z.values(i, j) = rounded<float>(x.values(i, j) * y.at[static_cast<std::size_t>(i)]);
  return z;
}
inline numbers& operator*=(numbers& x, const rows& y) { return x = x * y; }
inline numbers fma(const numbers& x, float scale, const rows& shift) {
  numbers z = x;
  for (int i = 0; i < x.values.rows; ++i)
    for (int j = 0; j < x.values.cols; ++j)
      z.values(i, j) =
          rounded<float>(x.values(i, j) * static_cast<double>(scale) + shift.at[static_cast<std::size_t>(i)]);
  return z;
}

template <class Visible>
void mask(numbers& x, tile_coordinates<2> at, condition needed, Visible visible, float value) {
  if (!plain(needed)) return;
  for (int i = 0; i < x.values.rows; ++i)
    for (int j = 0; j < x.values.cols; ++j) {
      const condition seen = visible(at.at[0] * x.values.rows + i, at.at[1] * x.values.cols + j);
      if (!plain(seen)) x.values(i, j) = static_cast<double>(value);
    }
}
template <class Visible>
void mask(numbers& x, tile_coordinates<2> at, Visible visible, float value) {
  mask(x, at, true, visible, value);
}

template <class To>
fragment<To> cast_block(const block& from, exactness& watch) {
  fragment<To> y(from, watch);
  for (double& v : y.values.at) v = rounded<To>(v);
  return y;
}
template <class To, class From>
fragment<To> cast(const fragment<From>& x) {
  return cast_block<To>(x.values, *x.watch);
}
template <class To>
fragment<To> cast(const tile& x) {
  return cast_block<To>(x.values, *x.watch);
}

// ---- the machine of a body

/// Numbered along mode M.
template <mode_id M>
struct trips {
  int count;
  struct iterator {
    int at;
    index<M> operator*() const { return index<M>(at); }
    void operator++() { ++at; }
    bool operator!=(const iterator& end) const { return at < end.at; }
  };
  iterator begin() const { return {0}; }
  iterator end() const { return {count}; }
};

/// Runs K's body for one output tile on tensors from `Operands::template tensor_of<I>()`.
template <class K, class Operands>
struct machine {
  Operands& operands;
  exactness& watch;
  tile_coordinates<max_rank> here{};
  int stores = 0;

  template <int I>
  auto tile_of(const operand_handle<K, I>&) const {
    return place<I>(std::make_integer_sequence<int, operand_handle<K, I>::rank>{});
  }
  template <int I>
  auto accumulator(const operand_handle<K, I>& c) {
    return accumulator(c, as<sum_type<first_input_type<K>>>());
  }
  template <int I, class T>
  auto accumulator(const operand_handle<K, I>&, named_type<T>) {
    constexpr operand_facts f = operand_facts_of<K, I>();
    return fragment<T>(f.rows(), f.cols(), watch);
  }
  template <class T>
  auto accumulator(const product& p, named_type<T>) {
    return fragment<T>(p);
  }
  template <class N>
  trips<mode_of<N>> pipelined(N n) const {
    return {plain(n)};
  }

  /// What lies outside of the tensor reads as zero.
  template <int I>
  tile load(const operand_handle<K, I>&, const tile_coordinates<operand_handle<K, I>::rank>& at) {
    constexpr operand_facts f = operand_facts_of<K, I>();
    tile t{block(f.rows(), f.cols()), f.type, 1, &watch};
    std::int64_t index[max_rank]{};
    for (int d = 0; d + 2 < f.tile.rank; ++d) index[d] = at.at[d];
    for (int i = 0; i < f.rows(); ++i)
      for (int j = 0; j < f.cols(); ++j) {
        index[f.tile.rank - 2] = std::int64_t{at.at[f.tile.rank - 2]} * f.rows() + i;
        index[f.tile.rank - 1] = std::int64_t{at.at[f.tile.rank - 1]} * f.cols() + j;
        t.values(i, j) = operands.template tensor_of<I>().number_or_zero(index);
      }
    return t;
  }
  /// Into the tensor of doubles that the output is compared with.
  template <int I, class T>
  void store(const operand_handle<K, I>&, const tile_coordinates<operand_handle<K, I>::rank>& at,
             const fragment<T>& x) {
    using out = typename operand_at<K, I>::element_type;
    constexpr int rank = operand_handle<K, I>::rank;
    std::int64_t index[max_rank]{};
    for (int d = 0; d + 2 < rank; ++d) index[d] = at.at[d];
    for (int i = 0; i < x.values.rows; ++i)
      for (int j = 0; j < x.values.cols; ++j) {
        index[rank - 2] = std::int64_t{at.at[rank - 2]} * x.values.rows + i;
        index[rank - 1] = std::int64_t{at.at[rank - 1]} * x.values.cols + j;
        operands.expect(index, rounded<out>(x.values(i, j)));
      }
    ++stores;
  }

 private:
  template <int I, int... D>
  auto place(std::integer_sequence<int, D...>) const {
    tile_place<operand_facts_of<K, I>().mode_at(D)...> c{};
    ((c.at[D] = here.at[D]), ...);
    return c;
  }
};

}  // namespace sectile::naive
