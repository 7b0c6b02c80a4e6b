// Looking up the plan from inside a role.
//
// A role counts positions as it runs, in an ordinary int. After inlining that int is a constant at every place of the
// body, and so must be what is read with it: the table is spelled as a fold over constants, which every compiler
// reduces to the one that matters. (An array would have to live in memory, and device code cannot name a constexpr
// object.)
#pragma once
#include <utility>

#include <sectile/dsl/plan/build.hpp>

namespace sectile {

/// A step in 64 bits.
struct packed_step {
  std::uint64_t bits = 0;

  constexpr int wait() const { return static_cast<int>(bits & 0xF) - 1; }
  constexpr int wait_after() const { return static_cast<int>(bits >> 4 & 0xF) - 1; }
  constexpr bool fence() const { return bits >> 8 & 1; }
  constexpr bool wait_in_order() const { return bits >> 9 & 1; }
  constexpr bool arrive_in_order() const { return bits >> 10 & 1; }
  constexpr bool settle() const { return bits >> 11 & 1; }
  constexpr bool joined() const { return settle(); }  // of a read, which settles nothing
  constexpr int meeting() const { return static_cast<int>(bits >> 12 & 0xF) - 1; }
  constexpr int keep(int ring) const { return static_cast<int>(bits >> (16 + 4 * ring) & 0xF); }
  constexpr int release(int ring) const { return static_cast<int>(bits >> (32 + 4 * ring) & 0xF); }
  constexpr bool releases() const { return bits >> 32 & 0xFFFF; }
  constexpr int loop_end() const { return static_cast<int>(bits >> 48 & 0x1FFF); }
  constexpr bool put_off() const { return bits >> 61 & 1; }
  constexpr bool opens() const { return bits >> 62 & 1; }
  constexpr bool closes() const { return bits >> 63; }
  constexpr bool in_place() const { return opens(); }  // of a product, which opens nothing
};

/// The most groups that wgmma.wait_group can leave in flight: its field has three bits. To wait for more is safe.
constexpr int most_in_flight = 7;
constexpr std::uint64_t packed_wait(int in_flight) {
  return static_cast<std::uint64_t>((in_flight < most_in_flight ? in_flight : most_in_flight) + 1);
}
constexpr packed_step pack(const step& s) {
  std::uint64_t b =
      packed_wait(s.wait) | packed_wait(s.wait_after) << 4 | static_cast<std::uint64_t>(s.fence) << 8 |
      static_cast<std::uint64_t>(s.wait_in_order) << 9 | static_cast<std::uint64_t>(s.arrive_in_order) << 10 |
      static_cast<std::uint64_t>(s.settle || s.joined()) << 11 | static_cast<std::uint64_t>(s.meeting + 1) << 12;
  for (int r = 0; r < max_rings; ++r) {
    b |= static_cast<std::uint64_t>(s.keep[r] < 0 ? 0 : s.keep[r]) << (16 + 4 * r);
    b |= static_cast<std::uint64_t>(s.release[r]) << (32 + 4 * r);
  }
  return {b | static_cast<std::uint64_t>(s.loop_end) << 48 | static_cast<std::uint64_t>(s.put_off) << 61 |
          static_cast<std::uint64_t>(s.opens || s.in_place) << 62 | static_cast<std::uint64_t>(s.closes) << 63};
}

/// The most stages of a ring that any step releases: a bound that a compiler knows, so that a loop of one trip costs
/// it no loop.
template <class K, int Ring>
inline constexpr int most_released = most_of(head_of<K>.positions, 0,
                                             [](int i) { return plan_of<K>.steps[i].release[Ring]; });

/// The most groups that any of K's waits leaves in flight; -1: it never waits.
template <class K>
inline constexpr int longest_wait = most_of(head_of<K>.positions, -1, [](int i) {
  const packed_step s = pack(plan_of<K>.steps[i]);
  return s.wait() > s.wait_after() ? s.wait() : s.wait_after();
});

/// The table itself, for machines that only look on: they run in constant evaluation, where a fold costs more than an
/// array.
template <class K>
struct packed_steps {
  std::uint64_t bits[max_positions]{};
  constexpr packed_steps() {
    for (int i = 0; i < head_of<K>.positions; ++i) bits[i] = pack(plan_of<K>.steps[i]).bits;
  }
};
template <class K>
inline constexpr packed_steps<K> packed_steps_of{};

template <class K, int... P>
constexpr packed_step step_at(int position, std::integer_sequence<int, P...>) {
  std::uint64_t bits = 0;
  ((bits = position == P ? std::integral_constant<std::uint64_t, packed_steps_of<K>.bits[P]>::value : bits), ...);
  return {bits};
}

template <class K, class Machine>
constexpr packed_step step_at(int position) {
  if constexpr (Machine::computes)
    return step_at<K>(position, std::make_integer_sequence<int, head_of<K>.positions>{});
  else
    return {packed_steps_of<K>.bits[position]};
}

}  // namespace sectile
