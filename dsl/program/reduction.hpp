// How numbers of many threads become one: what a program says where it combines into a vector.
#pragma once
#include <cstdint>

namespace sectile {

/// The largest and the smallest number; a number goes before a NaN. A sum whose order is open: warps and CTAs add in
/// the order in which they come, so its last bits may differ from run to run. And one in the order of the tiles, which
/// meet in a workspace (plan/ordered_sums.hpp).
enum class reduction : std::uint8_t { none, max, min, add_in_any_order, add };

/// What a vector is filled with before anything is combined into it.
constexpr float identity_of(reduction how) {
  return how == reduction::max ? -__builtin_huge_valf() : how == reduction::min ? __builtin_huge_valf() : 0.0f;
}

/// Of two numbers one.
template <reduction How, class Machine>
constexpr float join(Machine& hw, float x, float y) {
  if constexpr (How == reduction::max)
    return hw.maximum(x, y);
  else if constexpr (How == reduction::min)
    return hw.minimum(x, y);
  else
    return hw.add(x, y);
}
/// The same with a number in memory, if it is `there`.
template <reduction How, class Machine>
constexpr void join_in_memory(Machine& hw, float* to, float x, bool there) {
  if constexpr (How == reduction::max)
    hw.reduce_max(to, x, there);
  else if constexpr (How == reduction::min)
    hw.reduce_min(to, x, there);
  else
    hw.reduce_add(to, x, there);
}

}  // namespace sectile
