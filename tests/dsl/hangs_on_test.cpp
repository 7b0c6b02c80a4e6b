// What a number hangs on: its type knows whether CTAs of a cluster may have different ones.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>

namespace {

using namespace sectile;
using row = sectile::index<mode_named("M"), of_tile_row>;
using col = sectile::index<mode_named("N"), of_tile_col>;
using size = sectile::index<mode_named("K")>;
constexpr hangs_on of_both = of_tile_row | of_tile_col;

constexpr row m{};
constexpr col n{};
constexpr size k{};
template <hangs_on Expected, class X>
constexpr bool hangs(const X&) {
  return places_of<X> == Expected;
}

// Whatever is made of a number hangs on what it does.
static_assert(hangs<of_no_place>(k) && hangs<of_no_place>(k + 1) && hangs<of_no_place>(3));
static_assert(hangs<of_tile_row>(m + 1) && hangs<of_tile_row>(2 - m) && hangs<of_tile_row>(-m));
static_assert(hangs<of_tile_row>(m * 2) && hangs<of_tile_row>(m / 2) && hangs<of_tile_row>(m % 2));
static_assert(hangs<of_tile_row>(as<"K">(m) + k) && hangs<of_both>(m * n) && hangs<of_both>(as<"M">(n) - m));
static_assert(hangs<of_tile_row>(min(as<"K">(m), k)) && hangs<of_both>(max(as<"N">(m), n)));
static_assert(hangs<of_tile_row>(at_least_one(as<"K">(m))) && hangs<of_no_place>(at_least_one(k)));
static_assert(hangs<of_tile_col>(n < 3) && hangs<of_both>(m == as<"M">(n)) && hangs<of_tile_col>(!(n == 2)));
static_assert(hangs<of_both>(m < 2 && n < 2) && hangs<of_tile_row>(m < 2 || k < 2) &&
              hangs<of_tile_row>(true && m < 2));
// So does what was chosen by it.
static_assert(hangs<of_tile_col>(select(n < 3, k, 0)) && hangs<of_both>(select(n < 3, as<"K">(m), k)));
static_assert(hangs<of_no_place>(select(k < 3, k, 1)));
// A coordinate of the work's tile is known as that, and what is made of it is none.
using own = sectile::index<mode_named("N"), of_tile_col | own_coordinate(1)>;
constexpr own mine{};
static_assert(own_coordinate_of<own> == 1 && own_coordinate_of<col> == -1 && own_coordinate_of<int> == -1);
template <class X>
constexpr bool is_own(const X&) {
  return own_coordinate_of<X> >= 0 || places_of<X> != of_tile_col;
}
static_assert(!is_own(mine + 0) && !is_own(-mine) && !is_own(min(mine, mine)) && !is_own(at_least_one(mine)));
static_assert(is_own(mine) && is_own(as<"NB">(mine)) && mode_of<decltype(as<"NB">(mine))> == mode_named("NB"));
static_assert(std::convertible_to<own, col> && !std::convertible_to<col, own>);
// What is made of it by + and - counts tiles as it does, what else is made of it may count anything.
template <class X>
constexpr bool in_tiles(const X&) {
  return tiles_along(tiles_of<X>) == 1;
}
static_assert(in_tiles(mine) && in_tiles(mine + 1) && in_tiles(1 + mine) && in_tiles(mine - 1) &&
              in_tiles(mine + mine));
static_assert(in_tiles(as<"K">(mine)) && in_tiles(as<"K">(mine + 1)) && in_tiles(k - as<"K">(mine)));
static_assert(in_tiles(min(as<"K">(mine + 1), k)) && in_tiles(at_least_one(as<"K">(mine))) &&
              in_tiles(select(k < 3, k, as<"K">(mine))));
static_assert(!in_tiles(mine * 1) && !in_tiles(mine / 2) && !in_tiles(mine % 2) && !in_tiles(-mine) && !in_tiles(n));
using own_row = sectile::index<mode_named("N"), of_tile_row | own_coordinate(0)>;
static_assert(!in_tiles(mine + own_row{}) && tiles_along(tiles_of<own_row>) == 0 && tiles_along(tiles_of<int>) == -1);
static_assert(hangs<of_tile_col>(false ? mine + 1 : mine * 2) && !in_tiles(false ? mine + 1 : mine * 2));

// A condition knows along which mode it compares an int; one that is made of two, if they agree.
template <mode_id Expected, class X>
constexpr bool compares(const X&) {
  return compared_along<X> == Expected;
}
constexpr mode_id of_m = mode_named("M"), of_n = mode_named("N");
static_assert(compares<of_m>(3 < m) && compares<of_m>(m >= 3) && compares<of_m>((3 == m && m < 5) || m > 7));
static_assert(compares<of_n>(!(3 < n)) && compares<mode_id::any>(3 < m && 3 < n) && compares<mode_id::any>(m < m));
static_assert(compares<mode_id::any>(mine > 0) && compares<mode_id::any>(3 == mine + 1) &&
              compares<of_n>(3 < mine * 64));
static_assert(compares<mode_id::any>(3 < sectile::staged<int>()) && compares<of_m>(as<"M">(n) > 3));

// A number becomes one that hangs on more, never on less.
static_assert(std::convertible_to<size, sectile::index<mode_named("K"), of_tile_row>>);
static_assert(!std::convertible_to<sectile::index<mode_named("K"), of_tile_row>, size>);
static_assert(hangs<of_tile_row>(true ? as<"K">(m) : k));

/// C(B,M,N) = A B^T, and where its loads lie.
template <int Rows, int Cols>
struct batched {
  static constexpr auto operands =
      sectile::operands(input<"A(B,M,K)", bf16>(), input<"W(N,K)", bf16>(), output<"C(B,M,N)", bf16>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .cluster = {Rows, Cols}, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto W, auto C) {
    const auto place = sm.tile_of(C);
    auto [b, i, j] = place;
    static_assert(places_of<decltype(b)> == of_no_place);
    static_assert(places_of<decltype(i)> == of_tile_row && places_of<decltype(j)> == of_tile_col);
    auto acc = sm.accumulator(C);
    for (auto l : sm.pipelined(tiles<"K">(A))) {
      static_assert(places_of<decltype(l)> == of_no_place);
      acc += sm.load(A, {b, i, l}) * transpose(sm.load(W, {j, l}));
    }
    sm.store(C, place, acc);
  }
};

TEST_CASE("what CTAs of a cluster share is what hangs on the place of none") {
  CHECK(plan_of<batched<2, 1>>.operand[0].slices == 1);
  CHECK(plan_of<batched<2, 1>>.operand[1].slices == 2);
  CHECK(plan_of<batched<1, 2>>.operand[0].slices == 2);
  CHECK(plan_of<batched<1, 2>>.operand[1].slices == 1);
  CHECK(plan_of<batched<2, 2>>.operand[0].slices == 2);
  CHECK(plan_of<batched<2, 2>>.operand[1].slices == 2);
}

/// X is a matrix of the output's shape, loaded, masked and mapped at its whole place.
struct whole_place {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .cluster = {2, 1}, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto C) {
    const auto place = sm.tile_of(C);
    auto x = cast<float>(in_registers(sm.load(X, place)));
    mask(
        x, place, [](int i, int j) { return i < j; }, 0.0f);
    sm.store(C, place, map_at(x, place, [](float a, int i, int) { return i > 3 ? a : 0.0f; }));
  }
};
static_assert(verified<whole_place> && verified<batched<2, 2>>);
TEST_CASE("a whole place hangs on both") { CHECK(plan_of<whole_place>.operand[0].slices == 1); }

/// W's tile seems to be the same for all rows: in no cluster that has few tiles beside it is it another.
struct far_row {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"W(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .cluster = {2, 1}, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto W, auto C) {
    auto [i, j] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto l : sm.pipelined(tiles<"K">(A)))
      acc += sm.load(A, {i, l}) * transpose(sm.load(W, {select(i == 4711, j + 1, j), l}));
    sm.store(C, {i, j}, acc);
  }
};
TEST_CASE("a tile that differs in a far row is not shared") { CHECK(plan_of<far_row>.operand[1].slices == 1); }

}  // namespace
