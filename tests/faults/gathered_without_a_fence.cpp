// fault: products that take what threads have copied, without a proxy fence behind the wait
// caught: compile time
// expect: stage 0 of A is read by a product, and no fence.proxy.async shows it what threads have copied there
#include "fault.hpp"

template <class Machine>
struct fault : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void fence_proxy_async() {}
};
static_assert(verified<on_machine<gathered_product, fault>>);
