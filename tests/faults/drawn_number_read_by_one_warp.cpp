// fault: a warpgroup one of whose warps says for all that they have read the number
// caught: compile time
// expect: is written over 157, which a consumer may not have read yet
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void named_barrier_sync(int id, int threads) {
    if (reading) return;
    Machine::named_barrier_sync(id, threads);
  }
  bool reading = false;
  constexpr std::uint32_t load_shared(std::uint32_t from) {
    reading = true;
    return Machine::load_shared(from);
  }
  constexpr void mbarrier_arrive_at(std::uint32_t barrier, int cta) {
    reading = false;
    Machine::mbarrier_arrive_at(barrier, cta);
  }
};
static_assert(verified<on_machine<drawn_product, faulty>>);
