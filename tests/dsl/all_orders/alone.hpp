// What one agent's log must be, looked at alone and however long it is. Together these conditions make every order of a
// kernel without turns right (docs/protocol.md), for any number of trips and tiles.
//
// Stages are numbered through: fill f of a ring of S stages lies in stage f mod S, and its barriers complete their
// phase f div S + 1.
#pragma once
#include <map>
#include <sstream>

#include "tests/dsl/all_orders/cluster.hpp"

namespace sectile::orders {

/// Where an mbarrier stands: which ring, which stage of it, full or empty.
struct barrier_place {
  int ring = 0, stage = 0;
  bool full = true;
};
inline barrier_place place_of(const plan& p, int barrier) {
  for (int r = 0; r < p.rings; ++r) {
    const int first = (p.ring[r].full_barrier - p.ring[0].full_barrier) / 8, stages = p.ring[r].stages;
    if (barrier >= first && barrier < first + stages) return {r, barrier - first, true};
    if (barrier >= first + stages && barrier < first + 2 * stages) return {r, barrier - first - stages, false};
  }
  return {-1, 0, false};
}

/// One agent's way through the rings.
struct walker {
  const plan& p;
  int taken[max_rings]{}, given[max_rings]{};  // fills waited for, fills released
  std::map<int, int> told[max_rings]{};        // fills released, by the CTA that is told
  struct reading {
    int ring, fill;
  };
  std::vector<std::vector<reading>> products{};  // in flight
  std::vector<reading> loads{};                  // until the warpgroup meets
  std::vector<std::vector<bool>> read{};         // [ring][fill]: by a product that is over, or by loads that are
  std::string wrong{};

  explicit walker(const plan& of) : p(of), read(static_cast<std::size_t>(of.rings)) {}
  void blame(const char* what) {
    if (wrong.empty()) wrong = what;
  }

  int fill_in(int slot) {  // the newest fill of this stage
    const int ring = slot / max_stages, stages = p.ring[ring].stages;
    int f = taken[ring] - 1;
    while (f >= 0 && f % stages != slot % max_stages) --f;
    if (f < given[ring]) blame("a stage is read that was not waited for, or was released");
    return f;
  }
  void done(const reading& r) {
    if (r.fill >= 0) read[static_cast<std::size_t>(r.ring)][static_cast<std::size_t>(r.fill)] = true;
  }
  std::vector<reading> readings(std::uint64_t slots) {
    std::vector<reading> all;
    for (int slot = 0; slot < max_slots; ++slot)
      if (slots >> slot & 1) all.push_back({slot / max_stages, fill_in(slot)});
    return all;
  }

  void consumer_waits(const barrier_place& b, int parity) {
    const int stages = p.ring[b.ring].stages, f = taken[b.ring]++;
    read[static_cast<std::size_t>(b.ring)].push_back(false);
    if (!b.full || b.stage != f % stages || parity != f / stages % 2)
      blame("a consumer does not wait for fill after fill");
    if (given[b.ring] <= f - stages) blame("a consumer waits for a fill whose stage it has not released");
  }
  void consumer_gives(const barrier_place& b) {
    const int stages = p.ring[b.ring].stages, f = given[b.ring]++;
    if (b.full || b.stage != f % stages) blame("a consumer does not release fill after fill");
    if (f >= taken[b.ring] || !read[static_cast<std::size_t>(b.ring)][static_cast<std::size_t>(f)])
      return blame("a stage is released that nobody has read, or that is not yet read to the end");
    for (const auto& group : products)
      for (const reading& r : group)
        if (r.ring == b.ring && r.fill == f) blame("a stage is released while a product reads it");
    for (const reading& r : loads)
      if (r.ring == b.ring && r.fill == f) blame("a stage is released while other warps may still load from it");
  }
  void step_of_consumer(const action& x, int cta) {
    switch (x.what) {
      case act::wait:
        return consumer_waits(place_of(p, x.barrier), x.bytes);
      case act::arrive:
        ++told[place_of(p, x.barrier).ring][x.cta];
        if (x.cta == cta) consumer_gives(place_of(p, x.barrier));
        return;
      case act::multiply:
        products.push_back(readings(x.slots));
        return;
      case act::read:
        for (const reading& r : readings(x.slots)) loads.push_back(r);
        return;
      case act::meet:
        for (const reading& r : loads) done(r);
        loads.clear();
        return;
      case act::retire:
        for (; static_cast<int>(products.size()) > x.bytes; products.erase(products.begin()))
          for (const reading& r : products.front()) done(r);
        return;
      default:
        return;
    }
  }
  void end_of_consumer() {
    for (int r = 0; r < p.rings; ++r) {
      if (given[r] != taken[r]) blame("a stage is never released");
      for (const auto& [cta, times] : told[r])
        if (times != given[r]) blame("a CTA is not told each time that a stage is free");
    }
    if (!products.empty()) blame("a product is never waited for");
  }
};

/// Whether CTA `from` sends copies to the ring's stages in CTA `to`.
inline bool sends(const plan& p, const cluster& s, int ring, int from, int to) {
  for (const agent& a : s.agents)
    for (const action& x : a.actions)
      if (a.cta == from && x.what == act::load && x.mask >> to & 1 && place_of(p, x.barrier).ring == ring) return true;
  return false;
}

/// What is wrong with a consumer's log; nothing if it is right.
inline std::string wrong_consumer(const plan& p, const cluster& s, const agent& a) {
  walker w(p);
  for (const action& x : a.actions) w.step_of_consumer(x, a.cta);
  w.end_of_consumer();
  for (int r = 0; r < p.rings; ++r)
    for (int from = 0; from < s.ctas; ++from)
      if (sends(p, s, r, from, a.cta) != (w.told[r].count(from) > 0))
        w.blame("those who fill a stage are not those who are told that it is free");
  return w.wrong;
}

/// What is wrong with the logs of the producers that fill the stages of CTA `cta`; nothing if they are right. Every
/// fill begins with a wait for the stage and an announcement of its bytes, and all producers together send that many.
inline std::string wrong_producers(const plan& p, const cluster& s, int cta) {
  std::vector<std::vector<int>> bytes(static_cast<std::size_t>(p.rings));
  for (const agent& a : s.agents) {
    if (a.role != 0) continue;
    int announced[max_rings]{}, waited[max_rings]{};
    for (const action& x : a.actions) {
      if (x.what != act::wait && x.what != act::expect && x.what != act::load) continue;
      const barrier_place b = place_of(p, x.barrier);
      const int stages = p.ring[b.ring].stages;
      if (x.what == act::wait) {
        const int f = waited[b.ring]++;
        if (b.full || b.stage != f % stages || x.bytes != (f / stages + 1) % 2)
          return "a producer does not wait for stage after stage";
        if (f != announced[b.ring]) return "a producer waits for a stage before it has filled the one before";
      } else if (x.what == act::expect) {
        const int f = announced[b.ring]++;
        if (!b.full || b.stage != f % stages || f + 1 != waited[b.ring])
          return "a producer announces what it has no stage for";
        if (x.bytes != p.ring[b.ring].transaction_bytes) return "a producer announces another number of bytes";
      } else {
        const int f = announced[b.ring] - 1;
        if (f < 0 || !b.full || b.stage != f % stages || !(x.slots >> protocol::slot_of(b.ring, b.stage) & 1))
          return "a copy goes to another stage than the one announced";
        if (!(x.mask >> cta & 1)) continue;
        auto& of_ring = bytes[static_cast<std::size_t>(b.ring)];
        if (static_cast<int>(of_ring.size()) <= f) of_ring.resize(static_cast<std::size_t>(f) + 1, 0);
        of_ring[static_cast<std::size_t>(f)] += x.bytes;
      }
    }
  }
  for (int r = 0; r < p.rings; ++r)
    for (const int b : bytes[static_cast<std::size_t>(r)])
      if (b != p.ring[r].transaction_bytes) return "a fill brings another number of bytes than its barrier waits for";
  return "";
}

/// The order in which an agent comes to new fills, as ring numbers: a producer's and its consumers' must be the same.
inline std::string order_of_fills(const plan& p, const agent& a) {
  std::ostringstream text;
  for (const action& x : a.actions)
    if (x.what == act::wait) text << place_of(p, x.barrier).ring << ' ';
  return text.str();
}

/// All of it, for a cluster.
inline std::string wrong_alone(const plan& p, const cluster& s) {
  for (const agent& a : s.agents) {
    if (order_of_fills(p, a) != order_of_fills(p, s.agents[0])) return "roles come to the rings in different orders";
    std::string wrong = a.role == 0 ? wrong_producers(p, s, a.cta) : wrong_consumer(p, s, a);
    if (wrong.empty() && a.role > 0) wrong = wrong_epilogue(a);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace sectile::orders
