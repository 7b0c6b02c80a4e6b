#pragma once
// Which direction of a wgmma operand is contiguous in memory.

#include <sectile/layouts/free_letters.hpp>

#include <cstdint>

namespace sectile {

/// k: consecutive elements run along K, the direction that is summed over ("K-major"). mn: they run along M (operand A)
/// or N (operand B).
enum class major : std::uint8_t { k, mn };

}  // namespace sectile
