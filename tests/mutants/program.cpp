// Runs kernels on the model; KERNEL says which. Compiled with one line of the lowering changed (see mutants.cmake), and
// with the proofs left out: what they refuse the model has to notice as well.
#include <cstdio>
#include <sectile/dsl/launch/model.hpp>

#include "tests/programs/host_tensor.hpp"

using namespace sectile;

namespace {

/// C = A * B^T in tiles of 128 x 64.
template <int Depth, configuration How>
struct product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = How.with_tile({{"M", 128}, {"K", Depth}, {"N", 64}});
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

/// Two panels of A and of B.
using two_panels = product<128, configuration{.stages = 2, .consumers = 2}>;
/// Two CTAs that share B.
using slices = product<64, configuration{.stages = 2, .cluster = {2, 1}, .consumers = 2}>;
/// The last tile goes out behind the last products; bands of 2 rows of tiles, the last of 1.
using deferring = product<64, configuration{.stages = 2, .consumers = 2, .persistent = true, .group = 2}>;

/// Consumers with tiles of their own.
using by_turns = product<64, configuration{.stages = 2, .consumers = 2, .own_tiles = true, .persistent = true}>;

/// The transpose in registers, turned on its way out in panels of half the tile's rows; it may begin early.
using swapped =
    product<64, configuration{.stages = 2, .consumers = 1, .swap = true, .overlap = launch_overlap::prologue}>;

/// Sums that begin with zeros; consumers that take turns; a mask.
struct turns {
  static constexpr auto operands = deferring::operands;
  static constexpr sectile::configuration how{
      .tile = deferring::how.tile, .stages = 4, .consumers = 2, .pingpong = true};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto product = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      mask(
          product, {m, n}, true, [](int row, int col) { return col <= row; }, 0);
      sum += product;
    }
    sm.store(C, {m, n}, sum);
  }
};

/// Sums in four parts, which meet in two rounds, and in two.
using in_four = product<64, configuration{.stages = 2, .consumers = 2, .split = 4}>;
using in_two = product<64, configuration{.stages = 2, .consumers = 2, .split = 2}>;
/// In more parts than a cluster has room for.
using in_twelve = product<64, configuration{.stages = 2, .consumers = 2, .split = 12}>;

/// Two sums of a tile, which meet one after the other.
struct in_twelve_twice : in_twelve {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto one = sm.accumulator(C), other = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      one += a * b;
      other -= a * b;
    }
    sm.store(C, {m, n}, one * other);
  }
};

/// What all elements, columns and rows add up to, over tiles in order.
struct added_up {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(),
                        output<"sum", float>(), output<"of_col(N)", float>(), output<"of_row(M)", float>());
  static constexpr sectile::configuration how = slices::how;
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto sum, auto of_col, auto of_row) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(sum, {}, acc, reduction::add);
    sm.combine(of_col, {n}, acc, reduction::add);
    sm.combine(of_row, {m}, acc, reduction::add);
    sm.store(C, {m, n}, acc);
  }
};

/// Memory has the columns one behind the other.
struct by_columns : swapped {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>(col_major));
  static constexpr sectile::configuration how{.tile = swapped::how.tile, .stages = 2, .consumers = 2};
};

/// Elements of 8 bits, two rows of which are a unit.
struct bytes_by_columns : by_columns {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", e4m3>(col_major));
};

/// Rows and columns hang over the edges of the tiles, and the last columns are copied by threads.
template <class... Kernel>
int run() {
  test::host_tensor<bf16> A({330, 200}), B({124, 200}), rows({330, 124}), columns({330, 124}, col_major);
  test::host_tensor<e4m3> bytes({330, 124}, col_major);
  const auto C_of = [&]<class K>() {
    if constexpr (std::is_same_v<K, bytes_by_columns>)
      return bytes.view();
    else
      return operand_facts_of<K, 2>().order == row_major ? rows.view() : columns.view();
  };
  std::vector<float> sum(1), of_col(124), of_row(330);
  const auto run_one = [&]<class K>() {
    const auto with = [&](const auto&... vectors) {
      run_on_model_by_itself<K>({.workers = 1}, A.in(), B.in(), C_of.template operator()<K>(), vectors...);
    };
    if constexpr (operand_count<K> == 6)
      with(tensor(sum.data()), tensor(of_col.data(), 124), tensor(of_row.data(), 330));
    else
      with();
  };
  A.fill(1);
  B.fill(2);
  try {
    (run_one.template operator()<Kernel>(), ...);
  } catch (const model::hazard& found) {
    std::printf("the model found a hazard: %s\n", found.what());
    return rows.touched() + columns.touched() + bytes.touched() == 0 ? 3 : 4;
  }
  std::puts("nothing was noticed");
  return 0;
}

}  // namespace

int main() { return run<KERNEL>(); }
