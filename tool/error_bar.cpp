#include "tool/error_bar.hpp"

#include <algorithm>
#include <cmath>
#include <sectile/dsl/plan/instruction_table.hpp>

namespace sectile::tool {

// One instruction cuts its k products and C `aligned_bits` below the largest of them. A cut takes half a unit on
// average toward zero: where all have one sign, these errors add up, otherwise they grow with the root of their number.
// The result loses what of the aligned bits it does not keep: always toward zero where it is cut, either way where it
// is rounded (f16). All this is relative to the sum so far, which is a half of the final one on average, or two thirds
// for signs at random.
double sum_error(const wgmma_instruction& instruction, std::int64_t k, signs of_products) {
  const instruction_family f = family_of(instruction);
  if (f.sum == summation::integer) return 0;
  const double steps = std::ceil(static_cast<double>(k) / instruction.k);
  const double terms = stored_k(instruction) + 1;
  const double unit = std::ldexp(1.0, -f.aligned_bits);
  const double aligning = of_products == signs::any ? steps * terms * unit / 4 : std::sqrt(steps * terms / 3) * unit;
  const double keeping = f.sum == summation::truncated ? steps * (std::ldexp(1.0, -f.kept_bits) - unit) / 3
                                                       : std::sqrt(steps) * std::ldexp(1.0, -f.kept_bits) / 2;
  return aligning + keeping;
}

double sum_error_bar(const wgmma_instruction& instruction, const element& out, std::int64_t k, signs of_products) {
  if (family_of(instruction).sum == summation::integer) return 0;
  return std::max(1e-5, sum_error(instruction, k, of_products) + rounding_bar(out));
}

double rounding_off(const element& out, double value) {
  return out.kind == number::floating ? rounding_bar(out) * std::fabs(value) : 0.5;
}

double rounding_bar(const element& out) { return out.bits < 32 ? std::ldexp(1.0, -out.mantissa_bits - 1) : 0; }

}  // namespace sectile::tool
