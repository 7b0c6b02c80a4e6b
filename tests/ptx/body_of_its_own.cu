// A kernel whose body stays a function of its own (-DWHERE=noinline), as nvcc leaves those that are long, or does not
// (-DWHERE=always_inline).
#include <sectile/dsl/launch/launch.hpp>

namespace st = sectile;
using st::bf16;

struct product {
  static constexpr auto operands =
      st::operands(st::input<"A(M,K)", bf16>(), st::input<"B(N,K)", bf16>(), st::output<"C(M,N)", bf16>());
  static constexpr st::configuration how{.tile = {{"M", 64}, {"N", 16}, {"K", 64}}, .stages = 2, .consumers = 1};

  [[gnu::WHERE]] static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

void multiply(const bf16* a, const bf16* b, bf16* c, int n) {
  st::launch<product>(st::matrix(a, n, n), st::matrix(b, n, n), st::matrix(c, n, n), nullptr);
}
