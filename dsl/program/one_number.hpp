// Whether the numbers of rows are one number, which each of them has: what col_sum() and its like make of rows' numbers
// (all_rows.hpp). It is not to be added once for each row. Only a plan asks; it has no numbers, and in their place the
// first says so, and whether a loop has given them to a variable and nothing has used them yet. The second says in
// which trip of a loop the variable came into being that has them.
#pragma once
#include <type_traits>

#include <sectile/dsl/program/staged.hpp>
#include <sectile/dsl/program/tile.hpp>

namespace sectile {

template <class X>
inline constexpr bool plans_numbers = false;
template <class X>
requires requires(const X& x) { x.value[0][0], x.reading; }
inline constexpr bool plans_numbers<X> = is_planner<std::remove_pointer_t<decltype(X::reading)>>;

constexpr int one_number = 1, unused_numbers = 2;  // bits of the first

/// The numbers that x has for rows are one, if `all` says so of what it was made of.
template <class X>
constexpr void become_one_number(X& x, bool all = true) {
  if constexpr (plans_numbers<X>) x.value[0][0] = all ? one_number : 0;
}
template <class X>
constexpr bool is_one_number(const X& x) {
  if constexpr (plans_numbers<X>)
    return (static_cast<int>(x.value[0][0]) & one_number) != 0;
  else
    return staged_or_known<X>;
}

template <class X>
constexpr void begin_in_trip(X& x) {
  if constexpr (plans_numbers<X>)
    x.value[0][1] = static_cast<std::remove_cvref_t<decltype(x.value[0][1])>>(x.reading->trip_now());
}
/// They are used. (Of a constant nothing is unused: it was given none.)
template <class X>
constexpr void use_line(const X& x) {
  if constexpr (plans_numbers<X>) {
    x.reading->uses_line(static_cast<int>(x.value[0][1]));
    if (x.value[0][0] >= unused_numbers) const_cast<X&>(x).value[0][0] -= unused_numbers;
  }
}
/// x gets other numbers: if it is older than the trip, the next trip has them.
template <class X>
constexpr void overwrite(X& x) {
  if constexpr (plans_numbers<X>)
    x.reading->overwrites(static_cast<int>(x.value[0][1]), x.value[0][0] >= unused_numbers);
}
/// x has got them.
template <class X>
constexpr void wait_for_use(X& x) {
  if constexpr (plans_numbers<X>)
    if (x.reading->in_a_loop() && x.value[0][0] < unused_numbers) x.value[0][0] += unused_numbers;
}

}  // namespace sectile
