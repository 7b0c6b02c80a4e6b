// A mask with TERMS conditions on a fragment of attention's size, for predicate.cmake.
#include <sectile/dsl.hpp>
#include <sectile/dsl/hopper/kernel.hpp>

using namespace sectile;

struct masked {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), scalar<"window", int>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"K", 64}, {"N", 128}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto window) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto keys = size<"N">(C);
    const auto queries = size<"M">(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto visible = [=](int r, int c) {
#if TERMS == 1
      return c < keys;
#else
      return c < keys && c <= r && c > r - window && r < queries;
#endif
    };
    mask(acc, {m, n}, window > 0, visible, -infinity);
    sm.store(C, {m, n}, acc);
  }
};
template __global__ void sectile::hopper::run<masked>(
    const __grid_constant__ sectile::kernel_parameters<masked, sectile::hopper::tensor_map>);
