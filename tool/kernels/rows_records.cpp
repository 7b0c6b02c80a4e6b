#include "tool/kernels/rows.hpp"
#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> rows_records() {
  return all_recorded([](auto use) { each_of_rows(use); });
}

}  // namespace sectile::tool
