// fault: scores along S x T that are combined to a number for each S, where nobody knows how many T there are
// caught: compile time
// expect: combine into v: the value is along T (64), which is no mode of O's tiles, so nobody knows where it ends; mask it, and reduce it by row_sum(), row_max() or row_min()
#include "fault.hpp"

struct kernel {
  static constexpr auto operands = sectile::operands(input<"Q(S,D)", bf16>(), input<"K(T,D)", bf16>(),
                                                     output<"v(S)", float>(), output<"O(S,D)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"S", 128}, {"T", 64}, {"D", 64}}, .stages = 2};

  static constexpr void body(auto& sm, auto Q, auto K, auto v, auto O) {
    auto [s, d] = sm.tile_of(O);
    auto q = sm.load(Q, {s, 0});
    auto k = sm.load(K, {0, 0});
    auto scores = sm.accumulator(q * transpose(k));
    sm.combine(v, {s}, scores, reduction::max);
    auto out = sm.accumulator(cast<bf16>(scores) * k);
    sm.store(O, {s, d}, out);
  }
};
static_assert(verified<kernel>);
