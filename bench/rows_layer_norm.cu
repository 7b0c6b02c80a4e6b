#include "bench/rows.hpp"
#include "bench/tile_counter.hpp"

namespace sectile::bench {

namespace {

template <class T>
void launch_either(const rows_problem<T>& p) {
  if (p.is_longer(8192) && p.cols <= kernels::longest_row<kernels::long_layer_norm<T>>)
    launch<kernels::long_layer_norm<T>>(p.folded_in(), p.folded_vector(p.gamma), p.folded_vector(p.beta),
                                        p.folded_out(), p.epsilon, p.stream);
  else
    launch<kernels::layer_norm<T>>(p.in(), p.vector(p.gamma), p.vector(p.beta), p.out(), p.epsilon, tile_counter(),
                                   p.stream);
}

}  // namespace

void launch_layer_norm(const rows_problem<bf16>& p) { launch_either(p); }
void launch_layer_norm(const rows_problem<float>& p) { launch_either(p); }

}  // namespace sectile::bench
