// A function of the elements that stand in one place: of fragments, of rows' and columns' numbers, of tiles and parts
// of vectors, and of plain numbers. What is written with it are operators (elementwise.hpp) and map() (functions.hpp).
#pragma once
#include <sectile/dsl/program/cast.hpp>
#include <sectile/dsl/program/one_number.hpp>
#include <sectile/dsl/program/rows_by_columns.hpp>
#include <sectile/dsl/program/spread_vector.hpp>

namespace sectile {

template <class X>
constexpr void touch_value(const X& x) {
  if constexpr (kind_of_value<X> == value_kind::fragment) x.touch();
  if constexpr (kind_of_value<X> == value_kind::outer)
    use_line(x.rows), use_line(x.cols);
  else
    use_line(x);
}

/// Has the plan note which of its values f adds the others to.
template <class F, class... X>
constexpr void note_addition(const X&... x) {
  if constexpr (requires { F::adds_to; }) {
    unsigned rest = F::adds_to;
    const auto note = [&](const auto& value) {
      if constexpr (requires { value.id; })
        if (rest & 1) value.reading->adds_to(value.id);
      rest >>= 1;
    };
    (note(x), ...);
  }
}

/// Where a value lies.
template <class X>
constexpr auto place_of(const X& x) {
  if constexpr (kind_of_value<X> == value_kind::fragment && requires { x.place; })
    return x.place;
  else
    return unobserved_place{};
}

/// Has it note the numbers that meet `value`: whether a function has written one is seen by what they are.
template <class Value, class X>
constexpr void note_number(const Value& value, const X& x) {
  if constexpr (kind_of_value<X> == value_kind::number) value.reading->note_number(as_float(x));
}

/// Whether one of the values comes with tiles, and what it brought is read where it is used: in parts that are not one
/// number, which was read where it was loaded.
template <class X>
inline constexpr bool is_read_in_stage = false;
template <class R, int I>
requires comes_with_tiles<R, I>
inline constexpr bool is_read_in_stage<loaded_vector<R, I>> = !loaded_vector<R, I>::has_one;
template <class X>
constexpr void end_reading(const X& x) {
  if constexpr (is_read_in_stage<X>) x.end_reading();
}

/// Whether X is a fragment of f32.
template <class X>
inline constexpr bool is_sums_value = describe<X>().is_sums();
/// The first of the largest values: a fragment of f32 if there is one, else rows or columns.
template <class A, class... X>
constexpr const auto& largest_of(const A& a, const X&... x) {
  if constexpr (is_sums_value<A> || sizeof...(X) == 0)
    return a;
  else if constexpr (is_line(describe<A>()) && !(is_sums_value<X> || ...))
    return a;
  else
    return largest_of(x...);
}

/// A fresh fragment of f(machine, numbers) of each element of x; empty in readings that do not compute.
template <class F, class R, class Rows, class Cols, class... X>
constexpr fragment<R, float, Rows, Cols> generate(F f, const fragment<R, float, Rows, Cols>& like, X&... x) {
  fragment<R, float, Rows, Cols> y(*like.reading, filled_here{}, place_of(x)...);
  if constexpr (R::computes)
    SECTILE_UNROLL for (int m = 0; m < y.atoms; ++m) SECTILE_UNROLL for (int i = 0; i < y.atom_registers; ++i)
        y.atom[m][i] = f(like.reading->hw, number_at(x, m, i)...);
  return y;
}
/// The same for rows or columns, of the first register that each has.
template <class F, class Line, class... X>
requires requires { Line::numbers; }
constexpr Line generate(F f, const Line& like, X&... x) {
  Line y{like.reading};
  become_one_number(y, (is_one_number(x) && ...));
  if constexpr (Line::reading_type::computes)
    SECTILE_UNROLL for (int n = 0; n < Line::numbers; ++n) y.value[n / 2][n % 2] =
        f(like.reading->hw, number_at(x, Line::place(n).block, Line::place(n).entry)...);
  return y;
}

/// A tile that is read where its numbers are needed, which are asked for in the order of registers. fill(x, n) brings
/// `AtOnce` registers of a fragment, those of all blocks counted, from number n on. (n is made of the place that is
/// asked for, a constant where loops are unrolled, so that a compiler keeps the registers apart.)
template <class Fragment, int AtOnce, class Fill>
struct tile_in_place {
  mutable Fragment x;
  Fill fill;
  mutable int known = 0;  // registers

  constexpr void touch() const { x.touch(); }
};
template <class Fragment, int AtOnce, class Fill>
struct value_facts<tile_in_place<Fragment, AtOnce, Fill>> : value_facts<Fragment> {};
template <class Fragment, int AtOnce, class Fill>
constexpr float number_at(const tile_in_place<Fragment, AtOnce, Fill>& t, int m, int i) {
  constexpr int numbers = 32 / element_of<typename Fragment::element_type>().bits;  // of a register
  const int first = (m * Fragment::atom_registers + i / numbers) / AtOnce * AtOnce;
  if (first >= t.known) {
    t.fill(t.x, first);
    t.known = first + AtOnce;
  }
  return number_at(t.x, m, i);
}
/// Whether a reading has such tiles, and this one is.
template <class Tile>
inline constexpr bool read_in_place = false;
template <class R, int I>
requires requires { R::template reads_in_place<I>; }
inline constexpr bool read_in_place<loaded_tile<R, I>> = R::template reads_in_place<I>;

/// A tile in registers, in the order in which fragments of the reading hold theirs; other values as they are. What
/// meets a fragment stays as it is stored until each number is used.
template <bool MeetsFragment, class X>
constexpr decltype(auto) in_order_of_sums(const X& x) {
  constexpr auto bring_in = []<bool Transposed>(std::bool_constant<Transposed>, const auto& t) {
    if constexpr (MeetsFragment && read_in_place<std::remove_cvref_t<decltype(t)>>)
      return t.reading->template read_in_place<Transposed>(t);
    else if constexpr (MeetsFragment || lies_as_sums(value_facts<std::remove_cvref_t<decltype(t)>>::facts.type))
      return t.reading->template read_fragment<Transposed>(t);
    else
      return cast<float>(t.reading->template read_fragment<Transposed>(t));
  };
  if constexpr (is_tile<X>::value)
    return bring_in(std::bool_constant<X::is_transposed != X::swapped>{}, loaded(x));
  else
    return (x);
}

/// g(x..) with tiles in registers, which are brought there in the order of x. (That of a call's arguments is a
/// compiler's.)
template <bool MeetsFragment, class G>
constexpr auto with_tiles_in_registers(G g) {
  return g();
}
template <bool MeetsFragment, class G, class First, class... X>
constexpr auto with_tiles_in_registers(G g, const First& first, const X&... x) {
  decltype(auto) now = in_order_of_sums<MeetsFragment>(first);
  return with_tiles_in_registers<MeetsFragment>([&](const auto&... behind) { return g(now, behind...); }, x...);
}

/// f(machine, numbers) of each element of x.
template <class F, class... X>
constexpr auto by_elements(F f, const X&... x) {
  if constexpr ((is_tile<X>::value || ...)) {
    return with_tiles_in_registers<(is_sums_value<X> || ...)>(
        [&](const auto&... all) { return by_elements(f, all...); }, x...);
  } else {
    const auto& largest = largest_of(x...);
    if constexpr (is_planner<typename std::remove_cvref_t<decltype(largest)>::reading_type>) {
      note_addition<F>(x...);
      (note_number(largest, x), ...);
    }
    (touch_value(x), ...);
    const auto with_vectors = [&](auto&&... met) { return generate(f, largest, met...); };
    if constexpr (!((kind_of_value<X> == value_kind::vector) || ...)) {
      return generate(f, largest, x...);
    } else if constexpr (!(is_read_in_stage<X> || ...)) {
      return with_vectors(as_met_by(largest, x)...);
    } else {
      auto y = with_vectors(as_met_by(largest, x)...);
      (end_reading(x), ...);
      return y;
    }
  }
}

/// x = f(machine, x, y) in place, element by element.
template <class F, class R, class Rows, class Cols, class Y>
constexpr void update(F f, fragment<R, float, Rows, Cols>& x, const Y& y) {
  if constexpr (is_planner<R>) {
    note_addition<F>(x);
    note_number(x, y);
  }
  x.touch();
  touch_value(y);
  x.fresh = false;  // a product that follows must not overwrite
  x.place.meet(place_of(y));
  if constexpr (is_planner<R>) x.reading->changed(x);
  [[maybe_unused]] auto&& met = as_met_by(x, y);
  if constexpr (R::computes)
    SECTILE_UNROLL for (int m = 0; m < x.atoms; ++m) SECTILE_UNROLL for (int i = 0; i < x.atom_registers; ++i)
        x.atom[m][i] = f(x.reading->hw, number_at(x, m, i), number_at(met, m, i));
  end_reading(y);
}
template <class F, class Line, class Y>
requires requires { Line::numbers; }
constexpr void update(F f, Line& x, const Y& y) { x = by_elements(f, x, y); }

/// x = number; what was there is overwritten.
template <class A, class B>
constexpr void fill(A& x, const B& number) {
  constexpr bool fits = no_filling<A, B>().holds();
  if constexpr (!fits || kind_of_value<B> == value_kind::refused) {
    refused(x, number);
  } else if constexpr (kind_of_value<B> == value_kind::number) {
    x.fresh = false;
    x.place = {};
    if constexpr (is_planner<typename A::reading_type>) x.reading->replaces(x.id);
    x.touch();
    if constexpr (is_planner<typename A::reading_type>) {
      note_number(x, number);
      x.reading->overwritten(x);
    }
    if constexpr (A::reading_type::computes)
      for (auto& block : x.atom)
        for (int i = 0; i < A::atom_registers; ++i) block[i] = as_float(number);
  }
}

}  // namespace sectile
