// Cases of bench/ceilings.cu: tf32.
#include "bench/only_products.hpp"

namespace sectile::bench {

void add_tf32_ceilings(std::vector<ceiling_case>& to) {
  add_ceilings<tf32, f32, false>(to);
  add_ceilings<tf32, f32, true>(to);
}

}  // namespace sectile::bench
