// Products of groups in 8-bit floats with scales for every 128 of K: experts' layers as inference has them.
//
// X is T x K, the rows of all E groups one behind the other, with a scale for each row of a block, SX(KB,T); group e's
// rows meet matrix W_e of E x N x K, which has scales for squares of 128 x 128, SW(E,NB,KB). See block_scaled_gemm.hpp
// for the sums, and grouped_gemm.hpp for groups: of any size, wherever they end, or with a room for each.
#pragma once
#include <sectile/kernels/block_scaled_gemm.hpp>

namespace sectile::kernels {

/// Tiles of 192 columns, whose two consumers take no turns: one's product runs while the other adds up. Those of 256
/// rows, of which a consumer makes 64 after 64, are faster where nearly all groups fill them; they are drawn.
template <class T, class Out, int Columns = 192, int Rows = 128>
struct grouped_block_scaled_gemm {
  static constexpr auto operands = sectile::operands(
      input<"X(E,T,K)", T>(), input<"W(E,N,K)", T>(), vector_input<"SX(KB,E,T)", float>(with_tiles),
      vector_input<"SW(E,N/128,KB)", float>(with_tiles), group_ends<"ends(E)", "T">(), output<"Y(E,T,N)", Out>());
  static constexpr bool tall = Rows > 128, small = !tall && Columns <= 128;
  static constexpr configuration how{.tile = {{"T", Rows}, {"N", Columns}, {"K", scaled_block}, {"KB", 1}},
                                     .stages = small ? 6 : 4,
                                     .persistent = true,
                                     .dynamic = tall,
                                     .pingpong = small};

  static constexpr void body(auto& sm, auto X, auto W, auto SX, auto SW, auto, auto Y) {
    auto [e, t, n] = sm.tile_of(Y);
    auto sum = sm.accumulator(Y, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(X))) {
      const auto block = as<"KB">(k);
      auto part = sm.in_parts(sm.load(X, {e, t, k}) * transpose(sm.load(W, {e, n, k})));
      const auto of_rows = in_registers(sm.load(SX, {block, e, t}));
      sum = fma(part, of_rows * in_registers(sm.load(SW, {e, n, block})), sum);
    }
    sm.store(Y, {e, t, n}, sum);
  }
};

/// For groups of a thousand rows and more.
template <class T, class Out>
using tall_grouped_block_scaled_gemm = grouped_block_scaled_gemm<T, Out, 128, 256>;

/// The same of groups that have rooms, of which the first counts[e] rows are there.
template <class T, class Out, int Columns = 192>
struct masked_block_scaled_gemm : grouped_block_scaled_gemm<T, Out, Columns> {
  static constexpr auto operands = sectile::operands(
      input<"X(E,T,K)", T>(), input<"W(E,N,K)", T>(), vector_input<"SX(KB,E,T)", float>(with_tiles),
      vector_input<"SW(E,N/128,KB)", float>(with_tiles), group_counts<"counts(E)", "T">(), output<"Y(E,T,N)", Out>());
};

}  // namespace sectile::kernels
