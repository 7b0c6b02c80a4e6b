// Both algebras asked the same: layouts of ours as CuTe's types and back, and a judgement by the definitions, element
// by element, where the answers differ. CuTe's own static asserts about values become notes, so that what it would
// refuse is counted and does not end the compilation.
#pragma once

#include <cute/config.hpp>

namespace witness {
/// How many of CuTe's asserts failed since it was set to 0.
inline int cute_refusals = 0;
constexpr void note(bool holds) {
  if (!std::is_constant_evaluated() && !holds) ++cute_refusals;
}
}  // namespace witness

#undef CUTE_STATIC_ASSERT_V
#define CUTE_STATIC_ASSERT_V(x, ...) ::witness::note(decltype(x)::value)

#include <cute/layout.hpp>
#include <cute/layout_composed.hpp>

#include <map>
#include <sectile/layouts/adapt/cute.hpp>
#include <sectile/layouts/text.hpp>
#include <string>
#include <vector>

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

/// What one of the two says: a layout or a refusal.
struct answer {
  bool refused = false;
  swizzled_layout value;
  std::string words;
};

/// Ours, at run time, so that a refusal is an answer.
template <class Call>
answer ours(Call call) {
  try {
    const auto value = call();
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, layout>)
      return {false, {swizzle{0, 4, 3}, 0, value}, to_string(value)};
    else
      return {false, value, to_string(value)};
  } catch (const layout_error& why) {
    return {true, {}, why.what()};
  }
}

/// CuTe's: refused where one of its asserts failed.
template <class Call>
answer theirs(Call call) {
  cute_refusals = 0;
  const auto value = from_cute(call());
  const bool refused = cute_refusals > 0;
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, layout>)
    return {refused, {swizzle{0, 4, 3}, 0, value}, to_string(value)};
  else
    return {refused, value, to_string(value)};
}

/// The counts of every operation, and an example of each sort of difference.
struct record {
  std::map<std::string, std::map<std::string, int>> counts;
  std::map<std::string, std::vector<std::string>> examples;
  int wrong = 0;

  void take(const std::string& operation, const std::string& sort, const std::string& example = {}) {
    ++counts[operation][sort];
    std::vector<std::string>& shown = examples[operation + ": " + sort];
    if (sort != "the same" && !example.empty() && shown.size() < 3) shown.push_back(example);
  }
};
inline record all;

/// Compares two answers to a question; law(value) is whether a value is right by the definition of the operation.
template <class Law>
void compare_answers(const std::string& operation, const std::string& question, const answer& a, const answer& b,
                     Law law) {
  const auto lawful = [&](const answer& x) {
    try {
      return law(x.value);
    } catch (const layout_error&) {
      return false;
    }
  };
  const std::string text =
      question + "\n      here: " + a.words + "\n      CuTe: " + (b.refused ? "(refused) " : "") + b.words;
  if (!a.refused && !lawful(a)) {
    ++all.wrong;
    return all.take(operation, "WRONG HERE", text);
  }
  if (a.refused && b.refused) return all.take(operation, "both refuse");
  if (a.refused)
    return all.take(operation, lawful(b) ? "refused here, and CuTe is right" : "refused here, CuTe is wrong", text);
  if (b.refused) return all.take(operation, "CuTe refuses, right here", text);
  if (a.value == b.value) return all.take(operation, "the same");
  if (!lawful(b)) return all.take(operation, "CuTe is wrong, right here", text);
  const bool alike = size(a.value) == size(b.value) && same_function(a.value, b.value);
  all.take(operation, alike ? "one function, in other modes" : "both right, other functions", text);
}

/// Two numbers.
inline void compare_numbers(const std::string& operation, const std::string& question, std::int64_t a, std::int64_t b,
                            bool right) {
  const std::string text = question + "\n      here: " + std::to_string(a) + "\n      CuTe: " + std::to_string(b);
  if (a == b) return all.take(operation, "the same");
  if (!right) ++all.wrong;
  all.take(operation, right ? "other numbers, right here" : "WRONG HERE", text);
}

}  // namespace witness
