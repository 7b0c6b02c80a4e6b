// Tiles of 8 bits whose elements become wider in registers: left factors of 16-bit products, and numbers to compute
// with.
#include <bit>

#include "tests/programs/types.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

constexpr sectile::configuration of_two_consumers{.tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 3};

/// C = A B^T of types that no instruction multiplies.
template <class Narrow, class Wide, sectile::configuration How = of_two_consumers>
struct mixed {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", Narrow>(), input<"B(N,K)", Wide>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how = How;

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += cast<Wide>(in_registers(sm.load(A, {m, k}))) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
template <class Narrow, class Wide, sectile::configuration How = of_two_consumers>
void check_mixed() {
  static_assert(verified<mixed<Narrow, Wide, How>>);
  check<mixed<Narrow, Wide, How>, Narrow, Wide, float>(140, 72, 208);
}
TEST_CASE("a left factor of 8 bits becomes as wide as the right one") {
  if constexpr (exhaustively) {  // otherwise three of them in halves or by one consumer, below
    check_mixed<e5m2, f16>();
    check_mixed<s8, bf16>();
    check_mixed<u8, f16>();
    check_mixed<e4m3, bf16>();
    check_mixed<s8, f16>();
    check_mixed<u8, bf16>();
    check_mixed<e4m3, f16>();
    check_mixed<e5m2, bf16>();
  }
}

constexpr sectile::configuration of_turns = [] {
  sectile::configuration c = of_two_consumers;
  c.pingpong = true;
  return c;
}();
TEST_CASE("such a factor is made whole, or in halves, by one consumer or several") {
  check_mixed<u8, f16, sectile::configuration{.tile = {{"M", 128}, {"K", 96}, {"N", 64}}, .stages = 3}>();
  if constexpr (exhaustively)
    check_mixed<e4m3, bf16, sectile::configuration{.tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 2}>();
  check_mixed<e4m3, bf16,
              sectile::configuration{.tile = {{"M", 128}, {"K", 128}, {"N", 16}}, .stages = 4, .consumers = 1}>();
  if constexpr (exhaustively) check_mixed<s8, bf16, of_turns>();
}

/// Y = X in another type.
template <class Narrow, class Wide, int Width>
struct widened {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", Narrow>(), output<"Y(M,N)", Wide>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", Width}}, .stages = 2, .consumers = 1, .persistent = true};

  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m, n] = sm.tile_of(Y);
    sm.store(Y, {m, n}, cast<Wide>(in_registers(sm.load(X, {m, n}))));
  }
};
template <class Narrow, class Wide, int Width>
void check_widened() {
  static_assert(verified<widened<Narrow, Wide, Width>>);
  typed_matrix<Narrow> X(70, 272);
  typed_matrix<Wide> Y(70, 272);
  for (int i = 0; i < 70; ++i)
    for (int j = 0; j < 272; ++j)
      X.data[X.place(i, j)] = std::bit_cast<Narrow>(static_cast<std::uint8_t>(j + 16 * i));
  run_on_model<widened<Narrow, Wide, Width>>(X.in(), Y.out());
  int wrong = 0;
  for (int i = 0; i < 70; ++i)
    for (int j = 0; j < 272; ++j) wrong += X(i, j) == X(i, j) ? Y(i, j) != X(i, j) : Y(i, j) == Y(i, j);
  CHECK(wrong == 0);
}
TEST_CASE("every element of 8 bits has its number in a wider type") {
  check_widened<s8, float, 64>();
  check_widened<e5m2, bf16, 64>();
  if constexpr (exhaustively) {
    check_widened<u8, f16, 64>();
    check_widened<e4m3, f16, 128>();
    check_widened<u8, float, 32>();
    check_widened<e4m3, float, 128>();
    check_widened<e5m2, float, 96>();
    check_widened<s8, bf16, 64>();
    check_widened<e4m3, bf16, 32>();
    check_widened<e5m2, f16, 64>();
  }
}

/// C = e4m3(A B^T) + R: sums that have been rounded to 8 bits, and a tile of 8 bits, are numbers again.
struct rounded {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,N)", e5m2>(), output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 128}, {"K", 64}, {"N", 64}}, .stages = 2, .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    const auto sums = cast<float>(cast<e4m3>(acc));
    sm.store(C, {m, n}, sums + cast<float>(in_registers(sm.load(R, {m, n}))));
  }
};
TEST_CASE("sums of 8 bits become numbers again") {
  static_assert(verified<rounded>);
  typed_matrix<bf16> A(130, 72), B(80, 72);
  typed_matrix<e5m2> R(130, 80);
  typed_matrix<float> C(130, 80);
  A.fill(contents::whole_numbers, 1);
  B.fill(contents::whole_numbers, 2);
  R.fill(contents::any, 3);
  run_on_model<rounded>(A.in(), B.in(), R.in(), C.out());
  int wrong = 0;
  for (int i = 0; i < 130; ++i)
    for (int j = 0; j < 80; ++j) {
      const float sum = static_cast<float>(e4m3(static_cast<float>(exact_dot(A, B, i, j))));
      wrong += C(i, j) != static_cast<double>(sum + static_cast<float>(R(i, j)));
    }
  CHECK(wrong == 0);
}

}  // namespace
