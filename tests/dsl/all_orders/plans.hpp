// Programs whose orders are explored: every way in which the roles can be tied together, in small tiles.
#pragma once
#include "tests/left_out.hpp"
#include "tests/programs/matmul.hpp"
#include "tests/programs/merge.hpp"

namespace sectile::orders {

using test::matmul;

// ---- one loop, one ring
template <int Stages, int Consumers = 1>
using gemm = matmul<64 * Consumers, 64, 64, configuration{.stages = Stages, .consumers = Consumers}>;
/// Two tiles one after the other, the first one's epilogue under the second one's products.
template <int Stages, int Consumers = 1>
using persistent_gemm =
    matmul<64 * Consumers, 64, 64, configuration{.stages = Stages, .consumers = Consumers, .persistent = true}>;
/// Tiles that are drawn.
template <int Stages, int Consumers, int Rows = 1>
using drawn_gemm = matmul<64 * Consumers, 64, 64,
                          configuration{.stages = Stages,
                                        .cluster = {Rows, 1},
                                        .consumers = Consumers,
                                        .persistent = true,
                                        .dynamic = true}>;
/// Tiles of their own, which the consumers make by turns.
template <int Stages, int Consumers = 2>
using own_tiles_gemm = matmul<64, 64, 64,
                              configuration{.stages = Stages,
                                            .consumers = Consumers,
                                            .own_tiles = true,
                                            .persistent = true}>;
template <int Stages>
using staggered_gemm = matmul<128, 64, 64, configuration{.stages = Stages, .consumers = 2, .stagger = 1}>;
/// Panels of f32 are stored a few at a time.
using wide_epilogue = matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1}, float>;

// ---- parts of tiles that meet in a workspace
/// Of the trips of every tile, for more clusters than share memory.
template <int Stages, int Consumers = 1>
using parted_gemm =
    matmul<64 * Consumers, 64, 64, configuration{.stages = Stages, .consumers = Consumers, .split = 9}, float>;
/// Of the last tiles, behind whole ones.
template <int Stages, int Consumers = 1, int Rows = 1>
using streamed_gemm = matmul<64 * Consumers, 64, 64,
                             configuration{.stages = Stages,
                                           .cluster = {Rows, 1},
                                           .consumers = Consumers,
                                           .persistent = true,
                                           .streamed = true},
                             float>;
/// Two sums of a tile: whoever comes last to the first meeting waits for the other parts at the second.
template <bool Streamed>
using two_parted_sums = test::two_sums<configuration{.tile = {{"M", 64}, {"K", 64}, {"N", 64}},
                                                     .stages = 2,
                                                     .consumers = 1,
                                                     .persistent = Streamed,
                                                     .streamed = Streamed,
                                                     .split = Streamed ? 1 : 9}>;

/// Two states of a tile, which the body merges.
using two_merged_states = test::largest_and_sum<configuration{
    .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .split = 9}>;
/// The first of them by three parts at once.
using states_of_groups = test::largest_and_sum<configuration{
    .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .split = 9, .fan_in = 3}>;

// ---- clusters
template <int Rows, int Cols, int Stages, int Consumers = 1, bool Persistent = false>
using cluster_gemm =
    matmul<64 * Consumers, 64, 64,
           configuration{.stages = Stages, .cluster = {Rows, Cols}, .consumers = Consumers, .persistent = Persistent}>;

// ---- several rings
/// Scores against keys, then values: consumers take turns at the tensor cores, full ones, or do not.
template <bool Turns, bool Full = false>
struct attention_like {
  static constexpr auto operands = sectile::operands(input<"Q(M,D)", bf16>(), input<"K(N,D)", bf16>(),
                                                     input<"V(N,P)", bf16>(), output<"O(M,P)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 128}, {"D", 64}, {"N", 64}, {"P", 64}},
                                              .stages = 2,
                                              .consumers = 2,
                                              .pingpong = Turns,
                                              .full_turns = Full};
  static constexpr void body(auto& sm, auto Q, auto K, auto V, auto O) {
    auto [m, p] = sm.tile_of(O);
    auto q = sm.load(Q, {m, 0});
    auto o = sm.accumulator(O);
    auto s = sm.accumulator(q * transpose(sm.load(K, {0, 0})));
    auto t = cast<bf16>(s);
    for (auto n : sm.pipelined(tiles<"N">(K) - 1)) {
      s = q * transpose(sm.load(K, {n + 1, 0}));
      o += t * sm.load(V, {n, p});
      t = cast<bf16>(s);
    }
    o += t * sm.load(V, {tiles<"N">(K) - 1, p});
    sm.store(O, {m, p}, o);
  }
};

/// Two loops whose trips have nothing to do with each other, into one sum or two.
template <int Stages, bool Persistent, bool Two = false>
struct two_loops {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), input<"D(M,L)", bf16>(),
                        input<"E(N,L)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}, {"L", 64}}, .stages = Stages, .consumers = 1, .persistent = Persistent};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto E, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C), y = sm.accumulator(C);
    auto& second = Two ? y : x;
    for (auto k : sm.pipelined(test::all_but(1, tiles<"K">(A))))
      x += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    for (auto l : sm.pipelined(test::all_but(1, tiles<"L">(D))))
      second += sm.load(D, {m, l}) * transpose(sm.load(E, {n, l}));
    if constexpr (Two) x += y;
    sm.store(C, {m, n}, x);
  }
};

/// A loop in a loop, the outer one's tile in registers.
struct nested_loops {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", f16>(), input<"B(N',K)", f16>(), output<"C(M,N)", f16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = in_registers(sm.load(A, {m, k}));
      for (auto j : sm.pipelined(tiles<"N'">(B))) x += a * transpose(sm.load(B, {as<"N">(j), k}));
    }
    sm.store(C, {m, n}, x);
  }
};

/// Products in both loops, with nothing between them that waits.
struct nested_sums {
  static constexpr auto operands = two_loops<2, false>::operands;
  static constexpr sectile::configuration how{
      .tile = two_loops<2, false>::how.tile, .stages = 3, .consumers = 1, .persistent = true};
  static constexpr void body(auto& sm, auto A, auto B, auto D, auto E, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto x = sm.accumulator(C), y = sm.accumulator(C);
    for (auto k : sm.pipelined(test::all_but(1, tiles<"K">(A)))) {
      x += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      for (auto l : sm.pipelined(test::all_but(1, tiles<"L">(D))))
        y += sm.load(D, {m, l}) * transpose(sm.load(E, {n, l}));
    }
    sm.store(C, {m, n}, x + y);
  }
};

// ---- ordinary loads from a stage
template <int Stages>
struct left_in_registers {
  static constexpr auto operands = gemm<Stages>::operands;
  static constexpr sectile::configuration how{.tile = gemm<Stages>::how.tile, .stages = Stages, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += in_registers(sm.load(A, {m, k})) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// A's stages are only brought into registers: no product stands between a loop's loads and their release.
template <int Stages, int Cols = 1>
struct only_read {
  static constexpr auto operands =
      sectile::operands(input<"A(M,N')", bf16>(), input<"B(N,N')", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 64}}, .stages = Stages, .cluster = {1, Cols}, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"N'">(A))) sum += cast<float>(in_registers(sm.load(A, {m, k})));
    auto s = cast<bf16>(sum);
    auto acc = sm.accumulator(s * transpose(sm.load(B, {n, 0})));
    sm.store(C, {m, n}, acc);
  }
};

/// Sparse A: values and metadata in one stage.
template <int Stages, int Rows>
struct sparse_gemm {
  static constexpr auto operands =
      sectile::operands(sparse_input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 128}, {"N", 64}}, .stages = Stages, .cluster = {Rows, 1}, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace sectile::orders
