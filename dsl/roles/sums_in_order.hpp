// The tiles of several CTAs are added up in one order (plan/ordered_sums.hpp): what a warp of a consumer does with the
// numbers of its tile.
//
// Each lane leaves its numbers in the tile's slot. The warp meets, lane 0 takes a ticket, and the warp meets again: so
// what all lanes have left is visible to whoever takes a later ticket and to the lanes that meet that one. (PTX memory
// model: a lane's store comes before lane 0's atom.acq_rel.gpu in base causality order by way of bar.warp.sync, which
// synchronizes; that atom synchronizes with those behind it; and these with the loads of their warp by way of its own
// bar.warp.sync.) A shuffle would order nothing.
#pragma once
#include <sectile/dsl/roles/parameters.hpp>
#include <sectile/dsl/roles/role.hpp>

namespace sectile {

/// What changes no number when it is added: of slots that there are not.
constexpr float no_summand = -0.0f;

/// The sum of slots `from`, `from` + `step` .. of an element, in ascending order. So many loads are in flight.
template <int AtOnce, class Machine>
constexpr float add_slots(Machine& hw, const ordered_sum& to, long long first, int pitch, int from, int step,
                          bool there) {
  float sum = no_summand;
  SECTILE_KEEP_LOOP for (int slot = from; slot < to.tiles.slots; slot += step * AtOnce) {
    float number[AtOnce];
    SECTILE_UNROLL for (int i = 0; i < AtOnce; ++i) {
      const int at = slot + i * step;
      const bool wanted = there && at < to.tiles.slots;
      number[i] = hw.load_number(to.numbers, first + static_cast<long long>(at) * pitch, wanted);
    }
    SECTILE_UNROLL for (int i = 0; i < AtOnce; ++i) sum = hw.add(sum, number[i]);
  }
  return sum;
}

/// This lane's elements of all tiles of a group. Of a number of its own, which one lane has, all lanes of the warp add
/// every 32nd slot, and then what they have.
template <int Elements, class Consumer, class T, class Share>
constexpr void add_up_tiles(Consumer& sm, const ordered_sum& to, long long group, const vector_part<T>& part,
                            const Share& own) {
  constexpr int loads = 16;
  auto& hw = sm.hw;
  SECTILE_UNROLL for (int i = 0; i < Share::count; ++i) {
    float sum;
    if constexpr (Elements == 1) {
      sum = add_slots<loads>(hw, to, group, 1, sm.thread % 32, 32, true);
      sum = join_lanes<reduction::add, 1, 16>(hw, sum);
    } else {
      sum = add_slots<loads>(hw, to, group + own.element[i], Elements, 0, 1, own.has[i]);
    }
    hw.template store_global<sizeof(T)>(part.first + own.element[i], __builtin_bit_cast(std::uint32_t, sum),
                                        own.has[i] && own.element[i] < part.inside);
  }
}

/// This warp's numbers of the tile go into vector I, by whoever comes last.
template <int I, class Consumer, class T, class Share>
constexpr void sum_in_order(Consumer& sm, const vector_part<T>& part, const Share& own) {
  using K = typename Consumer::kernel;
  constexpr int elements = numbers_of_a_tile(operand_facts_of<K, I>());
  constexpr int warps = warps_of_a_sum(plan_of<K>, operand_facts_of<K, I>());
  if (warps == 1 && sm.warp_of_consumers() > 0) return;
  auto& hw = sm.hw;
  const ordered_sum& to = sm.parameters.in_order[count_ordered_sums(plan_of<K>, I)];
  const int group = to.tiles.group_of(sm.tile), slots = to.tiles.slots;
  const long long first = static_cast<long long>(group) * slots * elements;
  const long long slot = first + static_cast<long long>(to.tiles.slot_of(sm.tile)) * elements;
  SECTILE_UNROLL for (int i = 0; i < Share::count; ++i)
    hw.store_number(to.numbers, slot + own.element[i], own.number[i], own.has[i]);
  hw.warp_sync();
  const int counter = to.counter + group * warps + (warps == 1 ? 0 : sm.warp_of_consumers());
  std::uint32_t before = 0;
  if (sm.thread % 32 == 0) before = static_cast<std::uint32_t>(hw.take_place(sm.parameters.tickets, counter, slots));
  hw.warp_sync();
  if (static_cast<int>(hw.shuffle(before, 0)) == slots - 1) add_up_tiles<elements>(sm, to, first, part, own);
}

}  // namespace sectile
