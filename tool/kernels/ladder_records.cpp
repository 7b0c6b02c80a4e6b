// The rungs of the ladder that are programs of the language.
#include <sectile/kernels/ladder/persistence.hpp>

#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> ladder_records() {
  using namespace kernels::ladder;
  return {recorded<warp_specialization>("ladder_warp_specialization"),
          recorded<clusters>("ladder_clusters"),
          recorded<persistence>("ladder_persistence")};
}

}  // namespace sectile::tool
