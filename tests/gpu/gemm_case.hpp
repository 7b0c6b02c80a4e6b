// Random products C = A B^T: shapes that together reach every residue of the tile sizes, paddings, and kinds of data.
// Case i is a pure function of i, the same on every machine.
#pragma once
#include <cstdint>
#include <string>

#include "tests/gpu/guarded.hpp"

namespace sectile::gpu_test {

/// What the numbers look like. normal: mean 0, variance 1. wide: those times powers of two from 2^-12 to 2^12.
/// cancelling: for almost every product in a sum there is one that nearly cancels it.
enum class data_kind : std::uint8_t { normal, wide, cancelling };

struct gemm_case {
  int index = 0;
  std::int64_t m = 0, n = 0, k = 0;
  data_kind kind = data_kind::normal;
  guarded<bf16> a, b;
};

/// Over 256 consecutive cases M takes every residue modulo 128 twice, N every residue modulo 256 once and K every
/// residue modulo 64; K = 1, 2, 3 ... 64 come first. Most shapes are below 700, one in 40 is a few times that.
constexpr int case_count = 256;
gemm_case make_gemm_case(int index);

/// An output for the case: poisoned, with random padding.
template <class Out>
guarded<Out> make_output(const gemm_case& c);

/// Relative L2 error against a float64 product of the same inputs; infinite where an element is not finite.
template <class Out>
double relative_error(const gemm_case& c, const guarded<Out>& out);

/// "case 17: 131 x 300 x 18, wide"
std::string describe(const gemm_case& c);

}  // namespace sectile::gpu_test
