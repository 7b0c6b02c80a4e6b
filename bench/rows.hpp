// Softmax and norms of rows as libsectile_rows launches them. Each has a file of its own, so that they compile side by
// side, and nvcc needs a third of the memory at a time.
#pragma once
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/long_rows.hpp>

namespace sectile::bench {

template <class T>
struct rows_problem {
  const void *x, *gamma, *beta;
  void* y;
  int rows, cols;
  float epsilon;
  cudaStream_t stream;

  auto in() const { return matrix(static_cast<const T*>(x), rows, cols); }
  auto out() const { return matrix(static_cast<T*>(y), rows, cols); }
  auto vector(const void* v) const { return tensor(static_cast<const T*>(v), cols); }
  auto folded_in() const { return folded(in(), 8); }
  auto folded_out() const { return folded(out(), 8); }
  auto folded_vector(const void* v) const { return folded(vector(v), 8); }

  /// Whether a row comes in eight parts of whole 16 bytes, and is longer than those of which tiles of 8 rows are as
  /// fast.
  bool is_longer(int bytes) const {
    const std::int64_t all = std::int64_t{cols} * static_cast<int>(sizeof(T));
    return all > bytes && all % (8 * 16) == 0;
  }
};

void launch_softmax(const rows_problem<bf16>& p);
void launch_softmax(const rows_problem<float>& p);
void launch_rms_norm(const rows_problem<bf16>& p);
void launch_rms_norm(const rows_problem<float>& p);
void launch_layer_norm(const rows_problem<bf16>& p);
void launch_layer_norm(const rows_problem<float>& p);

}  // namespace sectile::bench
