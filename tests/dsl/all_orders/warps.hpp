// The same orders once more, with nothing put together: a warpgroup is the warp of thread 0 and another warp, which
// stands for the other three; products and stores end by moves of their own; every action and every copy is a move.
//
// This machine shares only the arithmetic of mbarriers with machine.hpp. It is slow and for small systems: where both
// agree, what machine.hpp puts together may be put together.
#pragma once
#include "tests/dsl/all_orders/search.hpp"

namespace sectile::orders {

/// One warp, or the producer's thread.
struct warp {
  int group = 0;      // the agent it belongs to
  bool first = true;  // it has thread 0
  std::vector<action> actions{};
};

struct warp_state {
  std::vector<std::uint8_t> next{}, at_meeting{};  // per warp
  std::vector<mbarrier_state> barrier{};           // of all CTAs
  std::vector<meeting_state> meeting{};
  std::vector<std::uint8_t> completed{};  // per group of warps: products
  std::vector<std::uint64_t> stored{};    // per group: panels that TMA still has to read, by store
  std::vector<std::uint8_t> landed{};     // per copy: 0 not issued, 1 under way, 2 landed

  std::string key() const {
    std::string k;
    const auto put = [&](const auto& all) {
      k.append(reinterpret_cast<const char*>(all.data()), all.size() * sizeof all[0]);
    };
    put(next), put(at_meeting), put(barrier), put(meeting), put(completed), put(stored), put(landed);
    return k;
  }
};

struct warp_machine {
  struct copy {
    int warp, action, cta, barrier, slot, bytes;
  };
  cluster of{};
  std::vector<warp> warps{};
  std::vector<copy> copies{};
  std::vector<std::vector<int>> asked{};  // [warp][action]

  explicit warp_machine(const cluster& s) : of(s) {
    for (int i = 0; i < static_cast<int>(s.agents.size()); ++i) {
      const agent& a = s.agents[i];
      warps.push_back({i, true, a.actions});
      if (a.role == 0) continue;
      warp other{i, false, {}};
      for (const action& x : a.actions)
        if (!by_thread_0(x.what)) other.actions.push_back(x);
      warps.push_back(other);
    }
    for (int w = 0; w < count(); ++w) {
      asked.push_back(phases_asked({0, 0, warps[w].actions}, of.barriers));
      for (int n = 0; n < length(w); ++n) {
        const action& x = warps[w].actions[n];
        if (x.what != act::load) continue;
        for (int c = 0; c < of.ctas; ++c)
          if (x.mask >> c & 1) copies.push_back({w, n, c, x.barrier, machine::slot_in(x.slots), x.bytes});
      }
    }
  }
  static bool by_thread_0(act what) {
    switch (what) {
      case act::arrive:
      case act::store_panel:
      case act::close_store:
      case act::reclaim:
        return true;
      default:
        return false;
    }
  }

  int count() const { return static_cast<int>(warps.size()); }
  int groups() const { return static_cast<int>(of.agents.size()); }
  int length(int w) const { return static_cast<int>(warps[w].actions.size()); }
  int cta_of(int w) const { return of.agents[warps[w].group].cta; }
  int threads_of(int w) const { return of.agents[warps[w].group].role == 0 ? warpgroup : warpgroup / 2; }
  bool done(const warp_state& s) const {
    for (int w = 0; w < count(); ++w)
      if (s.next[w] < length(w)) return false;
    return true;
  }
  warp_state begin() const {
    warp_state s{};
    s.next.assign(warps.size(), 0);
    s.at_meeting.assign(warps.size(), 0);
    s.barrier.assign(static_cast<std::size_t>(of.ctas * of.barriers), {});
    s.meeting.assign(static_cast<std::size_t>(16 * of.ctas + 1), {});
    s.completed.assign(of.agents.size(), 0);
    s.stored.assign(of.agents.size(), 0);
    s.landed.assign(copies.size(), 0);
    return s;
  }

  // ---- what has been done so far, counted in the logs
  int count_of(const warp_state& s, int w, act what) const {
    int n = 0;
    for (int i = 0; i < s.next[w]; ++i) n += warps[w].actions[i].what == what;
    return n;
  }
  /// Products of a group of warps that some warp, or that all warps have issued.
  int issued(const warp_state& s, int group, bool by_all) const {
    int most = 0, least = never;
    for (int w = 0; w < count(); ++w) {
      if (warps[w].group != group) continue;
      const int n = count_of(s, w, act::multiply);
      most = n > most ? n : most;
      least = n < least ? n : least;
    }
    return by_all ? least : most;
  }
  std::uint64_t slots_of_product(int group, int number) const {
    for (const action& x : of.agents[group].actions)
      if (x.what == act::multiply && number-- == 0) return x.slots;
    return 0;
  }
  bool is_read(const warp_state& s, int cta, int slot) const {
    for (int g = 0; g < groups(); ++g)
      for (int n = s.completed[g]; of.agents[g].cta == cta && n < issued(s, g, false); ++n)
        if (slots_of_product(g, n) >> slot & 1) return true;
    return false;
  }
  /// Store number n of a group of warps: its panel, and how many stores are closed before it.
  int stores_closed(const warp_state& s, int w, int in_flight) const {  // stores in all but the newest groups
    int closed = count_of(s, w, act::close_store), stores = 0;
    for (int i = 0; i < s.next[w] && closed > in_flight; ++i) {
      stores += warps[w].actions[i].what == act::store_panel;
      closed -= warps[w].actions[i].what == act::close_store;
    }
    return stores;
  }
  int panel_of_store(int group, int number) const {
    for (const action& x : of.agents[group].actions)
      if (x.what == act::store_panel && number-- == 0) return x.barrier;
    return -1;
  }

  // ---- moves: warps, then copies, then the ends of products, then the ends of stores
  int moves() const { return count() + static_cast<int>(copies.size()) + groups() * (1 + 64); }
  bool can_move(const warp_state& s, int m) const {
    if (m < count()) return can_act(s, m);
    m -= count();
    if (m < static_cast<int>(copies.size())) return s.landed[m] == 1;
    m -= static_cast<int>(copies.size());
    if (m < groups()) return s.completed[m] < issued(s, m, true);
    m -= groups();
    return s.stored[m / 64] >> (m % 64) & 1;
  }
  bool can_act(const warp_state& s, int w) const {
    if (s.next[w] == length(w) || s.at_meeting[w] == 1) return false;
    const action& x = warps[w].actions[s.next[w]];
    if (x.what == act::wait) {
      const mbarrier_state& b = s.barrier[cta_of(w) * of.barriers + x.barrier];
      return b.expected == 0 || (b.phases & 1) != x.bytes;
    }
    if (x.what == act::retire) return count_of(s, w, act::multiply) - s.completed[warps[w].group] <= x.bytes;
    if (x.what == act::reclaim) {
      const int over = stores_closed(s, w, x.bytes);
      return over == 0 || (s.stored[warps[w].group] & (~std::uint64_t{0} >> (64 - over))) == 0;
    }
    return true;
  }
  const char* move(warp_state& s, int m) const {
    if (m < count()) return act_at(s, m);
    m -= count();
    if (m < static_cast<int>(copies.size())) return land(s, m);
    m -= static_cast<int>(copies.size());
    if (m < groups())
      ++s.completed[m];
    else
      s.stored[(m - groups()) / 64] &= ~(std::uint64_t{1} << (m - groups()) % 64);
    return nullptr;
  }

  const char* act_at(warp_state& s, int w) const {
    if (s.at_meeting[w] == 2) {
      s.at_meeting[w] = 0;
      ++s.next[w];
      return nullptr;
    }
    const int n = s.next[w], cta = cta_of(w), group = warps[w].group;
    const action& x = warps[w].actions[n];
    if (x.what == act::meet) return come(s, w, 16 * cta + x.barrier, x.bytes, true);
    if (x.what == act::gather) return come(s, w, 16 * of.ctas, groups() * warpgroup, true);
    ++s.next[w];
    mbarrier_state& b = s.barrier[(x.what == act::arrive ? x.cta : cta) * of.barriers + x.barrier];
    switch (x.what) {
      case act::initialise:
        return machine::initialise(b, x.bytes);
      case act::wait:
        if (b.expected == 0) return "a barrier is used before it is initialised";
        return b.phases == asked[w][n] ? nullptr : "a wait passes in another phase than it asks for";
      case act::arrive:
        return machine::arrive(b);
      case act::expect:
        return machine::expect(b, x.bytes);
      case act::load:
        for (std::size_t c = 0; c < copies.size(); ++c)
          if (copies[c].warp == w && copies[c].action == n) s.landed[c] = 1;
        return nullptr;
      case act::multiply:
      case act::read:
        return check_full(s, w, x);
      case act::announce:
        return come(s, w, 16 * cta + x.barrier, x.bytes, false);
      case act::write_panel:
        for (int k = 0; k < 64; ++k)
          if (s.stored[group] >> k & 1 && panel_of_store(group, k) == x.barrier)
            return "an epilogue buffer is written while TMA may read it";
        return nullptr;
      case act::store_panel: {
        if (!all_have_shown(s, group, x.barrier))
          return "an epilogue buffer is stored before all warps have published it";
        s.stored[group] |= std::uint64_t{1} << (count_of(s, w, act::store_panel) - 1);
        return nullptr;
      }
      default:
        return nullptr;
    }
  }
  const char* land(warp_state& s, int n) const {
    const copy& c = copies[n];
    s.landed[n] = 2;
    if (is_read(s, c.cta, c.slot)) return "a stage is overwritten while it is read";
    mbarrier_state& b = s.barrier[c.cta * of.barriers + c.barrier];
    if (b.expected == 0) return "a barrier is used before it is initialised";
    b.bytes -= c.bytes;
    machine::settle(b);
    return nullptr;
  }
  const char* check_full(const warp_state& s, int w, const action& x) const {
    for (int slot = 0; slot < max_slots; ++slot) {
      if (!(x.slots >> slot & 1)) continue;
      int bytes = 0, phase = 0;
      for (std::size_t c = 0; c < copies.size(); ++c) {
        if (copies[c].cta != cta_of(w) || copies[c].slot != slot || s.landed[c] == 0) continue;
        if (s.landed[c] == 1) return "a stage is read while it is filled";
        bytes += copies[c].bytes;
      }
      for (int n = 0; n < s.next[w]; ++n)
        if (warps[w].actions[n].what == act::wait && warps[w].actions[n].barrier == of.full_barrier[slot])
          phase = asked[w][n];
      if (phase == 0) return "a stage is read that nobody has waited for";
      if (bytes != phase * of.stage_bytes[slot]) return "a stage is read that holds another tile, or part of one";
    }
    return nullptr;
  }
  /// Whether all warps have written the panel as often as the first one, and fenced it since.
  bool all_have_shown(const warp_state& s, int group, int panel) const {
    int times = -1;
    for (int w = 0; w < count(); ++w) {
      if (warps[w].group != group) continue;
      int written = 0;
      bool fenced = false;
      for (int n = 0; n < s.next[w]; ++n) {
        const action& x = warps[w].actions[n];
        if (x.what == act::write_panel && x.barrier == panel) {
          ++written;
          fenced = false;
        }
        fenced = fenced || x.what == act::proxy_fence;
      }
      if (written == 0 || !fenced || (times >= 0 && written != times)) return false;
      times = written;
    }
    return true;
  }
  const char* come(warp_state& s, int w, int number, int threads, bool waits) const {
    meeting_state& m = s.meeting[number];
    if (m.come >> w & 1) return "a warp comes twice to one round of a named barrier";
    if (m.come && m.count != threads) return "a round of a named barrier is asked for with two numbers of threads";
    m.come = static_cast<std::uint16_t>(m.come | 1u << w);
    m.count = static_cast<std::uint16_t>(threads);
    s.at_meeting[w] = waits;
    int come = 0;
    for (int i = 0; i < count(); ++i)
      if (m.come >> i & 1) come += threads_of(i);
    if (come > threads) return "more threads come to a named barrier than it counts";
    if (come < threads) return nullptr;
    for (int i = 0; i < count(); ++i)
      if (m.come >> i & 1 && s.at_meeting[i] == 1 && meeting_of(s, i) == number) s.at_meeting[i] = 2;
    m = {};
    return nullptr;
  }
  int meeting_of(const warp_state& s, int w) const {
    const action& x = warps[w].actions[s.next[w]];
    return x.what == act::gather ? 16 * of.ctas : 16 * cta_of(w) + x.barrier;
  }
  const char* wrong_end(const warp_state& s) const {
    for (const std::uint8_t l : s.landed)
      if (l == 1) return "a copy is under way when its CTA leaves";
    for (int g = 0; g < groups(); ++g) {
      if (s.completed[g] < issued(s, g, false)) return "a warpgroup leaves while its products run";
      if (s.stored[g]) return "a warpgroup leaves while TMA reads its epilogue buffers";
    }
    return nullptr;
  }
};

/// As `search`, on warps.
outcome search_warps(const warp_machine& m, std::size_t limit = 1'000'000);

}  // namespace sectile::orders
