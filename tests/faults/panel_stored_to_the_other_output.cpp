// fault: panels of one output that TMA stores to the other
// caught: compile time
// expect: operand C: consumer 0 of CTA 0 stores a panel at column
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int Rank>
  constexpr void tma_store(const typename Machine::tensor_map& map, std::uint32_t from, const int (&c)[Rank]) {
    auto other = map;
    if constexpr (requires { other.operand; }) other.operand = 2;
    Machine::tma_store(other, from, c);
  }
};
static_assert(verified<on_machine<kept_product, faulty>>);
