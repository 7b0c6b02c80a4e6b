// Places that a body tells mask(), map_at(), row_argmax() and row_argmin(): the model compares them with the tiles that
// the fragment is made of.
#include <doctest/doctest.h>

#include <sectile/dsl.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <string>
#include <vector>

namespace {

using namespace sectile;

enum class asks { mask, map_at, row_argmax, row_argmin };
/// What is told of tile {m, n}: its place, as numbers or as the output's; that of another row or another column.
enum class told { own, of_output, other_row, other_column };

template <asks How, class X, class At>
constexpr void ask_at(X& x, const At& m, const auto& n, const auto& columns) {
  if constexpr (How == asks::mask)
    mask(
        x, {m, n}, [](int row, int col) { return col <= row; }, 0.0f);
  else if constexpr (How == asks::map_at)
    x = map_at(x, {m, n}, [](float a, int row, int col) { return row == col ? 1.0f : a; });
  else if constexpr (How == asks::row_argmax)
    x -= row_argmax(x, {m, n}, columns).value;
  else
    x -= row_argmin(x, {m, n}, columns).value;
}

enum class way { plain, swapped, from_registers };

template <asks How, told What, way Way>
struct product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 64}},
                                     .stages = 2,
                                     .consumers = Way == way::swapped ? 1 : 2,
                                     .swap = Way == way::swapped};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      if constexpr (Way == way::from_registers) {
        const auto a = in_registers(sm.load(A, {m, k}));
        x += a * transpose(sm.load(B, {n, k}));
      } else {
        x += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      }
    }
    if constexpr (What == told::of_output)
      mask(
          x, sm.tile_of(C), [](int row, int col) { return col <= row; }, 0.0f);
    else if constexpr (What == told::other_row)
      ask_at<How>(x, 0 * m, n, size<"N">(C));
    else if constexpr (What == told::other_column)
      ask_at<How>(x, m, n + 1, size<"N">(C));
    else
      ask_at<How>(x, m, n, size<"N">(C));
    sm.store(C, {m, n}, x);
  }
};

/// Tiles of rows from the second one on. `Off`: the place is that of the tile before. The fragment that asks is made of
/// one tile, of several or of none.
enum class made_of { tile, several_tiles, no_tile };
template <asks How, made_of What, bool Off>
struct rows {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), vector_output<"sum(M)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .consumers = 1, .persistent = true};
  static constexpr void body(auto& sm, auto X, auto sum) {
    auto [m] = sm.rows_of(X);
    const auto numbers = [&, row = m](auto j) { return cast<float>(in_registers(sm.load(X, {row, j}))); };
    auto before = numbers(0);
    auto all = row_sum(before);
    for (auto j : sm.pipelined(tiles<"N">(X) - 1)) {
      auto x = numbers(j + 1) * 2.0f;
      if constexpr (What == made_of::several_tiles) x += before;
      if constexpr (What == made_of::no_tile) x = 1.0f;
      if constexpr (Off)
        ask_at<How>(x, m, j, size<"N">(X));
      else
        ask_at<How>(x, m, j + 1, size<"N">(X));
      all += row_sum(x);
    }
    sm.store(sum, {m}, all.total());
  }
};

/// The largest number of each row of X and its column, in a matrix that is said to have `More` columns more than X.
template <int More>
struct largest {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"column(M)", s32>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto column) {
    auto [m] = sm.rows_of(X);
    auto best = sm.no_elements(X);
    for (auto j : sm.pipelined(tiles<"N">(X)))
      best = max(best, row_argmax(cast<float>(in_registers(sm.load(X, {m, j}))), {m, j}, size<"N">(X) + More));
    sm.store(column, {m}, best.column);
  }
};

/// The larger and the smaller of each row's largest number and of no element.
struct beside_none {
  static constexpr auto operands =
      sectile::operands(input<"X(M,N)", bf16>(), output<"most(M)", float>(), output<"least(M)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 3, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto most, auto least) {
    auto [m] = sm.rows_of(X);
    const auto none = sm.no_elements(X);
    const auto top = row_max(cast<float>(in_registers(sm.load(X, {m, 0}))));
    sm.store(most, {m}, max(none.value, top));
    sm.store(least, {m}, min(none.value, top));
  }
};

template <class Run>
std::string report_of_run(Run run, model::hazard_kind kind = model::hazard_kind::wrong_element) {
  try {
    run();
  } catch (const model::hazard& h) {
    CHECK(h.kind == kind);
    return h.what();
  }
  return "";
}
template <asks How, told What, way Way = way::plain>
std::string report_of_product() {
  constexpr int m = 256, n = 128, k = 64;
  const std::vector<bf16> A(m * k, bf16(0.5f)), B(n * k, bf16(0.25f));
  std::vector<float> C(m * n);
  return report_of_run([&] {
    run_on_model<product<How, What, Way>>(tensor(A.data(), m, k), tensor(B.data(), n, k), tensor(C.data(), m, n));
  });
}
template <asks How, made_of What, bool Off>
std::string report_of_rows() {
  constexpr int m = 64, n = 192;
  const std::vector<bf16> X(m * n, bf16(0.5f));
  std::vector<float> sum(m);
  return report_of_run([&] { run_on_model<rows<How, What, Off>>(tensor(X.data(), m, n), tensor(sum.data(), m)); });
}
template <int More>
std::string report_of_largest() {
  constexpr int m = 64, n = 100;
  const std::vector<bf16> X(m * 104, bf16(-0.5f));
  std::vector<s32> column(m);
  return report_of_run([&] { run_on_model<largest<More>>(matrix(X.data(), m, n, 104), tensor(column.data(), m)); },
                       model::hazard_kind::beyond_edge);
}
bool says(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("a product's place is its factors'") {
  CHECK(report_of_product<asks::mask, told::own>() == "");
  CHECK(report_of_product<asks::mask, told::of_output>() == "");
  CHECK(says(report_of_product<asks::mask, told::other_row>(),
             " is told that its fragment is tile 0 along M, but it is made of tile 1"));
  CHECK(says(report_of_product<asks::mask, told::other_column>(),
             " is told that its fragment is tile 1 along N, but it is made of tile 0"));
  CHECK(report_of_product<asks::map_at, told::own>() == "");
  CHECK(says(report_of_product<asks::map_at, told::other_column>(), "map_at of consumer "));
  CHECK(report_of_product<asks::row_argmax, told::own>() == "");
  CHECK(says(report_of_product<asks::row_argmax, told::other_column>(), "row_argmax of consumer "));
  CHECK(report_of_product<asks::row_argmin, told::own>() == "");
  CHECK(says(report_of_product<asks::row_argmin, told::other_column>(), "row_argmin of consumer "));
}

TEST_CASE("where registers hold the transpose") {
  CHECK(report_of_product<asks::mask, told::own, way::swapped>() == "");
  CHECK(
      says(report_of_product<asks::mask, told::other_row, way::swapped>(), "tile 0 along M, but it is made of tile 1"));
  CHECK(says(report_of_product<asks::mask, told::other_column, way::swapped>(),
             "tile 1 along N, but it is made of tile 0"));
}

TEST_CASE("a loop that begins behind its first tile") {
  CHECK(report_of_rows<asks::mask, made_of::tile, false>() == "");
  CHECK(says(report_of_rows<asks::mask, made_of::tile, true>(), "tile 0 along N, but it is made of tile 1"));
  CHECK(report_of_rows<asks::row_argmax, made_of::tile, false>() == "");
  CHECK(says(report_of_rows<asks::row_argmax, made_of::tile, true>(), "tile 0 along N, but it is made of tile 1"));
}

TEST_CASE("a product whose left factor is in registers") {
  CHECK(report_of_product<asks::mask, told::own, way::from_registers>() == "");
  CHECK(says(report_of_product<asks::mask, told::other_row, way::from_registers>(), "but it is made of tile 1"));
}

TEST_CASE("of what is made of several tiles, or of none, nobody knows where it lies") {
  CHECK(report_of_rows<asks::mask, made_of::several_tiles, true>() == "");
  CHECK(report_of_rows<asks::mask, made_of::no_tile, true>() == "");
}

TEST_CASE("columns that a matrix does not have, whose zeros would be larger than what is below them") {
  CHECK(report_of_largest<0>() == "");
  CHECK(report_of_largest<-1>() == "");
  CHECK(says(report_of_largest<1>(), " is told that there are 101, but along N there are 100"));
}

TEST_CASE("any number goes before that of no element") {
  const std::vector<bf16> X(64 * 64, bf16(-0.5f));
  std::vector<float> most(64), least(64);
  run_on_model<beside_none>(tensor(X.data(), 64, 64), tensor(most.data(), 64), tensor(least.data(), 64));
  CHECK(most == std::vector<float>(64, -0.5f));
  CHECK(least == std::vector<float>(64, -0.5f));
}
