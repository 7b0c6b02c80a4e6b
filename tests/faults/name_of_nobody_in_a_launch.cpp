// fault: a name that nobody has declared, in a kernel that the file launches as well
// caught: compile time
// expect: 'alpha' was not declared in this scope
// expect-clang: use of undeclared identifier 'alpha'
#include <sectile/dsl/launch/model.hpp>

#include "fault.hpp"

struct kernel : product {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * alpha);
  }
};
static_assert(verified<kernel>);

void run(tensor_view<const bf16> a, tensor_view<const bf16> b, tensor_view<bf16> c) {
  host_workspace room(workspace_bytes<kernel>(a, b, c));
  run_on_model<kernel>(a, b, c, room.view());
}
