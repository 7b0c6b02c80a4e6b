#include "tool/kernels/grouped.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> grouped_records() {
  return all_recorded([](auto use) { each_of_grouped(use); });
}

}  // namespace sectile::tool
