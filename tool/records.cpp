#include "tool/records.hpp"

#include "tool/kernels/families.hpp"

namespace sectile::tool {

std::optional<tell::kernel_record> find_record(std::string_view kernel) {
  for (const auto family : built_families().records)
    for (const recorded_kernel& known : family())
      if (known.kernel == kernel) return known.record();
  return std::nullopt;
}

}  // namespace sectile::tool
