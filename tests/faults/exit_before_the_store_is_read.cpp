// fault: a CTA that ends while TMA still reads its epilogue buffers
// caught: compile time
// expect: a consumer ends while TMA may still read its epilogue buffers
#include "fault.hpp"

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int N>
  constexpr void bulk_wait() {}
};
static_assert(verified<on_machine<product, faulty>>);
