// The protocol's proof follows one run and claims that it decides for all. Here the claim is tried: the same recorded
// actions are carried out in thousands of random orders, by a machine that was written for this test and keeps no
// clocks.
//
// Every agent performs its actions in order; which agent is next, and when a copy that was issued lands, is drawn. What
// the proof accepts must come to the same end in all orders, without an access that meets another. What it refuses must
// go wrong in some.
#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <sectile/kernels/attention.hpp>
#include <string>
#include <vector>

#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using protocol::act;
using protocol::action;

using two_consumers = test::matmul<128, 64, 64, schedule{.stages = 2, .consumers = 2, .persistent = true}>;
using three_stages = test::matmul<64, 64, 64, schedule{.stages = 3, .consumers = 1}>;
using staggered = test::matmul<128, 64, 64, schedule{.stages = 2, .consumers = 2, .stagger = 1}>;
using pair = test::matmul<64, 64, 64, schedule{.stages = 2, .cluster = {2, 1}, .consumers = 1}>;
using square = test::matmul<64, 64, 64, schedule{.stages = 2, .cluster = {2, 2}, .consumers = 1}>;
using attention = kernels::attention<64, kernels::attention_mask::none>;

/// `Kernel` with another plan (see proof_mutants_test.cpp).
template <class Kernel, auto Tamper>
struct tampered : Kernel {};

}  // namespace

template <class Kernel, auto Tamper>
inline constexpr sectile::plan sectile::plan_of<tampered<Kernel, Tamper>> = Tamper(sectile::plan_of<Kernel>);

namespace {

struct agent {
  int cta = 0, role = 0;  // role 0 is the producer
  std::vector<action> actions{};
  std::size_t next = 0;
  std::vector<int> waits{};              // per mbarrier, how often it has waited there
  std::vector<std::uint64_t> reading{};  // slots of its product groups in flight, oldest first
  bool arrived = false;                  // at the hardware barrier where it stands
  int round = 0;
};
struct mbarrier {
  int expected = 0, pending = 0, bytes = 0, phases = 0;
};
struct hardware_barrier {
  int threads = 0, rounds = 0;
};
struct copy {
  int cta, barrier, bytes, slot;
};

/// The agents of a cluster and what they share.
struct cluster {
  plan p{};
  std::vector<agent> agents{};
  std::vector<std::vector<mbarrier>> barrier{};  // [cta][number]
  std::vector<std::vector<hardware_barrier>> hardware{};
  std::vector<copy> in_flight{};
  std::string wrong{};  // the first access that meets another, nothing if there is none

  bool done() const {
    for (const agent& a : agents)
      if (a.next < a.actions.size()) return false;
    return in_flight.empty();
  }

  // ---- moves

  void settle(mbarrier& b) {
    if (b.pending > 0 || b.bytes != 0) return;
    b.pending = b.expected;
    ++b.phases;
  }
  void arrive(mbarrier& b) {
    if (b.pending == 0) wrong = "more arrivals than the barrier counts";
    --b.pending;
    settle(b);
  }
  void land(std::size_t i) {
    const copy c = in_flight[i];
    in_flight.erase(in_flight.begin() + static_cast<std::ptrdiff_t>(i));
    mbarrier& b = barrier[static_cast<std::size_t>(c.cta)][static_cast<std::size_t>(c.barrier)];
    check_unread(c);
    b.bytes -= c.bytes;
    settle(b);
  }
  void check_unread(const copy& c) {
    for (const agent& a : agents)
      for (const std::uint64_t group : a.reading)
        if (a.cta == c.cta && group >> c.slot & 1) wrong = "a stage is overwritten while a product reads it";
  }
  void reach(hardware_barrier& h, int threads) {
    h.threads += warpgroup;
    if (h.threads < threads) return;
    h.threads = 0;
    ++h.rounds;
  }
  hardware_barrier& hardware_of(const agent& a, const action& x) {
    return hardware[static_cast<std::size_t>(a.cta)][static_cast<std::size_t>(x.barrier)];
  }
  mbarrier& barrier_of(int cta, const action& x) {
    return barrier[static_cast<std::size_t>(cta)][static_cast<std::size_t>(x.barrier)];
  }

  /// Whether the agent is not held up by a barrier. Arrives where it stands, once.
  bool can_move(agent& a) {
    if (a.next == a.actions.size()) return false;
    const action& x = a.actions[a.next];
    if (x.what == act::wait) return (barrier_of(a.cta, x).phases & 1) != x.bytes;
    if (x.what != act::meet || !a.arrived) return true;
    return hardware_of(a, x).rounds > a.round;
  }

  void move(agent& a) {
    const action& x = a.actions[a.next];
    if (x.what == act::meet && !a.arrived) {
      a.arrived = true;
      a.round = hardware_of(a, x).rounds;
      return reach(hardware_of(a, x), x.bytes);
    }
    ++a.next;
    switch (x.what) {
      case act::wait: {
        // The first wait for a free stage asks for no phase at all; a consumer's first for the first phase.
        const int asked = ++a.waits[static_cast<std::size_t>(x.barrier)] - (a.role == 0 ? 1 : 0);
        if (barrier_of(a.cta, x).phases != asked) wrong = "a wait passes in another phase than it asks for";
        break;
      }
      case act::meet:
        a.arrived = false;
        break;
      case act::read:
        break;
      case act::arrive:
        arrive(barrier_of(x.cta, x));
        break;
      case act::expect:
        barrier_of(a.cta, x).bytes += x.bytes;
        arrive(barrier_of(a.cta, x));
        break;
      case act::load:
        for (std::size_t c = 0; c < barrier.size(); ++c)
          if (x.mask >> c & 1) {
            in_flight.push_back({static_cast<int>(c), x.barrier, x.bytes, slot_in(x.slots)});
            check_unread(in_flight.back());
          }
        break;
      case act::multiply:
        for (const copy& c : in_flight)
          if (c.cta == a.cta && x.slots >> c.slot & 1) wrong = "a product reads a stage that is being filled";
        a.reading.push_back(x.slots);
        break;
      case act::retire:
        while (a.reading.size() > static_cast<std::size_t>(x.bytes)) a.reading.erase(a.reading.begin());
        break;
      case act::announce:
        reach(hardware_of(a, x), x.bytes);
        break;
      case act::write_panel:  // a warpgroup's own buffers: program order decides
      case act::proxy_fence:
      case act::store_panel:
      case act::close_store:
      case act::reclaim:
        break;
    }
  }
  static int slot_in(std::uint64_t bits) {
    int n = 0;
    while (!(bits >> n & 1)) ++n;
    return n;
  }

  /// Phases that each barrier has completed.
  std::vector<int> phases() const {
    std::vector<int> all;
    for (const auto& of_cta : barrier)
      for (const mbarrier& b : of_cta) all.push_back(b.phases);
    return all;
  }
};

/// The cluster of K before its first action, in run number `run` of the proof.
template <class K>
cluster start(int run) {
  constexpr int capacity = protocol::log_capacity(plan_of<K>, protocol::protocol_trips(plan_of<K>, 5));
  cluster c{};
  c.p = plan_of<K>;
  const loop_table trips = protocol::protocol_trips(c.p, run);
  const auto ctas = static_cast<std::size_t>(c.p.how.cluster.size());
  const std::size_t barriers = 2 * static_cast<std::size_t>(protocol::stages_in(c.p));
  c.barrier.assign(ctas, std::vector<mbarrier>(barriers));
  c.hardware.assign(ctas, std::vector<hardware_barrier>(16));
  for (int cta = 0; cta < static_cast<int>(ctas); ++cta) {
    for (int r = 0; r < c.p.rings; ++r)
      for (int s = 0; s < c.p.ring[r].stages; ++s) {
        const auto number = [&](int first) {
          return static_cast<std::size_t>((first - c.p.ring[0].full_barrier) / 8 + s);
        };
        auto& of_cta = c.barrier[static_cast<std::size_t>(cta)];
        of_cta[number(c.p.ring[r].full_barrier)] = {1, 1};
        of_cta[number(c.p.ring[r].empty_barrier)] = {c.p.ring[r].empty_arrivals, c.p.ring[r].empty_arrivals};
      }
    for (int role = 0; role <= c.p.how.consumers; ++role) {
      const auto log = std::make_unique<protocol::action_log<capacity>>(
          protocol::record<K, capacity>(trips, protocol::items_of(c.p, trips), cta, role));
      REQUIRE(!log->overflow);
      agent a{};
      a.cta = cta;
      a.role = role;
      a.actions.assign(log->at, log->at + log->count);
      a.waits.assign(barriers, 0);
      c.agents.push_back(a);
    }
  }
  return c;
}

/// Carries the actions out in a random order. Agents and copies have random speeds, so that some orders let one run far
/// behind the others. Returns what went wrong, nothing if all came to the end.
std::string carry_out(cluster& c, std::mt19937& random) {
  const std::size_t agents = c.agents.size();
  std::vector<unsigned> speed(agents + 1);
  for (unsigned& s : speed) s = 1u << random() % 8;
  std::vector<unsigned> weight(agents + 1);
  for (;;) {
    unsigned all = 0;
    for (std::size_t i = 0; i < agents; ++i) all += weight[i] = c.can_move(c.agents[i]) ? speed[i] : 0;
    all += weight[agents] = c.in_flight.empty() ? 0 : speed[agents];
    if (all == 0) return c.done() ? "" : "nobody can go on";
    unsigned drawn = static_cast<unsigned>(random() % all);
    std::size_t next = 0;
    while (drawn >= weight[next]) drawn -= weight[next++];
    if (next < agents)
      c.move(c.agents[next]);
    else
      c.land(random() % c.in_flight.size());
    if (!c.wrong.empty()) return c.wrong;
  }
}

/// All orders come to the same end.
template <class K>
void check_all_alike(int run, int orders) {
  CAPTURE(run);
  const cluster begin = start<K>(run);
  std::mt19937 random(static_cast<unsigned>(run));
  std::vector<int> phases;
  for (int i = 0; i < orders; ++i) {
    cluster c = begin;
    const std::string wrong = carry_out(c, random);
    if (i == 0) phases = c.phases();
    if (wrong.empty() && c.phases() == phases) continue;
    CAPTURE(i);
    CHECK(wrong == "");
    CHECK(c.phases() == phases);
    return;
  }
  CHECK(phases.size() > 0);
}

/// How many of the orders go wrong in this way.
template <class K>
int count_wrong(int run, int orders, const std::string& how) {
  const cluster begin = start<K>(run);
  std::mt19937 random(static_cast<unsigned>(run));
  int count = 0;
  for (int i = 0; i < orders; ++i) {
    cluster c = begin;
    count += carry_out(c, random) == how;
  }
  return count;
}

TEST_CASE("two consumers, two output tiles, 0 to 5 trips") {
  for (int run = 0; run <= 5; ++run) check_all_alike<two_consumers>(run, 1500);
}
TEST_CASE("three stages") {
  for (int run = 2; run <= 5; ++run) check_all_alike<three_stages>(run, 1000);
}
TEST_CASE("a consumer that runs behind") {
  for (int run = 1; run <= 4; ++run) check_all_alike<staggered>(run, 1000);
}
TEST_CASE("a cluster of two that shares B") {
  for (int run = 1; run <= 5; ++run) check_all_alike<pair>(run, 1000);
}
TEST_CASE("a cluster of four that shares A and B") {
  for (int run = 1; run <= 4; ++run) check_all_alike<square>(run, 500);
}
TEST_CASE("attention: three rings, three consumers that take turns") {
  for (int run = 0; run <= 3; ++run) check_all_alike<attention>(run, 300);
}

// ---- what the proof refuses goes wrong

constexpr plan arrivals(plan p, int more) {
  p.ring[0].empty_arrivals += more;
  return p;
}
constexpr plan one_arrival_less(plan p) { return arrivals(p, -1); }
constexpr plan one_arrival_more(plan p) { return arrivals(p, 1); }
constexpr plan release_while_reading(plan p) {
  for (step& s : p.steps)
    if (s.kind == event_kind::issue) {
      s.wait_after = -1;
      s.keep[0] = 0;
      s.give_back[0] = 1;
    }
  return p;
}

TEST_CASE("a stage given back too early is overwritten") {
  using K = tampered<two_consumers, release_while_reading>;
  const int count = count_wrong<K>(4, 1000, "a stage is overwritten while a product reads it");
  CHECK(count > 0);
  CHECK(protocol::check_protocol<K, 4>().what == rule::protocol_races);
}
TEST_CASE("a barrier that does not wait for the second consumer: some orders are right by luck") {
  using K = tampered<two_consumers, one_arrival_less>;
  const cluster begin = start<K>(4);
  std::mt19937 random(1);
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) {
    cluster c = begin;
    wrong += carry_out(c, random) != "";
  }
  CHECK(wrong > 0);
  CHECK(protocol::check_protocol<K, 4>().what == rule::protocol_races);
}
TEST_CASE("a deadlock in one order is one in all") {
  using K = tampered<pair, one_arrival_more>;
  CHECK(count_wrong<K>(4, 500, "nobody can go on") == 500);
  CHECK(protocol::check_protocol<K, 4>().what == rule::protocol_deadlocks);
}

}  // namespace
