// fault: a left factor that consumers write to shared memory without a fence.proxy.async
// caught: compile time
// expect: a left factor is read by a product before all consumers are known to have written it, with a fence.proxy.async behind
#include "fault.hpp"

static_assert(verified<turned_chain>);

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  constexpr void fence_proxy_async() {}
};
static_assert(verified<on_machine<turned_chain, faulty>>);
