// For experiments: a rung on a machine that gets a verb wrong, and what the CPU model says to that. The exercises of
// the course use it.
#pragma once
#include <sectile/kernels/ladder/launch.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sectile::kernels::ladder {

/// Runs K on matrices of zeros, C of m x n with k columns to sum over, and returns the model's report, or "no hazard".
/// Machine derives from model::ordinary_machine, inherits its constructor and hides a verb. The report is about what is
/// ordered and counted, not about numbers: a descriptor that names the wrong bytes is none of its business. Throws
/// launch_error for sizes that K does not take.
template <class K, class Machine = model::ordinary_machine>
std::string what_the_model_says(int m, int n, int k) {
  const auto elements = [](int rows, int cols) { return std::vector<bf16>(static_cast<std::size_t>(rows) * cols); };
  const std::vector<bf16> A = elements(m, k), B = elements(n, k);
  std::vector<bf16> C = elements(m, n);
  const auto b = b_order_of<K>() == row_major ? matrix(B.data(), n, k) : matrix_col_major(B.data(), n, k);
  try {
    run_on_model_with<K, Machine>({.workers = 1}, matrix(A.data(), m, k), b, matrix(C.data(), m, n));
  } catch (const model::hazard& found) {
    return found.what();
  }
  return "no hazard";
}

}  // namespace sectile::kernels::ladder
