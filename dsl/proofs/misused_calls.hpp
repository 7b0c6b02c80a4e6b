// Functions and operators that a body calls in another way: of constants, with more arguments than they take, without
// sm., or between values that have no order. Without a word from here a compiler would list all functions of that name.
#pragma once
#include <sectile/dsl/program/center.hpp>
#include <sectile/dsl/proofs/operation_checks.hpp>

namespace sectile {

// ---- anything else than a function takes, or more of it
//
// What fits is always more specialised.

/// Whether a call begins with a value of a body or a number, or has nothing in it.
template <class... X>
inline constexpr bool begins_with_a_value = true;
template <class First, class... More>
inline constexpr bool begins_with_a_value<First, More...> = body_value<First> || staged_or_known<First>;
template <class... X>
inline constexpr bool has_refused = ((kind_of_value<X> == value_kind::refused) || ...);

/// Reductions take no axis: there is one for each.
constexpr violation check_one_argument(const char* call, int given) {
  return refuse(
      rule::operand_is_used_in_another_way, call, "() with ", given, " arguments: it takes a fragment and ",
      "nothing else; row_max(), row_min() and row_sum() make a number of each row, col_max() and its like of ",
      "each column");
}
template <class... X>
constexpr violation check_reduced(const char* call) {
  const sentence form = sentence{} << call << "(a)";
  if constexpr (sizeof...(X) == 1)
    return check_reduction(form.text, describe<X>()...);
  else
    return has_refused<X...> ? violation{} : check_one_argument(call, sizeof...(X));
}
template <class... X>
requires begins_with_a_value<X...>
constexpr refused_value row_max(const X&... x) {
  static_assert(decltype(reason<check_reduced<X...>("row_max")>())::verified);
  return refused(x...);
}
template <class... X>
requires begins_with_a_value<X...>
constexpr refused_value row_min(const X&... x) {
  static_assert(decltype(reason<check_reduced<X...>("row_min")>())::verified);
  return refused(x...);
}
template <class... X>
requires begins_with_a_value<X...>
constexpr refused_value row_sum(const X&... x) {
  static_assert(decltype(reason<check_reduced<X...>("row_sum")>())::verified);
  return refused(x...);
}
template <class... X>
requires begins_with_a_value<X...>
constexpr refused_value unfinished_row_max(const X&... x) {
  static_assert(decltype(reason<check_reduced<X...>("unfinished_row_max")>())::verified);
  return refused(x...);
}
template <class... X>
requires begins_with_a_value<X...>
constexpr refused_value col_max(const X&... x) {
  static_assert(decltype(reason<check_reduced<X...>("col_max")>())::verified);
  return refused(x...);
}
template <class... X>
requires begins_with_a_value<X...>
constexpr refused_value col_min(const X&... x) {
  static_assert(decltype(reason<check_reduced<X...>("col_min")>())::verified);
  return refused(x...);
}
template <class... X>
requires begins_with_a_value<X...>
constexpr refused_value col_sum(const X&... x) {
  static_assert(decltype(reason<check_reduced<X...>("col_sum")>())::verified);
  return refused(x...);
}

/// center() of something that is no fragment, or that cannot change, or by numbers along other modes.
constexpr violation check_center(const described& x, int arguments, mode_id rows = mode_id::any,
                                 mode_id columns = mode_id::any, bool tiles = false) {
  constexpr const char* form = "center(x, rows, columns)";
  if (!x.is_sums()) return check_reduction(form, x);
  if (arguments != 3)
    return check_form_of("center", arguments, "center(x, rows, columns), of a fragment and two numbers");
  const operand_facts& f = x.facts;
  const mode_text row = text_of(f.row_mode()), col = text_of(f.col_mode());
  const char *its_rows = said_mode(row), *its_columns = said_mode(col);
  if (tiles || !alike(f.row_mode(), rows) || !alike(f.col_mode(), columns))
    return refuse(rule::coordinate_is_along_another_mode, form, ": rows counts ", tiles ? "tiles along " : "along ",
                  said_mode(text_of(rows)), ", columns along ", said_mode(text_of(columns)),
                  ", where x has rows along ", its_rows, " and columns along ", its_columns, ": center(x, size<\"",
                  its_rows, "\">(X), size<\"", its_columns, "\">(X))");
  return refuse(rule::values_do_not_combine, form,
                " changes x, which is const here or has no name; write auto y = x; center(y, rows, columns)");
}
template <body_value First, class... More>
constexpr centered<refused_value> center(const First& x, const More&...) {
  constexpr violation v = [] {
    if constexpr (sizeof...(More) == 2)
      return check_center(as_in_the_body(describe<First>()), 3, mode_of<More>..., (counts_tiles<More> || ...));
    else
      return check_center(describe<First>(), 1 + static_cast<int>(sizeof...(More)));
  }();
  static_assert(decltype(reason<v>())::verified);
  return {refused(x), refused(x)};
}

template <class... X>
constexpr violation check_of_a_tile(const char* call, const char* right, violation (*check)(const described&)) {
  if constexpr (sizeof...(X) == 1)
    return check(describe<X>()...);
  else
    return has_refused<X...> ? violation{} : check_form_of(call, sizeof...(X), right);
}
template <class... X>
requires begins_with_a_value<X...>
constexpr refused_value in_registers(const X&... x) {
  constexpr violation v = check_of_a_tile<X...>("in_registers", "in_registers(tile), of one tile", check_in_registers);
  static_assert(decltype(reason<v>())::verified);
  return refused(x...);
}
template <class... X>
requires begins_with_a_value<X...>
constexpr refused_value transpose(const X&... x) {
  constexpr violation v = check_of_a_tile<X...>("transpose", "transpose(tile), of one tile", check_transpose);
  static_assert(decltype(reason<v>())::verified);
  return refused(x...);
}

/// Of one value, or of more than two.
template <class... X>
requires(sizeof...(X) != 2 && (body_value<X> || ...)) constexpr refused_value max(const X&... x) {
  constexpr const char* right = sizeof...(X) == 1 ? "max(a, b), or row_max(x), col_max(x)" : "max(max(a, b), c)";
  static_assert(decltype(reason<check_form_of("max", sizeof...(X), right)>())::verified);
  return refused(x...);
}
template <class... X>
requires(sizeof...(X) != 2 && (body_value<X> || ...)) constexpr refused_value min(const X&... x) {
  constexpr const char* right = sizeof...(X) == 1 ? "min(a, b), or row_min(x), col_min(x)" : "min(min(a, b), c)";
  static_assert(decltype(reason<check_form_of("min", sizeof...(X), right)>())::verified);
  return refused(x...);
}

/// Of three values; here they are fewer or more.
template <body_value X, class... More>
requires(sizeof...(More) != 2) constexpr refused_value clamp(const X& x, const More&...) {
  constexpr const char* right = "clamp(x, least, most); with one bound it is max(x, least) or min(x, most)";
  static_assert(decltype(reason<check_form_of("clamp", 1 + sizeof...(More), right)>())::verified);
  return refused(x);
}
template <body_value X, class... More>
requires(sizeof...(More) != 2) constexpr refused_value fma(const X& x, const More&...) {
  constexpr const char* right = "fma(x, y, z), which is x * y + z";
  static_assert(decltype(reason<check_form_of("fma", 1 + sizeof...(More), right)>())::verified);
  return refused(x);
}

/// A name of several functions, such as std::tanh: which of them is meant no parameter of a template tells.
struct one_of_several {
  constexpr one_of_several(float (*)(float)) {}
};
constexpr violation check_named_function(const described& x) {
  if (x.kind == value_kind::refused) return {};
  return refuse(rule::function_does_not_fit,
                "map(x, f): the function's name has several forms, as those of <cmath>; write [](float a) { return "
                "std::tanh(a); }");
}
template <body_value X>
constexpr refused_value map(const X& x, one_of_several) {
  static_assert(decltype(reason<check_named_function(describe<X>())>())::verified);
  return refused(x);
}

// ---- a product into what cannot change

template <class R, class T, class Rows, class Cols, class A, class B, product_form Form>
constexpr refused_value operator+=(const fragment<R, T, Rows, Cols>& x, const tile_product<A, B, Form>&) {
  static_assert(decltype(reason<check_constant("acc += a * b", describe<fragment<R, T, Rows, Cols>>())>())::verified);
  return refused(x);
}
template <class R, class T, class Rows, class Cols, class A, class B, product_form Form>
constexpr refused_value operator-=(const fragment<R, T, Rows, Cols>& x, const tile_product<A, B, Form>&) {
  static_assert(decltype(reason<check_constant("acc -= a * b", describe<fragment<R, T, Rows, Cols>>())>())::verified);
  return refused(x);
}

// ---- operators of whole numbers, and of what is counted on

struct in_place_of_a_whole_number {
  template <body_value X>
  constexpr in_place_of_a_whole_number(const X& x) {
    static_assert(decltype(reason<check_number(describe<X>())>())::verified);
    refused(x);
  }
};
constexpr refused_value operator%(in_place_of_a_whole_number, const auto&) { return {}; }
constexpr refused_value operator&(in_place_of_a_whole_number, const auto&) { return {}; }
constexpr refused_value operator|(in_place_of_a_whole_number, const auto&) { return {}; }
constexpr refused_value operator^(in_place_of_a_whole_number, const auto&) { return {}; }
constexpr refused_value operator<<(in_place_of_a_whole_number, const auto&) { return {}; }
constexpr refused_value operator>>(in_place_of_a_whole_number, const auto&) { return {}; }
constexpr refused_value operator%=(in_place_of_a_whole_number, const auto&) { return {}; }
constexpr refused_value operator&=(in_place_of_a_whole_number, const auto&) { return {}; }
constexpr refused_value operator|=(in_place_of_a_whole_number, const auto&) { return {}; }
constexpr refused_value operator^=(in_place_of_a_whole_number, const auto&) { return {}; }
constexpr refused_value operator~(in_place_of_a_whole_number) { return {}; }
constexpr violation check_step(bool up, const described& x) {
  violation v = refuse(rule::values_do_not_combine, up ? "++" : "--", " with ", x, ": ");
  if (may_combine(x))
    v << "say by how much, x = x " << (up ? "+ 1" : "- 1");
  else
    advise(v, x);
  return v;
}
/// X is a value, or a number that a run decides.
template <class X>
concept may_be_counted = body_value<X> || is_staged<std::remove_cvref_t<X>>;
template <bool Up>
struct in_place_of_a_counter {
  template <may_be_counted X>
  constexpr in_place_of_a_counter(const X& x) {
    static_assert(decltype(reason<check_step(Up, describe<X>())>())::verified);
    refused(x);
  }
};
constexpr refused_value operator++(in_place_of_a_counter<true>) { return {}; }
constexpr refused_value operator++(in_place_of_a_counter<true>, int) { return {}; }
constexpr refused_value operator--(in_place_of_a_counter<false>) { return {}; }
constexpr refused_value operator--(in_place_of_a_counter<false>, int) { return {}; }

// ---- what is asked of an operand

constexpr violation check_asked_of_an_operand(const char* call, const described& x) {
  return refuse(rule::operand_is_used_in_another_way, call, "<\"K\">() of ", x, ": it is asked of an operand, as ",
                call, "<\"K\">(A) is");
}
template <name_literal, class X>
requires(body_value<X>&& kind_of_value<X> != value_kind::operand) constexpr refused_number tiles(const X& x) {
  static_assert(decltype(reason<check_asked_of_an_operand("tiles", describe<X>())>())::verified);
  refused(x);
  return {};
}
template <name_literal, class X>
requires(body_value<X>&& kind_of_value<X> != value_kind::operand) constexpr refused_number size(const X& x) {
  static_assert(decltype(reason<check_asked_of_an_operand("size", describe<X>())>())::verified);
  refused(x);
  return {};
}

/// The mode as a first argument, tiles("K", A), or no operand, tiles<"K">().
constexpr violation check_asked_of_nothing(const char* call, const char* mode) {
  return refuse(rule::operand_is_used_in_another_way, call, "<\"", mode, "\">() of which operand? Write ", call, "<\"",
                mode, "\">(A)");
}
template <class Text>
requires(!body_value<Text>) constexpr refused_number tiles(const Text&, without_a_mode) { return {}; }
template <class Text>
requires(!body_value<Text>) constexpr refused_number size(const Text&, without_a_mode) { return {}; }
template <class Text>
requires(!body_value<Text>) constexpr refused_number extent(const Text&, without_a_mode) { return {}; }
template <name_literal Mode>
constexpr refused_number tiles() {
  static_assert(decltype(reason<check_asked_of_nothing("tiles", Mode.text)>())::verified);
  return {};
}
template <name_literal Mode>
constexpr refused_number size() {
  static_assert(decltype(reason<check_asked_of_nothing("size", Mode.text)>())::verified);
  return {};
}
template <name_literal Mode>
constexpr refused_number extent() {
  static_assert(decltype(reason<check_asked_of_nothing("extent", Mode.text)>())::verified);
  return {};
}

// ---- what is asked of sm, and is no function of its own

constexpr violation check_asked_of_sm(const char* call, const operand_facts& f, const char* rest = ")") {
  return refuse(rule::operand_is_used_in_another_way, call, "(", f.name, rest,
                " is asked of the body's first argument: sm.", call, "(", f.name, rest);
}
/// The place of a tile of operand `Asked`, or of the work, in coordinates that fit anywhere, without the last `Less`:
/// what a refused tile_of() gives, with as many names as a body has for it.
template <class K, int Asked = -1, int Less = 0>
constexpr auto any_place() {
  constexpr int rank = [] {
    const operand_table all = operand_table_of<K>();
    const int work = Asked >= 0 ? Asked : find_work(all);
    return work < all.count && all.at[work].tile.rank > Less ? all.at[work].tile.rank : 1 + Less;
  }();
  return []<int... D>(std::integer_sequence<int, D...>) {
    return tile_place<(static_cast<void>(D), mode_id::any)...>{};
  }
  (std::make_integer_sequence<int, rank - Less>{});
}
template <class K, int I>
constexpr auto tile_of(const operand_handle<K, I>&) {
  using why = decltype(reason<check_asked_of_sm("tile_of", operand_facts_of<K, I>())>());
  static_assert(why::asserted);
  [[maybe_unused]] constexpr bool known = why::verified;  // ends the reading where it can
  return any_place<K, I>();
}
template <class K, int I>
constexpr auto rows_of(const operand_handle<K, I>&) {
  using why = decltype(reason<check_asked_of_sm("rows_of", operand_facts_of<K, I>())>());
  static_assert(why::asserted);
  [[maybe_unused]] constexpr bool known = why::verified;
  return any_place<K, I, 1>();
}
template <class K, int I>
constexpr auto wide_tile_of(const operand_handle<K, I>&) {
  using why = decltype(reason<check_asked_of_sm("wide_tile_of", operand_facts_of<K, I>())>());
  static_assert(why::asserted);
  [[maybe_unused]] constexpr bool known = why::verified;
  return any_place<K, I>();
}
template <class K, int I>
constexpr auto block_of(const operand_handle<K, I>&) {
  using why = decltype(reason<check_asked_of_sm("block_of", operand_facts_of<K, I>())>());
  static_assert(why::asserted);
  [[maybe_unused]] constexpr bool known = why::verified;
  return tile_place<mode_id::any>{};
}
template <class K, int I>
constexpr auto wide_block_of(const operand_handle<K, I>&) {
  using why = decltype(reason<check_asked_of_sm("wide_block_of", operand_facts_of<K, I>())>());
  static_assert(why::asserted);
  [[maybe_unused]] constexpr bool known = why::verified;
  return tile_place<mode_id::any, mode_id::any>{};
}
template <class K, int I>
constexpr refused_value accumulator(const operand_handle<K, I>&) {
  static_assert(decltype(reason<check_asked_of_sm("accumulator", operand_facts_of<K, I>())>())::verified);
  return {};
}
template <class>
constexpr violation check_loop_asked_of_sm() {
  return refuse(rule::operand_is_used_in_another_way,
                "pipelined(n) is asked of the body's first argument: for (auto k : sm.pipelined(n))");
}
template <class N>
requires is_staged<N>
constexpr refused_number pipelined(const N&) {
  using why = decltype(reason<check_loop_asked_of_sm<N>()>());
  static_assert(why::asserted);
  [[maybe_unused]] constexpr bool known = why::verified;
  return {};
}

// ---- what is asked where a kernel is launched

constexpr violation check_asked_at_a_launch(const char* call, const described& x, const char* right) {
  return refuse(rule::operand_is_used_in_another_way, call, "() of ", x,
                ": it is asked of a launch's tensors, outside of the body: ", right);
}
template <body_value X, class... More>
constexpr refused_value folded(const X& x, const More&...) {
  constexpr violation v =
      check_asked_at_a_launch("folded", describe<X>(),
                              "launch<K>(folded(view, 8), ..) where the operand is declared input<\"X(M,P,N)\", ..>()");
  static_assert(decltype(reason<v>())::verified);
  return refused(x);
}
template <body_value X, class... More>
constexpr refused_value workspace_bytes(const X& x, const More&...) {
  constexpr violation v = check_asked_at_a_launch("workspace_bytes", describe<X>(), "workspace_bytes<K>(tensors ..)");
  static_assert(decltype(reason<v>())::verified);
  return refused(x);
}

// ---- comparisons of values, which are no numbers: what they give is refused without another word

/// One of them is a value of a body, and the other one as well, or a number. (A concept, because compilers ask whatever
/// is compared in this namespace, and then look no further than at the first half.)
template <class A, class B>
concept compares_values = (std::is_class_v<A> || std::is_class_v<B>) &&
                          ((body_value<A> && (body_value<B> || is_staged<B> || std::is_arithmetic_v<B>)) ||
                           (body_value<B> && (is_staged<A> || std::is_arithmetic_v<A>)));
template <class A, class B>
constexpr violation check_comparison() {
  static_cast<void>(sizeof(note<comparison_refusal<A>>) + sizeof(note<comparison_refusal<B>>));
  if constexpr (has_refused<A, B>)
    return {};
  else
    return check_number(body_value<A> ? describe<A>() : describe<B>());
}
/// What a <=> b gives for < > <= >= to compare with 0.
struct refused_order {
  friend constexpr refused_value operator<(refused_order, int) { return {}; }
  friend constexpr refused_value operator>(refused_order, int) { return {}; }
  friend constexpr refused_value operator<=(refused_order, int) { return {}; }
  friend constexpr refused_value operator>=(refused_order, int) { return {}; }
};
template <class A, compares_values<A> B>
constexpr refused_order operator<=>(const A& a, const B& b) {
  static_assert(decltype(reason<check_comparison<A, B>()>())::verified);
  refused(a, b);
  return {};
}
template <class A, compares_values<A> B>
constexpr refused_value operator==(const A& a, const B& b) {
  static_assert(decltype(reason<check_comparison<A, B>()>())::verified);
  return refused(a, b);
}
template <class A, compares_values<A> B>
constexpr refused_value operator!=(const A& a, const B& b) {
  static_assert(decltype(reason<check_comparison<A, B>()>())::verified);
  return refused(a, b);
}

}  // namespace sectile
