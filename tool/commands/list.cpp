#include <fmt/format.h>

#include <algorithm>

#include "tool/commands/commands.hpp"
#include "tool/kernel_list.hpp"

namespace sectile::tool {

exit_status list_kernels() {
  std::size_t width = 0;
  for (const kernel_facts& kernel : kernel_list()) width = std::max(width, kernel.name.size());
  for (const kernel_facts& kernel : kernel_list()) fmt::print("{:<{}}  {}\n", kernel.name, width, kernel.summary);
  if (const std::string left_out = kernels_left_out(); !left_out.empty())
    fmt::print("\nOthers are left out: {}.\n", left_out);
  return success;
}

}  // namespace sectile::tool
