// Softmax and norms of rows that clusters share, by what the family picks, on a GPU and on the model.
#pragma once
#include <sectile/kernels/long_rows.hpp>

#include "tests/gpu/output_pairs.hpp"

namespace sectile::gpu_test {

// Each is a file of its own, so that they compile side by side.
void check_long_rows_bf16();
void check_long_rows_f32();

/// What the family picks for rows of n elements.
template <class T>
void check_long_rows(const char* type, int m, int n) {
  std::printf("%d rows of %d elements of %s\n", m, n, type);
  shared_memory<T> x(m * n), gamma(n), beta(n);
  fill_any(x, 1), fill_any(gamma, 2), fill_any(beta, 3);
  const auto in = folded(matrix(x.in(), m, n), 8);
  const auto vector = [&](const shared_memory<T>& v) { return folded(tensor(v.in(), n), 8); };
  output_pair<T> soft("Y", m * n, sizeof(T) == 2 ? 0x1p-7 : 0x1p-18), root("Y", m * n), layer("Y", m * n);
  compare(
      "  softmax",
      [&](bool d, cudaStream_t s) { run_on<kernels::long_softmax<T>>(d, s, in, folded(matrix(soft.on(d), m, n), 8)); },
      soft);
  compare(
      "  RMS norm",
      [&](bool d, cudaStream_t s) {
        run_on<kernels::long_rms_norm<T>>(d, s, in, vector(gamma), folded(matrix(root.on(d), m, n), 8), 0x1p-10f);
      },
      root);
  compare(
      "  layer norm",
      [&](bool d, cudaStream_t s) {
        run_on<kernels::long_layer_norm<T>>(d, s, in, vector(gamma), vector(beta), folded(matrix(layer.on(d), m, n), 8),
                                            0x1p-10f);
      },
      layer);
}

}  // namespace sectile::gpu_test
