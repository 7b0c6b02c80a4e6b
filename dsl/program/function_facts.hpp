// What is known of a function of the program's own before it is called, and why it is refused.
#pragma once
#include <sectile/dsl/program/misuse.hpp>

namespace sectile {

/// What is known of a function before it is called.
struct function_facts {
  bool callable = false;  // with these arguments
  bool constant = false;  // as a const object
  bool fitting = false;   // what it returns is a number (a condition for mask)
  bool cuts_off = false;  // takes whole numbers where it is given others
  bool of_tiles = false;  // answers by a number of tiles, with which it compares one of them
  mode_id along{};        // by a number along this mode, likewise
};
/// Whether a function of P... that is given Given... makes whole numbers of some that are none.
template <class... P, class... Given>
constexpr bool takes_integers(std::type_identity<void(P...)>, std::type_identity<void(Given...)>) {
  constexpr bool whole[]{!std::is_floating_point_v<Given>..., true};
  std::size_t at = 0;
  bool cut = false;
  ((cut = cut || (std::is_integral_v<std::remove_cvref_t<P>> && at < sizeof...(Given) && !whole[at]), ++at), ...);
  return cut;
}
template <class Given, class C, class Result, class... P, bool Noexcept>
constexpr bool takes_integers(Given given, Result (C::*)(P...) const noexcept(Noexcept)) {
  return takes_integers(std::type_identity<void(P...)>{}, given);
}
template <class Given, class Result, class... P, bool Noexcept>
constexpr bool takes_integers(Given given, Result (*)(P...) noexcept(Noexcept)) {
  return takes_integers(std::type_identity<void(P...)>{}, given);
}
/// Whether an R is a number, or a condition, known or not.
template <class Answer, class R>
inline constexpr bool answers = std::is_same_v<Answer, bool>
                                    ? is_condition<R> || (!is_staged<R> && std::is_convertible_v<R, bool>)
                                    : is_staged<R> || (!is_condition<R> && std::is_convertible_v<R, Answer> &&
                                                       !requires { typename R::reading_type; });
template <class Answer, class F, class... Arguments>
constexpr function_facts function_facts_of() {
  function_facts f{std::is_invocable_v<F&, Arguments...>, std::is_invocable_v<const F&, Arguments...>};
  if constexpr (std::is_invocable_v<const F&, Arguments...>) {
    using result = std::remove_cvref_t<std::invoke_result_t<const F&, Arguments...>>;
    f.fitting = answers<Answer, result>;
    f.of_tiles = (places_of<result> & of_counted_tiles) != 0;
    f.along = compared_along<result>;
  }
  constexpr std::type_identity<void(Arguments...)> given{};
  if constexpr (requires { takes_integers(given, &F::operator()); })
    f.cuts_off = takes_integers(given, &F::operator());
  else if constexpr (requires { takes_integers(given, std::decay_t<F>{}); })
    f.cuts_off = takes_integers(given, std::decay_t<F>{});
  return f;
}

/// `what` is the call, `right` how its function is written.
constexpr violation check_function(const char* what, const char* right, const function_facts& f, bool of_numbers) {
  const char* why = !f.callable   ? " cannot be called like that"
                    : !f.constant ? " changes when it is called (mutable), but elements are asked for in no order"
                    : !f.fitting  ? of_numbers ? " returns no number" : " returns no condition"
                    : of_numbers && f.cuts_off ? " takes whole numbers, which cuts off fractions"
                                               : nullptr;
  if (!why) return {};
  return refuse(f.callable && !f.constant ? rule::function_must_not_be_mutable : rule::function_does_not_fit, what,
                ": the function", why, "; write ", right);
}
constexpr violation check_map(const function_facts& f, int values) {
  return check_function(values == 1   ? "map(x, f)"
                        : values == 2 ? "map(x, y, f)"
                                      : "map(x, y, z, f)",
                        values == 1   ? "[](float a) { return ..; }"
                        : values == 2 ? "[](float a, float b) { return ..; }"
                                      : "[](float a, float b, float c) { return ..; }",
                        f, true);
}
constexpr violation check_map_values(const described_values& all) {
  if (all.count > 0 && all.at[0].kind != value_kind::none && all.at[all.count - 1].kind == value_kind::none &&
      all.count < 5) {
    described_values values = all;
    --values.count;
    return check_values(all.count == 2 ? "map(a, f)" : all.count == 3 ? "map(a, b, f)" : "map(a, b, c, f)", values);
  }
  if (all.has(value_kind::refused)) return {};
  return refuse(
      rule::values_do_not_combine,
      "map() takes one to three values and then a function of their numbers: map(x, [](float a) { return ..; })");
}

constexpr violation check_map_rows(const described_values& all) {
  for (int i = 0; i < all.count; ++i) {
    if (as_in_the_body(all.at[i]).kind != value_kind::rows) return check_values("map_rows(f, ..)", all);
    if (all.at[i].swapped) return check_swap("map_rows()", true);
  }
  return refuse(rule::values_do_not_combine, "map_rows(f, u, v, ..): the vectors must have the same rows");
}
constexpr violation check_mask(const described& x, const function_facts& f) {
  constexpr const char* form = "mask(x, at, needed, visible, value)";
  if (!x.is_sums()) return check_reduction(form, x);
  if (f.of_tiles)
    return refuse(rule::function_does_not_fit, form, ": the function compares a row or a column, which count ",
                  "elements, with a number of tiles; elements are size<\"", said_mode(text_of(x.facts.col_mode())),
                  "\">(C)");
  const mode_id row = x.facts.row_mode(), col = x.facts.col_mode();
  if (f.along != mode_id::mixed && !alike(f.along, row) && !alike(f.along, col))
    return refuse(rule::coordinate_is_along_another_mode, form,
                  ": the function compares a row or a column with a number along ", text_of(f.along).text,
                  ", but x is along ", text_of(row).text, " x ", text_of(col).text, "; where that is meant: as<\"",
                  text_of(col).text, "\">(x)");
  return check_function(form, "mask(x, {m, n}, needed, [=](int row, int col) { return ..; }, value)", f, false);
}

}  // namespace sectile
