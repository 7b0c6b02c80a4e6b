// fault: latent attention whose merge names what is weighed and the sums, but not what these are relative to
// caught: compile time
// expect: a value that one part has made is used behind sm.merge(f, x ..), which does not name it, or in its f; name it there, or make it behind that
// clang-lines: 16
#include <sectile/kernels/latent_attention.hpp>

#include "fault.hpp"

struct kernel : kernels::latent_attention<kernels::latent_form{.parts = 4}> {
  static constexpr void body(auto& sm, auto Q, auto, auto L, auto, auto O, auto scale, auto, auto lse) {
    const auto at = sm.tile_of(O);
    const auto [b, i, d] = at;
    const auto [start, stop] = sm.own_trips(0, at_least_one(tiles<"T">(L)));
    auto q = sm.load(Q, {b, i, 0});
    auto o = sm.accumulator(O);
    auto sums = row_sum(o);
    auto m = sums.total() - 1e30f;
    for (auto n : sm.pipelined(at_least_one(stop - start))) {
      auto l = sm.load(L, {b, start + n, 0});
      auto s = sm.accumulator(q * transpose(l));
      const auto grown = max(m, row_max(s) * scale);
      o *= exp2(m - grown);
      sums = sums * exp2(m - grown) + row_sum(s);
      m = grown;
      s = exp2(fma(s, scale, -m));
      o += cast<bf16>(s) * l;
    }
    auto sum = sums.total();
    sm.merge([](auto& s, auto& x, auto& s2, auto& x2) { s = s + s2, x = x + x2; }, sum, o);
    sm.store(lse, {b, i}, m + log2(sum));
    sm.store(O, at, o * reciprocal(sum));
  }
};
static_assert(verified<kernel>);
