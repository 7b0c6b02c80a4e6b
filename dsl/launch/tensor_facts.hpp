// The arguments of a launch without their types: what code that is compiled once reads.
#pragma once
#include <sectile/dsl/launch/im2col_view.hpp>
#include <sectile/dsl/launch/sparse_view.hpp>
#include <sectile/dsl/launch/tensor_view.hpp>

namespace sectile {

/// How an image lies in memory, and a filter's way over it.
struct image_facts {
  int rank = 0;
  std::int64_t extent[4]{}, stride[4]{};  // N, H, W, C
  filter_path path{};
  output_pixels output{};
};

/// A tensor without its element type.
struct tensor_facts {
  const void* data = nullptr;
  int rank = 0;
  std::int64_t extent[max_rank]{};
  std::int64_t stride[max_rank]{};          // elements
  const std::uint32_t* metadata = nullptr;  // of a sparse matrix; `data` are its values
  std::int64_t metadata_stride = 0;         // words
  std::int64_t picked_from = 0;             // rows of a matrix, if `extent` are those of an index that picks some,
  int matrix_modes = 0;                     // and the modes that are the matrix's: those that the index lacks, rows and
  int matrix_mode[max_rank]{};              // columns
  image_facts image{};                      // of an image; `extent` are T, M and C, `stride` is of no meaning
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

template <class T>
tensor_facts facts_of(const im2col_view<T>& v) {
  tensor_facts f{v.image.data, 3};
  image_facts& i = f.image;
  i.rank = v.image.rank;
  for (int d = 0; d < 4; ++d) i.extent[d] = v.image.extent[d], i.stride[d] = v.image.stride[d];
  i.path = v.path;
  i.output = pixels_of(v);
  f.extent[0] = size_of_all(v.path.filter.rows, v.path.filter.cols);
  f.extent[1] = size_of_all(i.extent[0], size_of_all(i.output.rows, i.output.cols));
  f.extent[2] = i.extent[3];
  return f;
}

/// What a launch was given for each operand: a tensor, or the bits of a number.
struct given_operands {
  tensor_facts tensor[max_operands]{};
  std::uint64_t scalar[max_operands]{};
  void* workspace = nullptr;  // and what parts of tiles may meet in; nullptr: nothing
  std::uint64_t workspace_bytes = 0;
};

}  // namespace sectile
