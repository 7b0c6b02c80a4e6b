// Ping-pong: a body whose consumers would not take and pass their turns alike in every trip is refused.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <string_view>

namespace {

using namespace sectile;

/// The first product takes the turn and passes it on; those of the loop pass it again in every trip.
struct product_before_a_loop {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 3, .consumers = 2, .pingpong = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) acc += sm.load(A, {m, k + 1}) * transpose(sm.load(B, {n, k + 1}));
    sm.store(C, {m, n}, acc);
  }
};

TEST_CASE("turns that do not add up are refused") {
  constexpr violation v = verdict_of<product_before_a_loop>;
  CHECK(v.what == rule::program_is_not_traceable);
  CHECK(std::string_view(v.says.text).find("here one runs on into the next: use it in its own trip") != std::string_view::npos);
}

}  // namespace
