// What the tests of the portable readings share: a product with tiles of any shape and type, and runs on whole numbers,
// which every type multiplies exactly.
#pragma once
#include <cstring>
#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/kernels/gemm.hpp>

#include "tests/programs/kit.hpp"
#include "tests/programs/typed.hpp"

namespace sectile::test {

using kernels::gemm_form;
using portable::simt;
using portable::wmma;

/// C = A B^T with tiles of M x N x Depth.
template <int M, int N, int Depth, class Left, class Right, class Out, gemm_form Form = gemm_form{},
          class Sum = sum_type<Left>>
struct tiled_product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", Left>(Form.a), input<"B(N,K)", Right>(Form.b), output<"C(M,N)", Out>());
  static constexpr sectile::configuration how{
      .tile = {{"M", M}, {"K", Depth}, {"N", N}}, .stages = 2, .consumers = M / 64};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    kernels::gemm<Left, Right, Out, Form, Sum>::body(sm, A, B, C);
  }
};

/// Runs the product on whole numbers and expects the exact result.
template <class K, class How, class Left, class Right, class Out>
void check_exact(int m, int n, int k, storage_order a_order = row_major, storage_order b_order = row_major) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  typed_matrix<Left> A(m, k, a_order);
  typed_matrix<Right> B(n, k, b_order);
  typed_matrix<Out> C(m, n);
  A.fill(contents::whole_numbers, 1);
  B.fill(contents::whole_numbers, 2);
  run_portable_on_model<K, How>(A.in(), B.in(), C.out());
  int wrong = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l) sum += A(i, l) * B(j, l);
      wrong += C(i, j) != static_cast<double>(static_cast<float>(Out(static_cast<float>(sum))));
    }
  CHECK(wrong == 0);
}

inline constexpr gemm_form by_cols{col_major, col_major}, mixed{row_major, col_major}, other{col_major, row_major};

/// A is contiguous along K in one product and B in the other.
template <class How, class T, class Out, class Sum = sum_type<T>>
void check_16_bit() {
  check_exact<tiled_product<64, 32, 32, T, T, Out, other, Sum>, How, T, T, Out>(70, 41, 50, col_major, row_major);
  check_exact<tiled_product<128, 32, 16, T, T, Out, mixed, Sum>, How, T, T, Out>(129, 32, 17, row_major, col_major);
}

template <class How>
void check_8_bit() {
  check_exact<tiled_product<64, 32, 32, s8, s8, s32>, How, s8, s8, s32>(65, 33, 70);
  check_exact<tiled_product<64, 32, 16, u8, u8, s32, by_cols>, How, u8, u8, s32>(65, 33, 70, col_major, col_major);
  check_exact<tiled_product<128, 32, 48, s8, s8, float, mixed>, How, s8, s8, float>(65, 33, 50, row_major, col_major);
}

/// Compares every element's bits with reference(i, j).
template <class Out, class Reference>
void check_bits(const host_tensor<Out>& C, Reference reference) {
  int wrong = 0;
  for (int i = 0; i < C.extent[0]; ++i)
    for (int j = 0; j < C.extent[1]; ++j) {
      const Out found = C(i, j), expected = reference(i, j);
      wrong += std::memcmp(&found, &expected, sizeof found) != 0;
    }
  CHECK(wrong == 0);
  CHECK(C.touched() == 0);
}

}  // namespace sectile::test
