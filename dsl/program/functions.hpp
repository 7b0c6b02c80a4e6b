// Functions of the program's own, called for every element, every row or every place: map, map_rows, mask.
//
// A function of the program may branch, and a compiler does not unroll a loop with branches by itself: what is indexed
// at run time would live in memory, with everything that depends on it. So it is told to (unroll_late).
//
// Elements belong to threads, and are asked for in no order: a function must answer by its arguments alone. What says
// `mutable` is refused by the compiler; what else keeps a state is found where the machine can tell (the model), which
// asks every question again in the opposite order: a function that counts, remembers or alternates answers otherwise.
#pragma once
#include <stdlib.h>  // not <cstdlib>: with it abs(x) of a float in such a function is one, and not that of an int

#include <sectile/dsl/program/function_facts.hpp>
#include <sectile/dsl/program/math.hpp>

namespace sectile {

// ---- what the first reading looks at

/// Coordinates of a fragment that lies along `x`'s modes.
constexpr violation check_place(const operand_facts& x, mode_id row, mode_id col) {
  const bool turned = x.row_mode() == col && x.col_mode() == row && row != col;  // of M x M'
  if (alike(x.row_mode(), row) && alike(x.col_mode(), col) && !turned) return {};
  return refuse(rule::coordinate_is_along_another_mode, "x at {row, col}: x is along ",
                said_mode(text_of(x.row_mode())), " x ", said_mode(text_of(x.col_mode())), ", its place along ",
                said_mode(text_of(row)), " x ", said_mode(text_of(col)),
                "; name the place in x's order; where another mode is meant: as<\"", said_mode(text_of(x.row_mode())),
                "\">(m)");
}

constexpr violation check_coordinate_pair(bool of_sums) {
  if (!of_sums) return {};  // which is refused for that
  return refuse(rule::coordinate_is_along_another_mode,
                "x at {row}: the place of a fragment is two coordinates, its row's and its column's: {m, n}");
}

/// The facts of a value as the body sees it: of the transpose where the configuration swaps.
constexpr operand_facts facts_in_body(const operand_facts& f, bool swapped) {
  return swapped ? with_rows_and_columns_swapped(f) : f;
}

/// What a machine computes with, for a function that is only looked at.
struct some_machine {
  struct instruction {
    constexpr float operator()(auto... x) const { return (1.0f + ... + x); }
  };
  instruction add, subtract, multiply, divide, negate, fma, maximum, minimum, exp2, reciprocal, approximate_reciprocal,
      sqrt;
};

// ---- functions that a GPU does not have

/// What a function of the program is given of an X. (No alias of `float`: nvcc would hand the host's compiler a pack
/// expansion without a pack.)
template <class X>
struct number_of {
  using type = float;
};

/// f as host_device() gives it back.
template <class F>
struct host_device_function {
  F f;
  template <class... X>
  requires std::is_invocable_v<const F&, X...>
  constexpr auto operator()(X... x) const { return f(x...); }
};
/// Says that f runs on the GPU as well, where g++ cannot see it: of what is `__host__ __device__` and not constexpr.
template <class F>
constexpr host_device_function<F> host_device(F f) {
  return {f};
}
template <class F>
inline constexpr bool is_said_to_run_there = false;
template <class F>
inline constexpr bool is_said_to_run_there<host_device_function<F>> = true;

/// Lets the plan note a function of X... that is for the host alone: one that g++ cannot follow, whichever numbers it
/// is given. (nvcc leaves a call of it out, without a word. g++ knows what is constexpr and the functions of <cmath>; a
/// compiler that does not know these says nothing. It is the last of the three that read a file for nvcc.)
template <class... X, class R, class F>
constexpr void follow([[maybe_unused]] const char* what, [[maybe_unused]] R& reading, [[maybe_unused]] const F& f) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
  if constexpr (is_planner<R> && !is_said_to_run_there<F>) {
    if (!std::is_constant_evaluated()) return;  // whoever plans at run time has nothing that is known
    const auto answer = [&](auto... x) {
      const auto y = f(x...);
      if constexpr (is_condition<std::remove_const_t<decltype(y)>>)
        return plain(y);
      else
        return as_float(y);
    };
    const auto is_known = [&](auto... x) {
      if constexpr (arithmetic<decltype(f(x...))>)  // a step less of what a compiler lists
        return __builtin_constant_p(f(x...));
      else
        return __builtin_constant_p(answer(x...));
    };
    bool known = !__builtin_constant_p(__builtin_exp2f(0.5f));
    for (const float step : {0.125f, 4.0f, -1.5f}) {
      float last = 0;
      const auto next = [&] { return last += step; };
      known = known || is_known(static_cast<X>(next())...);
    }
    if (!known) reading.cannot_follow(what);
    if constexpr (!std::is_empty_v<F>) {
      float last = 0;
      const auto next = [&] { return last += reading.question; };
      if (is_known(static_cast<X>(next())...))
        reading.note_in_trip(static_cast<float>(answer(static_cast<X>(next())...)));
      reading.asks = true;
    }
  }
#endif
}

// ---- calling them

template <class X>
constexpr bool as_bool(const X& x) {
  if constexpr (is_condition<X>)
    return plain(x);
  else
    return static_cast<bool>(x);
}

/// Whether this machine tells a function that keeps a state.
template <class Machine>
concept finds_state = requires(Machine& hw) {
  hw.observe_state("", 0.0f, 0.0f);
};

/// f(x...). Where answers are compared, by a call that stays one: two that were merged with their surroundings could be
/// compiled to different instructions.
template <class F, class... X>
[[gnu::noinline]] constexpr auto ask_apart(const F& f, X... x) {
  return f(x...);
}
template <class Machine, class F, class... X>
constexpr auto ask(const Machine&, const F& f, X... x) {
  if constexpr (finds_state<Machine>)
    return ask_apart(f, x...);
  else
    return f(x...);
}

/// answer(n) for n = 0 .. Count - 1, where answer calls the function; again from the last to the first where the
/// machine can tell whether it answers the same.
template <int Count, class Machine, class Answer, class Keep>
constexpr void ask_all(const char* what, Machine& hw, Answer answer, Keep keep) {
  if constexpr (finds_state<Machine>) {
    decltype(answer(0)) first[Count]{};
    for (int n = 0; n < Count; ++n) keep(n, first[n] = answer(n));
    for (int n = Count - 1; n >= 0; --n) {
      const auto again = answer(n);
      if (__builtin_memcmp(&again, &first[n], sizeof again) != 0) hw.observe_state(what, first[n], again);
    }
  } else {
    unroll_late<Count>([&](int n) { keep(n, answer(n)); });
  }
}

/// answer(machine, m, i) for every element of a value like this one, made of it and of `more`.
template <class R, class Rows, class Cols, class Answer, class... More>
constexpr fragment<R, float, Rows, Cols> collect(const char* what, const fragment<R, float, Rows, Cols>& like,
                                                 Answer answer, const More&... more) {
  using result = fragment<R, float, Rows, Cols>;
  result y(*like.reading, filled_here{}, like.place, place_of(more)...);
  if constexpr (R::computes) {
    constexpr int count = result::atom_registers;
    auto& hw = like.reading->hw;
    ask_all<result::atoms * count>(
        what, hw, [&](int n) { return answer(hw, n / count, n % count); },
        [&](int n, float number) { y.atom[n / count][n % count] = number; });
  }
  return y;
}
template <class Line, class Answer, class... More>
requires requires { Line::numbers; }
constexpr Line collect(const char* what, const Line& like, Answer answer, const More&...) {
  Line y{like.reading};
  if constexpr (Line::reading_type::computes) {
    auto& hw = like.reading->hw;
    ask_all<Line::numbers>(
        what, hw, [&](int n) { return answer(hw, Line::place(n).block, Line::place(n).entry); },
        [&](int n, float number) { y.value[n / 2][n % 2] = number; });
  }
  return y;
}

template <violation V, class F, class... X>
constexpr auto map_values(const F& f, const X&... x) {
  (touch_value(x), ...);
  refuse_unless_it_holds<V>(x...);
  const auto& largest = largest_of(x...);
  if constexpr (is_planner<typename std::remove_cvref_t<decltype(largest)>::reading_type>)
    (note_number(largest, x), ...);
  if constexpr (V.holds()) follow<typename number_of<X>::type...>("map(..)", *largest.reading, f);
  const auto result = [&](auto&&... met) {
    const auto answer = [&](auto& hw, int block, int entry) {
      return as_float(ask(hw, f, number_at(met, block, entry)...));
    };
    return collect("map", largest, answer, met...);
  };
  constexpr bool gives_line = is_line(describe<std::remove_cvref_t<decltype(largest)>>());
  if constexpr (gives_line || (is_read_in_stage<X> || ...)) {
    auto y = result(as_met_by(largest, x)...);
    if constexpr (gives_line) become_one_number(y, (is_one_number(x) && ...));
    (end_reading(x), ...);
    return y;
  } else {
    return result(as_met_by(largest, x)...);
  }
}

/// f(number) of every element of a fragment or of every row: any function of a float that host and device can both
/// call.
template <class X, class F>
requires(body_value<X>&& values_combine<X>) constexpr auto map(const X& x, const F& f) {
  constexpr violation v = check_map(function_facts_of<float, F, float>(), 1);
  static_assert(decltype(reason<v>())::verified);
  return map_values<v>(f, in_order_of_sums<false>(x));
}
/// f(a, b) of what stands in the same place of x and y.
template <class X, class Y, class F>
requires(values_combine<X, Y> && !arithmetic<X> && !arithmetic<Y>) constexpr auto map(const X& x, const Y& y, const F& f) {
  constexpr violation v = check_map(function_facts_of<float, F, float, float>(), 2);
  static_assert(decltype(reason<v>())::verified);
  return map_values<v>(f, in_order_of_sums<is_sums_value<Y>>(x), in_order_of_sums<is_sums_value<X>>(y));
}
template <class X, arithmetic Y, class F>
requires values_combine<X, Y>
constexpr auto map(const X& x, Y y, const F& f) {
  constexpr violation v = check_map(function_facts_of<float, F, float, float>(), 2);
  static_assert(decltype(reason<v>())::verified);
  return map_values<v>(f, in_order_of_sums<false>(x), y);
}
template <arithmetic X, class Y, class F>
requires values_combine<X, Y>
constexpr auto map(X x, const Y& y, const F& f) {
  constexpr violation v = check_map(function_facts_of<float, F, float, float>(), 2);
  static_assert(decltype(reason<v>())::verified);
  return map_values<v>(f, x, in_order_of_sums<false>(y));
}
/// f(a, b, c) likewise.
template <class X, class Y, class Z, class F>
requires values_combine<X, Y, Z>
constexpr auto map(const X& x, const Y& y, const Z& z, const F& f) {
  constexpr bool meets = is_sums_value<X> || is_sums_value<Y> || is_sums_value<Z>;
  constexpr violation v = check_map(function_facts_of<float, F, float, float, float>(), 3);
  static_assert(decltype(reason<v>())::verified);
  return map_values<v>(f, in_order_of_sums<meets>(x), in_order_of_sums<meets>(y), in_order_of_sums<meets>(z));
}
template <class... X>
requires(body_value<X> || ...) constexpr refused_value map(const X&... x) {
  static_assert(decltype(reason<check_map_values(describe_all<X...>())>())::verified);
  return refused(x...);
}

/// f(machine, numbers) for every row: a function that calls the machine's own instructions.
template <class R, class Rows, class F, class... Vectors>
requires(std::is_same_v<Vectors, row_vector<R, Rows>>&&...) constexpr row_vector<R, Rows> map_rows(
    const F& f, const row_vector<R, Rows>& x, const Vectors&... more) {
  constexpr function_facts facts =
      function_facts_of<float, F, some_machine&, float, typename number_of<Vectors>::type...>();
  constexpr violation v =
      check_function("map_rows(f, u, ..)", "[](auto& machine, float a, ..) { return ..; }", facts, true);
  static_assert(decltype(reason<v>())::verified);
  refuse_unless_it_holds<v>(x);
  if constexpr (v.holds() && !is_said_to_run_there<F>)
    follow<float, typename number_of<Vectors>::type...>("map_rows(..)", *x.reading, [&](auto... number) {
      some_machine machine;
      return f(machine, number...);
    });
  return collect("map_rows", x, [&](auto& hw, int block, int entry) {
    const auto of_numbers = [&](auto... number) { return f(hw, number...); };
    return as_float(ask(hw, of_numbers, number_at(x, block, entry), number_at(more, block, entry)...));
  });
}
template <class F, class... X>
requires(body_value<X> || ...) constexpr refused_value map_rows(const F&, const X&... x) {
  static_assert(decltype(reason<check_map_rows(describe_all<X...>())>())::verified);
  return refused(x...);
}

/// Where a fragment lies in its matrix, in units of its own shape: coordinates along its rows' and its columns' modes.
template <class X>
struct fragment_place {
  int row = 0, col = 0;
  bool fits = true;  // along the modes of the fragment; if not, the compiler has said so
  template <class Row, class Col>
  requires(staged_or_known<Row>&& staged_or_known<Col>) constexpr fragment_place(Row r, Col c)
      : row(plain(r)), col(plain(c)) {
    if constexpr (describe<X>().is_sums()) {  // what cannot be masked is refused for that
      constexpr violation v =
          check_place(facts_in_body(value_facts<X>::facts, X::reading_type::swaps), mode_of<Row>, mode_of<Col>);
      static_assert(decltype(reason<v>())::verified);
      fits = v.holds();
    }
  }
  /// The batch that the matrix belongs to may stand in front, as where it is stored.
  template <class Batch, class... Rest>
  requires(sizeof...(Rest) >= 2 && staged_or_known<Batch> && (staged_or_known<Rest> && ...)) constexpr fragment_place(
      Batch, Rest... rest)
      : fragment_place(rest...) {}
  /// Where the output's tile lies: mask(acc, sm.tile_of(C), ..).
  template <mode_id... Modes>
  requires(sizeof...(Modes) >= 2) constexpr fragment_place(const tile_place<Modes...>& at)
      : fragment_place(at.template get<sizeof...(Modes) - 2>(), at.template get<sizeof...(Modes) - 1>()) {}
  template <staged_or_known Only>
  constexpr fragment_place(Only) : fits(false) {
    static_assert(decltype(reason<check_coordinate_pair(describe<X>().is_sums())>())::verified);
  }
  /// Taken for what has an error in it, of which the compiler has told: else it would list what a call might be.
  template <class = void>
  constexpr fragment_place(...) : fits(false) {}
};
/// What tile_of() and its like give. (Anything is taken for a fragment's place, so that overloads do not see it.)
template <class X>
concept names_a_tile = requires(const X& x) {
  []<mode_id... Modes>(const tile_place<Modes...>&){}(x);
};
/// Not deduced from what is given, so that {m, n} can be converted.
template <class X>
using mask_place = std::type_identity_t<fragment_place<std::remove_cvref_t<X>>>;
/// What does not lie along the modes where it is said to lie marks its body as refused: later readings are none of its
/// business. A machine that knows where x lies is told where `what` takes it to lie.
template <class X>
constexpr void follow_place([[maybe_unused]] const char* what, const X& x, const mask_place<X>& at) {
  using reading = typename X::reading_type;
  if constexpr (is_planner<reading>) {
    if (!at.fits) refused(x);
    x.reading->asks_place();
  }
  if constexpr (follows_places<reading>)
    compare_place(what, x, reading::swaps ? at.col : at.row, reading::swaps ? at.row : at.col);
}

/// Where register `entry` of a block of x lies in the matrix that the body has, if it takes x to lie `at` there; asked
/// only where readings compute.
template <class X>
constexpr coord coord_at(const X& x, const mask_place<X>& at, int block, int entry) {
  if constexpr (X::reading_type::computes) {
    const coord held = x.reading->template coord_of<X::rows>(block, entry);
    if constexpr (X::reading_type::swaps)
      return {at.row * X::cols + held.col, at.col * X::rows + held.row};
    else
      return {at.row * X::rows + held.row, at.col * X::cols + held.col};
  } else {
    return {};
  }
}

/// Whether a tile has anything to hide is asked once a tile, of what a run decides for all of it.
constexpr violation check_needed(const described& needed) {
  violation v = refuse(rule::values_do_not_combine, "mask(x, at, needed, visible, value): needed is ", needed,
                       ", not a condition on coordinates, sizes or scalars; leave it out");
  if (needed.kind == value_kind::vector) v << ", or write map(x, " << needed.facts.name << ", f)";
  return v;
}

constexpr violation check_map_at(const described& x, const function_facts& f) {
  constexpr const char* form = "map_at(x, at, f)";
  if (!x.is_sums()) return check_reduction(form, x);
  return check_function(form, "map_at(x, {m, n}, [=](float a, int row, int col) { return ..; })", f, true);
}
/// f(number, row, col) of every element of a fragment: a function that knows where in the whole matrix an element is.
/// `at` is the fragment's position in units of its own shape.
template <body_value X, class F>
constexpr auto map_at(const X& x, mask_place<X> at, const F& f) {
  constexpr violation v = check_map_at(describe<X>(), function_facts_of<float, F, float, int, int>());
  static_assert(decltype(reason<v>())::verified);
  if constexpr (v.holds() && kind_of_value<X> == value_kind::fragment) {
    follow_place("map_at", x, at);
    x.touch();
    follow<float, int, int>("map_at(..)", *x.reading, f);
    return collect("map_at", x, [&](auto& hw, int block, int entry) {
      const coord p = coord_at(x, at, block, entry);
      return as_float(ask(hw, f, number_at(x, block, entry), p.row, p.col));
    });
  } else {
    return refused(x);
  }
}

/// A map_at() without a place, or with another order of its arguments.
template <class X, class... Few>
requires(body_value<X> && sizeof...(Few) < 2) constexpr refused_value map_at(const X& x, const Few&...) {
  static_assert(decltype(reason<check_map_at(describe<X>(), {})>())::verified);
  return refused(x);
}
template <body_value X, class F>
requires(!names_a_tile<F>) constexpr refused_value map_at(const X& x, const F&, mask_place<X>) {
  static_assert(decltype(reason<check_map_at(describe<X>(), {})>())::verified);
  return refused(x);
}
/// Its function stands in front of the value.
template <class F, body_value X, class... Rest>
requires(!body_value<F>) constexpr refused_value map_at(const F& f, const X& x, const Rest&...) { return map_at(x, f); }
template <class F, body_value X>
requires(!body_value<F>) constexpr refused_value map_at(const F& f, const X& x, mask_place<X>) { return map_at(x, f); }
template <class F, body_value X>
requires(!body_value<F>) constexpr refused_value map_at(const F& f, mask_place<X>, const X& x) { return map_at(x, f); }

/// Sets to `value` every element for which visible(row, col) is false. `at` is the fragment's position in units of its
/// own shape (row and col count from the whole matrix); `needed` says whether any element can be hidden, so that inner
/// tiles pay one branch. Returns x.
template <body_value X, known_or_not Needed, class Visible>
constexpr std::remove_reference_t<X>& mask(X&& x, mask_place<X> at, Needed needed, const Visible& visible,
                                           float value) {
  using type = std::remove_cvref_t<X>;
  constexpr violation v = check_mask(describe<type>(), function_facts_of<bool, Visible, int, int>());
  static_assert(decltype(reason<v>())::verified);
  refuse_unless_it_holds<v>(x);
  if constexpr (v.holds() && kind_of_value<type> == value_kind::fragment) {
    follow_place("mask", x, at);
    x.touch();
    if constexpr (is_planner<typename type::reading_type>) x.reading->changed(x);
    follow<int, int>("mask(..)", *x.reading, visible);
    if constexpr (type::reading_type::computes) {
      constexpr int count = type::atom_registers;
      auto& hw = x.reading->hw;
      const auto is_visible = [&](int n) {
        const coord p = coord_at(x, at, n / count, n % count);
        return as_bool(ask(hw, visible, p.row, p.col));
      };
      if (plain(needed))
        ask_all<type::atoms * count>("mask", hw, is_visible, [&](int n, bool seen) {
          if (!seen) x.atom[n / count][n % count] = value;
        });
      else if constexpr (follows_places<typename type::reading_type> && places_of<Needed> != of_no_place)
        for (int n = 0; n < type::atoms * count && hw.looks_at_numbers() && x.reading->is_of_use(); ++n)
          if (const float stays = number_at(x, n / count, n % count); stays != value && !is_visible(n))
            hw.observe_unmasked(coord_at(x, at, n / count, n % count), stays);
    }
  }
  return x;
}
/// The same where every tile may hide some.
template <body_value X, class Visible>
constexpr std::remove_reference_t<X>& mask(X&& x, mask_place<X> at, const Visible& visible, float value) {
  return mask(x, at, true, visible, value);
}
template <class X, class... Few>
requires(body_value<X> && sizeof...(Few) < 3) constexpr refused_value mask(X&& x,
                                                                                                   const Few&...) {
  static_assert(decltype(reason<check_mask(describe<std::remove_cvref_t<X>>(), {})>())::verified);
  return refused(x);
}
/// Its coordinates stand apart.
template <body_value X, staged_or_known Row, class... More>
requires(sizeof...(More) > 1) constexpr refused_value mask(X&& x, const Row&, const More&...) { return mask(x); }
/// A mask whose tiles are asked by what is no condition: refused.
template <class X, class Needed, class Visible>
requires(body_value<X> && (body_value<Needed> || kind_of_value<Needed> == value_kind::refused)) constexpr refused_value
    mask(X&& x, mask_place<X>, const Needed& needed, const Visible&, float) {
  static_assert(decltype(reason<check_needed(describe<Needed>())>())::verified);
  return refused(x, needed);
}
/// A mask that does not say what hidden elements become: refused.
template <class X, class First, class... Few>
requires(body_value<X> && sizeof...(Few) < 2 && !(std::is_convertible_v<Few, float> || ...))
constexpr refused_value mask(X&& x, mask_place<X>, const First&, const Few&...) {
  return mask(x);
}

}  // namespace sectile
