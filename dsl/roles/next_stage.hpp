// What a consumer knows of the stages that it takes next.
#pragma once
#include <sectile/dsl/roles/role.hpp>

namespace sectile {

/// Whether a consumer asks for its next stage as it gives one back, and keeps where that one begins. Products that are
/// made in parts are added between each other, so the tensor cores wait for all that stands between the last sums of a
/// trip and the first product of the next. Elsewhere other products run meanwhile, and it takes registers.
template <class K, class Machine>
inline constexpr bool asks_ahead =
    makes_parts(plan_of<K>.products) && requires(Machine& hw) { hw.mbarrier_test(0u, 0); };

template <class K, class Machine, bool Asks = asks_ahead<K, Machine>>
struct next_stages {
  template <int Ring>
  static constexpr bool is_full() {
    return false;
  }
  template <int I>
  static constexpr std::uint32_t address(const auto& of_stage, int stage) {
    return of_stage(stage);
  }
  template <int Ring>
  static constexpr void take(const auto&, int) {}
  template <int Ring>
  static constexpr void ask(Machine&, std::uint32_t, int) {}
};
template <class K, class Machine>
struct next_stages<K, Machine, true> {
  bool full[max_rings]{};            // it was when somebody asked
  std::uint32_t first[max_rings]{};  // byte of the ring

  template <int Ring>
  constexpr bool is_full() const {
    return full[Ring];
  }
  /// Where operand I's tile of the next one begins.
  template <int I>
  constexpr std::uint32_t address(const auto& of_stage, int) const {
    return of_stage(0) + first[operand_plan_of<K, I>.ring];
  }
  /// That one is taken, number `stage`; if `all` of it is, another one is the next.
  template <int Ring>
  constexpr void take(const auto& all, int stage) {
    if (!all()) return;
    full[Ring] = false;
    first[Ring] = stage + 1 == ring_of<K, Ring>.stages_of_lane() ? 0 : first[Ring] + ring_of<K, Ring>.stage_bytes;
  }
  template <int Ring>
  constexpr void ask(Machine& hw, std::uint32_t barrier, int parity) {
    if constexpr (!ring_of<K, Ring>.resident) full[Ring] = hw.mbarrier_test(barrier, parity);
  }
};

}  // namespace sectile
