// The shipped GEMM, C = A B^T, on the GPU where there is one and on the CPU model everywhere else.
//
// Compiled by nvcc, this file holds the GPU kernel as well; compiled as plain C++ it runs the same kernel on the model.
#include <cstdio>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/kernels/gemm.hpp>
#include <vector>

#ifdef __CUDACC__
#include "device_array.hpp"
#endif

namespace st = sectile;
using st::bf16;
using kernel = st::kernels::gemm_bf16_f32;

namespace {

constexpr int m = 300, n = 500, k = 200;  // no tile divides these: edges are filled and clipped

#ifdef __CUDACC__
void multiply_on_gpu(const std::vector<bf16>& a, const std::vector<bf16>& b, std::vector<float>& c) {
  st::hopper::check_device();
  const device_array<bf16> device_a(a), device_b(b);
  const device_array<float> device_c(c);
  st::launch<kernel>(st::matrix(device_a.data, m, k), st::matrix(device_b.data, n, k), st::matrix(device_c.data, m, n));
  device_c.copy_to(c);
}
#endif

/// Returns the name of the machine that did it.
const char* multiply(const std::vector<bf16>& a, const std::vector<bf16>& b, std::vector<float>& c) {
#ifdef __CUDACC__
  try {
    multiply_on_gpu(a, b, c);
    return "GPU";
  } catch (const st::launch_error& why_not) {
    std::printf("no GPU: %s\n", why_not.what());
  }
#endif
  st::run_on_model<kernel>(st::matrix(a.data(), m, k), st::matrix(b.data(), n, k), st::matrix(c.data(), m, n));
  return "CPU model";
}

}  // namespace

int main() {
  std::vector<bf16> a(m * k), b(n * k);
  std::vector<float> c(m * n, -1);
  // Small whole numbers, so that every sum is exact and the result can be compared with ==.
  for (int i = 0; i < m * k; ++i) a[i] = bf16(static_cast<float>(i % 7 - 3));
  for (int i = 0; i < n * k; ++i) b[i] = bf16(static_cast<float>(i % 5 - 2));

  const char* machine = multiply(a, b, c);

  for (int row = 0; row < m; row += 23)
    for (int col = 0; col < n; col += 31) {
      float expected = 0;
      for (int i = 0; i < k; ++i) expected += static_cast<float>(a[row * k + i]) * static_cast<float>(b[col * k + i]);
      if (c[row * n + col] == expected) continue;
      std::printf("C(%d, %d) is %g, not %g\n", row, col, c[row * n + col], expected);
      return 1;
    }
  std::printf("C = A B^T, %d x %d x %d, on the %s: right\n", m, n, k, machine);
  return 0;
}
