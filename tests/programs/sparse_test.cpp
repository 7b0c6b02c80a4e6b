// Sparse A of every type.
#include <sectile/kernels/sparse_gemm.hpp>

#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

using kernels::sparse_gemm;

template <class Left, class Right, class Out, class Sum = sum_type<Left>>
void check_sparse_gemm(int m, int n, int k) {
  CAPTURE(element_of<Left>().name);
  typed_matrix<Left> A(m, k);
  typed_matrix<Right> B(n, k);
  typed_matrix<Out> C(m, n);
  A.fill(contents::whole_numbers, 3);
  B.fill(contents::whole_numbers, 4);
  prune(A.data.data(), m, k, A.stride);
  const sparse_matrix<Left> S = compress(A.data.data(), m, k, A.stride);
  const model_options how{.schedule = schedule_mode::random, .seed = 5, .workers = 2};
  run_on_model_with<sparse_gemm<Left, Right, Out, Sum>>(how, S.view(), B.in(), C.out());
  require_exact(C, A, B);
}

TEST_CASE("sparse A of every type") {
  check_sparse_gemm<f16, f16, f16, f16>(130, 40, 132);
  check_sparse_gemm<tf32, tf32, float>(130, 40, 74);
  check_sparse_gemm<s8, s8, s32>(130, 264, 300);
  if constexpr (exhaustively) {
    check_sparse_gemm<e4m3, e5m2, float>(64, 40, 100);
    check_sparse_gemm<f16, f16, float>(200, 264, 72);
    check_sparse_gemm<e5m2, e4m3, f16, f16>(64, 40, 100);
    check_sparse_gemm<bf16, bf16, bf16>(65, 24, 40);
    check_sparse_gemm<e4m3, e4m3, float>(130, 40, 136);
    check_sparse_gemm<u8, s8, s32>(10, 8, 4);
  }
}

}  // namespace
