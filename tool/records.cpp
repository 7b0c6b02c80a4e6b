#include "tool/records.hpp"

#include <fmt/format.h>

#include "tool/input_error.hpp"

namespace sectile::tool {
namespace {

recorded_kernel find(std::string_view kernel) {
  for (const auto family : built_families().records)
    for (const recorded_kernel& known : family())
      if (known.kernel == kernel) return known;
  return {};
}

}  // namespace

std::optional<tell::kernel_record> find_record(std::string_view kernel) {
  const recorded_kernel known = find(kernel);
  if (known.record == nullptr) return std::nullopt;
  return known.record();
}

protocol_walker find_walker(std::string_view kernel) {
  if (const protocol_walker walk = find(kernel).walk) return walk;
  throw input_error(
      fmt::format("this sectile was built without the protocol of {} (`cmake -DSECTILE_TOOL_PROTOCOLS=all build && cmake "
                  "--build build` adds all)",
                  kernel));
}

}  // namespace sectile::tool
