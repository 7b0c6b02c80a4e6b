#include "tool/kernel_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "tool/input_error.hpp"
#include "tool/shipped.hpp"

namespace sectile::tool {
namespace {

template <int Index>
const plan* plan_of_shipped = &plan_of<std::tuple_element_t<Index, shipped_kernels>>;

/// How many letters have to be added, removed or changed to turn one word into the other (Levenshtein, 1965).
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> line(to.size() + 1);
  std::iota(line.begin(), line.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(line[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = line[j + 1];
      line[j + 1] = std::min({changed, line[j] + 1, diagonal + 1});
    }
  }
  return line.back();
}

/// The kernels whose names are nearest, if any is near enough to be meant.
std::string suggestion(std::string_view name) {
  std::size_t nearest = std::max<std::size_t>(2, name.size() / 2);
  std::vector<std::string_view> meant;
  for (const kernel_facts& kernel : kernel_list()) {
    const std::size_t distance = edit_distance(name, kernel.name);
    if (distance > nearest) continue;
    if (distance < nearest) meant.clear();
    nearest = distance;
    meant.push_back(kernel.name);
  }
  if (meant.empty()) return "`sectile list` shows those there are";
  return fmt::format("did you mean {}?", fmt::join(meant, " or "));
}

}  // namespace

std::span<const kernel_facts> kernel_list() {
  static const kernel_facts list[shipped_count] = {
      {.name = "gemm_bf16",
       .summary = "C = A B^T: bf16 matrices, summed in f32, C in bf16",
       .planned = plan_of_shipped<0>},
      {.name = "gemm_bf16_f32",
       .summary = "C = A B^T: bf16 matrices, summed in f32, C in f32",
       .planned = plan_of_shipped<1>},
      {.name = "attention_d64",
       .summary = "O = softmax(Q K^T / sqrt(D)) V in bf16, head dimension D = 64",
       .family = kernel_family::attention,
       .planned = plan_of_shipped<2>},
      {.name = "attention_d128",
       .summary = "the same for D = 128",
       .family = kernel_family::attention,
       .planned = plan_of_shipped<3>},
      {.name = "attention_d64_causal",
       .summary = "the same for D = 64, each row sees only the columns up to its own",
       .family = kernel_family::attention,
       .mask = attention_mask::causal,
       .planned = plan_of_shipped<4>},
      {.name = "attention_d128_causal",
       .summary = "the same for D = 128, each row sees only the columns up to its own",
       .family = kernel_family::attention,
       .mask = attention_mask::causal,
       .planned = plan_of_shipped<5>},
  };
  return list;
}

int find_kernel(std::string_view name) {
  const std::span<const kernel_facts> list = kernel_list();
  const auto found = std::ranges::find(list, name, &kernel_facts::name);
  if (found == list.end()) throw input_error(fmt::format("there is no kernel '{}'; {}", name, suggestion(name)));
  return static_cast<int>(found - list.begin());
}

}  // namespace sectile::tool
