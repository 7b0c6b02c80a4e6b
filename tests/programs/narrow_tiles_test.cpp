// N = 8 mod 16, for every type.
#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// The kernels' body with tiles of N columns, so that narrow instructions are met as well.
template <class Left, class Right, class Out, int N, class Sum = sum_type<Left>>
struct narrow {
  static constexpr int tile_k = 1024 / element_of<Left>().bits;
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", Left>(), input<"B(N,K)", Right>(), output<"C(M,N)", Out>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", tile_k}, {"N", N}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<Sum>());
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

template <class T, class Out, class Sum = sum_type<T>>
void check_narrow() {
  const int k = 3 * 128 / element_of<T>().bits * 5;
  if constexpr (exhaustively) check<narrow<T, T, Out, 8, Sum>, T, T, Out>(70, 20, k);
  check<narrow<T, T, Out, 24, Sum>, T, T, Out>(70, 50, k);
}
TEST_CASE("N = 8 mod 16 for every type") {
  if constexpr (exhaustively) check_narrow<f16, f16>();
  check_narrow<f16, f16, f16>();
  if constexpr (exhaustively) check_narrow<tf32, float>();
  if constexpr (exhaustively) {
    check_narrow<e4m3, float>();
    check_narrow<s8, s32>();
    check_narrow<b1x8, s32>();
    check_narrow<bf16, float>();
    check_narrow<e5m2, f16, f16>();
    check_narrow<u8, s32>();
  }
  check<narrow<bf16, bf16, float, 8>, bf16, bf16, float>(70, 20, 120);
  check<narrow<s8, s8, s32, 8>, s8, s8, s32>(70, 20, 240);
  if constexpr (exhaustively) check<narrow<f16, f16, f16, 200>, f16, f16, f16>(70, 201, 40);
}

}  // namespace
