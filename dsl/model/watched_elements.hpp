// Elements that a body casts, picks out of rows, or places: compared with what the layouts of registers and the tiles
// that were loaded say of them.
#pragma once
#include <sectile/dsl/model/beyond_edge.hpp>

namespace sectile::model {

/// Which register of a block has element (row, col) of a fragment of T, of which thread, and where in it: as sums lie,
/// or as a left factor does.
template <class T>
constexpr register_slot slot_of(int row, int col) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, s32>) {
    return d_slot(row, col);
  } else {
    constexpr int bits = element_of<T>().bits, columns = a_columns(bits);
    if constexpr (is_shuffled<T>) col = place_of_column(bits, col);
    register_slot s = a_slot(bits, row, col % columns);
    s.reg += 4 * (col / columns);
    return s;
  }
}
/// Element number `part` of a word that holds elements of T, as a number.
template <class T>
constexpr float number_in(std::uint32_t word, int part) {
  constexpr element e = element_of<T>();
  const std::uint32_t raw = e.bits == 32 ? word : word >> e.bits * part & ((1u << e.bits % 32) - 1);
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, tf32>)
    return __builtin_bit_cast(float, raw);
  else if constexpr (e.bits == 4)
    return static_cast<float>(static_cast<int>(raw) - (e.kind == number::signed_integer && raw >= 8 ? 16 : 0));
  else if constexpr (e.kind == number::floating)
    return static_cast<float>(unshuffled<T>(static_cast<decltype(unshuffled<T>::bits)>(raw)));
  else
    return static_cast<float>(static_cast<unshuffled<T>>(raw));
}
/// This thread's registers of block m of x, before the threads of a row exchange them.
template <class X>
constexpr void observe_block(const X& x, int m) {
  float all[X::atom_registers];
  for (int i = 0; i < X::atom_registers; ++i) all[i] = __builtin_bit_cast(float, x.atom[m][i]);
  x.reading->hw.observe_numbers(all, X::atom_registers);
}
/// Each element of block m of y in this thread is that of x, of which the threads of its rows have told theirs.
template <class R, class From, class To, class Rows, class Cols>
constexpr void follow_cast(const fragment<R, From, Rows, Cols>& x, const fragment<R, To, Rows, Cols>& y, int m) {
  auto& hw = x.reading->hw;
  if (!hw.numbers_of(hw.thread())) return;
  const int lane = hw.thread() % 32, quad = hw.thread() / 4 * 4;
  for (int row = lane / 4; row < 16; row += 8)
    for (int col = 0; col < Cols::extent; ++col) {
      const register_slot from = slot_of<From>(row, col), to = slot_of<To>(row, col);
      if (to.thread != lane) continue;
      const float told = hw.numbers_of(quad + from.thread % 4)[from.reg];
      const float before = number_in<From>(__builtin_bit_cast(std::uint32_t, told), from.part);
      const float after = number_in<To>(__builtin_bit_cast(std::uint32_t, y.atom[m][to.reg]), to.part);
      if (before - before == 0) hw.observe_joined("cast", after, static_cast<float>(rounded_to<To>(before)));
    }
}

/// `found` is the element that goes before the others of a row of x that four lanes have told, as row `h` of
/// each, in tile number `tile`; those from column `columns` on do not count.
template <class X, bool Largest>
constexpr void follow_first(const X& x, std::bool_constant<Largest>, int h, int tile, int columns,
                            const placed_number& found) {
  constexpr int cols = X::cols;
  auto& hw = x.reading->hw;
  if (!hw.numbers_of(hw.thread())) return;
  placed_number right{};
  for (int col = 0; col < cols && tile * cols + col < columns; ++col) {
    const register_slot from = d_slot(8 * h, col);
    const float told = hw.numbers_of(hw.thread() / 4 * 4 + from.thread)[from.reg];
    if (right.column == no_column || goes_before<Largest>(told, right.value)) right = {told, tile * cols + col};
  }
  constexpr const char* what = Largest ? "row_argmax" : "row_argmin";
  hw.observe_joined(what, found.value, right.value);
  hw.observe_joined(what, static_cast<float>(found.column), static_cast<float>(right.column));
}

/// More columns than x's matrix has (or rows) are reported: a zero behind the last one would count, and be no element.
template <class X, bool Cols = true>
constexpr void follow_count(const char* what, const X& x, int told, std::bool_constant<Cols> = {}) {
  using extent = std::conditional_t<Cols, typename X::col_extent, typename X::row_extent>;
  const stretch its = stretch_along<Cols>(x);
  if (its.is_known() && told > its.size && x.reading->is_of_use())
    x.reading->hw.observe_miscounted(what, text_of(extent::name).text, told, its.size);
}

/// Whether two answers that rounding may part are one, where `scale` is as large as what they are made of.
constexpr bool agree(float a, float b, float scale) {
  const float apart = a > b ? a - b : b - a;
  return __builtin_bit_cast(std::uint32_t, a) == __builtin_bit_cast(std::uint32_t, b) || !(apart > scale / 64);
}
/// Reports a function that was given to a reduction of x and joins numbers of it otherwise in another order. (What is
/// not finite says nothing, and rounding to 8 bits does no harm.)
template <class X, class F>
constexpr void follow_order(const char* what, const X& x, const F& f) {
  auto& hw = x.reading->hw;
  if (!hw.looks_at_numbers()) return;
  const auto join = [&](float p, float q) { return as_float(ask_apart(f, p, q)); };
  const float a = number_at(x, 0, 0), b = number_at(x, 0, 1), c = number_at(x, 0, 2);
  const float ab = join(a, b), bc = join(b, c), ba = join(b, a), left = join(ab, c), right = join(a, bc);
  float scale = 0;
  for (const float y : {a, b, c, ab, bc, ba, left, right}) {
    if (!(y - y == 0)) return;
    scale = y > scale ? y : -y > scale ? -y : scale;
  }
  if (!agree(ab, ba, scale)) hw.observe_order(what, {a, b}, ab, ba);
  if (!agree(left, right, scale)) hw.observe_order(what, {a, b, c}, left, right);
}

/// `what` takes x to lie at tile (row, col), as registers hold it.
template <class X>
constexpr void compare_place(const char* what, const X& x, int row, int col) {
  const auto compare = [&](const stretch& its, int extent, mode_id mode, int told) {
    if (its.is_known() && its.first != std::int64_t{told} * extent && x.reading->is_of_use())
      x.reading->hw.observe_misplaced(what, text_of(mode).text, told, its.first / extent);
  };
  compare(x.place.rows, X::rows, X::row_extent::name, row);
  compare(x.place.cols, X::cols, X::col_extent::name, col);
}
/// A machine that knows where a fragment lies is told of a part that goes with another tile.
template <class Like, class Vector>
constexpr void compare_places(const Like& like, const Vector& v) {
  constexpr vector_use use = use_of_vector(Vector::facts, sectile::describe<Like>());
  if constexpr (kind_of_value<Like> == value_kind::fragment && requires { like.place; } &&
                (use == vector_use::rows || use == vector_use::cols)) {
    const stretch& its = use == vector_use::rows ? like.place.rows : like.place.cols;
    constexpr int extent = Vector::facts.cols();
    if (its.is_known() && its.first != std::int64_t{v.tile} * extent && v.reading->is_of_use())
      v.reading->hw.observe_other_part(Vector::facts.name, text_of(Vector::facts.col_mode()).text, v.tile,
                                       its.first / extent);
  }
}

}  // namespace sectile::model
