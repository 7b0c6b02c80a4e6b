// Both algebras asked the same: layouts of ours as CuTe's types and back. CuTe's own static asserts about values become
// notes, so that what it would refuse is counted, with its words, and does not end the compilation.
#pragma once

#include <cute/config.hpp>
#include <string>

namespace witness {
/// What the first of CuTe's asserts said that failed since this was cleared.
inline std::string cute_refusal;
inline void refuse(const char* condition, const char* says) {
  if (!cute_refusal.empty()) return;
  cute_refusal = *says == '"' ? std::string(says + 1, std::string(says).size() - 2) : condition;
}
constexpr void note(bool holds, const char* condition, const char* says) {
  if (!std::is_constant_evaluated() && !holds) refuse(condition, says);
}
}  // namespace witness

#undef CUTE_STATIC_ASSERT_V
#define CUTE_STATIC_ASSERT_V(x, ...) ::witness::note(decltype(x)::value, #x, #__VA_ARGS__)

#include <cute/layout.hpp>
#include <cute/layout_composed.hpp>

#include <sectile/layouts/adapt/cute.hpp>

#include "answers.hpp"
#include "random_layouts.hpp"

namespace witness {

template <layout L>
constexpr auto cute_shape() {
  if constexpr (!is_tuple(L.form))
    return cute::Int<static_cast<int>(L.leaf[0].shape)>{};
  else
    return []<int... I>(std::integer_sequence<int, I...>) { return cute::make_tuple(cute_shape<mode(L, I)>()...); }
  (std::make_integer_sequence<int, rank(L)>{});
}
template <layout L>
constexpr auto cute_stride() {
  if constexpr (!is_tuple(L.form))
    return cute::Int<static_cast<int>(L.leaf[0].stride)>{};
  else
    return []<int... I>(std::integer_sequence<int, I...>) { return cute::make_tuple(cute_stride<mode(L, I)>()...); }
  (std::make_integer_sequence<int, rank(L)>{});
}
/// L as CuTe's type.
template <layout L>
constexpr auto as_cute() {
  return cute::make_layout(cute_shape<L>(), cute_stride<L>());
}

/// CuTe's: refused where one of its asserts failed.
template <class Call>
answer theirs(Call call) {
  cute_refusal.clear();
  const auto value = from_cute(call());
  const bool refused = !cute_refusal.empty();
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, layout>)
    return {refused, {swizzle{0, 4, 3}, 0, value}, to_string(value), cute_refusal};
  else
    return {refused, value, to_string(value), cute_refusal};
}
/// CuTe's where what it is asked does not compile.
inline answer does_not_compile(const char* why) { return {true, {}, "does not compile", why}; }

}  // namespace witness
