// A program whose vectors come with tiles, or are read in memory, in several configurations: for the model and for a GPU.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::test::scales {

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

/// C = (A scaled by columns, and moved by rows) B^T: in registers A's tile meets a part along K and one along M,
/// of batches both.
template <vector_path Path>
struct factor_in_registers {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"scale(G,K)", f16>(Path),
                        vector_input<"shift(G,KB,M)", s8>(Path), output<"C(G,M,N)", float>());
  static constexpr configuration how{
      .tile = {{"G", 1}, {"M", 64}, {"N", 64}, {"K", 64}, {"KB", 1}}, .stages = 3, .consumers = 1, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto scale, auto shift, auto C) {
    auto [g, m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto a = cast<float>(in_registers(sm.load(A, {m, k})));
      const auto moved = map(a, sm.load(scale, {g, k}), sm.load(shift, {g, as<"KB">(k), m}),
                             [](float x, float factor, float off) { return x * factor + off; });
      sum += cast<bf16>(moved) * transpose(sm.load(B, {n, k}));
    }
    sm.store(C, {g, m, n}, sum);
  }
};

inline constexpr tile_extents tile{{"M", 128}, {"N", 32}, {"K", 64}, {"KB", 1}};
inline constexpr configuration upright{.tile = tile, .stages = 3};
inline constexpr configuration turns{.tile = tile, .stages = 3, .persistent = true, .pingpong = true};
inline constexpr configuration of_cluster{.tile = tile, .stages = 2, .cluster = {2, 1}, .persistent = true};
inline constexpr configuration own{.tile = tile, .stages = 3, .own_tiles = true, .persistent = true};
/// Two boxes for columns of the tile.
inline constexpr configuration swapped{
    .tile = {{"M", 40}, {"N", 256}, {"K", 64}, {"KB", 1}}, .stages = 3, .persistent = true, .swap = true};
/// Two boxes for its rows.
inline constexpr configuration tall{
    .tile = {{"M", 384}, {"N", 8}, {"K", 64}, {"KB", 1}}, .stages = 2, .consumers = 3};

}  // namespace sectile::test::scales
