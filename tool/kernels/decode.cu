#include "tool/kernels/decode.hpp"

#include "tool/kernels/families.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {

std::span<const kernel_facts> decode_kernels() {
  static const std::vector<kernel_facts> list = all_shipped([](auto use) { each_of_decode(use); });
  return list;
}

}  // namespace sectile::tool
