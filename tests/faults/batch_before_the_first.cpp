// fault: a batch before the first, which TMA makes zeros of
// caught: launch
// expect: operand A: with these sizes and scalars number -1 along B is loaded, of 3, which are counted from 0; max(x, 0) is the first one
#include "running/running.hpp"

namespace batch_before_the_first {

struct kernel {  // C(b) = A(b) - A(b - 1)
  static constexpr auto operands = sectile::operands(input<"A(B,M,N)", float>(), output<"C(B,M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto C) {
    auto [b, m, n] = sm.tile_of(C);
    sm.store(C, {b, m, n}, in_registers(sm.load(A, {b, m, n})) - in_registers(sm.load(A, {b - 1, m, n})));
  }
};
static_assert(verified<kernel>);

const running_case here([] {
  std::vector<float> A(3 * 64 * 64), C(3 * 64 * 64);
  run_on_model<kernel>(tensor(A.data(), 3, 64, 64), tensor(C.data(), 3, 64, 64));
});

}  // namespace batch_before_the_first
