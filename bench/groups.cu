// libsectile_groups: products of groups of rows behind one C function, for groups.py.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/experts.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/grouped_block_scaled.hpp>
#include <sectile/kernels/grouped_gemm.hpp>

#include <exception>
#include <string>

#include "bench/tile_counter.hpp"

namespace {

using namespace sectile;

enum class product : int {
  dense,
  grouped,
  grouped_beside,
  grouped_alone,
  inputs,
  weights,
  gated,
  scaled_dense,
  scaled
};

struct problem {
  const void *x, *w, *sx, *sw, *ends;
  void* y;
  int t, n, k, e;
  cudaStream_t stream;

  auto left() const { return matrix(static_cast<const bf16*>(x), t, k); }
  /// The weights of all groups; of a layer with two of them the second ones follow the first.
  auto matrices(int which = 0) const {
    return tensor(static_cast<const bf16*>(w) + std::int64_t{which} * e * n * k, e, n, k);
  }
  auto offsets() const { return tensor(static_cast<const s32*>(ends), e); }

  // In 8 bits, and the scales for every 128 of K: of each row, whose line is as long as a multiple of four rows; of
  // squares.
  static constexpr int blocks_of(int size) { return (size + kernels::scaled_block - 1) / kernels::scaled_block; }
  auto left_in_8_bits() const { return matrix(static_cast<const e4m3*>(x), t, k); }
  tensor_view<const float> scales_of_rows() const {
    return {static_cast<const float*>(sx), 2, {blocks_of(k), t}, {(t + 3) / 4 * 4, 1}};
  }
  const float* scales_of_squares() const { return static_cast<const float*>(sw); }
};

template <cluster_shape Cluster>
void launch_grouped(const problem& p) {
  launch<kernels::grouped_gemm<bf16, bf16, Cluster>>(
      p.left(), p.matrices(), p.offsets(), matrix(static_cast<bf16*>(p.y), p.t, p.n), bench::tile_counter(), p.stream);
}

template <class K>
void launch_scaled(const problem& p) {
  launch<K>(p.left_in_8_bits(), tensor(static_cast<const e4m3*>(p.w), p.e, p.n, p.k), p.scales_of_rows(),
            tensor(p.scales_of_squares(), p.e, problem::blocks_of(p.n), problem::blocks_of(p.k)), p.offsets(),
            matrix(static_cast<bf16*>(p.y), p.t, p.n), bench::tile_counter(), p.stream);
}

void launch_product(product what, const problem& p) {
  switch (what) {
    case product::dense:  // with the first group's matrix for all
      return launch<kernels::gemm_bf16>(p.left(), matrix(static_cast<const bf16*>(p.w), p.n, p.k),
                                        matrix(static_cast<bf16*>(p.y), p.t, p.n), p.stream);
    case product::grouped:
      return launch_grouped<cluster_shape{2, 1}>(p);
    case product::grouped_beside:
      return launch_grouped<cluster_shape{1, 2}>(p);
    case product::grouped_alone:
      return launch_grouped<cluster_shape{1, 1}>(p);
    case product::inputs:  // x is dY of t x n, y is dX
      return launch<kernels::grouped_inputs_bf16>(matrix(static_cast<const bf16*>(p.x), p.t, p.n), p.matrices(),
                                                  p.offsets(), matrix(static_cast<bf16*>(p.y), p.t, p.k),
                                                  bench::tile_counter(), p.stream);
    case product::gated:
      return launch<kernels::gated_experts<bf16, kernels::activation::silu>>(
          p.left(), p.matrices(0), p.matrices(1), p.offsets(), matrix(static_cast<bf16*>(p.y), p.t, p.n),
          bench::tile_counter(), p.stream);
    case product::weights:  // w is dY, y is dW
      return launch<kernels::grouped_weights_bf16>(matrix(static_cast<const bf16*>(p.w), p.t, p.n), p.left(),
                                                   p.offsets(), tensor(static_cast<bf16*>(p.y), p.e, p.n, p.k),
                                                   p.stream);
    case product::scaled_dense:
      return launch<kernels::block_scaled_gemm<e4m3, bf16>>(
          p.left_in_8_bits(), matrix(static_cast<const e4m3*>(p.w), p.n, p.k), p.scales_of_rows(),
          tensor(p.scales_of_squares(), problem::blocks_of(p.n), problem::blocks_of(p.k)),
          matrix(static_cast<bf16*>(p.y), p.t, p.n), p.stream);
    case product::scaled:  // as sectile.torch takes one of the two
      return p.t >= 1024 * p.e ? launch_scaled<kernels::tall_grouped_block_scaled_gemm<e4m3, bf16>>(p)
                               : launch_scaled<kernels::grouped_block_scaled_gemm<e4m3, bf16>>(p);
  }
}

}  // namespace

/// Queues a product of t rows, of k numbers to sum over or n to make, which fall into e groups; sx and sw are the
/// scales of x and w, where they have some. Returns why it was refused, or nullptr.
extern "C" const char* sectile_groups(int what, const void* x, const void* w, const void* sx, const void* sw,
                                      const void* ends, void* y, int t, int n, int k, int e, cudaStream_t stream) {
  static thread_local std::string why;
  try {
    launch_product(static_cast<product>(what), {x, w, sx, sw, ends, y, t, n, k, e, stream});
    return nullptr;
  } catch (const std::exception& error) {
    why = error.what();
    return why.c_str();
  }
}
