// Words of other languages for tiles, said of a body's values: each is refused with the words that this one has for it.
// Without that a compiler finds nothing of the name, and shows what it looked into.
//
// A function of the program's own may have such a name. It fits better: what stands here takes its first argument by a
// conversion. And so may anything else of a program that says `using namespace sectile`: these names are in a namespace
// of their own, where compilers look because a reading, which all values know, has a base there.
#pragma once
#include <sectile/dsl/proofs/misused_calls.hpp>

namespace sectile {

constexpr violation check_foreign_word(const char* call, const char* right, const described& x) {
  if (x.kind == value_kind::refused) return {};
  return refuse(rule::body_is_written_in_another_way, "there is no ", call, " of ", x, "; write ", right);
}
/// The first argument of a function called `Call`, a value of a body, in place of which `Right` is written.
template <name_literal Call, name_literal Right>
struct given_to {
  template <body_value X>
  constexpr given_to(const X& x) {
    static_assert(decltype(reason<check_foreign_word(Call.text, Right.text, describe<X>())>())::verified);
    refused(x);
  }
};

// ---- words of this language, with what a mode or an axis would be in others

template <auto, class... More>
constexpr refused_value row_max(
    given_to<"row_max<..>(x)", "row_max(x), which takes no axis; of columns it is col_max(x)">, const More&...) {
  return {};
}
template <auto, class... More>
constexpr refused_value row_min(
    given_to<"row_min<..>(x)", "row_min(x), which takes no axis; of columns it is col_min(x)">, const More&...) {
  return {};
}
template <auto, class... More>
constexpr refused_value row_sum(
    given_to<"row_sum<..>(x)", "row_sum(x), which takes no axis; of columns it is col_sum(x)">, const More&...) {
  return {};
}
template <auto, class... More>
constexpr refused_value col_max(given_to<"col_max<..>(x)", "col_max(x), which takes no axis; of rows it is row_max(x)">,
                                const More&...) {
  return {};
}
template <auto, class... More>
constexpr refused_value col_min(given_to<"col_min<..>(x)", "col_min(x), which takes no axis; of rows it is row_min(x)">,
                                const More&...) {
  return {};
}
template <auto, class... More>
constexpr refused_value col_sum(given_to<"col_sum<..>(x)", "col_sum(x), which takes no axis; of rows it is row_sum(x)">,
                                const More&...) {
  return {};
}
/// The type as a second argument.
template <class First, class... More>
constexpr refused_value cast(given_to<"cast(x, type)", "cast<bf16>(x)">, const First&, const More&...) {
  return {};
}

// ---- words of other languages

namespace foreign {

// ---- reductions

template <class... More>
constexpr refused_value sum(given_to<"sum(x)", "row_sum(x) for each row, col_sum(x) for each column">, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value mean(given_to<"mean(x)", "row_sum(x).total() / size<\"N\">(C), or col_sum(x) / size<\"M\">(C)">,
                             const More&...) {
  return {};
}
template <class... More>
constexpr refused_value amax(given_to<"amax(x)", "row_max(x), col_max(x)">, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value argmax(given_to<"argmax(x)", "row_argmax(x, {m, n}, size<\"N\">(C)).column">, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value argmin(given_to<"argmin(x)", "row_argmin(x, {m, n}, size<\"N\">(C)).column">, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value softmax(
    given_to<"softmax(x)",
             "x = exp(x - row_max(x)), and then x * reciprocal(row_sum(x)); mask() what is beyond the edge">,
    const More&...) {
  return {};
}
template <class... More>
constexpr refused_value log_softmax(
    given_to<"log_softmax(x)", "x -= row_max(x), and then x - log(row_sum(exp(x)).total())">, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value cumsum(
    given_to<"cumsum(x)", "a product with a triangular matrix of ones: a row's elements are spread over threads">,
    const More&...) {
  return {};
}

// ---- element by element

template <class... More>
constexpr refused_value where(
    given_to<"where(x)", "map(x, y, [](float a, float b) { return a > 0.0f ? a : b; }), or mask() by its place">,
    const More&...) {
  return {};
}
template <class... More>
constexpr refused_value pow(given_to<"pow(x)", "x * x, or map(x, [](float a) { return std::pow(a, 2.5f); })">,
                            const More&...) {
  return {};
}
template <class... More>
constexpr refused_value softplus(given_to<"softplus(x)", "log(1.0f + exp(x))">, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value sin(given_to<"sin(x)", "map(x, [](float a) { return std::sin(a); })">, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value cos(given_to<"cos(x)", "map(x, [](float a) { return std::cos(a); })">, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value round(given_to<"round(x)", "map(x, [](float a) { return std::round(a); })">, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value floor(given_to<"floor(x)", "map(x, [](float a) { return std::floor(a); })">, const More&...) {
  return {};
}

// ---- products

template <class... More>
constexpr refused_value dot(given_to<"dot(x)", "acc += a * transpose(b)">, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value matmul(given_to<"matmul(x)", "acc += a * transpose(b)">, const More&...) {
  return {};
}

}  // namespace foreign
}  // namespace sectile
