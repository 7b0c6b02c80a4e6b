// Cases of bench/ceilings.cu: bf16.
#include "bench/only_products.hpp"

namespace sectile::bench {

void add_bf16_ceilings(std::vector<ceiling_case>& to) {
  add_ceilings<bf16, f32, false>(to);
  add_ceilings<bf16, f32, true>(to);
}

}  // namespace sectile::bench
