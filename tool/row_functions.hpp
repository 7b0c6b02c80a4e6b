// What becomes of a row in float64, and how far from it f32 arithmetic may leave it.
//
// The bounds are made of what each step of kernels/rows.hpp may lose, and of nothing that was observed. With u = 2^-24:
// a sum, difference, product, quotient or root is rounded to nearest, so it is off by u of itself; exp() is off by what
// ex2.approx is (2^-22.5, PTX ISA "ex2") and two roundings, as what x log2(e) loses is put back. A sum along a row is
// off by u of all magnitudes for each addition that a number goes through. These are few: four lanes share a row.
#pragma once

#include <span>

#include "tool/formula.hpp"

namespace sectile::tool {

/// exp(x) / the sum of it along the row.
void softmax_of_row(const row_view& row, std::span<approximate> y);

/// x / sqrt(mean of x^2 + epsilon) * gamma. Beside the row: gamma; a number: epsilon.
void rms_norm_of_row(const row_view& row, std::span<approximate> y);

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta. Beside the row: gamma, beta; a number: epsilon.
void layer_norm_of_row(const row_view& row, std::span<approximate> y);

}  // namespace sectile::tool
