// The searches, which know no kernel: compiled once, and optimised, since millions of states pass through them.
#include "tests/dsl/all_orders/search.hpp"

#include <cstring>
#include <unordered_map>

#include "tests/dsl/all_orders/warps.hpp"

namespace sectile::orders {

namespace {

/// States in the order of their discovery, as bytes without what is never used, and a table to find them.
struct state_table {
  const machine& m;
  std::vector<int> meetings{};  // that some agent comes to
  std::size_t width = 0;
  std::vector<unsigned char> bytes{};
  std::vector<std::uint32_t> bucket = std::vector<std::uint32_t>(1 << 12, 0);  // number of a state + 1
  std::uint32_t count = 0;

  explicit state_table(const machine& of) : m(of) {
    bool used[most_meetings]{};
    for (int i = 0; i < m.agents(); ++i)
      for (const action& x : m.actions(i)) {
        if (x.what == act::meet || x.what == act::announce) used[m.of.agents[i].cta * 16 + x.barrier] = true;
        if (x.what == act::gather) used[most_meetings - 1] = true;
      }
    for (int n = 0; n < most_meetings; ++n)
      if (used[n]) meetings.push_back(n);
    width = 2 * static_cast<std::size_t>(m.agents()) + sizeof(mbarrier_state) * static_cast<std::size_t>(mbarriers()) +
            sizeof(meeting_state) * meetings.size() + m.copies.size();
    width = (width + 7) / 8 * 8;
  }
  int mbarriers() const { return m.of.ctas * m.of.barriers; }

  void pack(const state& s, unsigned char* to) const {
    std::memset(to, 0, width);
    for (int i = 0; i < m.agents(); ++i) {
      const auto packed = static_cast<std::uint16_t>(s.next[i] * 4 + static_cast<int>(s.at_meeting[i]));
      std::memcpy(to, &packed, 2);
      to += 2;
    }
    for (int b = 0; b < mbarriers(); ++b, to += sizeof s.barrier[b])
      std::memcpy(to, &s.barrier[b], sizeof s.barrier[b]);
    for (const int n : meetings) {
      std::memcpy(to, &s.meeting[n], sizeof s.meeting[n]);
      to += sizeof s.meeting[n];
    }
    std::memcpy(to, s.under_way, m.copies.size());
  }
  state unpack(std::uint32_t number) const {
    const unsigned char* from = bytes.data() + number * width;
    state s{};
    for (int i = 0; i < m.agents(); ++i, from += 2) {
      std::uint16_t packed = 0;
      std::memcpy(&packed, from, 2);
      s.next[i] = packed / 4;
      s.at_meeting[i] = static_cast<standing>(packed % 4);
    }
    for (int b = 0; b < mbarriers(); ++b, from += sizeof s.barrier[b])
      std::memcpy(&s.barrier[b], from, sizeof s.barrier[b]);
    for (const int n : meetings) {
      std::memcpy(&s.meeting[n], from, sizeof s.meeting[n]);
      from += sizeof s.meeting[n];
    }
    std::memcpy(s.under_way, from, m.copies.size());
    return s;
  }
  std::uint64_t hash(const unsigned char* at) const {
    std::uint64_t h = 0x9E3779B97F4A7C15;
    for (std::size_t n = 0; n < width; n += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at + n, 8);
      h = (h ^ word) * 0xD6E8FEB86659FD93;
      h ^= h >> 32;
    }
    return h;
  }
  /// Adds a state; true if it is new. Its number is count - 1 then.
  bool add(const state& s) {
    bytes.resize((count + std::size_t{1}) * width);
    unsigned char* mine = bytes.data() + count * width;
    pack(s, mine);
    std::size_t at = hash(mine) & (bucket.size() - 1);
    for (; bucket[at]; at = (at + 1) & (bucket.size() - 1))
      if (std::memcmp(bytes.data() + (bucket[at] - 1) * width, mine, width) == 0) return false;
    bucket[at] = ++count;
    if (2 * count > bucket.size()) grow();
    return true;
  }
  void grow() {
    bucket.assign(2 * bucket.size(), 0);
    for (std::uint32_t n = 0; n < count; ++n) {
      std::size_t at = hash(bytes.data() + n * width) & (bucket.size() - 1);
      while (bucket[at]) at = (at + 1) & (bucket.size() - 1);
      bucket[at] = n + 1;
    }
  }
};

}  // namespace

outcome search(const machine& m, std::size_t limit) {
  struct arrival {
    std::uint32_t from;
    std::uint16_t move;
  };
  outcome o{};
  for (const agent& a : m.of.agents)
    if (std::string wrong = wrong_epilogue(a); !wrong.empty()) {
      o.wrong = wrong;
      return o;
    }
  state_table known(m);
  std::vector<arrival> came{{0, 0}};
  std::vector<std::uint32_t> open{0};
  known.add(state{});
  mbarrier_state end[most_mbarriers]{};
  const auto stop = [&](std::uint32_t at, const char* wrong, int last) {
    o.wrong = wrong;
    if (last >= 0) o.order.push_back(last);
    for (; at > 0; at = came[at].from) o.order.insert(o.order.begin(), came[at].move);
  };
  while (!open.empty() && o.wrong.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    const state here = known.unpack(at);
    bool moved = false;
    for (int i = 0; i < m.moves() && o.wrong.empty(); ++i) {
      if (!m.can_move(here, i)) continue;
      moved = true;
      state then = here;
      if (const char* wrong = m.move(then, i)) {
        stop(at, wrong, i);
        break;
      }
      if (!known.add(then)) continue;
      came.push_back({at, static_cast<std::uint16_t>(i)});
      open.push_back(known.count - 1);
    }
    if (m.done(here) && o.wrong.empty()) {
      if (const char* wrong = m.wrong_end(here)) stop(at, wrong, -1);
      if (o.ends++ == 0) std::memcpy(end, here.barrier, sizeof end);
      if (std::memcmp(end, here.barrier, sizeof end) != 0) stop(at, "two orders end differently", -1);
    } else if (!moved && o.wrong.empty()) {
      stop(at, "nobody can go on", -1);
    }
    if (known.count > limit) {
      o.whole = false;
      break;
    }
  }
  o.states = known.count;
  return o;
}

outcome search_warps(const warp_machine& m, std::size_t limit) {
  outcome o{};
  std::unordered_map<std::string, int> known;
  std::vector<warp_state> open{m.begin()};
  known.emplace(open[0].key(), 0);
  std::vector<mbarrier_state> end;
  while (!open.empty() && o.wrong.empty() && (o.whole = known.size() <= limit)) {
    const warp_state here = open.back();
    open.pop_back();
    bool moved = false;
    for (int i = 0; i < m.moves() && o.wrong.empty(); ++i) {
      if (!m.can_move(here, i)) continue;
      moved = true;
      warp_state then = here;
      if (const char* wrong = m.move(then, i))
        o.wrong = wrong;
      else if (known.emplace(then.key(), 0).second)
        open.push_back(then);
    }
    if (m.done(here) && o.wrong.empty()) {
      if (const char* wrong = m.wrong_end(here)) o.wrong = wrong;
      if (o.ends++ == 0) end = here.barrier;
      if (end != here.barrier) o.wrong = "two orders end differently";
    } else if (!moved && o.wrong.empty()) {
      o.wrong = "nobody can go on";
    }
  }
  o.states = known.size();
  return o;
}

}  // namespace sectile::orders
