// Vectors that come with tiles, through their ring: the same numbers as those that threads read in memory, whatever their
// length, their alignment and the configuration.
#include "tests/programs/host_vector.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

/// How a body meets its scales: where they are multiplied, ahead of the product, or in a function.
enum class meeting { in_place, ahead, in_function };

/// Sums of blocks of K, each scaled for its rows, its columns and all of its tile.
template <class T, vector_path Path, meeting Where, configuration How>
struct scaled {
  static constexpr auto operands = sectile::operands(
      vector_input<"SA(KB,M)", T>(Path), input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
      vector_input<"SB(KB,N)", T>(Path), vector_input<"S(NB,KB)", float>(Path), output<"C(M,N)", float>());
  static constexpr configuration how = How;
  static constexpr void body(auto& sm, auto SA, auto A, auto B, auto SB, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    sum = 0.0f;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto block = as<"KB">(k);
      if constexpr (Where == meeting::in_place) {
        const auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
        sum += part * sm.load(SA, {block, m}) * sm.load(SB, {block, n}) * sm.load(S, {as<"NB">(n), block});
      } else if constexpr (Where == meeting::ahead) {
        const auto of_rows = in_registers(sm.load(SA, {block, m})) * sm.load(S, {as<"NB">(n), block});
        const auto of_cols = in_registers(sm.load(SB, {block, n}));
        const auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
        sum = fma(part * of_cols, of_rows, sum);
      } else {
        const auto of_all = sm.load(S, {as<"NB">(n), block});
        auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
        part *= sm.load(SB, {block, n});
        sum += map(part, sm.load(SA, {block, m}), [](float x, float s) { return x * s; }) * of_all;
      }
    }
    sm.store(C, {m, n}, sum);
  }
};
constexpr tile_extents tile{{"M", 128}, {"N", 32}, {"K", 64}, {"KB", 1}};
constexpr configuration upright{.tile = tile, .stages = 3};
constexpr configuration turns{.tile = tile, .stages = 3, .persistent = true, .pingpong = true};
constexpr configuration of_cluster{.tile = tile, .stages = 2, .cluster = {2, 1}, .persistent = true};
constexpr configuration own{.tile = tile, .stages = 3, .own_tiles = true, .persistent = true};
constexpr configuration swapped{
    .tile = {{"M", 40}, {"N", 128}, {"K", 64}, {"KB", 1}}, .stages = 3, .persistent = true, .swap = true};
constexpr configuration tall{  // two boxes for rows of the tile
    .tile = {{"M", 384}, {"N", 8}, {"K", 64}, {"KB", 1}}, .stages = 2, .consumers = 3};

/// Both ways: the same bits, and what a plain sum gives. `missing`: rows of scales that there are too few.
template <class T, meeting Where, configuration How>
void check_both_ways(int m, int n, int k, int missing = 0) {
  CAPTURE(m);
  const int blocks = (k + 63) / 64, columns = (n + How.tile.of(mode_named("N")) - 1) / How.tile.of(mode_named("N"));
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n}), in_memory({m, n});
  A.fill(1), B.fill(2);
  const host_vector<T> SA(m, 1, 3, blocks - missing, 5), SB(n, 3, 4, blocks - missing);
  const host_vector<float> S(blocks - missing, 1, 5, columns);
  run_on_schedules<scaled<T, with_tiles, Where, How>>(1, C, SA.batches(), A.in(), B.in(), SB.batches(), S.batches(),
                                                      C.view());
  run_on_model<scaled<T, from_memory, Where, How>>(SA.batches(), A.in(), B.in(), SB.batches(), S.batches(),
                                                   in_memory.view());
  int others = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) others += C.number(i, j) != in_memory.number(i, j);
  CHECK(others == 0);
  check_close(C, f32_close, [&](int i, int j) {
    double sum = 0;
    const int column = j / How.tile.of(mode_named("N"));
    for (int x = 0; x < k && x / 64 < blocks - missing; ++x)
      sum += A.number(i, x) * B.number(j, x) * SA(i, x / 64) * SB(j, x / 64) * S(x / 64, column);
    return sum;
  });
}

}  // namespace

TEST_CASE("scales come with tiles") {
  check_both_ways<float, meeting::in_place, upright>(200, 50, 250);
  check_both_ways<float, meeting::in_place, upright>(1, 1, 1);
  check_both_ways<float, meeting::in_place, upright>(130, 40, 250, 1);
}
TEST_CASE("scales come with tiles: bytes, by turns") { check_both_ways<e4m3, meeting::ahead, turns>(300, 70, 320); }
TEST_CASE("scales come with tiles: halves, in clusters") {
  check_both_ways<bf16, meeting::in_function, of_cluster>(300, 33, 130);
}
TEST_CASE("scales come with tiles: consumers with own tiles") {
  check_both_ways<float, meeting::ahead, own>(300, 70, 130);
}
TEST_CASE("scales come with tiles: swapped") { check_both_ways<float, meeting::in_place, swapped>(90, 140, 130); }
TEST_CASE("scales come with tiles: parts of several boxes") {
  if constexpr (exhaustively) check_both_ways<float, meeting::in_function, tall>(390, 8, 130);
}
