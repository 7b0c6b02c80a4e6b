// Kernels with one mistake each, made in the plan, where the proofs would see it: their verdict is overruled here. What
// a GPU then does must end in the debug machine's report.
#pragma once
#include <sectile/dsl/launch/checked.hpp>
#include <sectile/kernels/attention.hpp>

namespace sectile::gpu_test {

/// C = A B^T with small tiles.
template <int M, configuration How>
struct product {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how = How.with_tile({{"M", M}, {"K", 64}, {"N", 128}});
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};
using tiny = product<64, configuration{.stages = 2, .consumers = 1}>;
using two_consumers = product<128, configuration{.stages = 2, .consumers = 2}>;
using in_cluster = product<128, configuration{.stages = 2, .cluster = {2, 1}, .consumers = 2, .persistent = true}>;

/// The same from the tile before the first: TMA would fill it with zeros, and nobody would notice.
struct off_by_one : tiny {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k - 1}) * transpose(sm.load(B, {n, k - 1}));
    sm.store(C, {m, n}, acc);
  }
};

template <class Kernel, class Mistake>
struct mutant : Kernel {};

struct one_arrival_more {
  static constexpr plan in(plan p) { return ++p.ring[0].empty_arrivals, p; }
};
struct one_arrival_less {
  static constexpr plan in(plan p) { return --p.ring[0].empty_arrivals, p; }
};
struct never_released {
  static constexpr plan in(plan p) {
    for (step& s : p.steps) s.keep[0] = -1, s.release[0] = 0;
    return p;
  }
};
template <int More>
struct other_bytes {
  static constexpr plan in(plan p) { return p.ring[0].transaction_bytes += More, p; }
};
struct half_a_tile {
  static constexpr plan in(plan p) { return p.operand[1].box.extent[1] /= 2, p; }
};
/// 8 rows of B too many, and announced: they land behind the stage.
struct box_too_tall {
  static constexpr plan in(plan p) {
    p.operand[1].box.extent[1] += 8;
    p.ring[0].transaction_bytes += 8 * row_bytes(p.operand[1].box);
    return p;
  }
};
struct no_turn_is_passed {
  static constexpr plan in(plan p) {
    for (step& s : p.steps) s.arrive_in_order = false;
    return p;
  }
};
struct registers_beyond_the_pool {
  static constexpr plan in(plan p) { return p.consumer_registers += 8, p; }
};

}  // namespace sectile::gpu_test

template <class Kernel, class Mistake>
inline constexpr sectile::plan sectile::plan_of<sectile::gpu_test::mutant<Kernel, Mistake>> =
    Mistake::in(sectile::plan_of<Kernel>);
/// A launch holds tensor maps against the plan and refuses boxes that do not make a tile. Here it is told that they do:
/// the device has to find them.
template <class K>
inline constexpr sectile::plan plan_for_launch = [] {
  sectile::plan p = sectile::plan_of<K>;
  for (sectile::operand_plan& op : p.operand)
    op.tile_bytes = bytes(op.box) * op.panels * op.boxes_per_panel * op.slices;
  return p;
}();
template <class Kernel, class Mistake>
inline constexpr sectile::launchable
    sectile::launchable_of<sectile::checked<sectile::gpu_test::mutant<Kernel, Mistake>>> = {
        &plan_for_launch<sectile::checked<sectile::gpu_test::mutant<Kernel, Mistake>>>,
        detail::signature<sectile::checked<sectile::gpu_test::mutant<Kernel, Mistake>>>(),
        read_path<sectile::checked<sectile::gpu_test::mutant<Kernel, Mistake>>>};
template <class Kernel, class Mistake, int... I>
inline constexpr bool
    sectile::verified<sectile::checked<sectile::gpu_test::mutant<Kernel, Mistake>>, std::integer_sequence<int, I...>> =
        true;
template <class Kernel, class Mistake>
inline constexpr sectile::violation
    sectile::verdict_here<sectile::checked<sectile::gpu_test::mutant<Kernel, Mistake>>>{};
