// Cases of bench/ceilings.cu: f16, summed in f32 and in itself.
#include "bench/only_products.hpp"

namespace sectile::bench {

void add_f16_ceilings(std::vector<ceiling_case>& to) {
  add_ceilings<f16, f32, false>(to);
  add_ceilings<f16, f32, true>(to);
  add_ceilings<f16, f16, false>(to);
  add_ceilings<f16, f16, true>(to);
}

}  // namespace sectile::bench
