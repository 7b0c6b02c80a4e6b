// What the types of a launch's arguments already tell, checked in the line that launches.
#pragma once
#include <type_traits>
#include <utility>

#include <sectile/dsl/launch/im2col_view.hpp>
#include <sectile/dsl/launch/sparse_view.hpp>
#include <sectile/dsl/launch/tensor_view.hpp>
#include <sectile/dsl/launch/workspace.hpp>
#include <sectile/dsl/program/refusal.hpp>

namespace sectile {

/// Whether X is such a view, of whatever elements.
template <class X, template <class> class View>
inline constexpr bool is_view = false;
template <class T, template <class> class View>
inline constexpr bool is_view<View<T>, View> = true;

/// The element of a view of T, constant or not; of other arguments void.
template <class X>
struct viewed {
  using type = void;
};
template <class T, template <class> class View>
struct viewed<View<T>> {
  using type = T;
};

namespace detail {

template <std::size_t I, class First, class... Rest>
struct find_type : find_type<I - 1, Rest...> {};
template <class First, class... Rest>
struct find_type<0, First, Rest...> {
  using type = First;
};
template <std::size_t I, class... All>
using type_at = typename find_type<I, All...>::type;

/// Argument number I.
template <std::size_t I, class First, class... Rest>
constexpr const auto& argument_at(const First& first, const Rest&... rest) {
  if constexpr (I == 0)
    return first;
  else
    return argument_at<I - 1>(rest...);
}

}  // namespace detail

/// Whether an argument of type Argument can be operand I of kernel K.
template <class K, int I, class Argument>
constexpr violation check_argument() {
  using operand = operand_at<K, I>;
  if constexpr (operand::kind == operand_kind::scalar) {
    using held = typename operand::element_type;
    constexpr bool whole = std::is_same_v<held, int>;
    if (!std::is_convertible_v<Argument, held> || std::is_pointer_v<Argument>)
      return refuse(rule::argument_does_not_fit, "argument ", I + 1, " must be a number");
    if (whole && std::is_floating_point_v<Argument>)
      return refuse(rule::argument_does_not_fit, "argument ", I + 1, ": scalar ", operand_facts_of<K, I>().name,
                    " is an int, which would cut off a fraction; pass an int, or declare it as float");
    return {};
  } else {
    using given = typename viewed<Argument>::type;
    constexpr operand_facts f = operand_facts_of<K, I>();
    if (operand::sparse && !is_view<Argument, sparse_view>)
      return refuse(rule::argument_does_not_fit, "argument ", I + 1, ": operand ", f.name,
                    " is sparse: pass a sparse_view (sparse(...))");
    if (f.im2col && !is_view<Argument, im2col_view>)
      return refuse(rule::argument_does_not_fit, "argument ", I + 1, ": operand ", f.name,
                    " is an image that a filter goes over: pass an im2col_view, "
                    "im2col(tensor(x, N, H, W, C), {.filter = {3, 3}})");
    if (!operand::sparse && !f.im2col && !is_view<Argument, tensor_view>)
      return refuse(rule::argument_does_not_fit, "argument ", I + 1, ": operand ", f.name,
                    " is a tensor: pass a tensor_view (matrix(...), tensor(...))");
    using elements = std::remove_const_t<given>;
    constexpr element type = element_or_none<elements>();
    const bool as_tf32 = f.type == element_of<tf32>() && std::is_same_v<elements, float>;  // its last bits are not read
    if (!std::is_same_v<elements, typename operand::element_type> && !as_tf32)
      return refuse(rule::argument_does_not_fit, "argument ", I + 1, ": operand ", f.name, " has elements of ",
                    f.type.name, ", the tensor's element type ",
                    type.name[0] ? type.name : "(none that an operand has)", " is not the operand's; ",
                    f.type.shuffled ? "shuffle()" : "convert", " the tensor first");
    if (f.is_written() && std::is_const_v<given>)
      return refuse(rule::argument_does_not_fit, "argument ", I + 1, ": operand ", f.name,
                    " is an output; an output tensor must not be const");
    return {};
  }
}

constexpr violation check_argument_count(int given, int operands) {
  if (given == operands) return {};
  return refuse(rule::argument_does_not_fit, "a kernel is launched with one argument per operand: ", operands, ", not ",
                given, "; a workspace, where it needs one, is a workspace(pointer, bytes) behind them");
}
/// Whether arguments of these types are those of kernel K, with or without a workspace behind them: why the first is
/// not that does not fit.
template <class K, class... Arguments>
constexpr violation check_arguments() {
  constexpr int given = sizeof...(Arguments) - ends_with_workspace<Arguments...>;
  violation v = check_argument_count(given, operand_count<K>);
  if constexpr (given == operand_count<K>)
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((v = v.holds() ? check_argument<K, I, detail::type_at<I, Arguments...>>() : v), ...);
    }
  (std::make_integer_sequence<int, operand_count<K>>{});
  return v;
}

}  // namespace sectile
