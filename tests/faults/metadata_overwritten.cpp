// fault: metadata registers that are loaded again while a sparse product still reads them
// reported: CUDALibrarySamples#167
// caught: compile time
// expect: registers of metadata are used while a product on them may still run: a wait for it is missing
#include "fault.hpp"

struct sparse_products : product {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
};
static_assert(verified<sparse_products>);

constexpr plan tampered(plan p) {
  for (step& s : p.steps)
    if (s.kind == event_kind::issue) s.wait = -1;
  return p;
}
static_assert(verified<with_plan<sparse_products, tampered>>);
