// fault: a configuration that swaps, with tiles of fewer keys than an instruction has rows
// caught: compile time
// expect: tile columns T = 32 do not split into the instruction's 64 rows (of the transpose, .swap = true) for each of 1 consumers; use 64
// clang-lines: 16
#include <sectile/kernels/latent_attention.hpp>

#include "fault.hpp"

struct kernel : kernels::latent_attention<> {
  static constexpr sectile::configuration how =
      kernels::latent_attention<>::how.with_tile({{"S", 16}, {"T", 32}, {"D", 512}, {"F", 64}});
};
static_assert(verified<kernel>);
