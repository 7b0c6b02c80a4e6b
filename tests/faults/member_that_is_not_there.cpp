// fault: a member of a family that has fewer
// caught: compile time
// expect: member<P, I>: I counts the configurations of P from 0
// clang-lines: 35
#include "fault.hpp"

struct kernel : product {
  static constexpr auto how = configurations(product::how, product::how.with_tile({{"M", 128}, {"K", 64}, {"N", 128}}));
};
static_assert(verified<member<kernel, 2>>);
