// The machine `hopper`: the verbs of a lowered kernel as PTX for sm_90a. This folder is the only place with asm.
#pragma once
#include <sectile/dsl/hopper/arithmetic.hpp>
#include <sectile/dsl/hopper/barriers.hpp>
#include <sectile/dsl/hopper/inlined.hpp>
#include <sectile/dsl/hopper/tma.hpp>
#include <sectile/dsl/hopper/verb.hpp>
#include <sectile/dsl/hopper/wgmma.hpp>
#include <sectile/dsl/hopper/workspace.hpp>

namespace sectile::hopper {

struct machine : arithmetic_verbs, barrier_verbs, copy_verbs, wgmma_verbs, workspace_verbs {
  static constexpr bool computes = true;
  static constexpr bool follows_order = false;  // nvcc evaluates operands as the planner does
  static constexpr bool whole_warpgroup = false;  // each thread runs its role itself
  using tensor_map = hopper::tensor_map;
  template <class T, int N>
  using registers = hopper::registers<T, N>;

  std::uint32_t base;  // of dynamic shared memory, in the shared window

  constexpr std::uint32_t shared_base() const { return base; }
  static constexpr bool unwinding() { return false; }
  static constexpr int trips(int, int asked) { return asked; }
  // For machines that look on; the chip has nothing to do here.
  static constexpr void observe_item(int) {}
  static constexpr void observe_meeting(int, int) {}
  static constexpr void observe_trip(int) {}
  static constexpr void observe_touch(int) {}
  static constexpr void observe_product(int, int, int) {}
  template <int Rank>
  static constexpr void observe_load(int, const int (&)[Rank], unsigned) {}
  /// Each store names what begin_kernel() declares: see inlined.hpp.
  SECTILE_VERB void observe_store(int, bool) { SECTILE_IN_ITS_KERNEL("mov.b32 ", ", 0;"); }
  SECTILE_VERB void begin_kernel() { SECTILE_IN_ITS_KERNEL(".reg .b32 ", ";"); }
  SECTILE_NUMBER(thread, "tid.x")
  SECTILE_NUMBER(cta_rank, "cluster_ctarank")
  SECTILE_NUMBER(cluster_index, "clusterid.x")
  SECTILE_NUMBER(cluster_count, "nclusterid.x")
};

}  // namespace sectile::hopper
