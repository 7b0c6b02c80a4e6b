// The sums of a product whose loop is split, made part by part by kernels that are not.
#pragma once
#include "tests/programs/kit.hpp"
#include "tests/programs/types.hpp"

namespace sectile::test {

/// Columns begin .. end - 1 of a row-major matrix.
template <class T>
tensor_view<const T> columns(const typed_matrix<T>& x, int begin, int end) {
  tensor_view<const T> v = x.in();
  v.data += begin;
  v.extent[1] = end - begin;
  return v;
}

/// A B^T (m x k, n x k) as so many parts of k give it that are added in their order: each part is made by Whole, which
/// takes `step` of K a trip.
template <class Whole>
typed_matrix<float> sum_of_parts(const typed_matrix<bf16>& A, const typed_matrix<bf16>& B, int m, int n, int k,
                                 int step, int parts) {
  typed_matrix<float> part(m, n), sum(m, n);
  for (int p = 0; p < parts; ++p) {
    const trip_part own = part_of_trips(k / step, p, parts);
    const int begin = step * own.first, end = begin + step * own.count;
    run_on_model<Whole>(columns(A, begin, end), columns(B, begin, end), part.out());
    for (std::size_t i = 0; i < sum.data.size(); ++i) sum.data[i] = p == 0 ? part.data[i] : sum.data[i] + part.data[i];
  }
  return sum;
}

}  // namespace sectile::test
