// What a body knows only when it runs: coordinates, sizes and scalars that compute and select, but decide no path; the
// modes that they count along, and the ways across. And programs that are written with them.
#include <limits>
#include <sectile/dsl/launch/portable_model.hpp>
#include <string>

#include "tests/programs/matmul.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

// ---- modes

constexpr mode_id M = mode_named("M"), M_again = mode_named("M'"), K = mode_named("K");
STATIC_CASE(M == mode_named("M,K)") && M != K && M != M_again);
static_assert(std::string_view(text_of(M_again).text) == "M'" && std::string_view(text_of(mode_id::any).text) == "");
STATIC_CASE(without_prime(M_again) == M && without_prime(mode_named("M''")) == M && without_prime(M) == M);
STATIC_CASE(without_prime(mode_named("queries'")) == mode_named("queries"));  // all of the letters there can be
STATIC_CASE(without_prime(mode_named("a'b")) == mode_named("a'b") && without_prime(mode_named("'")) != mode_id::any);
STATIC_CASE(without_prime(mode_id::mixed) == mode_id::mixed);
STATIC_CASE(alike(M, M) && alike(M, M_again) && alike(M_again, M) && !alike(M, K) && !alike(M_again, K));
STATIC_CASE(alike(M, mode_id::any) && alike(mode_id::any, mode_id::mixed));
STATIC_CASE(!alike(M, mode_id::mixed) && !alike(mode_id::mixed, mode_id::mixed));

constexpr tile_extents square{{"M", 64}, {"K", 32}};
STATIC_CASE(square.of(M) == 64 && square.of(M_again) == 64 && square.of(K) == 32 && square.of(mode_named("N")) == 0);
STATIC_CASE(tile_extents{{"M'", 64}}.of(M_again) == 64 && tile_extents{{"M'", 64}}.of(M) == 0);

// ---- numbers along modes

using row = sectile::index<M>;
using col = sectile::index<K>;
using free_number = sectile::index<mode_id::any>;
template <class X, class Type>
constexpr bool is(X x, Type, decltype(plain(x)) number) {
  return std::is_same_v<X, Type> && plain(x) == number;
}

static_assert(mode_of<row> == M && mode_of<int> == mode_id::any && mode_of<free_number> == mode_id::any);
static_assert(mode_of<tile_number<K>> == K && mode_of<staged<float, K>> == K);
STATIC_CASE(is(row(5) + 1, row(), 6) && is(2 + row(5), row(), 7) && is(row(5) - 2, row(), 3));
STATIC_CASE(is(7 - row(5), row(), 2) && is(-row(5), row(), -5) && is(row(5) + row(6), row(), 11));
STATIC_CASE(is(row(5) * 2, row(), 10) && is(3 * row(5), row(), 15) && is(row(5) * row(2), row(), 10));
STATIC_CASE(is(row(7) / 2, row(), 3) && is(row(7) % 4, row(), 3) && is(29 / row(7), row(), 4));
static_assert(is(row(5) * col(2), sectile::index<mode_id::mixed>(), 10) &&
              is(row(7) / col(2), sectile::index<mode_id::mixed>(), 3));
STATIC_CASE(is(row(5) + free_number(1), row(), 6) && is(free_number(1) * col(4), col(), 4));
STATIC_CASE(is(free_number(3) + 4, free_number(), 7));
// A sum with a number of tiles is no number of tiles any more: it may be 0.
STATIC_CASE(is(tile_number<K>(1) - 1, col(), 0) && is(tile_number<K>(4) / 2 * 2, col(), 4));
STATIC_CASE(is(row(3) + 0.5f, staged<float, M>(), 3.5f) && is(2.0f * staged<float>(0.5f), staged<float>(), 1.0f));
STATIC_CASE(is(row(3) + 0.5, staged<double, M>(), 3.5) && is(1u + row(3), staged<unsigned, M>(), 4u));

constexpr auto counted_on() {
  row x(5);
  x += 3;
  x -= row(2);
  x += free_number(10);
  return x;
}
STATIC_CASE(is(counted_on(), row(), 16));

// Across modes, where it is said.
static_assert(is(as<"K">(row(5)), col(), 5) && is(as<"K">(5), col(), 5) &&
              is(as<"M'">(row(5)), sectile::index<M_again>(), 5));
STATIC_CASE(is(as<"K">(row(5) * col(3)), col(), 15) && is(as<"K">(row(5)) + col(1), col(), 6));
STATIC_CASE(is(as<"K">(0.5f), staged<float, K>(), 0.5f));

// ---- conditions

template <class X>
constexpr bool holds(X c) {
  static_assert(is_condition<X> && X::places == of_no_place);
  return plain(c);
}
STATIC_CASE(holds(row(5) < 6) && !holds(row(5) < 5) && holds(5 <= row(5)) && holds(row(5) > row(4)));
STATIC_CASE(holds(row(5) >= 5) && holds(row(5) == 5) && holds(row(5) != free_number(4)) && !holds(6 == row(5)));
STATIC_CASE(holds(tile_number<M>(5) > row(4)) && holds(staged<float>(0.5f) < 1));
STATIC_CASE(holds(row(5) < 6 && col(5) > 4) && !holds(row(5) < 6 && false) && holds(true && row(5) < 6));
STATIC_CASE(holds(row(5) < 5 || col(5) > 4) && holds(row(5) < 5 || true) && !holds(false || row(5) < 5));
STATIC_CASE(holds(!(row(5) < 5)) && !holds(!(row(5) < 6)));

// ---- select, min, max

STATIC_CASE(is(select(row(5) < 6, row(1), row(2)), row(), 1) && is(select(row(5) < 5, row(1), row(2)), row(), 2));
STATIC_CASE(is(select(true, row(1), 2), row(), 1) && is(select(false, row(1), 2), row(), 2));
STATIC_CASE(is(select(col(1) > 0, 3, 4), free_number(), 3));  // constants, chosen by what a run decides
STATIC_CASE(is(select(col(1) > 1, tile_number<M>(3), row(4)), row(), 4));
STATIC_CASE(is(select(true, tile_number<M>(3), tile_number<M>(4)), row(), 3));
STATIC_CASE(is(select(row(5) < 5, 1, 0.5f), staged<float>(), 0.5f));
STATIC_CASE(is(min(row(5), 3), row(), 3) && is(min(3, row(5)), row(), 3) && is(min(row(2), row(3)), row(), 2));
STATIC_CASE(is(max(row(5), 3), row(), 5) && is(max(0, col(-5)), col(), 0) && is(max(row(2), row(3)), row(), 3));
STATIC_CASE(is(min(tile_number<K>(4), as<"K">(row(2)) + 1), col(), 3));

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr staged<float> no_number(nan), one(1.0f);
// With a NaN nothing compares but !=, so "not less" is something else than "greater or equal".
STATIC_CASE(!holds(no_number < one) && !holds(no_number >= one) && holds(!(no_number < one)));
STATIC_CASE(!holds(no_number == no_number) && holds(no_number != no_number) && !holds(one <= nan));
STATIC_CASE(is(select(no_number < one, 1, 2), free_number(), 2));
// A number goes before a NaN, from either side.
STATIC_CASE(is(min(no_number, one), one, 1.0f) && is(min(one, no_number), one, 1.0f));
STATIC_CASE(is(max(no_number, one), one, 1.0f) && is(max(one, no_number), one, 1.0f));
STATIC_CASE(is(min(nan, one), one, 1.0f) && is(max(one, nan), one, 1.0f));
STATIC_CASE(holds(min(no_number, no_number) != 0) && holds(min(no_number, no_number) != min(no_number, no_number)));

// ---- which coordinates name tiles of what

constexpr operand_facts operand(const char* text) {
  operand_facts f{};
  f.tile.rank = read_names(text, f);
  return f;
}

}  // namespace

TEST_CASE("a coordinate fits modes of its name, with a prime or without, and constants fit all") {
  const operand_facts a = operand("A(M,K)"), gram = operand("G(M,M')");
  CHECK(check_modes(a, {{M, K}}).holds());
  CHECK(check_modes(a, {{M, mode_id::any}}).holds());
  CHECK(check_modes(a, {{mode_id::any, mode_id::any}}).holds());
  CHECK(check_modes(a, {{M_again, K}}).holds());
  CHECK(check_modes(operand("A(M',K)"), {{M, K}}).holds());
  CHECK(check_modes(gram, {{M, M_again}}).holds());
  CHECK(!check_modes(gram, {{M_again, M}}).holds());  // it has both, and they are not the same
  CHECK(!check_modes(gram, {{M, M}}).holds());
  const violation swapped = check_modes(a, {{K, M}});
  CHECK(swapped.what == rule::coordinate_is_along_another_mode);
  CHECK(
      std::string(swapped.says.text) ==
      "coordinate 0 of a tile of A counts tiles along M, but the one given counts along K: are they in another order? "
      "Where it is meant: as<\"M\">(x)");
  CHECK(std::string(check_modes(a, {{M, mode_id::mixed}}).says.text) ==
        "coordinate 1 of a tile of A counts tiles along K, but the one given is made of several modes; where that is "
        "meant, say so: as<\"K\">(x)");
}

TEST_CASE("a number of tiles is known to be 1 or more, and stays that") {
  CHECK(std::string(no_change<K, int>().says.text) ==
        "a number of tiles along K is known to be 1 or more, and stays that; name what is not: auto n = "
        "tiles<\"K\">(A) - 1");
}

TEST_CASE("numbers along two modes are not added, compared or chosen from") {
  CHECK(check_same_mode("a + b", M, M).holds());
  CHECK(check_same_mode("a + b", mode_id::any, K).holds());
  CHECK(check_same_mode("a + b", mode_id::mixed, mode_id::any).holds());
  CHECK(std::string(check_same_mode("a < b", M, K).says.text) ==
        "a < b: a counts along M, b along K; where that is meant, say so: as<\"K\">(a)");
  CHECK(std::string(check_same_mode("a + b", K, mode_id::mixed).says.text) ==
        "a + b: a counts along K, b along several modes; where that is meant, say so: as<\"K\">(a)");
}

namespace {

// ---- one operand along two modes

/// G = A A^T: rows of A along both modes.
struct gram {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), output<"G(M,M')", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}}, .stages = 4, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto G) {
    auto [m, n] = sm.tile_of(G);
    static_assert(mode_of<decltype(m)> == M && mode_of<decltype(n)> == M_again);
    auto acc = sm.accumulator(G);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(A, {n, k}));
    sm.store(G, sm.tile_of(G), acc);
  }
};
static_assert(verified<gram> && operand_facts_of<gram, 1>().tile == tile_shape{2, {64, 64}});

}  // namespace

TEST_CASE("a Gram matrix: one operand along two modes of the output") {
  host_tensor<bf16> A({140, 136}), G({140, 140});
  A.fill(1);
  run_on_schedules<gram>(3, G, A.in(), G.view());
  check_close(G, bf16_close, [&](int i, int j) { return dot(A, A, i, j); });
}
TEST_CASE("a Gram matrix is square") {
  host_tensor<bf16> A({200, 136}), G({200, 192}), H({192, 200});
  A.fill(1);
  CHECK_THROWS_WITH_AS(run_on_model<gram>(A.in(), H.view()), "operand G: M = 192, but operand A has M = 200",
                       launch_error);
  CHECK_THROWS_WITH_AS(run_on_model<gram>(A.in(), G.view()), "operand G: M' = 192, but operand A has M = 200",
                       launch_error);
}

namespace {

// ---- programs that choose without a branch

/// C = A B^T. `causal` says whether row i has products with the tiles up to its own only, `twice` whether the first
/// tile counts twice: as many trips as are selected, one of two, and none or one.
struct chosen_trips {
  static constexpr int rows = 128, depth = 64;
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        scalar<"causal", bool>(), scalar<"twice", bool>());
  static constexpr sectile::configuration how{
      .tile = {{"M", rows}, {"K", depth}, {"N", 64}}, .stages = 3, .consumers = 2, .persistent = true};

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto causal, auto twice) {
    static_assert(std::is_same_v<decltype(causal), condition>);
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    const auto all = tiles<"K">(A);
    const auto trips = select(causal, min(as<"K">((m + 1) * rows / depth), all), all);
    for (auto k : sm.pipelined(trips)) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    for (auto k : sm.pipelined(select(twice, 1, 0))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<chosen_trips>);

void check_chosen_trips(bool causal, bool twice) {
  CAPTURE(causal);
  CAPTURE(twice);
  constexpr int m = 140, n = 70, k = 330;
  host_tensor<bf16> A({m, k}), B({n, k}), C({m, n}), D({m, n});
  A.fill(1);
  B.fill(2);
  const auto expected = [&](int i, int j) {
    const auto to = [&](int end) { return sum_of_products(A.row(i, std::min(k, end)), B.row(j, k)); };
    return to(causal ? (i / 128 + 1) * 128 : k) + (twice ? to(64) : 0);
  };
  run_on_schedules<chosen_trips>(2, C, A.in(), B.in(), C.view(), causal, twice);
  check_close(C, bf16_close, expected);
  if constexpr (exhaustively) {
    run_portable_on_model<chosen_trips, portable::simt>(A.in(), B.in(), D.view(), causal, twice);
    check_close(D, bf16_close, expected);
  }
}

/// C = alpha A B^T + beta and zero above the diagonal, if `lower`; the scalars as captures and as values, in functions
/// and in arithmetic.
struct scaled_and_masked {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(),
                        scalar<"alpha", float>(), scalar<"beta", int>(), scalar<"lower", bool>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto alpha, auto beta, auto lower) {
    static_assert(std::is_same_v<decltype(alpha), staged<float>> && std::is_same_v<decltype(beta), staged<int>>);
    const auto at = sm.tile_of(C);
    const auto [m, n] = at;
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    auto x = map(acc, [=](float a) { return a * alpha + beta; });
    auto y = map(acc, alpha, [](float a, float by) { return a * by; }) + beta;
    auto z = fma(acc, alpha, beta);
    // Of 0 or more: x, else y or z, which are the same.
    auto w = map(y, z, [=](float a, float b) { return select(alpha < 0, a, b); });
    auto sum = map(x, w, [=](float a, float b) { return select(a < 0 || beta > 1000, b, a); });
    const auto cols = size<"N">(C);
    mask(
        sum, at, lower, [=](int r, int c) { return c <= r && c < cols; }, 0.0f);
    // The same once more: what is captured may say that nothing is hidden.
    mask(
        sum, {m, n}, [=](int r, int c) { return !lower || c <= r; }, 0.0f);
    sm.store(C, at, sum);
  }
};
static_assert(verified<scaled_and_masked>);

void check_scaled_and_masked(float alpha, int beta, bool lower) {
  CAPTURE(alpha);
  CAPTURE(beta);
  CAPTURE(lower);
  constexpr int m = 100, n = 90, k = 70;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n}), D({m, n});
  A.fill(1);
  B.fill(2);
  const auto expected = [&](int i, int j) {
    return lower && j > i ? 0.0 : static_cast<double>(alpha) * dot(A, B, i, j) + beta;
  };
  run_on_schedules<scaled_and_masked>(1, C, A.in(), B.in(), C.view(), alpha, beta, lower);
  check_close(C, f32_close, expected);
  if constexpr (exhaustively) {
    run_portable_on_model<scaled_and_masked, portable::simt>(A.in(), B.in(), D.view(), alpha, beta, lower);
    check_close(D, f32_close, expected);
  }
}

}  // namespace

TEST_CASE("trips that are selected by scalars and coordinates: all, some, one, none") {
  for (const bool causal : {false, true})
    for (const bool twice : {false, true}) check_chosen_trips(causal, twice);
}

TEST_CASE("scalars in functions and in arithmetic, and a bool that says whether to mask") {
  check_scaled_and_masked(0.5f, 3, true);
  check_scaled_and_masked(-2.0f, -1, false);
  check_scaled_and_masked(0.0f, 2000, true);
}

namespace {

// ---- one program in several configurations

/// C = A B^T: one CTA for a tile, or a cluster of two that walks over larger ones.
struct family {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration small{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr auto how = configurations(
      small,
      sectile::configuration{.tile = {{"M", 128}, {"K", 64}, {"N", 128}}, .cluster = {2, 1}, .persistent = true});

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
using first = member<family, 0>;
using second = member<family, 1>;
static_assert(count_configurations<family>() == 2 && count_configurations<first>() == 1 &&
              count_configurations<gram>() == 1 && count_configurations<int>() == 0);
static_assert(configuration_of<first> == family::small && configuration_of<second>.cluster == cluster_shape{2, 1});
static_assert(configuration_of<second> == find_configuration<family, 1>() && find_configuration<gram>() == gram::how);
static_assert(std::is_same_v<second::program, family> && second::number == 1);
static_assert(operand_facts_of<first, 2>().cols() == 64 && operand_facts_of<second, 2>().cols() == 128);
static_assert(verified<first> && verified<second>);
static_assert(plan_of<first>.how == family::small && plan_of<second>.how.persistent);
// The configuration says what it says, with another tile.
static_assert(family::small.with_tile({{"M", 128}}).stages == 2 &&
              family::small.with_tile({{"M", 128}}).tile.of(K) == 0);
static_assert(family::small.with_tile(square) != family::small &&
              family::small.with_tile(family::small.tile) == family::small);

/// C = (the rows of A a tile before, in front of the first of them zeros, + those of the batch before, if there is one,
/// else its own) * W^T.
struct neighbours {
  static constexpr auto operands =
      sectile::operands(input<"A(B,M,K)", bf16>(), input<"W(N,K)", bf16>(), output<"C(B,M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 32}, {"N", 64}}, .stages = 3, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto W, auto C) {
    auto [b, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      acc += sm.load(A, {b, m - 1, k}) * transpose(sm.load(W, {n, k}));
      acc += sm.load(A, {max(b - 1, 0), m, k}) * transpose(sm.load(W, {n, k}));
    }
    sm.store(C, {b, m, n}, acc);
  }
};
static_assert(verified<neighbours>);

}  // namespace

TEST_CASE("tiles before the first one are zeros, on Hopper as elsewhere") {
  constexpr int batches = 2, m = 130, n = 70, k = 40;
  host_tensor<bf16> A({batches, m, k}), W({n, k});
  host_tensor<float> C({batches, m, n}), D({batches, m, n});
  A.fill(1);
  W.fill(2);
  run_on_schedules<neighbours>(2, C, A.in(), W.in(), C.view());
  run_portable_on_model<neighbours, portable::simt>(A.in(), W.in(), D.view());
  for (int b = 0; b < batches; ++b)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int l = 0; l < k; ++l) {
          const double above = i < 64 ? 0 : A.number(b, i - 64, l), before = A.number(std::max(b - 1, 0), i, l);
          sum += (above + before) * W.number(j, l);
        }
        REQUIRE(C.number(b, i, j) == doctest::Approx(sum).epsilon(1e-4));
        REQUIRE(D.number(b, i, j) == doctest::Approx(sum).epsilon(1e-4));
      }
}

TEST_CASE("the members of a family compute the same, bit for bit: they sum over K in the same steps") {
  constexpr int m = 140, n = 136, k = 200;
  host_tensor<bf16> A({m, k}), B({n, k}), C({m, n}), D({m, n});
  A.fill(1);
  B.fill(2);
  if constexpr (exhaustively) {
    run_on_schedules<first>(1, C, A.in(), B.in(), C.view());
    run_on_schedules<second>(1, D, A.in(), B.in(), D.view());
    check_close(C, bf16_close, [&](int i, int j) { return dot(A, B, i, j); });
    const std::vector<bf16> c = C.elements(), d = D.elements();
    CHECK(std::memcmp(c.data(), d.data(), c.size() * sizeof(bf16)) == 0);
  }
}
