// fault: a family in which a row's bits hang on the rows beside it, of which the program does not say so
// caught: compile time
// expect: configuration 1 cuts tiles by their place (.streamed = true): a row's bits hang on how many rows are beside it; say static constexpr auto sums = sectile::any_order
#include "fault.hpp"

struct kernel : product {
  static constexpr sectile::configuration walking{
      .tile = product::how.tile, .stages = 2, .consumers = 2, .persistent = true};
  static constexpr auto how = configurations(walking, walking.with_streamed_tiles());
};
static_assert(verified<kernel>);
