// A product whose columns are summed over tiles in order, for the cases that get what meets in the workspace wrong.
#pragma once
#include "running.hpp"

struct in_order {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(M,N)", bf16>(), output<"of_col(N)", float>());
  static constexpr sectile::configuration how = product::how;

  static constexpr void body(auto& sm, auto A, auto B, auto C, auto of_col) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(of_col, {n}, acc, reduction::add);
    sm.store(C, {m, n}, acc);
  }
};
/// The same in more parts than a cluster has CTAs: both meet in the workspace.
struct in_order_and_parts : in_order {
  static constexpr sectile::configuration how{.tile = product::how.tile, .stages = 2, .consumers = 2, .split = 12};
};

/// Operands of 3 x 3 tiles, and the workspace that they take.
template <class Kernel = in_order>
struct operands_in_order {
  host_matrix<bf16> A{330, 200}, B{136, 200}, C{330, 136};
  std::vector<float> memory = std::vector<float>(136);
  tensor_view<float> sums = tensor(memory.data(), 136);
  host_workspace room{workspace_bytes<Kernel>(A.in(), B.in(), C.view(), sums)};

  template <class K = Kernel>
  void run(workspace given) {
    run_on_model_with<K>({.workers = 1}, A.in(), B.in(), C.view(), sums, given);
  }
};
