#include "bench/rows.hpp"

namespace sectile::bench {

namespace {

template <class T>
void launch_either(const rows_problem<T>& p) {
  if (p.is_longer(4096))
    launch<kernels::long_softmax<T>>(p.folded_in(), p.folded_out(), p.stream);
  else
    launch<kernels::softmax<T>>(p.in(), p.out(), p.stream);
}

}  // namespace

void launch_softmax(const rows_problem<bf16>& p) { launch_either(p); }
void launch_softmax(const rows_problem<float>& p) { launch_either(p); }

}  // namespace sectile::bench
