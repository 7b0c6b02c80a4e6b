// The rungs of the ladder from plain multiplications to a persistent kernel, all of them C = A B^T in bf16.
#pragma once

#include <sectile/kernels/ladder/core_matrices.hpp>
#include <sectile/kernels/ladder/descriptors.hpp>
#include <sectile/kernels/ladder/one_tile.hpp>
#include <sectile/kernels/ladder/persistence.hpp>
#include <sectile/kernels/ladder/simt.hpp>
#include <sectile/kernels/ladder/stages.hpp>
#include <sectile/kernels/ladder/swizzles.hpp>
#include <sectile/kernels/ladder/tma.hpp>
#include <sectile/kernels/ladder/wmma.hpp>

#include "tool/kernels/kernel_type.hpp"

namespace sectile::tool {

/// Those that are programs of the language, planned for Hopper.
template <class Use>
void each_of_ladder(Use use) {
  using namespace kernels::ladder;
  use(kernel_type<warp_specialization>(), "ladder_warp_specialization",
      "rung 9: a producer and two consumer warpgroups");
  use(kernel_type<clusters>(), "ladder_clusters", "rung 10: clusters of two CTAs share B");
  use(kernel_type<persistence>(), "ladder_persistence", "rung 11: persistent CTAs (the same kernel as gemm_bf16)");
}

/// The one that is a program of the language, read for nvcuda::wmma and for nothing else; last is the file to read.
template <class Use>
void each_of_ladder_portable(Use use) {
  use(kernel_type<kernels::ladder::wmma>(), "ladder_wmma", "rung 2: fragments of a warp, through nvcuda::wmma",
      "kernels/ladder/wmma.hpp");
}

/// Those that are written by hand.
template <class Use>
void each_of_ladder_by_hand(Use use) {
  using namespace kernels::ladder;
  use(kernel_type<simt>(), "ladder_simt", "C = A B^T in bf16, rung 1: each thread multiplies",
      "kernels/ladder/simt.hpp");
  use(kernel_type<one_tile>(), "ladder_one_tile", "rung 3: one warpgroup and wgmma, tiles copied by threads",
      "kernels/ladder/one_tile.hpp");
  use(kernel_type<descriptors>(), "ladder_descriptors", "rung 4: the same for B stored by columns (N contiguous)",
      "kernels/ladder/descriptors.hpp");
  use(kernel_type<core_matrices>(), "ladder_core_matrices", "rung 5: core matrices apart, no bank conflicts",
      "kernels/ladder/core_matrices.hpp");
  use(kernel_type<swizzles>(), "ladder_swizzles", "rung 6: rows swizzled by 128 bytes", "kernels/ladder/swizzles.hpp");
  use(kernel_type<tma>(), "ladder_tma", "rung 7: tiles brought by TMA", "kernels/ladder/tma.hpp");
  use(kernel_type<stages>(), "ladder_stages", "rung 8: a ring of stages", "kernels/ladder/stages.hpp");
}

}  // namespace sectile::tool
