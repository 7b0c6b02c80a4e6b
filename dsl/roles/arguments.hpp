// The arguments of a body: handles and scalars, in the order of the operands; and where its vectors are.
#pragma once
#include <utility>

#include <sectile/dsl/plan/build.hpp>

namespace sectile {

template <int I, class T>
struct argument_slot {
  T value{};
};

template <class K, class Indices = std::make_integer_sequence<int, operand_count<K>>>
struct body_arguments;

/// The body's arguments behind `sm`, in order: handles with run-time sizes, and scalars.
template <class K, int... I>
struct body_arguments<K, std::integer_sequence<int, I...>> : argument_slot<I, typename body_argument<K, I>::type>... {
  template <int J>
  constexpr auto& at() {
    return static_cast<argument_slot<J, typename body_argument<K, J>::type>&>(*this).value;
  }
  template <int J>
  constexpr const auto& at() const {
    return static_cast<const argument_slot<J, typename body_argument<K, J>::type>&>(*this).value;
  }
  /// Runs the body in a reading.
  template <reading_of_body Reading>
  [[gnu::always_inline]]
  constexpr void read_body(Reading& sm) const {
    K::body(sm, at<I>()...);
  }
};

/// A vector in memory. Its last mode is contiguous.
struct vector_place {
  void* data = nullptr;
  int lead = 0;  // elements between the last multiple of 16 bytes and the first, see plan/vector_boxes.hpp
  long long stride[max_rank - 1]{};  // elements, of the modes before the last
};
/// The part of operand I's vector that begins at tile `at`; outside of the vector, or of its batches, an empty one.
template <class K, int I, class Strides>
constexpr auto part_of_vector(void* data, const Strides& stride, const operand_handle<K, I>& vector,
                              const tile_at<K, I>& at) {
  using type = typename operand_at<K, I>::element_type;
  constexpr int rank = operand_handle<K, I>::rank;
  type* first = static_cast<type*>(data);
  if constexpr (rank == 0) {
    return vector_part<type>{first, 1};
  } else {
    constexpr operand_facts f = operand_facts_of<K, I>();
    constexpr line_shape shape(f);
    constexpr int line = f.line(), block = f.block[line], cols = f.cols();
    const auto& extent = handle_access::extent(vector);
    bool inside = true;
    int left = 0;
    for (int d = 0; d < rank; ++d) {
      const int begin = first_of_blocks(at.at[d], shape.extent[d], shape.block[d]);
      first += begin * (d + 1 < rank ? stride[d] : 1);
      inside = inside && at.at[d] >= 0 && (d == line || begin < extent[d]);
      if (d == line) left = extent[d] - begin;
    }
    if (!inside) left = 0;
    if constexpr (block == 1)
      return vector_part<type>{first, left};
    else
      return block_part<type>{{first, left}, line + 1 < rank ? stride[line] : 1, at.at[line] * cols % block};
  }
}

/// How many elements along its mode number `d` the work's tensor has from the first of its tile `tile` on.
template <class K>
constexpr int left_of_work(const body_arguments<K>& arguments, const tile_coordinates<max_rank>& tile, int d) {
  constexpr int o = work_operand<K>;
  return handle_access::extent(arguments.template at<o>())[d] - tile.at[d] * operand_facts_of<K, o>().tile.extent[d];
}
/// The same along mode M.
template <class K, mode_id M>
constexpr int left_of_work(const body_arguments<K>& arguments, const tile_coordinates<max_rank>& tile) {
  constexpr int d = operand_facts_of<K, work_operand<K>>().position_of(M);
  return left_of_work<K>(arguments, tile, d);
}
/// Whether the work has such a tile. A cluster may reach beyond the last one.
template <class K>
constexpr bool is_in_work(const body_arguments<K>& arguments, const tile_coordinates<max_rank>& tile) {
  constexpr int rank = operand_facts_of<K, work_operand<K>>().tile.rank;
  bool inside = true;
  for (int d = 0; d < rank; ++d) inside = inside && left_of_work<K>(arguments, tile, d) > 0;
  return inside;
}

/// The arguments of a body that is traced on scenario s.
template <class K>
constexpr body_arguments<K> traced_arguments(const scenario& s) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    body_arguments<K> all{};
    ((all.template at<I>() = traced_argument<K, I>(s)), ...);
    return all;
  }(std::make_integer_sequence<int, operand_count<K>>{});
}

}  // namespace sectile
