#include "tool/kernel_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tool/input_error.hpp"
#include "tool/kernels/families.hpp"
#include "tool/nearest.hpp"

namespace sectile::tool {
namespace {

/// Precondition: there is a kernel of that name.
kernel_facts& kernel_in(std::vector<kernel_facts>& list, std::string_view name) {
  return *std::ranges::find(list, name, &kernel_facts::name);
}

}  // namespace

std::span<const kernel_facts> kernel_list() {
  static const std::vector<kernel_facts> all = [] {
    std::vector<kernel_facts> list;
    for (const auto family : kernel_families) {
      const std::span<const kernel_facts> kernels = family();
      list.insert(list.end(), kernels.begin(), kernels.end());
    }
    for (const portable_reading& other : wmma_readings()) kernel_in(list, other.kernel).wmma = other.run;
    for (const portable_reading& other : simt_readings()) kernel_in(list, other.kernel).simt = other.run;
    return list;
  }();
  return all;
}

const kernel_facts& find_kernel(std::string_view name) {
  const std::span<const kernel_facts> list = kernel_list();
  const auto found = std::ranges::find(list, name, &kernel_facts::name);
  if (found != list.end()) return *found;
  std::vector<std::string_view> names;
  for (const kernel_facts& kernel : list) names.push_back(kernel.name);
  throw input_error(fmt::format("there is no kernel '{}'; {}", name,
                                suggestion(name, names, "`sectile list` shows those there are")));
}

}  // namespace sectile::tool
