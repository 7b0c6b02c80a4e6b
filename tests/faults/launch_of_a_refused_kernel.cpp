// fault: a kernel that is refused, launched without a static_assert
// caught: compile time
// expect: 409728 bytes of shared memory, a CTA has 232448; 4 stages fit
// expect-clang: refused_because<sectile::rule::stages_do_not_fit_in_shared_memory, 8, 49152, 16384, 409728, 232448, 4>
// expect-nvcc: refused_because<sectile::rule::stages_do_not_fit_in_shared_memory, 8LL, 49152LL, 16384LL, 409728LL, 232448LL, 4LL>
#include "running/running.hpp"
#ifdef __CUDACC__
#include <sectile/dsl/launch/launch.hpp>
#endif

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 256}}, .stages = 8, .consumers = 2};
};

void launch_it(host_matrix<bf16>& A, host_matrix<bf16>& B, host_matrix<bf16>& C) {
#ifdef __CUDACC__
  launch<kernel>(A.in(), B.in(), C.view());
#else
  run_on_model<kernel>(A.in(), B.in(), C.view());
#endif
}
