// How far a right result may be from the float64 reference: what the rounding of the instructions explains, and no
// more.
#pragma once

#include <cstdint>
#include <sectile/dsl/plan/plan.hpp>

namespace sectile::tool {

/// What is known of the products that are summed: that either sign is as likely, or nothing.
enum class signs { random, any };

/// The relative L2 error of a sum of `k` products by `instruction` as it is in registers; 0 for integers, which are
/// exact.
double sum_error(const wgmma_instruction& instruction, std::int64_t k, signs of_products);

/// The largest relative L2 error of a sum of `k` products by `instruction` that is then rounded to `out`; 0 for
/// integers.
double sum_error_bar(const wgmma_instruction& instruction, const element& out, std::int64_t k, signs of_products);

/// The largest relative error that rounding to `out` explains.
double rounding_bar(const element& out);

/// How far rounding to `out` may move a number: half a unit of an integer, and what rounding_bar() says of others.
double rounding_off(const element& out, double value);

/// Bars are means over many elements. A single one may be this many times as far off.
constexpr double bad_luck = 4;

/// The same of f32 arithmetic behind sums, the GPU's approximation of 2^x included.
constexpr double arithmetic_bar = 1e-5;

/// The same of attention: probabilities are rounded to bf16 before they are multiplied by V, and the result is rounded
/// again.
constexpr double attention_error_bar = 1e-2;
/// The same of probabilities that are rounded to e4m3, by up to 1/16 of them; and of logarithms of sums whose scores
/// had 13 bits of each addend.
constexpr double eight_bit_attention_bar = 4e-2, eight_bit_scores_bar = 1e-3;

}  // namespace sectile::tool
