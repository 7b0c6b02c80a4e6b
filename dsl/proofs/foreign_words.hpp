// Words of other languages for tiles, said of a body's values: each is refused with the words that this one has for it.
// Without that a compiler finds nothing of the name, and shows what it looked into.
//
// A function of the program's own may have such a name. It fits better: what stands here takes its first argument by a
// conversion. And so may anything else of a program that says `using namespace sectile`: these names are in a namespace
// of their own, where compilers look because a reading, which all values know, has a base there.
#pragma once
#include <sectile/dsl/proofs/misused_calls.hpp>

namespace sectile {

/// What is called so in other languages, and what is written in this one. (Each is an object that templates refer to:
/// as their arguments the texts would cost each file that includes this.)
struct said_otherwise {
  const char *call, *right;
};
constexpr violation check_foreign_word(const said_otherwise& w, const described& x) {
  if (x.kind == value_kind::refused) return {};
  return refuse(rule::body_is_written_in_another_way, "there is no ", w.call, " of ", x, "; write ", w.right);
}
/// The first argument of a function called so, a value of a body, in place of which other words are written.
template <const said_otherwise& Word>
struct given_to {
  template <body_value X>
  constexpr given_to(const X& x) {
    static_assert(decltype(reason<check_foreign_word(Word, describe<X>())>())::verified);
    refused(x);
  }
};

// ---- words of this language, with what a mode or an axis would be in others

#define SECTILE_WORD_ALONG(name, others, other)                                                                      \
  inline constexpr said_otherwise name##_along{#name "<..>(x)",                                                      \
                                               #name "(x), which takes no axis; of " others " it is " #other "(x)"}; \
  template <auto, class... More>                                                                                     \
  constexpr refused_value name(given_to<name##_along>, const More&...) {                                             \
    return {};                                                                                                       \
  }
SECTILE_WORD_ALONG(row_max, "columns", col_max)
SECTILE_WORD_ALONG(row_min, "columns", col_min)
SECTILE_WORD_ALONG(row_sum, "columns", col_sum)
SECTILE_WORD_ALONG(col_max, "rows", row_max)
SECTILE_WORD_ALONG(col_min, "rows", row_min)
SECTILE_WORD_ALONG(col_sum, "rows", row_sum)
#undef SECTILE_WORD_ALONG
/// The type as a second argument, or none.
inline constexpr said_otherwise cast_to_word{"cast(x, type)", "cast<bf16>(x)"};
template <class... More>
constexpr refused_value cast(given_to<cast_to_word>, const More&...) {
  return {};
}

// ---- words of other languages

namespace foreign {

// ---- words of sm, whose names are a program's own elsewhere

template <class K, int I>
constexpr refused_value load(const operand_handle<K, I>&, any_coordinates) {
  using why = decltype(reason<check_asked_of_sm("load", operand_facts_of<K, I>(), ", {..})")>());
  static_assert(why::asserted);
  [[maybe_unused]] constexpr bool known = why::verified;
  return {};
}
template <class K, int I, class... X>
constexpr refused_value store(const operand_handle<K, I>&, any_coordinates, const X&...) {
  static_cast<void>(sizeof(note<something_is_stored<K>>));
  using why = decltype(reason<check_asked_of_sm("store", operand_facts_of<K, I>(), ", {..}, x)")>());
  static_assert(why::asserted);
  [[maybe_unused]] constexpr bool known = why::verified;
  return {};
}
template <class K, int I, class... X>
constexpr refused_value combine(const operand_handle<K, I>&, any_coordinates, const X&...) {
  using why = decltype(reason<check_asked_of_sm("combine", operand_facts_of<K, I>(), ", {..}, x, how)")>());
  static_assert(why::asserted);
  [[maybe_unused]] constexpr bool known = why::verified;
  return {};
}

/// What is given to printf(): looked at where that is found beside the function of <cstdio>.
struct printed {
  template <body_value X>
  constexpr printed(const X& x) {
    static_assert(decltype(reason<check_printing(describe<X>())>())::verified);
    refused(x);
  }
};
constexpr int printf(const char*, printed, const auto&...) { return 0; }

// The function of that name, and what is written in its place.
#define SECTILE_WORD(result, name, right)                          \
  inline constexpr said_otherwise name##_word{#name "(x)", right}; \
  constexpr result name(given_to<name##_word>, any_coordinates = {}, const auto&...) { return {}; }

// ---- reductions

SECTILE_WORD(refused_value, sum, "row_sum(x) for each row, col_sum(x) for each column")
SECTILE_WORD(refused_value, mean, "row_sum(x).total() / size<\"N\">(C), or col_sum(x) / size<\"M\">(C)")
SECTILE_WORD(refused_value, row_mean, "row_sum(x).total() / size<\"N\">(C)")
SECTILE_WORD(refused_value, col_mean, "col_sum(x) / size<\"M\">(C)")
SECTILE_WORD(refused_value, amax, "row_max(x), col_max(x)")
SECTILE_WORD(refused_place, argmax, "row_argmax(x, {m, n}, size<\"N\">(C)).column")
SECTILE_WORD(refused_place, argmin, "row_argmin(x, {m, n}, size<\"N\">(C)).column")
SECTILE_WORD(refused_place, col_argmax,
             "the product the other way round, b * transpose(a), and row_argmax() of its rows")
SECTILE_WORD(refused_place, col_argmin,
             "the product the other way round, b * transpose(a), and row_argmin() of its rows")
SECTILE_WORD(refused_value, softmax,
             "x = exp(x - row_max(x)), and then x * reciprocal(row_sum(x)); mask() what is beyond the edge")
SECTILE_WORD(refused_value, log_softmax, "x -= row_max(x), and then x - log(row_sum(exp(x)).total())")
SECTILE_WORD(refused_value, cumsum,
             "a product with a triangular matrix of ones: a row's elements are spread over threads")

// ---- element by element

SECTILE_WORD(refused_value, where,
             "map(x, y, [](float a, float b) { return a > 0.0f ? a : b; }), or mask() by its place")
SECTILE_WORD(refused_value, pow, "x * x, or map(x, [](float a) { return std::pow(a, 2.5f); })")
SECTILE_WORD(refused_value, square, "x * x")
SECTILE_WORD(refused_value, tril, "mask(x, {m, n}, [=](int row, int col) { return col <= row; }, 0.0f)")
SECTILE_WORD(refused_value, triu, "mask(x, {m, n}, [=](int row, int col) { return col >= row; }, 0.0f)")
SECTILE_WORD(refused_value, softplus, "log(1.0f + exp(x))")
SECTILE_WORD(refused_value, sin, "map(x, [](float a) { return std::sin(a); })")
SECTILE_WORD(refused_value, cos, "map(x, [](float a) { return std::cos(a); })")
SECTILE_WORD(refused_value, round, "map(x, [](float a) { return std::round(a); })")
SECTILE_WORD(refused_value, floor, "map(x, [](float a) { return std::floor(a); })")

// ---- elements of other columns: each stays with its thread

constexpr const char* moved_columns =
    "a product with a matrix that moves the columns, or load them through two views of the tensor";
SECTILE_WORD(refused_value, shuffle, moved_columns)
SECTILE_WORD(refused_value, roll, moved_columns)
SECTILE_WORD(refused_value, flip, moved_columns)
SECTILE_WORD(refused_value, rotate_half, moved_columns)
SECTILE_WORD(refused_value, swap_pairs, moved_columns)

// ---- products

SECTILE_WORD(refused_value, dot, "acc += a * transpose(b)")
SECTILE_WORD(refused_value, matmul, "acc += a * transpose(b)")

#undef SECTILE_WORD

}  // namespace foreign
}  // namespace sectile

#if !defined(__CUDACC__)
/// What CUDA has for all threads, which nvcc knows and refuses in a body by itself.
template <class... Anywhere>
constexpr void __syncthreads() {
  static_assert(decltype(sectile::reason<sectile::check_word("__syncthreads()", sizeof...(Anywhere))>())::verified);
}
#endif
