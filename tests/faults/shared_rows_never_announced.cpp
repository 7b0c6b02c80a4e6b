// fault: a CTA that shows others what it has of rows, and does not tell them
// caught: compile time
// expect: waits forever for the sums of 2 CTAs
#include "fault.hpp"

struct rows_of_two {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", float>(), output<"Y(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}}, .stages = 2, .cluster = {1, 2}, .consumers = 1, .swap = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.shared_rows_of(Y);
    const auto x = in_registers(sm.load(X, {m, n}));
    sm.store(Y, {m, n}, x / row_sum(x).total());
  }
};
static_assert(verified<rows_of_two>);

template <class Machine>
struct silent : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_arrive_release(std::uint32_t, int) {}
};
static_assert(verified<on_machine<rows_of_two, silent>>);
