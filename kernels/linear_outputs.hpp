// Layers that leave more than a matrix: what an activation was applied to, gradients of a bias, the largest magnitude
// for the next layer's scale, what a loss needs of its logits, the largest of them. All of it is made of the sums in
// registers, so nothing reads the matrix a second time.
#pragma once
#include <sectile/kernels/linear.hpp>

namespace sectile::kernels {

/// C = gelu(Z), and Z = A W^T + bias, which the gradient of gelu asks for on the way back.
template <class T>
struct linear_gelu_aux {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", T>(), input<"W(N,K)", T>(), input<"bias(N)", T>(),
                                                     output<"Z(M,N)", T>(), output<"C(M,N)", T>());
  static constexpr configuration how = linear_tiles<T>(112, 5).with_own_tiles();

  static constexpr void body(auto& sm, auto A, auto W, auto bias, auto Z, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(W, {n, k}));
    const auto z = acc + sm.load(bias, {n});
    sm.store(Z, {m, n}, z);
    sm.store(C, {m, n}, gelu(z));
  }
};

/// D = A W where Z > 0, else 0, and the sums of D's columns: the gradient of relu(Z) on its way back through the layer
/// behind it, and with it that of the bias in Z. A is the gradient of that layer's result, M x K, and W its weight,
/// K x N. The sums are added in the order of the tiles, in a workspace; or, in any order, without one.
template <class T, reduction Sums = reduction::add>
struct relu_gradient {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", T>(), input<"W(K,N)", T>(), input<"Z(M,N)", T>(),
                                                     output<"D(M,N)", T>(), output<"of_bias(N)", float>());
  static constexpr configuration how = linear_tiles<T>(128, 5).with_own_tiles();

  static constexpr void body(auto& sm, auto A, auto W, auto Z, auto D, auto of_bias) {
    auto [m, n] = sm.tile_of(D);
    auto acc = sm.accumulator(D);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * sm.load(W, {k, n});
    const auto d = map(acc, sm.load(Z, {m, n}), [](float x, float z) { return z > 0 ? x : 0.0f; });
    sm.store(D, {m, n}, d);  // first: TMA copies it while the sums find their way
    sm.combine(of_bias, {n}, d, Sums);
  }
};

/// C = A W^T * scale, and the largest magnitude in it: from that the layer behind chooses the scale by which it rounds
/// C to 8 bits.
template <class T, class Out>
struct linear_amax {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", T>(), input<"W(N,K)", T>(), input<"scale", float>(), output<"C(M,N)", Out>(),
                        output<"amax", float>());
  static constexpr configuration how = linear_tiles<T>(128, 6).with_own_tiles();

  static constexpr void body(auto& sm, auto A, auto W, auto scale, auto C, auto amax) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(W, {n, k}));
    acc *= sm.load(scale, {});
    sm.store(C, {m, n}, acc);
    sm.combine(amax, {}, abs(acc), reduction::max);
  }
};

/// Logits C = A W^T, and for each row and each tile of N the largest of them and the sum of their exponentials behind
/// it: what is left of log(sum(exp(C))), the cross entropy's normaliser, is a loop over the tiles. A row's numbers are
/// the same whichever rows stand beside it.
template <class T>
struct linear_cross_entropy {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", T>(), input<"W(N,K)", T>(), output<"C(M,N)", T>(),
                        vector_output<"most(T,M)", float>(), vector_output<"sums(T,M)", float>());
  static constexpr configuration how = linear_tiles<T>(128, 5).with_own_tiles();

  static constexpr void body(auto& sm, auto A, auto W, auto C, auto most, auto sums) {
    auto [m, n] = sm.tile_of(C);
    const auto columns = size<"N">(C);
    const auto tile = as<"T">(n);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(W, {n, k}));
    mask(
        acc, {m, n}, columns % extent<"N">(C) != 0, [=](int, int col) { return col < columns; }, -infinity);
    const auto top = row_max(acc);
    sm.store(most, {tile, m}, top);
    sm.store(sums, {tile, m}, row_sum(exp(acc - top)));
    sm.store(C, {m, n}, acc);
  }
};

/// Logits C = A W^T, and for each row and each tile of N the largest of them and its column, of equals the first: the
/// largest of a row's tiles is what greedy sampling takes.
template <class T>
struct linear_argmax {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", T>(), input<"W(N,K)", T>(), output<"C(M,N)", T>(),
                        vector_output<"most(T,M)", float>(), vector_output<"where(T,M)", s32>());
  static constexpr configuration how = linear_cross_entropy<T>::how;

  static constexpr void body(auto& sm, auto A, auto W, auto C, auto most, auto where) {
    auto [m, n] = sm.tile_of(C);
    const auto tile = as<"T">(n);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(W, {n, k}));
    const auto [top, column] = row_argmax(acc, {m, n}, size<"N">(C));
    sm.store(most, {tile, m}, top);
    sm.store(where, {tile, m}, column);
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace sectile::kernels
