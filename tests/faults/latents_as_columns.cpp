// fault: latents that are values as they were keys, with their columns summed over
// caught: compile time
// expect: acc += a * b: a is 16 x 64 and b is 512 x 64; the columns of a must equal the rows of b: write a * transpose(b)
// clang-lines: 19
#include <sectile/kernels/latent_attention.hpp>

#include "fault.hpp"

struct kernel : kernels::latent_attention<> {
  static constexpr void body(auto& sm, auto Q, auto R, auto L, auto K, auto O, auto scale, auto, auto lse) {
    const auto at = sm.tile_of(O);
    const auto [b, i, d] = at;
    auto q = sm.load(Q, {b, i, 0});
    auto r = sm.load(R, {b, i, 0});
    auto o = sm.accumulator(O);
    auto sum = row_sum(o);
    for (auto j : sm.pipelined(at_least_one(tiles<"T">(L)))) {
      auto l = sm.load(L, {b, j, 0});
      auto s = sm.accumulator(q * transpose(l));
      s += r * transpose(sm.load(K, {b, j, 0}));
      s = exp2(s * scale);
      sum += row_sum(s);
      o += cast<bf16>(s) * transpose(l);
    }
    sm.store(lse, {b, i}, log2(sum.total()));
    sm.store(O, at, o);
  }
};
static_assert(verified<kernel>);
