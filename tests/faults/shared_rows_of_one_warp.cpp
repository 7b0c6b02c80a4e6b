// fault: a CTA tells others of what it has of rows before all of its warps have written it
// caught: compile time
// expect: offers partial sums that some of its warps may not have written yet
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
struct hasty : wrong<Machine> {
  using wrong<Machine>::wrong;
  using Machine::store_shared;
  bool shown = false;
  constexpr void store_shared(std::uint32_t to, std::uint32_t a, std::uint32_t b) {
    shown = true;
    Machine::store_shared(to, a, b);
  }
  constexpr void named_barrier_sync(int id, int threads) {
    if (!(shown && id == epilogue_barrier(0))) Machine::named_barrier_sync(id, threads);
    shown = false;
  }
};
static_assert(verified<on_machine<rows_of_two, hasty>>);
