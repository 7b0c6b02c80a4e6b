// fault: parts in the workspace that are added up from the last to the first
// caught: model
// expect: added in their order they are 0x
#include "running/in_parts.hpp"

namespace parts_in_the_wrong_order {

template <class Machine>
struct backwards : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void load_workspace(std::uint32_t (&r)[4], const std::byte* sums, long long offset) {
    constexpr long long part = 128 * 64 * 4, of_tile = in_parts::how.split;
    const long long number = offset / part, tile = number / of_tile;
    const long long other = tile * of_tile + of_tile - 1 - number % of_tile;
    wrong<Machine>::load_workspace(r, sums, other * part + offset % part);
  }
};

const running_case here([] {
  operands_in_parts o;
  for (std::size_t i = 0; i < o.A.value.size(); ++i) {  // sums that are rounded
    const auto n = static_cast<float>(i % 97 + 1);
    o.A.value[i] = bf16(1 / (n * n * n));
  }
  o.run<on_machine<in_parts, backwards>>(o.memory.view());
});

}  // namespace parts_in_the_wrong_order
