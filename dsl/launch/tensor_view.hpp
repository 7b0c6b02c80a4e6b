// A tensor that somebody else owns: where it is, how large, how far apart.
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <sectile/dsl/program/operand.hpp>

namespace sectile {

/// Pointer, extents and strides (in elements) of each mode, outermost first: the last two modes are a matrix's rows and
/// columns. T is const for inputs.
template <class T>
struct tensor_view {
  T* data = nullptr;
  int rank = 0;
  std::int64_t extent[max_rank]{};
  std::int64_t stride[max_rank]{};
};

/// A row-major matrix. `row_stride` is the distance of rows in elements; 0 says that all rows are the same one, which
/// an input may be.
template <class T>
constexpr tensor_view<T> matrix(T* data, std::int64_t rows, std::int64_t cols, std::int64_t row_stride) {
  return {data, 2, {rows, cols}, {row_stride, 1}};
}
/// The same, packed.
template <class T>
constexpr tensor_view<T> matrix(T* data, std::int64_t rows, std::int64_t cols) {
  return matrix(data, rows, cols, cols);
}
/// A column-major matrix. `col_stride` is the distance of columns in elements; 0 says that all columns are the same.
template <class T>
constexpr tensor_view<T> matrix_col_major(T* data, std::int64_t rows, std::int64_t cols, std::int64_t col_stride) {
  return {data, 2, {rows, cols}, {1, col_stride}};
}
/// The same, packed.
template <class T>
constexpr tensor_view<T> matrix_col_major(T* data, std::int64_t rows, std::int64_t cols) {
  return matrix_col_major(data, rows, cols, rows);
}
/// Sizes that no 64 bits hold are as large as those hold.
constexpr std::int64_t size_of_all(std::int64_t a, std::int64_t b) {
  std::int64_t all = 0;
  return __builtin_mul_overflow(a, b, &all) ? std::int64_t{1} << 62 : all;
}
/// A packed tensor, last mode contiguous: tensor(p, B, H, S, D); a vector: tensor(p, N); a number: tensor(p).
template <class T, class... Extents>
  requires(sizeof...(Extents) <= max_rank)
constexpr tensor_view<T> tensor(T* data, Extents... extents) {
  tensor_view<T> v{data, sizeof...(Extents), {static_cast<std::int64_t>(extents)...}, {}};
  std::int64_t stride = 1;
  for (int d = v.rank - 1; d >= 0; --d) {
    v.stride[d] = stride;
    stride = size_of_all(stride, v.extent[d]);
  }
  return v;
}

/// A container in place of the pointer to its first element. The view is of its elements, so that nothing else is said.
template <class Data>
constexpr violation no_pointer() {
  return refuse(rule::operand_is_used_in_another_way,
                "a view takes a pointer to the first element, such as a vector's: matrix(v.data(), rows, cols)");
}
template <class Data>
constexpr auto view_of() {
  static_assert(decltype(reason<no_pointer<Data>()>())::verified);
  if constexpr (requires(Data & x) { *x.begin(); })
    return tensor_view<std::remove_reference_t<decltype(*std::declval<Data&>().begin())>>{};
  else
    return tensor_view<void>{};
}
template <class Data>
concept no_pointer_to_elements = !std::is_pointer_v<std::decay_t<Data>>;
template <no_pointer_to_elements Data, class... Sizes>
constexpr auto matrix(const Data&, Sizes...) {
  return view_of<Data>();
}
template <no_pointer_to_elements Data, class... Sizes>
constexpr auto matrix_col_major(const Data&, Sizes...) {
  return view_of<Data>();
}
template <no_pointer_to_elements Data, class... Sizes>
constexpr auto tensor(const Data&, Sizes...) {
  return view_of<Data>();
}

/// Throws launch_error: so many elements do not fall into so many parts alike.
[[noreturn]] void refuse_parts(std::int64_t elements, std::int64_t parts);
/// The same elements with the last mode as two: `parts` times so many. A matrix of M x 8 N becomes M x 8 x N. Throws
/// launch_error if the parts are not alike, or there is no room for one more mode.
template <class T>
constexpr tensor_view<T> folded(tensor_view<T> v, std::int64_t parts) {
  const int last = v.rank - 1;
  if (last < 0 || v.rank == max_rank || parts < 1 || v.extent[last] % parts != 0)
    refuse_parts(last < 0 || v.rank == max_rank ? 0 : v.extent[last], parts);
  const std::int64_t each = v.extent[last] / parts;
  v.extent[v.rank] = each;
  v.stride[v.rank] = v.stride[last];
  v.extent[last] = parts;
  v.stride[last] *= each;
  ++v.rank;
  return v;
}

}  // namespace sectile
