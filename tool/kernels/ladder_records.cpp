// The rungs of the ladder that are programs of the language.
#include <sectile/kernels/ladder/persistence.hpp>

#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> ladder_records() {
  using namespace kernels::ladder;
  return {{"ladder_warp_specialization", tell::record_of<warp_specialization>},
          {"ladder_clusters", tell::record_of<clusters>},
          {"ladder_persistence", tell::record_of<persistence>}};
}

}  // namespace sectile::tool
