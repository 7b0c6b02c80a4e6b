// The walk that an export to Promela is made of, against what the proof of the protocol records, and its text.
#include <doctest/doctest.h>

#include <map>
#include <sectile/dsl/tell/promela/asked.hpp>
#include <sectile/dsl/tell/promela/text.hpp>
#include <sectile/dsl/tell/timeline/example_sizes.hpp>

#include "tests/dsl/all_orders/plans.hpp"

namespace {

using namespace sectile;
using protocol::act, protocol::action;

/// What the proof records of a role, in constant evaluation, when every loop turns `Trips` times.
template <class K, int Trips, int Role>
constexpr auto recorded() {
  loop_table loops = plan_of<K>.loops;
  for (int i = 0; i < loops.count; ++i) loops.trips[i] = Trips;
  return protocol::record<K, protocol::log_capacity(plan_of<K>)>(loops, 1, 0, Role);
}

template <class K>
tell::protocol_walk walk_of(const tell::tile_counts& tiles) {
  return tell::walk_protocol<K>(tell::sizes_of(plan_of<K>, tiles).extent, true);
}

/// How often each thing is done: to which barrier, with which number.
template <class Actions>
std::map<std::tuple<int, int, int, std::uint64_t>, int> counted(const Actions& actions, int count) {
  std::map<std::tuple<int, int, int, std::uint64_t>, int> times;
  for (int n = 0; n < count; ++n) {
    const action& a = actions[n];
    if (a.what != act::begin && a.what != act::touch && a.what != act::fence)
      ++times[{static_cast<int>(a.what), a.barrier, a.bytes, a.slots}];
  }
  return times;
}

using two_stages = orders::gemm<2>;

/// Two products in one trip, of tiles in rings of their own: what stands on the right of `*` may be loaded first.
struct two_rings {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"W(N,K)", bf16>(),
                                                     input<"V(P,N)", bf16>(), output<"C(M,P)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}, {"P", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto W, auto V, auto C) {
    auto [m, p] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto n : sm.pipelined(tiles<"N">(W))) {
      auto s = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(W, {n, 0})));
      auto t = cast<bf16>(s);
      acc += t * transpose(sm.load(V, {p, n}));
    }
    sm.store(C, {m, p}, acc);
  }
};

}  // namespace

TEST_CASE("a walk is what the proof records of as many trips") {
  const tell::protocol_walk walk = walk_of<two_stages>({.others = 3});
  REQUIRE(walk.roles.size() == 2);
  static constexpr auto producer = recorded<two_stages, 3, 0>(), consumer = recorded<two_stages, 3, 1>();
  const auto check = [](const tell::walked_role& role, const auto& log) {
    REQUIRE(static_cast<int>(role.actions.size()) == log.count);
    for (int n = 0; n < log.count; ++n) {
      const action &a = role.actions[n], &b = log.at[n];
      CAPTURE(n);
      CHECK(a.what == b.what);
      CHECK(a.barrier == b.barrier);
      CHECK((a.what == act::begin || a.bytes == b.bytes));  // another work item
      CHECK(a.slots == b.slots);
    }
  };
  check(walk.roles[0], producer);
  check(walk.roles[1], consumer);
  CHECK(walk.roles[1].trips.size() == 4);  // and where the loop ends
}

TEST_CASE("whatever the order in which operands are evaluated, each does what was planned for it") {
  const tell::protocol_walk walk = walk_of<two_rings>({.others = 3});
  static constexpr auto producer = recorded<two_rings, 3, 0>(), consumer = recorded<two_rings, 3, 1>();
  CHECK(counted(walk.roles[0].actions, static_cast<int>(walk.roles[0].actions.size())) ==
        counted(producer.at, producer.count));
  CHECK(counted(walk.roles[1].actions, static_cast<int>(walk.roles[1].actions.size())) ==
        counted(consumer.at, consumer.count));
}

TEST_CASE("which phase a wait is meant for") {
  const tell::protocol_walk walk = walk_of<two_stages>({.others = 5});
  const auto phases = [&](int role) {
    std::vector<int> all;
    const std::vector<int> asked = tell::asked_phases(walk, walk.roles[role]);
    for (std::size_t n = 0; n < asked.size(); ++n)
      if (walk.roles[role].actions[n].what == act::wait) all.push_back(asked[n]);
    return all;
  };
  CHECK(phases(0) == std::vector{0, 0, 1, 1, 2});  // two stages that are free at first
  CHECK(phases(1) == std::vector{1, 1, 2, 2, 3});
  const tell::protocol_walk own = walk_of<orders::own_tiles_gemm<2>>({.rows = 2, .others = 2});
  for (int role = 1; role <= 2; ++role) {  // the second consumer's tile fills the stages for the second time
    const std::vector<int> asked = tell::asked_phases(own, own.roles[role]);
    int first = -1;
    for (std::size_t n = 0; n < asked.size() && first < 0; ++n)
      if (own.roles[role].actions[n].what == act::wait) first = asked[n];
    CHECK(first == role);
  }
}

namespace {

/// The same products where the first one's sums become the left factor of the second in shared memory, by two
/// consumers.
struct turned : two_rings {
  static constexpr sectile::configuration how{
      .tile = {{"M", 16}, {"K", 64}, {"N", 128}, {"P", 128}}, .stages = 2, .consumers = 2, .swap = true};
};

}  // namespace

TEST_CASE("a product looks at a left factor when all have written theirs, until its warps meet behind a wait") {
  const std::string text = tell::promela_text(walk_of<turned>({.others = 2}), "a test");
  const auto behind = [&](std::size_t at, const char* what) {
    const std::size_t found = at == std::string::npos ? at : text.find(what, at);
    CHECK_MESSAGE(found != std::string::npos, what);
    return found;
  };
  std::size_t at = behind(0, "writes its part of a left factor");
  at = behind(at, "close_place(");
  at = behind(at, "look(");
  at = behind(at, "multiplies stage 0 of A, W and V, a left factor");
  at = behind(at, "end_read(");
  behind(at, "end_look(");
}

TEST_CASE("a walk that is too long is refused") {
  CHECK_THROWS_AS(walk_of<two_stages>({.others = 10'000}), tell::walk_is_too_long);
}

TEST_CASE("what others cannot see is done with what they can") {
  const std::string text = tell::promela_text(walk_of<two_stages>({.others = 2}), "a test");
  CHECK(text.starts_with("/* a test\n"));
  CHECK(text.find("  d_step {\n"
                  "    end_read(stage(0, stage_0_of_A_and_B));  /* waits until at most 1 group of products runs */\n"
                  "    arrive(barrier(0, empty_0_of_A_and_B), 0);  /* arrives at empty[0] of A and B */\n"
                  "  }\n") != std::string::npos);
}
