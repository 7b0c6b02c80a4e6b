// Kernels whose clusters draw their tiles, and those that walk instead.
#pragma once
#include <sectile/dsl/launch/model.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>

namespace sectile::test {

/// The same in small tiles that are drawn.
constexpr configuration drawn(configuration c) {
  c.tile = {{"M", 128}, {"N", 64}, {"K", 64}};
  c.persistent = c.dynamic = true;
  return c;
}

template <configuration How>
struct drawn_product : kernels::gemm_bf16 {
  static constexpr configuration how = How;
};

/// K, whose clusters are dealt tiles in turn.
template <class K>
struct walking : K {
  static constexpr configuration how = [] {
    configuration c = K::how;
    c.dynamic = false;
    return c;
  }();
};

/// Attention whose tiles are drawn, those of two heads together.
template <int D, kernels::attention_mask Mask>
struct drawn_in_twos : kernels::attention<D, Mask> {
  static constexpr configuration how = [] {
    configuration c = kernels::attention<D, Mask>::how;
    c.persistent = c.dynamic = true;
    c.batches = 2;
    return c;
  }();
};

}  // namespace sectile::test
