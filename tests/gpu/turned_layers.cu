// Outputs by columns, and those whose fragments hold the transpose: see layer_case.hpp.
#include <sectile/kernels/gemm.hpp>

#include "tests/gpu/layer_case.hpp"

namespace sectile::gpu_test {
namespace {

using namespace sectile::kernels;

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

}  // namespace

void check_turned_layers() {
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
}

}  // namespace sectile::gpu_test
