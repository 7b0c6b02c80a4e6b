// The result of one product is the left operand of the next, by way of registers: (A * B^T) * D, with A resident.
#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

struct chain {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(L,K)", bf16>(),
                                                     input<"D(L,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr tile_extents tile{{"M", 128}, {"K", 64}, {"L", 64}, {"N", 64}};
};

/// The packed fragment is a new value in every trip.
template <bool Pingpong>
struct packed_inside : chain {
  static constexpr sectile::configuration how{.tile = chain::tile, .stages = 2, .consumers = 2, .pingpong = Pingpong};

  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto a = sm.load(A, {m, 0});
    auto o = sm.accumulator(C);
    for (auto l : sm.pipelined(tiles<"L">(B))) {
      auto s = sm.accumulator(a * transpose(sm.load(B, {l, 0})));
      auto p = cast<bf16>(s);
      o += p * sm.load(D, {l, n});
    }
    sm.store(C, {m, n}, o);
  }
};

/// The packed fragment lives through all trips: the next scores are multiplied while this one is.
template <bool Pingpong>
struct packed_outside : chain {
  static constexpr sectile::configuration how{.tile = chain::tile, .stages = 2, .consumers = 2, .pingpong = Pingpong};

  static constexpr void body(auto& sm, auto A, auto B, auto D, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto a = sm.load(A, {m, 0});
    auto o = sm.accumulator(C);
    auto s = sm.accumulator(a * transpose(sm.load(B, {0, 0})));
    auto p = cast<bf16>(s);
    const auto last = tiles<"L">(B) - 1;
    for (auto l : sm.pipelined(last)) {
      s = a * transpose(sm.load(B, {l + 1, 0}));
      o += p * sm.load(D, {l, n});
      p = cast<bf16>(s);
    }
    o += p * sm.load(D, {last, n});
    sm.store(C, {m, n}, o);
  }
};

template <class Program>
void check_chain(int l) {
  constexpr int m = 200, k = 64, n = 100;
  CAPTURE(l);
  host_tensor<bf16> A({m, k}), B({l, k}), D({l, n}), C({m, n}, row_major, 1);
  A.fill(1);
  B.fill(2);
  D.fill(3);
  numbers s = product(A, B);
  for (double& x : s.at) x = static_cast<float>(bf16(static_cast<float>(x)));
  run_on_schedules<Program>(2, C, A.in(), B.in(), D.in(), C.view());
  check_close(C, bf16_close, [&](int i, int j) {
    double sum = 0;
    for (int c = 0; c < l; ++c) sum += s(i, c) * D.number(c, j);
    return sum;
  });
}

}  // namespace

TEST_CASE("a chain, packed in the loop") {
  if constexpr (exhaustively) check_chain<packed_inside<false>>(300);
}

TEST_CASE("a chain, packed in the loop, with ping-pong") { check_chain<packed_inside<true>>(300); }

TEST_CASE("a chain, packed outside the loop") {
  check_chain<packed_outside<false>>(300);
  check_chain<packed_outside<false>>(64);  // no trip at all
}

TEST_CASE("a chain, packed outside the loop, with ping-pong") {
  if constexpr (exhaustively) {
    check_chain<packed_outside<true>>(300);
    check_chain<packed_outside<true>>(64);
  }
}
