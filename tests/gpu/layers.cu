// Layers with vectors, functions of each element and added tiles, and kernels without a product, on a GPU and on the
// model: see layer_case.hpp. Exits with 77 where there is no GPU.
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/linear.hpp>

#include "tests/gpu/layer_case.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::kernels;

template <activation F>
void check_linear(const char* name, bool exact) {
  const twice<bf16> a(m * k, 1), w(n * k, 2), bias(n, 3, 1), r(m * n, 4);
  compare(name, exact, [&](bool d, bf16* out) {
    run_on<linear<bf16, F>>(d, out, m, n, matrix(a.in(d), m, k), matrix(w.in(d), n, k), tensor(bias.in(d), n));
  });
  compare("  and what goes around it", exact, [&](bool d, bf16* out) {
    run_on<linear_residual<bf16, F>>(d, out, m, n, matrix(a.in(d), m, k), matrix(w.in(d), n, k), tensor(bias.in(d), n),
                                     matrix(r.in(d), m, n));
  });
}
template <class T, class Out>
void check_scaled(const char* name) {
  const twice<T> a(m * k, 1), w(n * k, 2);
  const twice<float> rows(m, 3, 1), cols(n, 4, 3);
  compare<Out>(name, true, [&](bool d, Out* out) {
    run_on<scaled_linear<T, Out>>(d, out, m, n, matrix(a.in(d), m, k), matrix(w.in(d), n, k), tensor(rows.in(d), m),
                                   tensor(cols.in(d), n));
  });
}
/// In place, as BLAS does.
template <class Out>
void check_sum(const char* name) {
  const twice<bf16> a(m * k, 1), w(n * k, 2);
  compare<Out>(name, true, [&](bool d, Out* out) {
    run_kernel_on<scaled_sum<bf16, Out>>(d, matrix(a.in(d), m, k), matrix(w.in(d), n, k),
                                         matrix(static_cast<const Out*>(out), m, n), matrix(out, m, n), 0.5f, -3.0f);
  });
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  check_linear<activation::none>("bias", true);
  check_linear<activation::relu>("bias, relu", true);
  check_linear<activation::gelu>("bias, gelu", false);
  check_linear<activation::gelu_tanh>("bias, gelu by tanh", false);
  check_linear<activation::silu>("bias, silu", false);
  check_quantized_layers();
  check_turned_layers();
  check_row_layers();
  check_scaled<e4m3, bf16>("e4m3, scales of rows and columns");
  check_scaled<e4m3, e4m3>("e4m3 to e4m3");
  check_scaled<bf16, e5m2>("bf16 to e5m2");
  check_scaled<s8, bf16>("s8, scales of rows and columns");
  check_scaled<s8, s8>("s8 to s8, most of it clamped");
  check_scaled<bf16, s8>("bf16 to s8");
  check_scaled<bf16, u8>("bf16 to u8");
  check_sum<float>("alpha A W + beta C in f32");
  check_sum<bf16>("alpha A W + beta C in bf16");
  const twice<bf16> a(m * k, 1), w(n * k, 2), v(n * k, 3);
  compare("gated by silu", false, [&](bool d, bf16* out) {
    run_on<gated_linear<bf16, activation::silu>>(d, out, m, n, matrix(a.in(d), m, k), matrix(w.in(d), n, k),
                                                 matrix(v.in(d), n, k));
  });
  return failures > 0;
}
