// The arguments of a launch without their types: what code that is compiled once reads.
#pragma once
#include <sectile/dsl/launch/sparse_view.hpp>
#include <sectile/dsl/launch/tensor_view.hpp>

namespace sectile {

/// A tensor without its element type.
struct tensor_facts {
  const void* data = nullptr;
  int rank = 0;
  std::int64_t extent[max_rank]{};
  std::int64_t stride[max_rank]{};          // elements
  const std::uint32_t* metadata = nullptr;  // of a sparse matrix; `data` are its values
  std::int64_t metadata_stride = 0;         // words
};

template <class T>
tensor_facts facts_of(const tensor_view<T>& v) {
  tensor_facts f{};
  f.data = v.data;
  f.rank = v.rank;
  for (int d = 0; d < max_rank; ++d) {
    f.extent[d] = v.extent[d];
    f.stride[d] = v.stride[d];
  }
  return f;
}

template <class T>
tensor_facts facts_of(const sparse_view<T>& v) {
  return {v.values, 2, {v.extent[0], v.extent[1]}, {v.stride, 1}, v.metadata, v.metadata_stride};
}

/// What a launch was given for each operand: a tensor, or the bits of a number.
struct given_operands {
  tensor_facts tensor[max_operands]{};
  std::uint64_t scalar[max_operands]{};
  void* workspace = nullptr;  // and what parts of tiles may meet in; nullptr: nothing
  std::uint64_t workspace_bytes = 0;
};

}  // namespace sectile
