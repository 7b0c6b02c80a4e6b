// From arguments whose types are known at run time only to those that a kernel's launch takes.
#pragma once
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <sectile/dsl/launch/sparse_view.hpp>
#include <sectile/dsl/operator/untyped_argument.hpp>
#include <sectile/dsl/program/operand.hpp>

namespace sectile {

/// Argument I of kernel K: a view of const elements for an input, of elements for an output, a sparse matrix or the
/// number.
template <class K, int I>
auto typed_argument(const untyped_argument& a) {
  using declaration = operand_at<K, I>;
  using element_type = typename declaration::element_type;
  if constexpr (declaration::kind == operand_kind::scalar) {
    return static_cast<element_type>(a.number);
  } else if constexpr (declaration::sparse) {
    return sparse(static_cast<const element_type*>(a.data), static_cast<const std::uint32_t*>(a.metadata), a.extent[0],
                  a.extent[1], a.stride[0]);
  } else {
    constexpr bool read = declaration::kind == operand_kind::input || declaration::kind == operand_kind::vector;
    using viewed = std::conditional_t<read, const element_type, element_type>;
    tensor_view<viewed> view{static_cast<viewed*>(a.data), a.rank, {}, {}};
    for (int d = 0; d < max_rank; ++d) {
      view.extent[d] = a.extent[d];
      view.stride[d] = a.stride[d];
    }
    if constexpr (requires { declaration::im2col; })
      return im2col(view, a.path);
    else
      return view;
  }
}

/// Calls use(argument 0, argument 1, ...) with the types of K's operands.
template <class K, class Use>
void with_typed_arguments(std::span<const untyped_argument> arguments, Use use) {
  if (arguments.size() != static_cast<std::size_t>(operand_count<K>))
    throw std::logic_error("a kernel is run with one argument per operand");
  [&]<int... I>(std::integer_sequence<int, I...>) { use(typed_argument<K, I>(arguments[I])...); }
  (std::make_integer_sequence<int, operand_count<K>>{});
}

}  // namespace sectile
