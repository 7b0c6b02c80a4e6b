// The rungs of the ladder from plain multiplications to a persistent kernel, all of them C = A B^T in bf16.
#include <sectile/kernels/ladder/core_matrices.hpp>
#include <sectile/kernels/ladder/descriptors.hpp>
#include <sectile/kernels/ladder/one_tile.hpp>
#include <sectile/kernels/ladder/persistence.hpp>
#include <sectile/kernels/ladder/simt.hpp>
#include <sectile/kernels/ladder/stages.hpp>
#include <sectile/kernels/ladder/swizzles.hpp>
#include <sectile/kernels/ladder/tma.hpp>
#include <sectile/kernels/ladder/wmma.hpp>

#include "tool/kernels/by_hand.hpp"
#include "tool/kernels/families.hpp"
#include "tool/kernels/portable.hpp"
#include "tool/kernels/shipped.hpp"

namespace sectile::tool {
namespace {

/// The rung that is a program of the language, read for nvcuda::wmma and for nothing else.
kernel_facts by_wmma() {
  using rung = ladder::wmma;
  kernel_facts facts{.name = "ladder_wmma",
                     .summary = "rung 2: fragments of a warp, through nvcuda::wmma",
                     .declared = &portable::portable_plan_of<rung, portable::wmma<>>.program,
                     .listing = "kernels/ladder/wmma.hpp"};
  facts.model_clusters = [](int items) { return items; };
  facts.wmma = portable_of<rung, portable::wmma<>>(facts.name).run;
  return facts;
}

}  // namespace

std::span<const kernel_facts> ladder_kernels() {
  using namespace ladder;
  static const kernel_facts list[] = {
      by_hand<simt>("ladder_simt", "kernels/ladder/simt.hpp", "C = A B^T in bf16, rung 1: each thread multiplies"),
      by_wmma(),
      by_hand<one_tile>("ladder_one_tile", "kernels/ladder/one_tile.hpp",
                        "rung 3: one warpgroup and wgmma, tiles copied by threads"),
      by_hand<descriptors>("ladder_descriptors", "kernels/ladder/descriptors.hpp",
                           "rung 4: the same for B stored by columns (N contiguous)"),
      by_hand<core_matrices>("ladder_core_matrices", "kernels/ladder/core_matrices.hpp",
                             "rung 5: core matrices apart, no bank conflicts"),
      by_hand<swizzles>("ladder_swizzles", "kernels/ladder/swizzles.hpp", "rung 6: rows swizzled by 128 bytes"),
      by_hand<tma>("ladder_tma", "kernels/ladder/tma.hpp", "rung 7: tiles brought by TMA"),
      by_hand<stages>("ladder_stages", "kernels/ladder/stages.hpp", "rung 8: a ring of stages"),
      shipped<warp_specialization>("ladder_warp_specialization", "rung 9: a producer and two consumer warpgroups"),
      shipped<clusters>("ladder_clusters", "rung 10: clusters of two CTAs share B"),
      shipped<persistence>("ladder_persistence", "rung 11: persistent CTAs (the same kernel as gemm_bf16)"),
  };
  return list;
}

}  // namespace sectile::tool
