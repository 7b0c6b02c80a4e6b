#include "tool/kernel_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tool/input_error.hpp"
#include "tool/kernels/families.hpp"
#include "tool/nearest.hpp"

namespace sectile::tool {
namespace {

/// A kernel of a family that was left out needs no readings.
void add_reading(std::vector<kernel_facts>& list, const portable_reading& other) {
  const auto kernel = std::ranges::find(list, other.kernel, &kernel_facts::name);
  if (kernel != list.end()) (other.how == reading::wmma ? kernel->wmma : kernel->simt) = other.run;
}

}  // namespace

std::span<const kernel_facts> kernel_list() {
  static const std::vector<kernel_facts> all = [] {
    std::vector<kernel_facts> list;
    for (const auto family : built_families().kernels) {
      const std::span<const kernel_facts> kernels = family();
      list.insert(list.end(), kernels.begin(), kernels.end());
    }
    for (const auto family : built_families().readings)
      for (const portable_reading& other : family()) add_reading(list, other);
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
  const std::string left_out = kernels_left_out();
  throw input_error(fmt::format("there is no kernel '{}'{}; {}", name, left_out.empty() ? "" : " here: " + left_out,
                                suggestion(name, names, "`sectile list` shows those there are")));
}

std::string why_no_machine_code(const kernel_facts& kernel, reading how) {
  if (kernel.in(how).launch) return "";
  return fmt::format(
      "{}: this program was built without its machine code, on a machine that has no GPU; configure with "
      "-DSECTILE_GPU=ON, or run it on the model",
      kernel.name);
}

std::string kernels_left_out() {
  const std::string_view families = built_families().left_out;
  if (families.empty()) return "";
  return fmt::format(
      "this sectile was built without the families {} (`cmake -DSECTILE_TOOL_KERNELS=all build && cmake "
      "--build build --target sectile_cli` adds them)",
      families);
}

}  // namespace sectile::tool
