// What the tests of one program on many types share: run it on the model on whole numbers small enough to be summed
// exactly, and require the exact result.
#pragma once
#include <doctest/doctest.h>

#include <sectile/dsl/launch/model.hpp>
#include <sectile/kernels/gemm.hpp>

#include "tests/exhaustively.hpp"
#include "tests/programs/typed.hpp"

namespace sectile::test {

using kernels::gemm;
using kernels::gemm_form;

template <class Out, class A, class B>
void require_exact(const typed_matrix<Out>& C, const typed_matrix<A>& a, const typed_matrix<B>& b) {
  std::vector<std::vector<double>> cols;  // of C: the rows of b
  for (std::int64_t j = 0; j < C.cols; ++j) cols.push_back(b.row(j, a.cols));
  int wrong = 0;
  for (std::int64_t i = 0; i < C.rows; ++i) {
    const std::vector<double> row = a.row(i, a.cols);
    for (std::int64_t j = 0; j < C.cols; ++j)
      wrong += C(i, j) != sum_of_products(row, cols[static_cast<std::size_t>(j)]);
  }
  CHECK(wrong == 0);
}

/// Runs K on A (m x k), B (n x k) and requires C = A B^T.
template <class K, class Left, class Right, class Out>
void check(int m, int n, int k, storage_order a_order = row_major, storage_order b_order = row_major) {
  CAPTURE(element_of<Left>().name);
  CAPTURE(element_of<Right>().name);
  CAPTURE(n);
  typed_matrix<Left> A(m, k, a_order);
  typed_matrix<Right> B(n, k, b_order);
  typed_matrix<Out> C(m, n);
  A.fill(contents::whole_numbers, 1);
  B.fill(contents::whole_numbers, 2);
  run_on_model_with<K>({.schedule = schedule_mode::random, .seed = 7, .workers = 2}, A.in(), B.in(), C.out());
  require_exact(C, A, B);
}

/// The shipped GEMM on a K of `units` half tiles and 16 bytes. One tile shows what hangs on a type, of which few rows
/// are there and half the columns; exhaustively another one, of which few columns are there as well.
template <class Left, class Right, class Out, gemm_form Form = gemm_form{}, class Sum = sum_type<Left>>
void check_gemm(int m = 72, int n = exhaustively ? 264 : 136, int units = 7) {
  const int k = units * 512 / element_of<Left>().bits + 128 / element_of<Left>().bits;
  check<gemm<Left, Right, Out, Form, Sum>, Left, Right, Out>(m, n, k, Form.a, Form.b);
}

}  // namespace sectile::test
