// fault: a consumer abreast of nobody
// caught: compile time
// expect: .abreast = true needs at least 2 consumers that make a tile each, not 1
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .abreast = true};
};
static_assert(verified<kernel>);
