// Where loops may store: the trips of an output of trips, and those of work that is whole rows.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <string>

namespace {

using namespace sectile;

/// What the sums are in each trip, stored where Where says.
template <auto Where>
struct kept_sums {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     trip_output<"P(T,M,N)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 3, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      sum += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      Where(sm, P, as<"T">(k), m, n, sum);
    }
    sm.store(C, {m, n}, sum);
  }
};
template <class K>
std::string said() {
  return plan_of<K>.refusal.says.text;
}
TEST_CASE("trips store at the work's coordinates, each at a tile of its own") {
  CHECK(said<kept_sums<[](auto& sm, auto P, auto t, auto m, auto n, auto& x) { sm.store(P, {t, m, n}, x); }>>() == "");
  CHECK(said<kept_sums<[](auto& sm, auto P, auto t, auto m, auto, auto& x) {
          sm.store(P, {t, m, 0}, x);
        }>>() ==
        "trip_output P is stored at another tile along N than the work's, which others store; store at the "
        "coordinates of tile_of(C)");
  CHECK(said<kept_sums<[](auto& sm, auto P, auto t, auto m, auto n, auto& x) {
          sm.store(P, {t, m, select(n == 7777, n + 1, n)}, x);
        }>>() ==
        "trip_output P is stored at a number made of coordinates along N than the work's, which others store; "
        "store at the coordinates of tile_of(C)");
  CHECK(said<kept_sums<[](auto& sm, auto P, auto, auto m, auto n, auto& x) {
          sm.store(P, {0, m, n}, x);
        }>>() == "trip_output P is stored at one tile by two trips; store each trip's at the trip's own number");
}

/// A factor of each trip, which Trip stores and multiplies.
template <auto Trip, int Stages = 3, int Outputs = 1>
struct kept_factor {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), trip_output<"P(M,K)", bf16>(),
                        output<"C(M,N)", float>(), when<(Outputs > 1)>(trip_output<"R(M,K)", bf16>()));
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}, {"K", 128}}, .stages = Stages, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C, auto... more) {
    auto [i, j] = sm.tile_of(C);
    const auto m = i;
    const auto n = j;
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = cast<bf16>(relu(cast<float>(in_registers(sm.load(A, {m, k})))));
      Trip(
          [&] {
            sm.store(P, {m, k}, a);
          },
          [&] {
            return transpose(sm.load(B, {n, k}));
          },
          [&](const auto& b) { sum += a * b; });
      (sm.store(more, {m, k}, a), ...);
    }
    sm.store(C, {m, n}, sum);
  }
};
/// The positions of what is put off, in the order of the text.
template <class K>
std::string put_off() {
  std::string all = plan_of<K>.refusal.says.text;
  for (int i = 0; i < max_positions; ++i)
    if (plan_of<K>.steps[i].put_off) all += " " + std::to_string(i);
  return all;
}
constexpr auto ahead_of_the_product = [](auto store, auto load, auto multiply) {
  const auto b = load();
  store();
  multiply(b);
};
constexpr auto ahead_of_a_load = [](auto store, auto load, auto multiply) { store(), multiply(load()); };
constexpr auto behind_the_product = [](auto store, auto load, auto multiply) { multiply(load()), store(); };
TEST_CASE("what a trip stores right ahead of a product is put off") {
  CHECK(put_off<kept_factor<ahead_of_the_product>>() == " 10 11");
  CHECK(put_off<kept_factor<ahead_of_a_load>>() == "");
  CHECK(put_off<kept_factor<behind_the_product>>() == "");
  CHECK(put_off<kept_factor<ahead_of_the_product, 6>>() == "");     // no room for two halves
  CHECK(put_off<kept_factor<ahead_of_the_product, 3, 2>>() == "");  // of two such outputs
}

/// The product of tiles that stay: a trip's store is followed by the next trip's product.
struct kept_sums_of_one_tile : kept_sums<0> {
  static constexpr void body(auto& sm, auto A, auto B, auto P, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    const auto a = sm.load(A, {m, 0});
    const auto b = transpose(sm.load(B, {n, 0}));
    for (auto t : sm.pipelined(tiles<"T">(P))) {
      sum += a * b;
      sm.store(P, {t, m, n}, sum);
    }
    sm.store(C, {m, n}, sum);
  }
};
TEST_CASE("the next trip's product puts nothing off") { CHECK(put_off<kept_sums_of_one_tile>() == ""); }

/// One trip stores, at the only tile there is.
struct stored_once {
  static constexpr auto operands =
      sectile::operands(input<"A(M,N)", bf16>(), trip_output<"P(T,M,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto P, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = cast<float>(in_registers(sm.load(A, {m, n})));
    for ([[maybe_unused]] auto once : sm.pipelined(1)) sm.store(P, {0, m, n}, x);
    sm.store(C, {m, n}, x);
  }
};
TEST_CASE("a loop of one trip stores once") { CHECK(said<stored_once>() == ""); }

/// Whole rows, stored in a loop, or in a loop of such loops.
template <bool Nested>
struct rows_in_loops {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"Y(M,N)", bf16>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y) {
    auto [m] = sm.rows_of(Y);
    const auto all = [&] {
      for (auto j : sm.pipelined(tiles<"N">(Y)))
        sm.store(Y, {m, j}, cast<float>(in_registers(sm.load(X, {m, j}))) * 2.0f);
    };
    if constexpr (Nested) {
      for ([[maybe_unused]] auto again : sm.pipelined(tiles<"N">(Y))) all();
    } else {
      all();
    }
  }
};
TEST_CASE("whole rows are stored by one loop, and not by a loop of loops") {
  CHECK(said<rows_in_loops<false>>() == "");
  CHECK(said<rows_in_loops<true>>().find("operand Y is stored in a loop, but not at each tile once") == 0);
}

}  // namespace
