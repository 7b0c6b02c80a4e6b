// Kernels without a product: see layer_case.hpp.
#include <sectile/kernels/linear.hpp>
#include <sectile/kernels/rows.hpp>
#include <type_traits>

#include "tests/gpu/layer_case.hpp"

namespace sectile::gpu_test {
namespace {

using namespace sectile::kernels;

/// Rows of four tiles and a part.
template <class T>
void check_rows(const char* type) {
  const twice<T> x(m * n, 1), gamma(n, 2), beta(n, 3);
  std::printf("rows of %s\n", type);
  compare<T>("  softmax", false, [&](bool d, T* out) { run_on<softmax<T>>(d, out, m, n, matrix(x.in(d), m, n)); });
  const auto norm = [&]<class K>(std::type_identity<K>, bool d, T* out, const auto&... vectors) {
    run_kernel_on<K>(d, matrix(x.in(d), m, n), tensor(vectors.in(d), n)..., matrix(out, m, n), 0x1p-10f);
  };
  compare<T>("  RMS norm", false, [&](bool d, T* out) { norm(std::type_identity<rms_norm<T>>{}, d, out, gamma); });
  compare<T>("  layer norm", false,
             [&](bool d, T* out) { norm(std::type_identity<layer_norm<T>>{}, d, out, gamma, beta); });
}

template <class T>
void check_transpose(const char* name) {
  const twice<T> x(m * n, 1);
  compare<T>(name, true, [&](bool d, T* out) { run_on<transposed_copy<T>>(d, out, n, m, matrix(x.in(d), m, n)); });
}

/// A copy to 8 bits: without a product or a loop.
void check_copy() {
  const twice<bf16> x(m * n, 1);
  const twice<float> scale(1, 2);
  twice<float> gpu(1, 3), model(1, 3);
  compare<e4m3>("a copy to e4m3, with the largest magnitude", true, [&](bool d, e4m3* out) {
    run_kernel_on<cast_amax<bf16, e4m3>>(d, matrix(x.in(d), m, n), tensor(scale.in(d)), matrix(out, m, n),
                                         tensor(const_cast<float*>((d ? gpu : model).in(d))));
  });
  gpu.copy(cudaMemcpyDeviceToHost);
  const bool right = *gpu.in(false) == *model.in(false);
  failures += !right;
  std::printf("%s the largest magnitude is %g and %g\n", right ? "ok  " : "FAIL", static_cast<double>(*gpu.in(false)),
              static_cast<double>(*model.in(false)));
}

}  // namespace

void check_row_layers() {
  check_rows<bf16>("bf16");
  check_rows<float>("f32");
  check_copy();
  check_transpose<bf16>("a transpose of bf16");
  check_transpose<float>("a transpose of f32");
}

}  // namespace sectile::gpu_test
