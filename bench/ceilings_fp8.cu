// Cases of bench/ceilings.cu: 8-bit floats.
#include "bench/only_products.hpp"

namespace sectile::bench {

void add_fp8_ceilings(std::vector<ceiling_case>& to) {
  add_ceilings<e4m3, f32, false>(to);
  add_ceilings<e4m3, f32, true>(to);
}

}  // namespace sectile::bench
