// What the trips of a loop lose, and which tiles they pass by: programs that differ in one trip, and what is said of
// them.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <string>

namespace {

using namespace sectile;

/// C = A B^T, by trips that do as Trip says with sums, rows' largest numbers, and the trip's own product.
template <auto Trip>
struct by_trips {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", float>(), output<"most(M)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 4, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto most) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    auto rows = row_sum(sum).total();
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = sm.load(A, {m, k});
      const auto b = sm.load(B, {n, k});
      auto own = sm.accumulator(a * transpose(b));
      Trip(a, b, sum, rows, own);
    }
    auto outside = rows;
    outside = rows + 1.0f;  // there nothing is lost that one would not see
    outside = rows * 2.0f;
    sm.store(most, {m}, outside);
    sm.store(C, {m, n}, sum);
  }
};
template <auto Trip>
std::string said() {
  return plan_of<by_trips<Trip>>.refusal.says.text;
}
/// Where a trip may lose something, it is said so.
template <auto Trip>
bool loses() {
  return said<Trip>().find("what a trip of a loop has left in x is lost, and nothing has used it") != std::string::npos;
}

TEST_CASE("sums that a trip puts others in the place of") {
  CHECK(loses<[](auto&, auto&, auto& sum, auto&, auto& own) { sum = own; }>());
  CHECK(loses<[](auto&, auto&, auto& sum, auto&, auto& own) { sum = own, sum += own; }>());
  CHECK(loses<[](auto&, auto&, auto& sum, auto&, auto& own) { sum += own, sum = 0.0f; }>());
  CHECK(loses<[](auto& a, auto& b, auto& sum, auto&, auto& own) { sum += a * transpose(b), sum = own; }>());
  CHECK(loses<[](auto& a, auto& b, auto& sum, auto&, auto& own) { sum = a * transpose(b), sum += own; }>());
  CHECK(said<[](auto&, auto&, auto& sum, auto&, auto& own) { sum += own; }>() == "");
  CHECK(said<[](auto&, auto&, auto& sum, auto&, auto& own) { sum += own, sum = sum; }>() == "");
  CHECK(said<[](auto&, auto&, auto& sum, auto&, auto& own) { sum = sum + own; }>() == "");
  CHECK(said<[](auto&, auto&, auto& sum, auto& rows, auto& own) { sum = own, rows = max(rows, row_max(sum)); }>() ==
        "");
}
TEST_CASE("numbers of rows that a trip puts others in the place of") {
  CHECK(loses<[](auto&, auto&, auto& sum, auto& rows, auto& own) { sum += own, rows = row_max(own); }>());
  CHECK(said<[](auto&, auto&, auto& sum, auto& rows, auto& own) { sum += own * rows, rows = row_max(own); }>() == "");
  CHECK(said<[](auto&, auto&, auto& sum, auto& rows, auto& own) { rows = row_max(own), sum += own - rows; }>() == "");
  CHECK(
      said<[](auto&, auto&, auto& sum, auto& rows, auto& own) { rows = row_max(own), sum += own * col_max(rows); }>() ==
      "");
}

/// A loop of one trip, or of two, that puts a sum in the place of another.
template <int Trips>
struct put_by_a_loop {
  static constexpr auto operands = sectile::operands(input<"A(M,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto C) {
    const auto at = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    auto most = row_sum(sum).total();
    for ([[maybe_unused]] auto once : sm.pipelined(Trips)) {
      const auto own = cast<float>(in_registers(sm.load(A, at)));
      sum = own + 1.0f;
      most = row_max(own);
    }
    sm.store(C, at, sum * most);
  }
};
TEST_CASE("a loop of one trip loses nothing") {
  CHECK(plan_of<put_by_a_loop<1>>.refusal.holds());
  CHECK(!plan_of<put_by_a_loop<2>>.refusal.holds());
}

/// The same over the tiles of K that Tiles names of so many trips.
template <auto Trips, auto Tile>
struct of_tiles {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     scalar<"left_out", int>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 4, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto left_out, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(Trips(tiles<"K">(A), left_out, as<"K">(m))))
      sum += sm.load(A, {m, Tile(k)}) * transpose(sm.load(B, {n, Tile(k)}));
    sm.store(C, {m, n}, sum);
  }
};
inline constexpr auto own_tile = [](auto k) { return k; };
template <auto Trips, auto Tile = own_tile>
std::string said_of_tiles() {
  return plan_of<of_tiles<Trips, Tile>>.refusal.says.text;
}
TEST_CASE("tiles that nobody loads") {
  const std::string over_all =
      " along K; a loop over all of them is sm.pipelined(tiles<\"K\">(A)), whose trips are "
      "numbered from 0";
  CHECK(said_of_tiles<[](auto all, auto, auto) { return all - 1; }>() ==
        "operand A: nothing loads the last tile" + over_all);
  CHECK(said_of_tiles<[](auto all, auto, auto) { return all - 8; }>() ==
        "operand A: nothing loads the last 8 tiles" + over_all);
  CHECK(said_of_tiles<[](auto all, auto, auto) { return all - 1; }, [](auto k) { return k + 1; }>() ==
        "operand A: nothing loads the first tile" + over_all);
  CHECK(said_of_tiles<[](auto all, auto, auto) { return all - 2; }, [](auto k) { return k + 2; }>() ==
        "operand A: nothing loads the first 2 tiles" + over_all);
  CHECK(said_of_tiles<[](auto all, auto, auto) { return all; }>() == "");
  CHECK(said_of_tiles<[](auto all, auto, auto) { return all; }, [](auto k) { return k + 1; }>() != "");
  CHECK(said_of_tiles<[](auto all, auto left_out, auto) { return all - left_out; }>() == "");
  CHECK(said_of_tiles<[](auto, auto, auto m) { return m + 1; }>() == "");
  CHECK(said_of_tiles<[](auto all, auto, auto m) { return all - 1 + 0 * m; }>() == "");
  CHECK(said_of_tiles<[](auto all, auto, auto) { return all / 2; }>() == "");
}
TEST_CASE("a loop of several tiles at a time is looked at by a launch") {
  using halves = of_tiles<[](auto all, auto, auto) { return all / 2 * 2; }, own_tile>;
  CHECK(plan_of<halves>.refusal.holds());
  CHECK(plan_of<halves>.divided_loops == 4);  // K is the third mode of the tile
  using all = of_tiles<[](auto all, auto, auto) { return all; }, own_tile>;
  CHECK(plan_of<all>.divided_loops == 0);
}

}  // namespace
