// C = A B^T of 8-bit floats with scales for every 128 of K, as inference and training in 8 bits have them: the sums of
// a block of 128 keep what the tensor cores keep of them, are scaled, and go on as f32.
//
// A is M x K with a scale for each row of a block, SA(KB,M): 1 x 128. Those of B, N x K, go with squares of 128 x 128,
// SB(N/128,KB), as weights are stored with them, or with its rows as well, SB(KB,N). M, N and K are free: the last
// block of K and the last squares may be smaller.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

inline constexpr int scaled_block = 128;  // along K; of squares along N, too

/// What has one scale in B.
enum class scaled_part : std::uint8_t { square, row };

/// Scales are f32, or powers of two as bytes: of u8, the exponent plus 127 (E8M0), from 1 on: 2^-127 counts as 0. Tiles
/// may be of any width. To wait for a product, read scales and add up takes longer than another product of 128 columns
/// does, and not so long as two: so of narrow tiles three consumers take turns.
template <class T, class Out, scaled_part OfB = scaled_part::square, class Scale = float, int Columns = scaled_block>
struct block_scaled_gemm {
  static constexpr bool squares = OfB == scaled_part::square, exponents = std::is_same_v<Scale, u8>;
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", T>(), input<"B(N,K)", T>(), vector_input<"SA(KB,M)", Scale>(with_tiles),
      vector_input<either<squares>("SB(N/128,KB)", "SB(KB,N)"), Scale>(with_tiles), output<"C(M,N)", Out>());
  static constexpr int consumers = squares && Columns <= 128 ? 3 : 2;  // scales of rows fill more registers
  static constexpr configuration how{.tile = {{"M", 64 * consumers}, {"N", Columns}, {"K", scaled_block}, {"KB", 1}},
                                     .stages = consumers == 3 || Columns > 128 ? 4 : 6,
                                     .consumers = consumers,
                                     .persistent = true,
                                     .pingpong = true};

  /// A block's product. Each of its elements is scaled once, or twice: then all of it is made first.
  static constexpr auto begin(auto& sm, const auto& product) {
    if constexpr (squares)
      return sm.in_parts(product);
    else
      return sm.accumulator(product);
  }
  static constexpr void body(auto& sm, auto A, auto B, auto SA, auto SB, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto block = as<"KB">(k);
      auto part = begin(sm, sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      const auto of_rows = in_registers(sm.load(SA, {block, m}));
      if constexpr (squares && exponents)
        sum = fma(part, exp2(of_rows - 127.0F) * exp2(in_registers(sm.load(SB, {n, block})) - 127.0F), sum);
      else if constexpr (squares)
        sum = fma(part, of_rows * in_registers(sm.load(SB, {n, block})), sum);
      else if constexpr (exponents)
        sum = fma(part * exp2(in_registers(sm.load(SB, {block, n})) - 127.0F), exp2(of_rows - 127.0F), sum);
      else
        sum = fma(part * sm.load(SB, {block, n}), of_rows, sum);
    }
    sm.store(C, {m, n}, sum);
  }
};

}  // namespace sectile::kernels
