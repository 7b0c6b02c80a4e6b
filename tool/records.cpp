#include "tool/records.hpp"

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

protocol_walker find_walker(std::string_view kernel) { return find(kernel).walk; }

}  // namespace sectile::tool
