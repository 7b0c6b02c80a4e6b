// fault: products of rows of a group with each other, in one matrix
// caught: compile time
// expect: operand Y(E,T,T'): T is cut into groups by ends, and so is T': a matrix has rows of groups alone
#include "fault.hpp"

struct kernel : grouped_product {
  static constexpr auto operands = sectile::operands(input<"X(E,T,K)", bf16>(), input<"W(E,T',K)", bf16>(),
                                                     group_ends<"ends(E)", "T">(), output<"Y(E,T,T')", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"T", 128}, {"K", 64}}, .stages = 2, .consumers = 2, .persistent = true};
};
static_assert(verified<kernel>);
