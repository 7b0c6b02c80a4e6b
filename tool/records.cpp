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

std::optional<tell::kernel_record> find_record(const kernel_facts& kernel) {
  if (kernel.planned == nullptr) return std::nullopt;
  if (const recorded_kernel known = find(kernel.name); known.record != nullptr) return known.record();
  throw input_error(
      fmt::format("this sectile was built without the page of {} (`cmake -DSECTILE_TOOL_RECORDS=all build && cmake "
                  "--build build` adds all)",
                  kernel.name));
}

protocol_walker find_walker(std::string_view kernel) {
  if (const protocol_walker walk = find(kernel).walk) return walk;
  throw input_error(
      fmt::format("this sectile was built without the protocol of {} (`cmake -DSECTILE_TOOL_PROTOCOLS=all build && cmake "
                  "--build build` adds all)",
                  kernel));
}

}  // namespace sectile::tool
