// Cases of bench/ceilings.cu: 8-bit integers, and single bits, which have no sparse products.
#include "bench/only_products.hpp"

namespace sectile::bench {

void add_integer_ceilings(std::vector<ceiling_case>& to) {
  add_ceilings<s8, s32, false>(to);
  add_ceilings<s8, s32, true>(to);
  add_ceilings<b1x8, s32, false>(to);
}

}  // namespace sectile::bench
