// How many CTAs of a kernel an SM has room for, and what they take of it. CUDA is asked: only the compiled kernel says
// how many registers it needs.
#pragma once
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/dsl/launch/portable.hpp>
#include <sectile/kernels/ladder/launch.hpp>

#include "bench/measured_file.hpp"
#include "bench/timing.hpp"

namespace sectile::bench {

struct occupancy {
  int ctas = 0, threads = 0;
  int registers = 0;     // of a thread, as the kernel begins: setmaxnreg moves some of them later
  int shared_bytes = 0;  // of a CTA

  void write(measured_row& to) const {
    to.set("ctas", ctas).set("warps", ctas * threads / 32).set("registers", registers).set("shared", shared_bytes);
  }
  /// The columns that write() fills.
  static std::vector<measured_column> columns() {
    return {{"ctas", "CTAs per SM", 0},
            {"warps", "warps per SM", 0},
            {"registers", "registers of a thread", 0},
            {"shared", "shared memory of a CTA, bytes", 0}};
  }
};

inline occupancy occupancy_of(const void* kernel, int threads, int shared_bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
        "reserving shared memory");
  cudaFuncAttributes facts{};
  check(cudaFuncGetAttributes(&facts, kernel), "asking what a kernel takes");
  occupancy o{.threads = threads,
              .registers = facts.numRegs,
              .shared_bytes = shared_bytes + static_cast<int>(facts.sharedSizeBytes)};
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&o.ctas, kernel, threads, static_cast<std::size_t>(shared_bytes)),
        "asking how many CTAs an SM has room for");
  return o;
}
/// Of a rung that is written by hand.
template <class K>
occupancy occupancy_by_hand() {
  return occupancy_of(reinterpret_cast<const void*>(kernels::ladder::run_by_hand<K>), K::threads, K::shared_bytes);
}
/// Of a program of the language.
template <class K>
occupancy occupancy_of_program() {
  return occupancy_of(hopper::launch_method<K>::function(), plan_of<K>.threads, plan_of<K>.shared_bytes);
}
/// Of one that is read for GPUs before Hopper.
template <class K, class How = portable::wmma<>>
occupancy occupancy_before_hopper() {
  constexpr auto& plan = portable::portable_plan_of<K, How>;
  return occupancy_of(reinterpret_cast<const void*>(portable::run<K, How>), plan.threads, plan.shared_bytes);
}

}  // namespace sectile::bench
