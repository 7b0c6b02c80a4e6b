// Layers with vectors, functions of each element and added tiles, and kernels without a product, on a GPU and on the
// model. Bit for bit where no ex2 takes part, whose last bits are the chip's own; elsewhere within two units of the
// output's last place, or of what the magnitudes around it can lose. Exits with 77 where there is no GPU.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/linear.hpp>
#include <sectile/kernels/rows.hpp>
#include <type_traits>
#include <vector>

#include "tests/gpu/on_device.hpp"

namespace {

using namespace sectile;
using namespace sectile::kernels;

constexpr int m = 456, n = 528, k = 208;
int failures = 0;

/// The same numbers on the host and on the device, `off` elements behind where memory begins.
template <class T>
struct twice {
  std::vector<T> host;
  T* device = nullptr;
  int off;

  twice(int count, unsigned seed, int offset = 0) : host(static_cast<std::size_t>(count) + 256), off(offset) {
    off += static_cast<int>((128 - reinterpret_cast<std::uintptr_t>(host.data()) % 128) % 128 / sizeof(T));
    for (std::size_t i = 0; i < host.size(); ++i) {
      const auto bits = gpu_test::random_bits(seed, i - static_cast<std::size_t>(off));
      const float x = static_cast<float>(static_cast<double>(bits >> 11) * 0x1p-52 - 1.0);
      if constexpr (element_of<T>().bits < 8)
        host[i].bits = static_cast<std::uint8_t>(bits >> 56);
      else
        host[i] = element_of<T>().kind == number::floating ? T(x) : T(100 * x);
    }
    hopper::check_cuda(cudaMalloc(&device, (host.size() + 128) * sizeof(T)), "allocating");
    copy(cudaMemcpyHostToDevice);
  }
  twice(const twice&) = delete;
  ~twice() { cudaFree(device); }
  /// Elements `off`.. of the host are elements `offset`.. of the device.
  void copy(cudaMemcpyKind way) {
    T* there = device + off % static_cast<int>(128 / sizeof(T));
    T* here = host.data() + off;
    const std::size_t bytes = (host.size() - static_cast<std::size_t>(off)) * sizeof(T);
    hopper::check_cuda(
        way == cudaMemcpyHostToDevice ? cudaMemcpy(there, here, bytes, way) : cudaMemcpy(here, there, bytes, way),
        "copying");
  }
  const T* in(bool on_device) const {
    return on_device ? device + off % static_cast<int>(128 / sizeof(T)) : host.data() + off;
  }
};

/// run(on the device?, the output) twice, and what differs.
template <class Out = bf16, class Run>
void compare(const char* name, bool exact, Run run) {
  twice<Out> gpu(m * n, 9), model(m * n, 9);
  run(true, const_cast<Out*>(gpu.in(true)));
  hopper::check_cuda(cudaDeviceSynchronize(), "running a layer");
  gpu.copy(cudaMemcpyDeviceToHost);
  run(false, const_cast<Out*>(model.in(false)));
  int bits = 0, far = 0;
  double largest = 0;
  for (int i = 0; i < m * n; ++i) {
    const Out x = gpu.in(false)[i], y = model.in(false)[i];
    bits += std::memcmp(&x, &y, sizeof x) != 0;
    const double error =
        std::abs(static_cast<double>(static_cast<float>(x)) - static_cast<double>(static_cast<float>(y)));
    far += !(error <= 0x1p-7 * std::abs(static_cast<double>(static_cast<float>(y))) + 1e-6);
    largest = std::fmax(largest, error);
  }
  const bool right = exact ? bits == 0 : far == 0;
  failures += !right;
  std::printf("%s %s: %d of %d elements have other bits, the largest difference is %g\n", right ? "ok  " : "FAIL", name,
              bits, m * n, largest);
}

/// On the device, or on the model.
template <class K, class... Arguments>
void run_kernel_on(bool device, const Arguments&... arguments) {
  if (device)
    launch<K>(arguments...);
  else
    run_on_model_with<K>({.check_hazards = false}, arguments...);
}
template <class K, class Out, class... Inputs>
void run_on(bool device, Out* out, int rows, int cols, const Inputs&... inputs) {
  run_kernel_on<K>(device, inputs..., matrix(out, rows, cols));
}

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
/// Weights of 8 or 4 bits, by one member of the family.
template <class Weight, class T, int I = 0>
void check_quantized(const char* name) {
  constexpr int pitch = 224;  // of 4 bits, rows are whole pieces of 16 bytes
  const twice<Weight> w(m * pitch, 1);
  const twice<T> a(n * k, 2);
  const twice<float> scale(m, 3, 1);
  compare<T>(name, true, [&](bool d, T* out) {
    run_on<member<quantized_linear<Weight, T>, I>>(d, out, m, n, matrix(w.in(d), m, k, pitch), matrix(a.in(d), n, k),
                                                   tensor(scale.in(d), m));
  });
}
/// A product that memory has by columns. Those of 8-bit elements begin at multiples of 16 bytes, and end anywhere.
template <class T, class Out>
void check_by_columns(const char* name) {
  constexpr int rows = sizeof(Out) == 1 ? 443 : m, pitch = sizeof(Out) == 1 ? 448 : m;
  const twice<T> a(m * k, 1), w(n * k, 2);
  compare<Out>(name, true, [&](bool d, Out* out) {
    run_kernel_on<gemm<T, T, Out, gemm_form{.c = col_major}>>(d, matrix(a.in(d), rows, k), matrix(w.in(d), n, k),
                                                              matrix_col_major(out, rows, n, pitch));
  });
}
/// A product by rows whose fragments hold the transpose.
template <class T, class Out, int Rows, bool Persistent>
struct swapped_gemm : gemm<T, T, Out> {
  static constexpr configuration how{
      .tile = {{"M", Rows}, {"N", 128}, {"K", 64}}, .stages = 4, .persistent = Persistent, .swap = true};
};
template <class T, class Out, int Rows, bool Persistent>
void check_swapped(const char* name) {
  constexpr int cols = 523;
  const twice<T> a(m * k, 1), w(n * k, 2);
  compare<Out>(name, true, [&](bool d, Out* out) {
    run_kernel_on<swapped_gemm<T, Out, Rows, Persistent>>(d, matrix(a.in(d), m, k), matrix(w.in(d), cols, k),
                                                          matrix(out, m, cols, n));
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
  std::printf("%s the largest magnitude is %g and %g\n", right ? "ok  " : "FAIL",
              static_cast<double>(*gpu.in(false)), static_cast<double>(*model.in(false)));
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
  check_quantized<s8, bf16>("weights of s8, bf16");
  check_quantized<u8, f16>("weights of u8, f16");
  check_quantized<e4m3, bf16>("weights of e4m3, bf16");
  check_quantized<e4m3, f16>("weights of e4m3, f16");
  check_quantized<e5m2, bf16>("weights of e5m2, bf16");
  check_quantized<e5m2, f16>("weights of e5m2, f16");
  check_quantized<e4m3, bf16, 4>("weights of e4m3, bf16, K in two parts");
  check_quantized<s8, bf16, 6>("weights of s8, bf16, for few activations");
  check_quantized<s4x2, bf16>("weights of s4, bf16");
  check_quantized<u4x2, bf16, 5>("weights of u4, bf16, for few activations");
  check_quantized<s4x2, f16, 1>("weights of s4, f16");
  check_quantized<u4x2, f16>("weights of u4, f16");
  check_by_columns<bf16, bf16>("bf16, C by columns");
  check_by_columns<f16, float>("f16 to f32, C by columns");
  check_by_columns<e4m3, e4m3>("e4m3, C by columns");
  check_by_columns<bf16, s8>("bf16 to s8, C by columns");
  check_by_columns<bf16, e5m2>("bf16 to e5m2, C by columns");
  check_by_columns<bf16, u8>("bf16 to u8, C by columns");
  check_swapped<bf16, e4m3, 8, false>("bf16 to e4m3, swapped, tiles of 8 rows");
  check_swapped<bf16, u8, 48, false>("bf16 to u8, swapped, tiles of 48 rows");
  check_swapped<bf16, e5m2, 40, true>("bf16 to e5m2, swapped, tiles of 40 rows, put off");
  check_swapped<bf16, s8, 96, true>("bf16 to s8, swapped, tiles of 96 rows, put off");
  check_scaled<e4m3, bf16>("e4m3, scales of rows and columns");
  check_scaled<e4m3, e4m3>("e4m3 to e4m3");
  check_scaled<bf16, e5m2>("bf16 to e5m2");
  check_scaled<s8, bf16>("s8, scales of rows and columns");
  check_scaled<s8, s8>("s8 to s8, most of it clamped");
  check_scaled<bf16, s8>("bf16 to s8");
  check_scaled<bf16, u8>("bf16 to u8");
  check_rows<bf16>("bf16");
  check_rows<float>("f32");
  check_copy();
  check_transpose<bf16>("a transpose of bf16");
  check_transpose<float>("a transpose of f32");
  check_sum<float>("alpha A W + beta C in f32");
  check_sum<bf16>("alpha A W + beta C in bf16");
  const twice<bf16> a(m * k, 1), w(n * k, 2), v(n * k, 3);
  compare("gated by silu", false, [&](bool d, bf16* out) {
    run_on<gated_linear<bf16, activation::silu>>(d, out, m, n, matrix(a.in(d), m, k), matrix(w.in(d), n, k),
                                                 matrix(v.in(d), n, k));
  });
  return failures > 0;
}
