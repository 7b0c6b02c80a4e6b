// fault: an epilogue buffer that is written again while TMA still reads it
// caught: compile time
// expect: an epilogue buffer is written while TMA may still read it
#include "fault.hpp"

struct narrow_epilogue : product {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(row_major, tile(128, 64)),
                                                     input<"B(N,K)", bf16>(row_major, tile(256, 64)),
                                                     output<"C(M,N)", bf16>(row_major, tile(128, 256)));
  static constexpr sectile::schedule schedule{.stages = 4, .consumers = 2};
};
static_assert(verified<narrow_epilogue>);

template <class Machine>
struct faulty : wrong<Machine> {
  using wrong<Machine>::wrong;
  template <int N>
  constexpr void bulk_wait_read() {}
};
static_assert(verified<on_machine<narrow_epilogue, faulty>>);
