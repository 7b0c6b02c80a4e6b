// fault: a configuration that says no extent for a mode
// caught: compile time
// expect: the configuration's tile has no extent along K, a mode of A: .tile = {{"K", 64}, ..}
// expect-clang: refused_because<sectile::rule::configuration_does_not_fit_the_program>
// expect-nvcc: refused_because<sectile::rule::configuration_does_not_fit_the_program>
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 64}}, .stages = 2, .consumers = 2};
};
static_assert(verified<kernel>);
