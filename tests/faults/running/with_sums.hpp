// A product with vectors beside it, for the cases that get one of them wrong.
#pragma once
#include "running.hpp"

/// C = A * B^T; what its columns sum up to, the largest number of each of its rows, and the smallest for each tile of
/// columns.
struct with_sums {
  static constexpr auto operands = sectile::operands(
      input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(), output<"sums(N)", float>(),
      vector_output<"least(T,M)", float>(), output<"most(M)", float>());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto sums, auto least, auto most) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(sums, {n}, acc, reduction::add_in_any_order);
    sm.store(most, {m}, row_max(acc));
    sm.store(least, {as<"T">(n), m}, row_min(acc));
    sm.store(C, {m, n}, acc);
  }
};

/// Memory of its vectors; each may be given another.
struct vectors_of_sums {
  std::vector<float> memory = std::vector<float>(1024);
  tensor_view<float> sums = tensor(memory.data(), 64), most = tensor(memory.data() + 256, 128),
                     least = tensor(memory.data() + 512, 1, 128);
};

/// Launches it on the model for 128 x `columns`, behind spoil(its vectors, C).
template <class Spoil>
void run_with_sums(int columns, Spoil spoil) {
  host_matrix<bf16> A(128, 64), B(columns, 64);
  host_matrix<float> C(128, columns);
  vectors_of_sums v;
  spoil(v, C);
  run_on_model<with_sums>(A.in(), B.in(), C.view(), v.sums, v.least, v.most);
}
