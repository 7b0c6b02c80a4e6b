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

inline constexpr said_otherwise row_max_along_word{"row_max<..>(x)",
                                                   "row_max(x), which takes no axis; of columns it is col_max(x)"};
template <auto, class... More>
constexpr refused_value row_max(given_to<row_max_along_word>, const More&...) {
  return {};
}
inline constexpr said_otherwise row_min_along_word{"row_min<..>(x)",
                                                   "row_min(x), which takes no axis; of columns it is col_min(x)"};
template <auto, class... More>
constexpr refused_value row_min(given_to<row_min_along_word>, const More&...) {
  return {};
}
inline constexpr said_otherwise row_sum_along_word{"row_sum<..>(x)",
                                                   "row_sum(x), which takes no axis; of columns it is col_sum(x)"};
template <auto, class... More>
constexpr refused_value row_sum(given_to<row_sum_along_word>, const More&...) {
  return {};
}
inline constexpr said_otherwise col_max_along_word{"col_max<..>(x)",
                                                   "col_max(x), which takes no axis; of rows it is row_max(x)"};
template <auto, class... More>
constexpr refused_value col_max(given_to<col_max_along_word>, const More&...) {
  return {};
}
inline constexpr said_otherwise col_min_along_word{"col_min<..>(x)",
                                                   "col_min(x), which takes no axis; of rows it is row_min(x)"};
template <auto, class... More>
constexpr refused_value col_min(given_to<col_min_along_word>, const More&...) {
  return {};
}
inline constexpr said_otherwise col_sum_along_word{"col_sum<..>(x)",
                                                   "col_sum(x), which takes no axis; of rows it is row_sum(x)"};
template <auto, class... More>
constexpr refused_value col_sum(given_to<col_sum_along_word>, const More&...) {
  return {};
}
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

// ---- reductions

inline constexpr said_otherwise sum_word{"sum(x)", "row_sum(x) for each row, col_sum(x) for each column"};
constexpr refused_value sum(given_to<sum_word>, const auto&...) { return {}; }
inline constexpr said_otherwise mean_word{"mean(x)",
                                          "row_sum(x).total() / size<\"N\">(C), or col_sum(x) / size<\"M\">(C)"};
constexpr refused_value mean(given_to<mean_word>, const auto&...) { return {}; }
inline constexpr said_otherwise row_mean_word{"row_mean(x)", "row_sum(x).total() / size<\"N\">(C)"};
constexpr refused_value row_mean(given_to<row_mean_word>, const auto&...) { return {}; }
inline constexpr said_otherwise col_mean_word{"col_mean(x)", "col_sum(x) / size<\"M\">(C)"};
constexpr refused_value col_mean(given_to<col_mean_word>, const auto&...) { return {}; }
inline constexpr said_otherwise amax_word{"amax(x)", "row_max(x), col_max(x)"};
constexpr refused_value amax(given_to<amax_word>, const auto&...) { return {}; }
inline constexpr said_otherwise argmax_word{"argmax(x)", "row_argmax(x, {m, n}, size<\"N\">(C)).column"};
constexpr refused_place argmax(given_to<argmax_word>, any_coordinates = {}, const auto&...) { return {}; }
inline constexpr said_otherwise argmin_word{"argmin(x)", "row_argmin(x, {m, n}, size<\"N\">(C)).column"};
constexpr refused_place argmin(given_to<argmin_word>, any_coordinates = {}, const auto&...) { return {}; }
inline constexpr said_otherwise col_argmax_word{
    "col_argmax(x)", "the product the other way round, b * transpose(a), and row_argmax() of its rows"};
constexpr refused_place col_argmax(given_to<col_argmax_word>, any_coordinates = {}, const auto&...) { return {}; }
inline constexpr said_otherwise col_argmin_word{
    "col_argmin(x)", "the product the other way round, b * transpose(a), and row_argmin() of its rows"};
constexpr refused_place col_argmin(given_to<col_argmin_word>, any_coordinates = {}, const auto&...) { return {}; }
inline constexpr said_otherwise softmax_word{
    "softmax(x)", "x = exp(x - row_max(x)), and then x * reciprocal(row_sum(x)); mask() what is beyond the edge"};
constexpr refused_value softmax(given_to<softmax_word>, const auto&...) { return {}; }
inline constexpr said_otherwise log_softmax_word{"log_softmax(x)",
                                                 "x -= row_max(x), and then x - log(row_sum(exp(x)).total())"};
constexpr refused_value log_softmax(given_to<log_softmax_word>, const auto&...) { return {}; }
inline constexpr said_otherwise cumsum_word{
    "cumsum(x)", "a product with a triangular matrix of ones: a row's elements are spread over threads"};
constexpr refused_value cumsum(given_to<cumsum_word>, const auto&...) { return {}; }

// ---- element by element

inline constexpr said_otherwise where_word{
    "where(x)", "map(x, y, [](float a, float b) { return a > 0.0f ? a : b; }), or mask() by its place"};
constexpr refused_value where(given_to<where_word>, const auto&...) { return {}; }
inline constexpr said_otherwise pow_word{"pow(x)", "x * x, or map(x, [](float a) { return std::pow(a, 2.5f); })"};
constexpr refused_value pow(given_to<pow_word>, const auto&...) { return {}; }
inline constexpr said_otherwise square_word{"square(x)", "x * x"};
constexpr refused_value square(given_to<square_word>, const auto&...) { return {}; }
inline constexpr said_otherwise tril_word{"tril(x)",
                                          "mask(x, {m, n}, [=](int row, int col) { return col <= row; }, 0.0f)"};
constexpr refused_value tril(given_to<tril_word>, const auto&...) { return {}; }
inline constexpr said_otherwise triu_word{"triu(x)",
                                          "mask(x, {m, n}, [=](int row, int col) { return col >= row; }, 0.0f)"};
constexpr refused_value triu(given_to<triu_word>, const auto&...) { return {}; }
inline constexpr said_otherwise softplus_word{"softplus(x)", "log(1.0f + exp(x))"};
constexpr refused_value softplus(given_to<softplus_word>, const auto&...) { return {}; }
inline constexpr said_otherwise sin_word{"sin(x)", "map(x, [](float a) { return std::sin(a); })"};
constexpr refused_value sin(given_to<sin_word>, const auto&...) { return {}; }
inline constexpr said_otherwise cos_word{"cos(x)", "map(x, [](float a) { return std::cos(a); })"};
constexpr refused_value cos(given_to<cos_word>, const auto&...) { return {}; }
inline constexpr said_otherwise round_word{"round(x)", "map(x, [](float a) { return std::round(a); })"};
constexpr refused_value round(given_to<round_word>, const auto&...) { return {}; }
inline constexpr said_otherwise floor_word{"floor(x)", "map(x, [](float a) { return std::floor(a); })"};
constexpr refused_value floor(given_to<floor_word>, const auto&...) { return {}; }

// ---- elements of other columns: each stays with its thread

constexpr const char* moved_columns =
    "a product with a matrix that moves the columns, or load them through two views of the tensor";
inline constexpr said_otherwise shuffle_word{"shuffle(x)", moved_columns};
constexpr refused_value shuffle(given_to<shuffle_word>, const auto&...) { return {}; }
inline constexpr said_otherwise roll_word{"roll(x)", moved_columns};
constexpr refused_value roll(given_to<roll_word>, const auto&...) { return {}; }
inline constexpr said_otherwise flip_word{"flip(x)", moved_columns};
constexpr refused_value flip(given_to<flip_word>, const auto&...) { return {}; }
inline constexpr said_otherwise rotate_half_word{"rotate_half(x)", moved_columns};
constexpr refused_value rotate_half(given_to<rotate_half_word>, const auto&...) { return {}; }
inline constexpr said_otherwise swap_pairs_word{"swap_pairs(x)", moved_columns};
constexpr refused_value swap_pairs(given_to<swap_pairs_word>, const auto&...) { return {}; }

// ---- products

inline constexpr said_otherwise dot_word{"dot(x)", "acc += a * transpose(b)"};
constexpr refused_value dot(given_to<dot_word>, const auto&...) { return {}; }
inline constexpr said_otherwise matmul_word{"matmul(x)", "acc += a * transpose(b)"};
constexpr refused_value matmul(given_to<matmul_word>, const auto&...) { return {}; }

}  // namespace foreign

// ---- std::max(x, 0.0f): C++'s own takes two of one type, and of others a compiler shows all that it looked into

template <class A, class B>
constexpr violation check_word_of_std(const char* call) {
  const described a = describe<A>();
  return refuse(rule::body_is_written_in_another_way, "there is no std::", call, " of ",
                a.kind > value_kind::number ? a : describe<B>(), "; write ", call, ", without std::");
}
template <class B, class A>
concept strange_to_std = !std::is_same_v<A, B> && (body_value<A> || body_value<B> || is_staged<A> || is_staged<B>);
}  // namespace sectile

namespace std {

// What a program adds here is undefined ([namespace.std]). These are refused wherever they are called, so that none
// that compiles hangs on them.
template <class A, sectile::strange_to_std<A> B>
constexpr sectile::refused_value max(const A&, const B&) {
  static_assert(decltype(sectile::reason<sectile::check_word_of_std<A, B>("max(a, b)")>())::verified);
  return {};
}
template <class A, sectile::strange_to_std<A> B>
constexpr sectile::refused_value min(const A&, const B&) {
  static_assert(decltype(sectile::reason<sectile::check_word_of_std<A, B>("min(a, b)")>())::verified);
  return {};
}

}  // namespace std

#if !defined(__CUDACC__)
/// What CUDA has for all threads, which nvcc knows and refuses in a body by itself.
template <class... Anywhere>
constexpr void __syncthreads() {
  static_assert(decltype(sectile::reason<sectile::check_word("__syncthreads()", sizeof...(Anywhere))>())::verified);
}
#endif
