// Quotients of numbers that a run decides, which are 0 in some of the planner's runs; and places of fragments in
// batches.
#include "tests/programs/kit.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// Y = X / (1 - drop), where columns from the batch's last on are 0. Four batches of Y share one of X.
struct quotients {
  static constexpr auto operands = sectile::operands(input<"X(G,M,N)", bf16>(), output<"Y(B,M,N)", float>(),
                                                     scalar<"drop", float>(), scalar<"share", int>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y, auto drop, auto share) {
    const auto at = sm.tile_of(Y);
    auto [b, m, n] = at;
    const auto g = as<"G">(b / share);
    const auto left = as<"N">(b % share);
    auto x = cast<float>(in_registers(sm.load(X, {g, m, n})));
    mask(
        x, {b, m, n}, [=](int, int col) { return col + left < size<"N">(Y); }, 0.0f);
    x = map_at(x, at, [](float a, int row, int col) { return row == col ? 0.0f : a; });
    sm.store(Y, {b, m, n}, x * (1.0f / (1.0f - drop)) * reciprocal(max(drop, 0.5f)));
  }
};
STATIC_CASE(verified<quotients>);

TEST_CASE("by a scalar, by one less a scalar, and of a batch's number") {
  const int share = 4, groups = 2, m = 70, n = 100;
  host_tensor<bf16> X({groups, m, n});
  host_tensor<float> Y({share * groups, m, n});
  X.fill(1);
  run_on_schedules<quotients>(1, Y, X.in(), Y.view(), 0.75f, share);
  check_close(Y, 0x1p-22, [&](int b, int i, int j) {
    return i == j || j + b % share >= n ? 0.0 : X.number(b / share, i, j) * 4 / 0.75;
  });
}

/// What is worked out by numbers alone.
template <class A, class B>
constexpr auto quotient(A a, B b) {
  return plain(staged<A>(a) / b);
}
template <class A, class B>
constexpr auto remainder(A a, B b) {
  return plain(staged<A>(a) % b);
}
STATIC_CASE(quotient(7, 0) == 0 && remainder(7, 0) == 0 && quotient(-7, 2) == -3 && remainder(7, 4) == 3);
STATIC_CASE(quotient(1.0f, 0.0f) == infinity && quotient(-1.0f, 0) == -infinity && quotient(1, 4.0f) == 0.25f);
STATIC_CASE(quotient(0.0f, 0.0f) != quotient(0.0f, 0.0f));
// A coordinate and a number of trips are ints; more stays too much for any tensor, and is refused.
STATIC_CASE(plain_int(1ll << 40) == 2147483647 && plain_int(-(1ll << 40)) == -2147483647);
STATIC_CASE(plain_int(4000000000u) == 2147483647 && plain_int(~0ull) == 2147483647);
STATIC_CASE(plain_int(std::size_t{7}) == 7 && plain_int(-3ll) == -3 && plain_int(-5) == -5 && plain_int('a') == 97);

TEST_CASE("a quotient by 0 is the same when it runs") {
  volatile int zero = 0;
  volatile float none = 0;
  CHECK((quotient(7, int{zero}) == 0 && remainder(7, int{zero}) == 0));
  CHECK((quotient(1.0f, float{none}) == infinity && quotient(-1.0f, float{none}) == -infinity));
}

}  // namespace
