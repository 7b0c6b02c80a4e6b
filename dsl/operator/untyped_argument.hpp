// An argument of a launch whose type is known at run time only.
#pragma once
#include <cstdint>

#include <sectile/dsl/launch/im2col_view.hpp>

namespace sectile {

/// One argument, in the order of the kernel's operands: a tensor, a sparse matrix or a number.
struct untyped_argument {
  void* data = nullptr;  // of a sparse matrix its values
  std::int64_t bytes = 0;
  void* metadata = nullptr;  // of a sparse matrix, packed
  std::int64_t metadata_bytes = 0;
  int rank = 0;
  std::int64_t extent[max_rank]{};
  std::int64_t stride[max_rank]{};  // elements
  double number = 0;                // of a scalar
  filter_path path{};               // of an image
};

}  // namespace sectile
