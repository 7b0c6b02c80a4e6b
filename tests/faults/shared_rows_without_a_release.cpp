// fault: what a CTA has of rows is told to others by an arrival that what it wrote does not go along with
// caught: compile time
// expect: passes partial sums without release and acquire of the cluster
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
struct relaxed : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void mbarrier_arrive_release(std::uint32_t barrier, int cta) { Machine::mbarrier_arrive_at(barrier, cta); }
};
static_assert(verified<on_machine<rows_of_two, relaxed>>);
