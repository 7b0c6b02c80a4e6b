// The machine on which all orders are tried: who may move in a state, and what a move does or breaks.
//
// A state is how far each agent is, which copies are under way, and what the barriers hold. Two ways that lead to the
// same state have the same future, because every move reads the state and nothing else; so a state is visited once,
// however many orders lead to it. Copies that bring the same number of bytes to the same stage and barrier are the same
// to everyone and only counted.
//
// Four things keep states few, and lose no fault (warps.hpp goes without them on small systems):
//   - products and stores run as long as a wait allows. Ending earlier only frees what they read.
//   - what concerns one agent alone is done together with its next action that others can see. The agent holds at least
//     as much before these actions as after them, and they are never held up.
//   - loads that stand in a row are issued in one move. A copy may land as late as it likes, so nothing is lost by
//     issuing the last of them early, and whoever meets a copy between two of them meets it behind them as well.
//   - an epilogue buffer belongs to one warpgroup: its own order decides (wrong_epilogue).
#pragma once
#include <cstdlib>
#include <stdexcept>

#include "tests/dsl/all_orders/workspace.hpp"

namespace sectile::orders {

inline constexpr int most_agents = 12, most_mbarriers = 64, most_copies = 64, most_meetings = 4 * 16 + 1;
/// PTX ISA, "Tracking asynchronous operations by the mbarrier object".
inline constexpr int transaction_limit = (1 << 20) - 1;

struct mbarrier_state {
  std::int32_t bytes = 0;  // announced and not yet landed
  std::int16_t pending = 0;
  std::uint8_t expected = 0;  // 0: not initialised
  std::uint8_t phases = 0;    // completed
  friend bool operator==(const mbarrier_state&, const mbarrier_state&) = default;
};
struct meeting_state {
  std::uint16_t come = 0;   // a bit per agent
  std::uint16_t count = 0;  // threads that they named
};

inline constexpr const char* not_there = "a barrier is used before it is initialised, or when its CTA is gone";

enum class standing : std::uint8_t { free, waits, released };  // at a meeting

struct state {
  std::uint16_t next[most_agents]{};
  standing at_meeting[most_agents]{};
  mbarrier_state barrier[most_mbarriers]{};
  meeting_state meeting[most_meetings]{};
  std::uint8_t under_way[most_copies]{};
};

/// Copies that nobody can tell apart.
struct copy_class {
  int cta, barrier, slot, bytes;
  friend bool operator==(const copy_class&, const copy_class&) = default;
};

struct machine {
  cluster of{};
  std::vector<timeline> time{};
  std::vector<copy_class> copies{};
  std::vector<int> slots{};  // that exist
  std::vector<std::vector<std::vector<int>>>
      sent{};                               // [agent][n][place]: bytes issued into a stage by its first n actions
  std::vector<std::vector<int>> visible{};  // [agent][n]: the first action from n on that others can see
  std::vector<int> published{};             // [barrier of the cluster]: the author's action that shows it, or `never`
  std::vector<int> author{};
  std::vector<deed> deeds{};  // in the workspace
  bool merges = true;  // whether what others cannot see is done together with what they can

  explicit machine(const cluster& s, bool merge = true) : of(s), merges(merge) {
    for (int slot = 0; slot < max_slots; ++slot)
      if (s.stage_bytes[slot]) slots.push_back(slot);
    published.assign(static_cast<std::size_t>(s.ctas * s.barriers), never);
    author.assign(published.size(), 0);
    for (int i = 0; i < agents(); ++i) tabulate(i);
    if (agents() > most_agents || s.ctas * s.barriers > most_mbarriers || copies.size() > most_copies || s.ctas > 4)
      throw std::length_error("a cluster larger than the states of this machine");
  }

  int agents() const { return static_cast<int>(of.agents.size()); }
  const std::vector<action>& actions(int i) const { return of.agents[i].actions; }
  int length(int i) const { return static_cast<int>(actions(i).size()); }
  int place(int cta, int slot) const {
    for (std::size_t n = 0; n < slots.size(); ++n)
      if (slots[n] == slot) return cta * static_cast<int>(slots.size()) + static_cast<int>(n);
    return -1;
  }

  // ---- tables

  static bool seen_by_others(act what) {
    if (in_workspace(what)) return true;
    switch (what) {
      case act::initialise:
      case act::publish:
      case act::gather:
      case act::wait:
      case act::arrive:
      case act::expect:
      case act::load:
      case act::multiply:
      case act::read:
      case act::meet:
      case act::announce:
        return true;
      default:
        return false;
    }
  }
  void tabulate(int i) {
    const std::vector<action>& a = actions(i);
    time.push_back(timeline_of(of.agents[i], of));
    for (const deed& d : deeds_of(of.agents[i], i)) deeds.push_back(d);
    std::vector<int> total(static_cast<std::size_t>(of.ctas) * slots.size(), 0);
    sent.push_back({total});
    for (int n = 0; n < length(i); ++n) {
      const action& x = a[n];
      if (x.what == act::load)
        for (int c = 0; c < of.ctas; ++c)
          if (x.mask >> c & 1) {
            total[place(c, slot_in(x.slots))] += x.bytes;
            const copy_class kind{c, x.barrier, slot_in(x.slots), x.bytes};
            if (class_of(kind) < 0) copies.push_back(kind);
          }
      sent[i].push_back(total);
      if (x.what == act::initialise) {
        const int b = of.agents[i].cta * of.barriers + x.barrier;
        author[b] = i;
        for (int later = length(i) - 1; later > n; --later)
          if (a[later].what == act::publish) published[b] = later;
      }
    }
    visible.push_back(std::vector<int>(a.size() + 1, length(i)));
    for (int n = length(i) - 1; n >= 0; --n)
      visible[i][n] = !merges || seen_by_others(a[n].what) ? n : visible[i][n + 1];
  }
  static int slot_in(std::uint64_t bits) {
    int n = 0;
    while (!(bits >> n & 1)) ++n;
    return n;
  }
  /// The number of the copies' class, -1 if no action makes such copies.
  int class_of(const copy_class& c) const {
    for (std::size_t n = 0; n < copies.size(); ++n)
      if (copies[n] == c) return static_cast<int>(n);
    return -1;
  }

  // ---- who can move

  bool done(const state& s) const {
    for (int i = 0; i < agents(); ++i)
      if (s.next[i] < length(i)) return false;
    return true;
  }
  /// Moves are numbered: agents first, then landings of copies.
  int moves() const { return agents() + static_cast<int>(copies.size()); }
  bool can_move(const state& s, int move) const {
    if (move >= agents()) return s.under_way[move - agents()] > 0;
    if (s.next[move] == length(move) || s.at_meeting[move] == standing::waits) return false;
    const int n = visible[move][s.next[move] + (s.at_meeting[move] == standing::released)];
    if (n == length(move) || actions(move)[n].what != act::wait) return true;
    if (!merges && s.at_meeting[move] == standing::released) return true;      // it only leaves the meeting
    if (!usable(s, move, of.agents[move].cta, actions(move)[n])) return true;  // it looks, and that is wrong
    return (barrier_at(s, of.agents[move].cta, actions(move)[n]).phases & 1) != actions(move)[n].bytes;
  }

  // ---- what a move does; the text says what it breaks

  const char* move(state& s, int which) const {
    if (which >= agents()) return land(s, which - agents());
    if (s.at_meeting[which] == standing::released) {
      s.at_meeting[which] = standing::free;
      ++s.next[which];
      if (!merges) return nullptr;
    }
    const int n = visible[which][s.next[which]];
    s.next[which] = static_cast<std::uint16_t>(n);
    if (n == length(which)) return nullptr;
    const char* wrong = act_at(s, which, actions(which)[n]);
    while (merges && !wrong && is_load(which, n) && is_load(which, s.next[which]))
      wrong = act_at(s, which, actions(which)[s.next[which]]);
    return wrong;
  }
  bool is_load(int i, int n) const { return n < length(i) && actions(i)[n].what == act::load; }

  const char* act_at(state& s, int i, const action& x) const {
    if (x.what == act::meet) return come(s, i, of.agents[i].cta * 16 + x.barrier, x.bytes, standing::waits);
    if (x.what == act::gather) return come(s, i, most_meetings - 1, agents() * warpgroup, standing::waits);
    const int n = s.next[i]++;
    const int cta = of.agents[i].cta;
    switch (x.what) {
      case act::initialise:
        return initialise(barrier_at(s, cta, x), x.bytes);
      case act::wait:
        if (!usable(s, i, cta, x)) return not_there;
        return barrier_at(s, cta, x).phases == time[i].asked[n] ? nullptr
                                                                : "a wait passes in another phase than it asks for";
      case act::arrive:
        if (!usable(s, i, x.cta, x)) return not_there;
        return arrive(barrier_at(s, x.cta, x));
      case act::expect:
        if (!usable(s, i, cta, x)) return not_there;
        return expect(barrier_at(s, cta, x), x.bytes);
      case act::load:
        return issue(s, i, x);
      case act::multiply:
      case act::read:
        return check_full(s, i, x);
      case act::announce:
        return come(s, i, cta * 16 + x.barrier, x.bytes, standing::free);
      default:
        return in_workspace(x.what) ? meet_in_workspace(s, i, n) : nullptr;
    }
  }
  const char* meet_in_workspace(const state& s, int i, int n) const {
    const workspace_state now{of, deeds, [&](int w, int action) {
                                return action < s.next[w] ||
                                       (action == s.next[w] && s.at_meeting[w] == standing::released);
                              }};
    for (const deed& d : deeds)
      if (d.agent == i && d.at == n) return now.wrong(d);
    return nullptr;
  }

  mbarrier_state& barrier_at(state& s, int cta, const action& x) const {
    return s.barrier[cta * of.barriers + x.barrier];
  }
  const mbarrier_state& barrier_at(const state& s, int cta, const action& x) const {
    return s.barrier[cta * of.barriers + x.barrier];
  }
  /// Whether the barrier is initialised and shown to all, and its CTA not gone.
  bool usable(const state& s, int i, int cta, const action& x) const {
    const int b = cta * of.barriers + x.barrier;
    return published[b] < s.next[author[b]] && (cta == of.agents[i].cta || !gone(s, cta));
  }
  bool gone(const state& s, int cta) const {
    for (int i = 0; i < agents(); ++i)
      if (of.agents[i].cta == cta && s.next[i] < length(i)) return false;
    return true;
  }

  // ---- mbarriers
  static const char* initialise(mbarrier_state& b, int arrivals) {
    if (b.expected > 0) return "a barrier is initialised twice";
    b.expected = static_cast<std::uint8_t>(arrivals);
    b.pending = b.expected;
    return arrivals > 0 ? nullptr : "a barrier counts no arrivals";
  }
  static void settle(mbarrier_state& b) {
    if (b.pending > 0 || b.bytes != 0) return;
    b.pending = b.expected;
    ++b.phases;
  }
  static const char* arrive(mbarrier_state& b) {
    if (b.pending == 0) return "a barrier receives more arrivals than it counts";
    --b.pending;
    settle(b);
    return nullptr;
  }
  static const char* expect(mbarrier_state& b, int bytes) {
    b.bytes += bytes;
    if (std::abs(b.bytes) > transaction_limit) return "a barrier counts more bytes than it can";
    return arrive(b);
  }

  // ---- copies
  const char* issue(state& s, int i, const action& x) const {
    for (int c = 0; c < of.ctas; ++c) {
      if (!(x.mask >> c & 1)) continue;
      if (!usable(s, i, c, x)) return not_there;
      ++s.under_way[class_of({c, x.barrier, slot_in(x.slots), x.bytes})];
      if (is_read(s, c, slot_in(x.slots))) return "a stage is overwritten while it is read";
    }
    return nullptr;
  }
  const char* land(state& s, int n) const {
    const copy_class& c = copies[n];
    --s.under_way[n];
    if (is_read(s, c.cta, c.slot)) return "a stage is overwritten while it is read";
    mbarrier_state& b = s.barrier[c.cta * of.barriers + c.barrier];
    b.bytes -= c.bytes;
    if (std::abs(b.bytes) > transaction_limit) return "a barrier counts more bytes than it can";
    settle(b);
    return nullptr;
  }
  bool is_read(const state& s, int cta, int slot) const {
    for (int i = 0; i < agents(); ++i)
      if (of.agents[i].cta == cta && time[i].reading[s.next[i]] >> slot & 1) return true;
    return false;
  }
  /// What is read must be the fill that its reader has waited for, whole.
  const char* check_full(const state& s, int i, const action& x) const {
    const int cta = of.agents[i].cta;
    for (const int slot : slots) {
      if (!(x.slots >> slot & 1)) continue;
      for (std::size_t n = 0; n < copies.size(); ++n)
        if (copies[n].cta == cta && copies[n].slot == slot && s.under_way[n])
          return "a stage is read while it is filled";
      if (time[i].waited_for[s.next[i]][slot] == 0) return "a stage is read that nobody has waited for";
      int issued = 0;
      for (int w = 0; w < agents(); ++w) issued += sent[w][s.next[w]][place(cta, slot)];
      if (issued != time[i].waited_for[s.next[i]][slot] * of.stage_bytes[slot])
        return "a stage is read that holds another tile, or part of one";
    }
    return nullptr;
  }

  // ---- meetings: named barriers, and the cluster's
  const char* come(state& s, int i, int number, int threads, standing then) const {
    meeting_state& m = s.meeting[number];
    const unsigned me = 1u << i;
    if (m.come & me) return "an agent comes twice to one round of a named barrier";
    if (m.come && m.count != threads) return "a round of a named barrier is asked for with two numbers of threads";
    m.come = static_cast<std::uint16_t>(m.come | me);
    m.count = static_cast<std::uint16_t>(threads);
    s.at_meeting[i] = then;
    int come = 0;
    for (int w = 0; w < agents(); ++w) come += m.come >> w & 1;
    if (come * warpgroup > threads) return "more threads come to a named barrier than it counts";
    if (come * warpgroup < threads) return nullptr;
    for (int w = 0; w < agents(); ++w)
      if (m.come >> w & 1 && s.at_meeting[w] == standing::waits && meeting_of(s, w) == number)
        s.at_meeting[w] = standing::released;
    m = {};
    return nullptr;
  }
  int meeting_of(const state& s, int i) const {
    const action& x = actions(i)[s.next[i]];
    return x.what == act::gather ? most_meetings - 1 : of.agents[i].cta * 16 + x.barrier;
  }

  // ---- the end
  const char* wrong_end(const state& s) const {
    for (std::size_t n = 0; n < copies.size(); ++n)
      if (s.under_way[n]) return "a copy is under way when its CTA leaves";
    for (int i = 0; i < agents(); ++i)
      if (time[i].reading[s.next[i]]) return "a warpgroup leaves while its products run";
    return nullptr;
  }
};

}  // namespace sectile::orders
