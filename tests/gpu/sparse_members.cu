// Every member of two sparse families on a GPU, and the launch's own pick: the bits of the model, which makes the
// products once, because all members sum in one order. Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/sparse.hpp>
#include <sectile/dsl/plan/summation.hpp>
#include <sectile/kernels/sparse_gemm_family.hpp>

#include "tests/gpu/output_pairs.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;

/// Ragged along all modes: no multiple of any tile, nor of what a block of metadata serves. (Rows of 8-bit elements
/// begin at multiples of 16 bytes.)
constexpr int m = 1500, n = 1096, k = 784;

template <class T>
struct sparse_problem {
  shared_memory<T> dense{m * k}, b{n * k}, values;
  shared_memory<std::uint32_t> metadata;
  std::int64_t stride = sparse_value_stride<T>(k);

  sparse_problem()
      : values(static_cast<int>(m * sparse_value_stride<T>(k))),
        metadata(static_cast<int>(sparse_metadata_words<T>(m, k))) {
    fill_any(dense, 1), fill_any(b, 2);
    prune(dense.get(), m, k);
    const sparse_matrix<T> a = compress(dense.in(), m, k);
    std::memcpy(values.get(), a.values.data(), a.values.size() * sizeof(T));
    std::memcpy(metadata.get(), a.metadata.data(), a.metadata.size() * sizeof(std::uint32_t));
  }
  auto a_view() const { return sparse(values.in(), metadata.in(), m, k, stride); }
  auto b_view() const { return matrix(b.in(), n, k); }
};

template <class K, class T, class Out>
void check_on_gpu(const std::string& name, const sparse_problem<T>& x, output_pair<Out>& c) {
  check(cudaMemset(c.gpu.get(), 0xFF, sizeof(Out) * m * n));
  launch<K>(x.a_view(), x.b_view(), matrix(c.gpu.get(), m, n));
  check(cudaDeviceSynchronize());
  c.compare(name.c_str());
}

template <class Family, class T, class Out, int... I>
void check_family(const char* name, std::integer_sequence<int, I...>) {
  static_assert((same_sums<member<Family, 0>, member<Family, I>> && ...));
  const sparse_problem<T> x;
  output_pair<Out> c("C", m * n);
  run_on_model_with<member<Family, 0>>({.check_hazards = false}, x.a_view(), x.b_view(), matrix(c.model.get(), m, n));
  (check_on_gpu<member<Family, I>>(name + (" member " + std::to_string(I)), x, c), ...);
  check_on_gpu<Family>(name + std::string(" as it is picked"), x, c);
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  using kernels::sparse_gemm_bf16_family, kernels::sparse_gemm_e4m3_family;
  check_family<sparse_gemm_bf16_family, bf16, bf16>("bf16", member_numbers<sparse_gemm_bf16_family>{});
  check_family<sparse_gemm_e4m3_family, e4m3, bf16>("e4m3", member_numbers<sparse_gemm_e4m3_family>{});
  return failures > 0;
}
