#include "tool/kernels/decode.hpp"

#include "tool/kernels/recorded.hpp"

namespace sectile::tool {

std::vector<recorded_kernel> decode_records() {
  return all_recorded([](auto use) { each_of_decode(use); });
}

}  // namespace sectile::tool
