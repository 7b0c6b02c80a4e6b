// Mistakes in recorded logs: one action of one agent is left out, doubled, moved, or given another number.
#pragma once
#include <utility>

#include "tests/dsl/all_orders/workspace.hpp"

namespace sectile::orders {

/// A change at action `at` of agent `who`.
struct mutant {
  enum class change : std::uint8_t {
    leave_out,
    double_it,
    move_on,  // behind the `amount` actions that follow
    parity,
    barrier,   // becomes number `amount`
    bytes,     // `amount` more: bytes, arrivals, threads, or a number of groups
    slot,      // becomes `amount`
    cta,       // of an arrival, becomes `amount`
    mask,      // CTAs of a load, becomes `amount`
    announce,  // a meeting becomes an announcement, and the other way round
  } what = change::leave_out;
  int who = 0, at = 0, amount = 0;
};
inline constexpr const char* change_names[] = {
    "left out",     "doubled",     "moved on",  "other parity",         "other barrier",
    "other number", "other stage", "other CTA", "other CTAs of a load", "meet / announce"};

inline bool on_mbarrier(act what) {
  return what == act::wait || what == act::arrive || what == act::expect || what == act::load ||
         what == act::initialise;
}
inline bool on_panel(act what) { return what == act::write_panel || what == act::store_panel; }
inline bool on_meeting(act what) { return what == act::meet || what == act::announce; }

/// How far an action is moved, at most.
inline constexpr int farthest_move = 12;

/// All mutants of one agent. Acts that the exploration knows nothing of (registers) are left as they are.
inline std::vector<mutant> mutants_of(const cluster& s, int who) {
  using change = mutant::change;
  std::vector<mutant> all;
  const std::vector<action>& a = s.agents[who].actions;
  const int count = static_cast<int>(a.size());
  for (int at = 0; at < count; ++at) {
    const action& x = a[at];
    const auto add = [&](change what, int amount = 0) { all.push_back({what, who, at, amount}); };
    if (x.what == act::touch || x.what == act::fence || x.what == act::begin) continue;
    add(change::leave_out);
    add(change::double_it);
    for (int by = 1; by <= farthest_move && at + by < count; ++by) add(change::move_on, by);
    if (x.what == act::wait) add(change::parity);
    if (on_mbarrier(x.what))
      for (int b = 0; b < s.barriers; ++b)
        if (b != x.barrier) add(change::barrier, b);
    if (on_meeting(x.what)) {
      for (int b = 1; b < 8; ++b)
        if (b != x.barrier) add(change::barrier, b);
      add(change::bytes, warpgroup);
      if (x.bytes > warpgroup) add(change::bytes, -warpgroup);
      add(change::announce);
    }
    if (on_panel(x.what))
      for (int b = 0; b < 4; ++b)
        if (b != x.barrier) add(change::barrier, b);
    if (in_workspace(x.what)) add(change::bytes, 1);  // another meeting
    if (x.what == act::leave_part || x.what == act::read_part) add(change::barrier, 1 - x.barrier);
    const bool number = is_of_tickets(x.slots);  // of drawn work: always one word
    if ((x.what == act::load && !number) || x.what == act::expect) {
      add(change::bytes, 16);
      add(change::bytes, -16);
      add(change::bytes, x.bytes);
    }
    if (x.what == act::initialise || x.what == act::retire || x.what == act::reclaim) {
      add(change::bytes, 1);
      if (x.bytes > 0) add(change::bytes, -1);
    }
    if (x.what == act::load || x.what == act::multiply || x.what == act::read)
      for (int slot = 0; slot < max_slots; ++slot)
        if (s.stage_bytes[slot] && !(x.slots >> slot & 1) && is_of_tickets(std::uint64_t{1} << slot) == number)
          add(change::slot, slot);
    if (x.what == act::arrive)
      for (int c = 0; c < s.ctas; ++c)
        if (c != x.cta) add(change::cta, c);
    if (x.what == act::load)
      for (int m = 1; m < 1 << s.ctas; ++m)
        if (static_cast<unsigned>(m) != x.mask) add(change::mask, m);
  }
  return all;
}

/// The log with the mistake in it.
inline std::vector<action> with_mistake(const mutant& m, std::vector<action> a) {
  using change = mutant::change;
  const auto at = a.begin() + m.at;
  action& x = *at;
  switch (m.what) {
    case change::leave_out:
      a.erase(at);
      break;
    case change::double_it:
      a.insert(at, action(x));
      break;
    case change::move_on:
      for (int n = 0; n < m.amount; ++n) std::swap(a[m.at + n], a[m.at + n + 1]);
      break;
    case change::parity:
      x.bytes ^= 1;
      break;
    case change::barrier:
      x.barrier = static_cast<std::int16_t>(m.amount);
      break;
    case change::bytes:
      x.bytes += m.amount;
      break;
    case change::slot:
      x.slots = std::uint64_t{1} << m.amount;
      break;
    case change::cta:
      x.cta = static_cast<std::int8_t>(m.amount);
      break;
    case change::mask:
      x.mask = static_cast<std::uint32_t>(m.amount);
      break;
    case change::announce:
      x.what = x.what == act::meet ? act::announce : act::meet;
      break;
  }
  return a;
}

}  // namespace sectile::orders
