// fault: a mask that is said to be needed for fewer tiles than have something to hide: n where n + 1 is meant
// caught: model
// expect: is told that it is not needed for a tile in which element (
#include "running/running.hpp"

namespace mask_said_to_be_needless {

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto columns = size<"N">(C);
    mask(
        acc, {m, n}, n * extent<"N">(C) > columns, [=](int, int col) { return col < columns; }, -infinity);
    acc = exp(acc - max(row_max(acc), 0.0f));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<kernel>);

const running_case here([] {
  host_matrix<bf16> A(128, 64), B(40, 64), C(128, 40);
  run_on_model<kernel>(A.in(), B.in(), C.view());
});

}  // namespace mask_said_to_be_needless
