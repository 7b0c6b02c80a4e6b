// Layers of neural networks around a product of matrices: what is done to the sums before they are stored, written as
// in a textbook. A is M x K, a weight W is N x K (as frameworks store it), C is M x N.
//
// Vectors go along the mode they name and are read where they are used, so they have any length and alignment. A row of
// the epilogue costs what its arithmetic costs; the sums never leave the registers in between.
#pragma once
#include <sectile/dsl.hpp>

namespace sectile::kernels {

enum class activation : std::uint8_t { none, relu, gelu, gelu_tanh, silu };

template <activation F, class X>
constexpr auto activate(const X& x) {
  if constexpr (F == activation::relu)
    return relu(x);
  else if constexpr (F == activation::gelu)
    return gelu(x);
  else if constexpr (F == activation::gelu_tanh)
    return gelu_tanh(x);
  else if constexpr (F == activation::silu)
    return silu(x);
  else
    return x;
}

/// Tiles of 128 rows and n columns, whose rows of K fill a swizzle.
template <class T>
constexpr configuration linear_tiles(int n, int stages, launch_overlap overlap = launch_overlap::none) {
  return {.tile = {{"M", 128}, {"N", n}, {"K", 1024 / element_of<T>().bits}},
          .stages = stages,
          .cluster = {2, 1},
          .persistent = true,
          .overlap = overlap};
}

/// C = F(A W^T + bias)
template <class T, activation F = activation::none>
struct linear {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", T>(), input<"W(N,K)", T>(), input<"bias(N)", T>(), output<"C(M,N)", T>());
  /// What is done to the sums is done by one consumer while the other one multiplies.
  static constexpr configuration how = linear_tiles<T>(128, 6, launch_overlap::both).with_own_tiles();

  static constexpr void body(auto& sm, auto A, auto W, auto bias, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(W, {n, k}));
    sm.store(C, {m, n}, activate<F>(acc + sm.load(bias, {n})));
  }
};

/// C = F(A W^T + bias) + R: the end of a block with a residual connection. C may be R itself.
template <class T, activation F = activation::none>
struct linear_residual {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", T>(), input<"W(N,K)", T>(), input<"bias(N)", T>(),
                                                     input<"R(M,N)", T>(), output<"C(M,N)", T>());
  static constexpr configuration how = linear_tiles<T>(128, 5, launch_overlap::both).with_own_tiles();

  static constexpr void body(auto& sm, auto A, auto W, auto bias, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(W, {n, k}));
    // Before the sums are used: behind its last load a consumer's turn is over.
    const auto r = cast<float>(in_registers(sm.load(R, {m, n})));
    sm.store(C, {m, n}, activate<F>(acc + sm.load(bias, {n})) + r);
  }
};

/// C = F(A W^T) * (A V^T), element by element: SwiGLU with silu, GeGLU with gelu (Shazeer, 2020). Both products take A
/// from the same stage.
template <class T, activation F>
struct gated_linear {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", T>(), input<"W(N,K)", T>(), input<"V(N,K)", T>(), output<"C(M,N)", T>());
  /// Of 16 rows of tiles, what all SMs work on at a time takes as many rows of A as of both weights together.
  static constexpr configuration how = linear_tiles<T>(112, 4, launch_overlap::both).with_group(16);

  static constexpr void body(auto& sm, auto A, auto W, auto V, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto gate = sm.accumulator(C), value = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      gate += a * transpose(sm.load(W, {n, k}));
      value += a * transpose(sm.load(V, {n, k}));
    }
    sm.store(C, {m, n}, activate<F>(gate) * value);
  }
};

/// C = (A W^T) scaled by row and by column: 8-bit products with a scale for each row of both matrices, exact sums of
/// integers among them.
template <class T, class Out>
struct scaled_linear {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", T>(), input<"W(N,K)", T>(), input<"of_row(M)", float>(),
                        input<"of_col(N)", float>(), output<"C(M,N)", Out>());
  static constexpr configuration how = linear_tiles<T>(256, 4);

  static constexpr void body(auto& sm, auto A, auto W, auto of_row, auto of_col, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(W, {n, k}));
    sm.store(C, {m, n}, cast<float>(acc) * sm.load(of_row, {m}) * sm.load(of_col, {n}));
  }
};

/// C = W A^T scaled by row: weights of 8 or 4 bits, each output's with a scale, and activations of 16 bits. The weights
/// become as wide on their way to the tensor cores. (What passes through registers is an instruction's left factor, so
/// a row of C is an output, a column what it is for one row of A: with C col_major, memory has a row for each of A's.)
/// Of few activations the weights are all that is read, and a split of K is what gives every SM some of them. What a
/// thread does to each weight bounds them as much as memory does: it is least for weights that are shuffled<>. Two CTAs
/// of 16 rows find room on an SM; in parts they begin under the end of the launch before.
template <class Weight, class T, storage_order Order = row_major>
struct quantized_linear {
  static constexpr auto operands = sectile::operands(input<"W(N,K)", Weight>(), input<"A(M,K)", T>(),
                                                     input<"scale(N)", float>(), output<"C(N,M)", T>(Order));
  static constexpr configuration of_few(int n, int m, int stages, int consumers, int split, int k) {
    return {.tile = {{"N", n}, {"M", m}, {"K", k}}, .stages = stages, .consumers = consumers, .split = split};
  }
  static constexpr int line = 1024 / element_of<Weight>().bits,
                       lines = 1024 / line;  // elements of 128 bytes; under way
  /// Integers of 8 bits take longest to convert: shorter tiles leave room for the stages that it takes to do so while
  /// the tensor cores are at work (see dsl/plan/widening.hpp).
  static constexpr bool in_halves = element_of<Weight>().bits == 8 && element_of<Weight>().kind != number::floating;
  static constexpr configuration of_many{.tile = {{"N", 128}, {"M", 256}, {"K", in_halves ? 64 : 128}},
                                         .stages = in_halves ? 4 : 2,
                                         .cluster = {2, 1},
                                         .persistent = true};
  static constexpr configuration early = [] {  // parts of few rows begin while the launch before ends
    configuration c = of_few(64, 16, 4 + lines / 2, 1, 2, line);
    c.overlap = launch_overlap::both;
    return c;
  }();
  static constexpr auto how = configurations(of_many, of_few(128, 128, 4, 2, 1, 128), of_few(128, 128, 4, 2, 2, 128),
                                             of_few(128, 64, 6, 2, 1, 128), of_few(128, 64, 6, 2, 2, 128),
                                             of_few(64, 16, lines, 1, 1, line), early);
  static constexpr auto sums = any_order;

  static constexpr void body(auto& sm, auto W, auto A, auto scale, auto C) {
    auto [n, m] = sm.tile_of(C);
    auto acc = sm.accumulator(C, as<float>());
    for (auto k : sm.pipelined(tiles<"K">(A)))
      acc += cast<T>(in_registers(sm.load(W, {n, k}))) * transpose(sm.load(A, {m, k}));
    sm.store(C, {n, m}, acc * sm.load(scale, {n}));
  }
};

/// C = alpha A W^T + beta R, what BLAS calls a GEMM: R, of C's type, may be C itself. (Unlike BLAS's it is read where
/// beta is 0 as well: what is NaN or infinite there stays NaN.)
template <class T, class Out>
struct scaled_sum {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", T>(), input<"W(N,K)", T>(), input<"R(M,N)", Out>(), output<"C(M,N)", Out>(),
                        scalar<"alpha", float>(), scalar<"beta", float>());
  static constexpr configuration how = linear_tiles<T>(128, element_of<Out>().bits == 32 ? 4 : 5);

  static constexpr void body(auto& sm, auto A, auto W, auto R, auto C, auto alpha, auto beta) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(W, {n, k}));
    acc *= alpha;
    sm.store(C, {m, n}, acc + beta * cast<float>(in_registers(sm.load(R, {m, n}))));
  }
};

/// C = A A^T, the products of all rows with each other.
template <class T, class Out>
struct gram {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", T>(), output<"C(M,M')", Out>());
  static constexpr configuration how{
      .tile = {{"M", 128}, {"K", 1024 / element_of<T>().bits}}, .stages = 6, .persistent = true};

  static constexpr void body(auto& sm, auto A, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(A, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

}  // namespace sectile::kernels
