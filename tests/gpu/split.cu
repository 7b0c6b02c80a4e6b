// Kernels whose loops are split among CTAs, on a GPU and on the model: the same bits, of operands that are no whole
// numbers, so that another order of the sums would show. Each launch is repeated, also as a graph. Exits with 77 where
// there is no GPU.
#include <sectile/dsl/launch/checked_device.hpp>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/merge.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::test;

template <class Kernel, class Left, class Right, class Out>
void check_product(const char* name, int m, int n, int k) {
  const int pitch = (n + 15) / 16 * 16;
  shared_memory<Left> a(m * k);
  shared_memory<Right> b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<Out> c("C", m * pitch);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<Kernel>(d, s, matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.on(d), m, n, pitch));
      },
      c);
}

template <configuration How>
void check_outputs(const char* name) {
  constexpr int m = 456, n = 520, k = 1032;
  shared_memory<bf16> a(m * k), b(n * k), r(m * n);
  shared_memory<float> bias(n, 1);
  fill_any(a, 1), fill_any(b, 2), fill_any(r, 3), fill_any(bias, 4);
  output_pair<bf16> z("Z", m * n);
  output_pair<float> c("C", m * n), most("most", n);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        run_on<outputs_of_parts<How>>(d, s, matrix(a.in(), m, k), matrix(b.in(), n, k), tensor(bias.in(), n),
                                      matrix(r.in(), m, n), matrix(z.on(d), m, n), matrix(c.on(d), m, n),
                                      tensor(most.on(d), n));
      },
      z, c, most);
}

void check_two_sums() {
  constexpr int m = 200, n = 264, k = 1032;
  shared_memory<bf16> a(m * k), w(n * k), v(n * k);
  fill_any(a, 1), fill_any(w, 2), fill_any(v, 3);
  output_pair<float> c("C", m * n);
  compare(
      "two sums of each tile, in four parts",
      [&](bool d, cudaStream_t s) {
        run_on<two_sums<split_in(4, 64, 64, 64)>>(d, s, matrix(a.in(), m, k), matrix(w.in(), n, k),
                                                  matrix(v.in(), n, k), matrix(c.on(d), m, n));
      },
      c);
}
void check_two_loops() {
  constexpr int m = 200, n = 264, k = 520, l = 328;
  shared_memory<bf16> a(m * k), b(n * k), e(m * l), f(n * l);
  fill_any(a, 1), fill_any(b, 2), fill_any(e, 3), fill_any(f, 4);
  output_pair<float> c("C", m * n);
  compare(
      "two loops, in three parts",
      [&](bool d, cudaStream_t s) {
        run_on<two_loops<split_both(3)>>(d, s, matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(e.in(), m, l),
                                         matrix(f.in(), n, l), matrix(c.on(d), m, n));
      },
      c);
}

/// Parts that the body merges, of few rows, of some that are no whole octet, and of several tiles.
template <configuration How>
void check_merges(const char* name) {
  constexpr int n = 56, k = 1032;  // one tile along N, as each writes its rows' numbers
  for (const int m : {8, 21, 200}) {
    check_product<decayed_sum<How>, bf16, bf16, float>(name, m, 136, k);
    shared_memory<bf16> a(m * k), b(n * k);
    fill_any(a, 1), fill_any(b, 2);
    output_pair<float> c("C", m * n), most("most", m);
    compare(
        name,
        [&](bool d, cudaStream_t s) {
          run_on<largest_and_sum<How>>(d, s, matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.on(d), m, n),
                                       tensor(most.on(d), m));
        },
        c, most);
  }
}

/// On the debug machine, which is waited for: no graph.
void check_checked() {
  constexpr int m = 100, n = 136, k = 520;
  using kernel = two_sums<split_in(2, 64, 64, 64, 1, {2, 1})>;
  shared_memory<bf16> a(m * k), w(n * k), v(n * k);
  fill_any(a, 1), fill_any(w, 2), fill_any(v, 3);
  output_pair<float> c("C", m * n);
  for (const bool d : {false, true})
    if (d)
      launch<checked<kernel>>(matrix(a.in(), m, k), matrix(w.in(), n, k), matrix(v.in(), n, k), matrix(c.on(d), m, n));
    else
      run_on_model<kernel>(matrix(a.in(), m, k), matrix(w.in(), n, k), matrix(v.in(), n, k), matrix(c.on(d), m, n));
  check(cudaDeviceSynchronize());
  c.compare("two parts on the debug machine");
  using merging = decayed_sum<split_in(3, 64, 64, 64)>;
  output_pair<float> x("C", m * n);
  launch<checked<merging>>(matrix(a.in(), m, k), matrix(w.in(), n, k), matrix(x.on(true), m, n));
  run_on_model<merging>(matrix(a.in(), m, k), matrix(w.in(), n, k), matrix(x.on(false), m, n));
  check(cudaDeviceSynchronize());
  x.compare("three parts that are merged, on the debug machine");
}

constexpr configuration overlapping = [] {
  configuration c = split_in(2, 64, 64, 64);
  c.overlap = launch_overlap::both;
  return c;
}();

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  check_product<gemm_in_parts<bf16, bf16, float, split_in(2, 64, 64, 64)>, bf16, bf16, float>("two parts", 456, 523,
                                                                                              1032);
  check_product<gemm_in_parts<bf16, bf16, bf16, split_in(3, 64, 64, 64)>, bf16, bf16, bf16>("three parts", 456, 523,
                                                                                            1032);
  check_product<gemm_in_parts<bf16, bf16, float, split_in(8, 16, 64, 64, 1, {}, true)>, bf16, bf16, float>(
      "eight parts, swapped", 37, 523, 2056);
  check_product<gemm_in_parts<bf16, bf16, float, split_in(8, 16, 64, 64, 1, {}, true)>, bf16, bf16, float>(
      "eight parts of five trips", 37, 523, 320);
  check_product<gemm_in_parts<bf16, bf16, float, split_in(2, 128, 128, 64, 2, {2, 2})>, bf16, bf16, float>(
      "two parts of clusters", 456, 523, 1032);
  check_product<gemm_in_parts<bf16, bf16, float, split_in(2, 56, 128, 64, 2, {1, 2}, true)>, bf16, bf16, float>(
      "two parts of clusters whose slices begin inside the swizzle's pattern", 456, 523, 1032);
  check_product<gemm_in_parts<e4m3, e5m2, bf16, split_in(2, 64, 24, 64, 1, {4, 1})>, e4m3, e5m2, bf16>(
      "the same in rows of 64 bytes, of fp8", 456, 528, 1040);
  check_product<gemm_in_parts<bf16, bf16, float, overlapping>, bf16, bf16, float>("two parts, under the kernel before",
                                                                                  456, 523, 1032);
  check_product<gemm_in_parts<e4m3, e5m2, bf16, split_in(4, 128, 64, 128, 2)>, e4m3, e5m2, bf16>("four parts of fp8",
                                                                                                 456, 528, 2064);
  check_product<gemm_in_parts<s8, s8, s32, split_in(2, 64, 64, 128)>, s8, s8, s32>("two parts of s8", 456, 528, 2064);
  check_product<gemm_in_parts<tf32, tf32, float, split_in(2, 64, 64, 32)>, tf32, tf32, float>("two parts of tf32", 200,
                                                                                              264, 520);
  check_outputs<split_in(2, 64, 64, 64)>("what stands behind the loop");
  check_outputs<split_in(2, 128, 64, 64, 2, {1, 2})>("the same in clusters");
  check_two_sums();
  check_two_loops();
  check_merges<split_in(3, 64, 64, 64)>("three parts that are merged");
  check_merges<split_in(8, 128, 64, 64, 2)>("eight parts that are merged, of two consumers");
  check_checked();
  return failures > 0;
}
