// fault: an operator of a kernel that is refused
// caught: compile time
// expect: 409728 bytes of shared memory, a CTA has 232448; 4 stages fit
// expect-clang: refused_because<sectile::rule::stages_do_not_fit_in_shared_memory, 8, 49152, 16384, 409728, 232448, 4>
// expect-nvcc: refused_because<sectile::rule::stages_do_not_fit_in_shared_memory, 8LL, 49152LL, 16384LL, 409728LL, 232448LL, 4LL>
#include <sectile/dsl.hpp>

#include "running/running.hpp"

#include <sectile/dsl/operator/operator_of.hpp>

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 256}}, .stages = 8, .consumers = 2};
};

constexpr sectile::operator_of<kernel> made("kernel", "C = A B^T");
