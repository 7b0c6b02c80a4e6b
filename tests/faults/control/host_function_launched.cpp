// A kernel with a function for the host alone, as it is compiled without sectile_add_kernel() and without proofs.
#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/launch.hpp>

using namespace sectile;

inline float squared(float x) { return x * x; }

struct kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 2};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, map(acc, [](float x) { return squared(x); }));
  }
};

using view = tensor_view<bf16>;
template void sectile::launch<kernel>(const view&, const view&, const view&);
