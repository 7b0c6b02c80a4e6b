// A tile that stays and meets sums: a GPU's code reads it where each number is needed, the model as it comes to it.
// Here the model runs a GPU's code, and both leave the same.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/model.hpp>

#include "tests/programs/host_tensor.hpp"

namespace {

using namespace sectile;
using test::host_tensor;

/// Where Gpu, the machine follows no order; see below.
template <bool Gpu, bool Swap>
struct with_tiles_that_stay {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"R(M,N)", bf16>(),
                        input<"S(M,N)", float>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 64}},
                                     .stages = 2,
                                     .consumers = Swap ? 1 : 2,
                                     .persistent = true,
                                     .swap = Swap};
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    const auto r = sm.load(R, {0, 0});
    const auto s = sm.load(S, {0, 0});
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto x = acc + r;
    sm.store(C, {m, n}, x - s);
  }
};
struct as_on_a_gpu : model::machine {
  static constexpr bool follows_order = false;
};

}  // namespace
template <bool Swap>
struct sectile::machine_under_test<with_tiles_that_stay<true, Swap>, sectile::model::machine> {
  using type = as_on_a_gpu;
};
namespace {

template <bool Swap>
void compare() {
  constexpr int m = 100, n = 60, k = 136;
  host_tensor<bf16> A({m, k}), B({n, k}), R({m, n});
  host_tensor<float> S({m, n}), C({m, n}), same({m, n});
  A.fill(1), B.fill(2), R.fill(3), S.fill(4);
  run_on_model<with_tiles_that_stay<true, Swap>>(A.in(), B.in(), R.in(), S.in(), C.view());
  run_on_model<with_tiles_that_stay<false, Swap>>(A.in(), B.in(), R.in(), S.in(), same.view());
  CHECK(C.touched() == 0);
  CHECK(C.elements() == same.elements());
}

TEST_CASE("a tile that stays is read in place as it is read at once") { compare<false>(); }
TEST_CASE("a tile that lies across fragments as well") { compare<true>(); }

}  // namespace
