// Programs whose last tiles are cut, for the tests on the model and on a GPU.
#pragma once
#include <sectile/dsl.hpp>
#include <sectile/kernels/gemm.hpp>

namespace sectile::test {

/// Two stages, so that a part goes round its ring.
constexpr configuration streamed_in(int m, int n, int k, int consumers = 1, cluster_shape cluster = {},
                                    bool swap = false) {
  return {.tile = {{"M", m}, {"N", n}, {"K", k}},
          .stages = 2,
          .cluster = cluster,
          .consumers = consumers,
          .persistent = true,
          .streamed = true,
          .swap = swap};
}

template <class Left, class Right, class Out, configuration How, kernels::gemm_form Form = kernels::gemm_form{}>
struct streamed_gemm : kernels::gemm<Left, Right, Out, Form> {
  static constexpr configuration how = How;
};

/// K, each of whose tiles is made whole.
template <class K>
struct not_streamed : K {
  static constexpr configuration how = [] {
    configuration c = K::how;
    c.streamed = false;
    return c;
  }();
};

}  // namespace sectile::test
