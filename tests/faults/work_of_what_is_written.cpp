// fault: the work of a kernel that writes numbers of rows alone, divided by these
// caught: compile time
// expect: rows_of(sums): no matrix is stored, so the work is divided by the tiles of the first one that is read: take rows_of(X), or declare a matrix that is stored
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"sums(M)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 128}}, .stages = 2};

  static constexpr void body(auto& sm, auto X, auto sums) {
    auto [m] = sm.rows_of(sums);
    sm.store(sums, {m}, row_sum(cast<float>(in_registers(sm.load(X, {m, 0})))).total());
  }
};
static_assert(verified<kernel>);
