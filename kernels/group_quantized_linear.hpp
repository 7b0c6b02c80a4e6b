// Layers whose weights of 4 or 8 bits have a scale, and a zero point, for every few neighbours along K: how language
// models are stored that lose little by it. quantized_linear (linear.hpp) is the layer with a scale for each output.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

/// C = ((W - zero) * scale) A^T: W is N x K with a scale for each row of a group of K, scale(G,N), and of 4-bit
/// integers a zero point if asked for, zero(G,N), a whole number of W's range. (C is as in quantized_linear.) Of few
/// activations the sums of a group are scaled, not the weights, which would be work for each of them: a trip has one
/// group, and adds its sums to those of the groups before. So loops may be split, as few activations ask for, whose few
/// tiles have all of the weights. Of many activations each weight is scaled, and rounded to T: then no product waits
/// for the one before.
template <class Weight, class T, int Group = 128, bool Zeros = false, storage_order Order = row_major>
struct group_quantized_linear {
  static_assert(!Zeros || element_of<Weight>().bits == 4, "weights of 4 bits have zero points");
  static constexpr auto operands =
      sectile::operands(input<"W(N,K)", Weight>(), input<"A(M,K)", T>(), vector_input<"scale(G,N)", T>(with_tiles),
                        output<"C(N,M)", T>(Order), when<Zeros>(vector_input<"zero(G,N)", T>(with_tiles)));
  static constexpr configuration of_few(int m, int stages, int split) {
    return {.tile = {{"N", 64}, {"M", m}, {"K", Group}, {"G", 1}}, .stages = stages, .consumers = 1, .split = split};
  }
  static constexpr int scales_weights = 1;  // variant
  static constexpr configuration of_many{.tile = {{"N", 128}, {"M", 256}, {"K", Group}, {"G", 1}},
                                         .stages = 2,
                                         .cluster = {2, 1},
                                         .persistent = true,
                                         .variant = scales_weights};
  /// Two CTAs are at work on an SM at a time, which a few stages feed; of 64 rows five would leave room for one CTA.
  /// More parts than fill the SMs so were slower on an H200. (A pick thinks of one CTA on an SM; with these stages it
  /// takes the member that was the fastest there.)
  static constexpr auto how =
      configurations(of_many, of_few(64, 3, 1), of_few(64, 4, 2), of_few(16, 5, 1), of_few(16, 7, 2));
  static constexpr auto sums = any_order;

  static constexpr void body(auto& sm, auto W, auto A, auto scale, auto C, auto... zero) {
    auto [n, m] = sm.tile_of(C);
    auto sum = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      const auto g = as<"G">(k);
      // Numbers first, so that the warps meet once behind all that they read in a stage.
      const auto of_group = in_registers(sm.load(scale, {g, n}));
      const auto weights = [&, n = n](const auto&... less) {
        return (cast<T>(in_registers(sm.load(W, {n, k}))) - ... - less);
      };
      const auto w = weights(in_registers(sm.load(zero, {g, n}))...);
      if constexpr (variant_of<decltype(sm)> == scales_weights) {
        sum += (w * of_group) * transpose(sm.load(A, {m, k}));
      } else {
        auto part = sm.accumulator(C, as<float>());
        part += w * transpose(sm.load(A, {m, k}));
        sum = fma(part, of_group, sum);
      }
    }
    sm.store(C, {n, m}, sum);
  }
};

}  // namespace sectile::kernels
