// Words of other languages for tiles, said of a body's values: each is refused with the words that this one has for it.
// Without that a compiler finds nothing of the name, and shows what it looked into.
//
// A function of the program's own may have such a name. It fits better: what stands here takes its first argument by a
// conversion. And so may anything else of a program that says `using namespace sectile`: these names are in a namespace
// of their own, where compilers look because a reading, which all values know, has a base there.
#pragma once
#include <cstdint>

#include <sectile/dsl/proofs/misused_calls.hpp>

namespace sectile {

/// Each of them. (The texts stand apart: as arguments of a template they would cost each file that includes this.)
enum class foreign_word : std::uint8_t {
  row_max_along,
  row_min_along,
  row_sum_along,
  col_max_along,
  col_min_along,
  col_sum_along,
  cast_to,
  sum,
  mean,
  row_mean,
  col_mean,
  amax,
  argmax,
  argmin,
  col_argmax,
  col_argmin,
  softmax,
  log_softmax,
  cumsum,
  where,
  pow,
  square,
  tril,
  triu,
  softplus,
  sin,
  cos,
  round,
  floor,
  shuffle,
  roll,
  flip,
  rotate_half,
  swap_pairs,
  dot,
  matmul,
};
struct said_otherwise {
  const char *call, *right;
};
constexpr said_otherwise in_words_of_this_language(foreign_word w) {
  constexpr const char* moved =
      "a product with a matrix that moves the columns, or load them through two views of the tensor";
  switch (w) {
    case foreign_word::row_max_along:
      return {"row_max<..>(x)", "row_max(x), which takes no axis; of columns it is col_max(x)"};
    case foreign_word::row_min_along:
      return {"row_min<..>(x)", "row_min(x), which takes no axis; of columns it is col_min(x)"};
    case foreign_word::row_sum_along:
      return {"row_sum<..>(x)", "row_sum(x), which takes no axis; of columns it is col_sum(x)"};
    case foreign_word::col_max_along:
      return {"col_max<..>(x)", "col_max(x), which takes no axis; of rows it is row_max(x)"};
    case foreign_word::col_min_along:
      return {"col_min<..>(x)", "col_min(x), which takes no axis; of rows it is row_min(x)"};
    case foreign_word::col_sum_along:
      return {"col_sum<..>(x)", "col_sum(x), which takes no axis; of rows it is row_sum(x)"};
    case foreign_word::cast_to:
      return {"cast(x, type)", "cast<bf16>(x)"};
    case foreign_word::sum:
      return {"sum(x)", "row_sum(x) for each row, col_sum(x) for each column"};
    case foreign_word::mean:
      return {"mean(x)", "row_sum(x).total() / size<\"N\">(C), or col_sum(x) / size<\"M\">(C)"};
    case foreign_word::row_mean:
      return {"row_mean(x)", "row_sum(x).total() / size<\"N\">(C)"};
    case foreign_word::col_mean:
      return {"col_mean(x)", "col_sum(x) / size<\"M\">(C)"};
    case foreign_word::amax:
      return {"amax(x)", "row_max(x), col_max(x)"};
    case foreign_word::argmax:
      return {"argmax(x)", "row_argmax(x, {m, n}, size<\"N\">(C)).column"};
    case foreign_word::argmin:
      return {"argmin(x)", "row_argmin(x, {m, n}, size<\"N\">(C)).column"};
    case foreign_word::col_argmax:
      return {"col_argmax(x)", "the product the other way round, b * transpose(a), and row_argmax() of its rows"};
    case foreign_word::col_argmin:
      return {"col_argmin(x)", "the product the other way round, b * transpose(a), and row_argmin() of its rows"};
    case foreign_word::softmax:
      return {"softmax(x)",
              "x = exp(x - row_max(x)), and then x * reciprocal(row_sum(x)); mask() what is beyond the edge"};
    case foreign_word::log_softmax:
      return {"log_softmax(x)", "x -= row_max(x), and then x - log(row_sum(exp(x)).total())"};
    case foreign_word::cumsum:
      return {"cumsum(x)", "a product with a triangular matrix of ones: a row's elements are spread over threads"};
    case foreign_word::where:
      return {"where(x)", "map(x, y, [](float a, float b) { return a > 0.0f ? a : b; }), or mask() by its place"};
    case foreign_word::pow:
      return {"pow(x)", "x * x, or map(x, [](float a) { return std::pow(a, 2.5f); })"};
    case foreign_word::square:
      return {"square(x)", "x * x"};
    case foreign_word::tril:
      return {"tril(x)", "mask(x, {m, n}, [=](int row, int col) { return col <= row; }, 0.0f)"};
    case foreign_word::triu:
      return {"triu(x)", "mask(x, {m, n}, [=](int row, int col) { return col >= row; }, 0.0f)"};
    case foreign_word::softplus:
      return {"softplus(x)", "log(1.0f + exp(x))"};
    case foreign_word::sin:
      return {"sin(x)", "map(x, [](float a) { return std::sin(a); })"};
    case foreign_word::cos:
      return {"cos(x)", "map(x, [](float a) { return std::cos(a); })"};
    case foreign_word::round:
      return {"round(x)", "map(x, [](float a) { return std::round(a); })"};
    case foreign_word::floor:
      return {"floor(x)", "map(x, [](float a) { return std::floor(a); })"};
    case foreign_word::shuffle:
      return {"shuffle(x)", moved};
    case foreign_word::roll:
      return {"roll(x)", moved};
    case foreign_word::flip:
      return {"flip(x)", moved};
    case foreign_word::rotate_half:
      return {"rotate_half(x)", moved};
    case foreign_word::swap_pairs:
      return {"swap_pairs(x)", moved};
    case foreign_word::dot:
      return {"dot(x)", "acc += a * transpose(b)"};
    case foreign_word::matmul:
      return {"matmul(x)", "acc += a * transpose(b)"};
  }
  return {};
}
constexpr violation check_foreign_word(const said_otherwise& w, const described& x) {
  if (x.kind == value_kind::refused) return {};
  return refuse(rule::body_is_written_in_another_way, "there is no ", w.call, " of ", x, "; write ", w.right);
}
/// The first argument of a function called so, a value of a body, in place of which other words are written.
template <foreign_word Word>
struct given_to {
  template <body_value X>
  constexpr given_to(const X& x) {
    static_assert(decltype(reason<check_foreign_word(in_words_of_this_language(Word), describe<X>())>())::verified);
    refused(x);
  }
};

/// What stands in braces, or anything else: coordinates of what is refused.
struct any_coordinates {
  template <class... X>
  constexpr any_coordinates(const X&...) {}
  constexpr any_coordinates(...) {}
};

// ---- words of this language, with what a mode or an axis would be in others

template <auto, class... More>
constexpr refused_value row_max(given_to<foreign_word::row_max_along>, const More&...) {
  return {};
}
template <auto, class... More>
constexpr refused_value row_min(given_to<foreign_word::row_min_along>, const More&...) {
  return {};
}
template <auto, class... More>
constexpr refused_value row_sum(given_to<foreign_word::row_sum_along>, const More&...) {
  return {};
}
template <auto, class... More>
constexpr refused_value col_max(given_to<foreign_word::col_max_along>, const More&...) {
  return {};
}
template <auto, class... More>
constexpr refused_value col_min(given_to<foreign_word::col_min_along>, const More&...) {
  return {};
}
template <auto, class... More>
constexpr refused_value col_sum(given_to<foreign_word::col_sum_along>, const More&...) {
  return {};
}
/// The type as a second argument, or none.
template <class... More>
constexpr refused_value cast(given_to<foreign_word::cast_to>, const More&...) {
  return {};
}

// ---- words of other languages

namespace foreign {

// ---- reductions

template <class... More>
constexpr refused_value sum(given_to<foreign_word::sum>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value mean(given_to<foreign_word::mean>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value row_mean(given_to<foreign_word::row_mean>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value col_mean(given_to<foreign_word::col_mean>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value amax(given_to<foreign_word::amax>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_place argmax(given_to<foreign_word::argmax>, any_coordinates = {}, const More&...) {
  return {};
}
template <class... More>
constexpr refused_place argmin(given_to<foreign_word::argmin>, any_coordinates = {}, const More&...) {
  return {};
}
template <class... More>
constexpr refused_place col_argmax(given_to<foreign_word::col_argmax>, any_coordinates = {}, const More&...) {
  return {};
}
template <class... More>
constexpr refused_place col_argmin(given_to<foreign_word::col_argmin>, any_coordinates = {}, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value softmax(given_to<foreign_word::softmax>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value log_softmax(given_to<foreign_word::log_softmax>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value cumsum(given_to<foreign_word::cumsum>, const More&...) {
  return {};
}

// ---- element by element

template <class... More>
constexpr refused_value where(given_to<foreign_word::where>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value pow(given_to<foreign_word::pow>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value square(given_to<foreign_word::square>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value tril(given_to<foreign_word::tril>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value triu(given_to<foreign_word::triu>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value softplus(given_to<foreign_word::softplus>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value sin(given_to<foreign_word::sin>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value cos(given_to<foreign_word::cos>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value round(given_to<foreign_word::round>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value floor(given_to<foreign_word::floor>, const More&...) {
  return {};
}

// ---- elements of other columns: each stays with its thread

template <class... More>
constexpr refused_value shuffle(given_to<foreign_word::shuffle>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value roll(given_to<foreign_word::roll>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value flip(given_to<foreign_word::flip>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value rotate_half(given_to<foreign_word::rotate_half>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value swap_pairs(given_to<foreign_word::swap_pairs>, const More&...) {
  return {};
}

// ---- products

template <class... More>
constexpr refused_value dot(given_to<foreign_word::dot>, const More&...) {
  return {};
}
template <class... More>
constexpr refused_value matmul(given_to<foreign_word::matmul>, const More&...) {
  return {};
}

}  // namespace foreign
}  // namespace sectile
