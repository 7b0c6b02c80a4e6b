// The systematic schedule: that it finds what only some schedules show, that a schedule can be repeated to the letter,
// and that all schedules within the bound are run and counted.
#include <doctest/doctest.h>

#include <set>

#include "pipeline.hpp"

namespace {

namespace model = sectile::model;
using kit::caught;
using kit::fault;
using kit::hazard_of;
using kit::pipeline;
using model::hazard_kind;
using model::machine;
using model::schedule_count;
using model::schedule_mode;

model::options systematic(int preemptions, schedule_count* explored = nullptr, int workers = 2) {
  return {.schedule = schedule_mode::systematic, .preemptions = preemptions, .explored = explored, .workers = workers};
}

// ---- schedules as text

TEST_CASE("a schedule can be written down") {
  for (const char* text : {"0:", "0:17.2", "3:17.2,40.1"}) CHECK(spell(model::parse_schedule(text)) == text);
  const auto refused = [](const char* text, const char* why) {
    CHECK_THROWS_WITH_AS(model::parse_schedule(text), why, std::invalid_argument);
  };
  refused("", "schedule '': a number is expected at character 1; a schedule is spelled like 0:17.2,40.1");
  refused("0", "schedule '0': ':' is expected at character 2; a schedule is spelled like 0:17.2,40.1");
  refused("0:1", "schedule '0:1': '.' is expected at character 4; a schedule is spelled like 0:17.2,40.1");
  refused("0:1.0",
          "schedule '0:1.0': a choice from 1 on is expected at character 6; a schedule is spelled like 0:17.2,40.1");
  refused("0:5.1,5.2",
          "schedule '0:5.1,5.2': a later decision than the one before is expected at character 10; a schedule is "
          "spelled like 0:17.2,40.1");
  refused("-1:", "schedule '-1:': a number is expected at character 1; a schedule is spelled like 0:17.2,40.1");
}

TEST_CASE("what was explored, in words") {
  using count = schedule_count;
  CHECK(describe(count{1284, 1, 2, 2}) == "all 1,284 schedules with at most 2 preemptions");
  CHECK(describe(count{1, 1, 0, 0}) == "all 1 schedule with at most 0 preemptions");
  CHECK(describe(count{1234567, 4, 1, 1}) == "all 1,234,567 schedules of 4 clusters with at most 1 preemption");
  CHECK(describe(count{10000, 1, 2, 1}) ==
        "10,000 schedules: all with at most 1 preemption, and the first of those with 2");
  CHECK(describe(count{7, 1, 2, 0}) == "7 schedules: the default, and the first of those with 1 preemption");
}

// ---- which schedules there are

/// Roles of one warp each.
constexpr model::grid two_warps{.clusters = 1, .cluster_size = 1, .threads = 64, .shared_bytes = 1024};
model::label_set roles(int count) {
  static const char* const names[] = {"left", "right", "third"};
  model::label_set made;
  for (int i = 0; i < count; ++i) made.roles.push_back({names[i], 32 * i, 32 * i + 31});
  return made;
}

/// The orders in which the roles pass their meeting points: points[r] of role r, which is the r-th letter.
std::multiset<std::string> orders(const std::vector<int>& points, int preemptions) {
  std::multiset<std::string> seen;
  const int warps = static_cast<int>(points.size());
  model::options how = systematic(preemptions, nullptr, 1);
  how.labels = roles(warps);
  std::string order;
  int done = 0;
  model::simulate({.threads = 32 * warps}, how, [&](machine& hw) {
    const int warp = hw.thread() / 32;
    for (int i = 0; i < points[static_cast<std::size_t>(warp)]; ++i) {
      hw.named_barrier_sync(1 + warp, 32);
      if (hw.thread() % 32 == 0) order += static_cast<char>('a' + warp);
    }
    if (++done < 32 * warps) return;
    seen.insert(order);
    order.clear();
    done = 0;
  });
  return seen;
}

/// How many schedules roles with so many steps to go have, if they may depart `budget` times from this: whoever is
/// `current` goes on until it is done, then the next one.
std::size_t count_schedules(std::vector<int> steps, std::size_t current, int budget) {
  std::size_t count = 0;
  bool departs = false, any = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t role = (current + i) % steps.size();
    if (steps[role] == 0) continue;
    any = true;
    if (departs && budget == 0) continue;
    --steps[role];
    count += count_schedules(steps, role, budget - (departs ? 1 : 0));
    ++steps[role];
    departs = true;
  }
  return any ? count : 1;
}

TEST_CASE("every schedule within the bound is run once") {
  // A role has a step before its first point, and one behind each.
  const auto check = [](std::vector<int> points, int bound) {
    std::vector<int> steps = points;
    for (int& s : steps) ++s;
    CAPTURE(bound);
    CAPTURE(points.size());
    CAPTURE(points[0]);
    CHECK(orders(points, bound).size() == count_schedules(steps, 0, bound));
  };
  for (int left = 1; left <= 4; ++left)
    for (int right = 1; right <= 4; ++right)
      for (int bound = 0; bound <= 5; ++bound) check({left, right}, bound);
  for (int bound = 0; bound <= 3; ++bound) check({1, 2, 1}, bound);
  CHECK(orders({1, 1}, 0) == std::multiset<std::string>{"ab"});
  const auto all = orders({2, 2}, 9), one = orders({2, 2}, 1);
  CHECK(std::set<std::string>(all.begin(), all.end()) ==
        std::set<std::string>{"aabb", "abab", "abba", "baab", "baba", "bbaa"});
  CHECK(one.count("abab") == 0);  // takes two departures
}

/// Whether another role's mark may come between the two that `program` makes.
template <class Program>
bool gives_way_between_marks(Program program) {
  std::set<std::string> seen;
  // One departure lets the marks come first, one the other role between them.
  model::options how = systematic(2, nullptr, 1);
  how.labels = roles(2);
  std::string order;
  const kit::matrix zeros(8, 8);
  const auto map = kit::map_of(zeros, 8, 8, kit::swizzle_mode::none);
  model::simulate(two_warps, how, [&](machine& hw) {
    const std::uint32_t barrier = hw.shared_base() + 512;
    if (hw.thread() == 0) {
      order.clear();
      hw.mbarrier_init(barrier, 1);
      hw.mbarrier_init_fence();
    }
    hw.cluster_sync();
    if (hw.thread() == 0) {
      program(hw, barrier, map, [&] { order += 'a'; });
      seen.insert(order);
    }
    if (hw.thread() == 32) order += '-';
    hw.cluster_sync();
  });
  return seen.count("a-a") == 1;
}
template <class Verb>
bool is_meeting_point(Verb verb) {
  return gives_way_between_marks([&](machine& hw, std::uint32_t barrier, const auto&, auto mark) {
    hw.mbarrier_arrive(barrier);
    mark();
    verb(hw, barrier);
    mark();
  });
}

TEST_CASE("where roles meet") {
  using at = std::uint32_t;
  CHECK(is_meeting_point([](machine& hw, at b) { hw.mbarrier_wait(b, 0); }));
  CHECK(is_meeting_point([](machine& hw, at b) { hw.mbarrier_arrive(b); }));
  CHECK(is_meeting_point([](machine& hw, at b) { hw.mbarrier_arrive_at(b, 0); }));
  CHECK(is_meeting_point([](machine& hw, at b) { hw.mbarrier_arrive_expect(b, 0); }));
  CHECK(is_meeting_point([](machine& hw, at) {
    for (int i = 0; i < 32; ++i) hw.named_barrier_arrive(3, 32);  // nobody exits with an arrival that is left
  }));
  CHECK(!is_meeting_point([](machine& hw, at b) { hw.store_shared(b - 64, 0u, 0u); }));
  CHECK(!is_meeting_point([](machine& hw, at) { hw.fence_proxy_async(); }));
  CHECK(!is_meeting_point([](machine& hw, at) { hw.bulk_wait<0>(); }));
}

TEST_CASE("loads in a row are one meeting point") {
  const auto load_twice = [](bool mark_first) {
    return [=](machine& hw, std::uint32_t barrier, const auto& map, auto mark) {
      hw.mbarrier_arrive_expect(barrier, 256);
      if (mark_first) mark();
      hw.tma_load(barrier - 512, map, barrier, {0, 0});
      mark();
      hw.tma_load(barrier - 384, map, barrier, {0, 0});
      if (!mark_first) mark();
      hw.mbarrier_wait(barrier, 0);
    };
  };
  CHECK(gives_way_between_marks(load_twice(true)));
  CHECK(!gives_way_between_marks(load_twice(false)));
}

TEST_CASE("the number of schedules does not depend on the number of workers, and is bounded") {
  const auto explore = [](int workers, long most) {
    schedule_count n;
    model::options how = systematic(2, &n, workers);
    how.max_schedules = most;
    pipeline program(1, 2, 1, fault::none);
    CHECK(!program.run(how));
    CHECK(program.c == program.expected());
    return n;
  };
  const schedule_count all = explore(1, 100'000);
  CHECK(all.all());
  CHECK(all.run > 50);
  CHECK(explore(3, 100'000).run == all.run);
  const schedule_count some = explore(2, 40);
  CHECK(some.run == 40);
  CHECK(some.all_to == 1);
  CHECK(!some.all());
  CHECK(explore(2, 5).all_to == 0);
  CHECK(explore(2, all.run).all());
}

// ---- what only some schedules show

/// The left role tells the right one to begin, and then that the work is done, unless that one has gone its own way.
/// Whether this ends well depends on who is faster.
std::optional<caught> run_race(const model::options& given) {
  model::options how = given;
  how.labels = roles(2);
  how.labels.barriers = {{"begin", -1, 0}, {"done", -1, 8}};
  bool gone = false;
  int begun = 0;
  return hazard_of(two_warps, how, [&](machine& hw) {
    if (begun++ % 64 == 0) gone = false;
    const std::uint32_t begin = hw.shared_base(), done = begin + 8, other = begin + 16;
    if (hw.thread() == 0) {
      hw.mbarrier_init(begin, 1);
      hw.mbarrier_init(other, 1);
      hw.mbarrier_init(done, 1);
      hw.mbarrier_init_fence();
    }
    hw.named_barrier_sync(0, 64);
    if (hw.thread() == 0) {
      hw.mbarrier_arrive(begin);
      hw.mbarrier_arrive(other);
      if (!gone) hw.mbarrier_arrive(done);
    }
    if (hw.thread() == 32) {
      hw.mbarrier_wait(begin, 0);
      gone = true;
      hw.mbarrier_wait(done, 0);
    }
  });
}

/// The schedule that a report names, as in "0:17.2".
std::string schedule_in(const caught& found) {
  const std::string line = "\n  schedule: systematic; --replay ";
  const std::size_t at = found.message.find(line);
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + line.size(), end = found.message.find(' ', begin);
  CHECK(found.message.substr(end) == " repeats it");
  return found.message.substr(begin, end - begin);
}

TEST_CASE("an exploration that has no schedule to run is refused") {
  model::options none = systematic(1, nullptr, 1);
  none.max_schedules = 0;
  CHECK_THROWS_WITH_AS(
      run_race(none),
      "systematic: at most 0 schedules with at most 1 preemptions are none at all; run 1 with 0 or more",
      std::invalid_argument);
  CHECK_THROWS_AS(run_race(systematic(-1, nullptr, 1)), std::invalid_argument);
}

TEST_CASE("an error of one schedule is found, and its schedule repeats it to the letter") {
  CHECK(!run_race({.workers = 1}));
  CHECK(!run_race(systematic(0, nullptr, 1)));
  const auto found = run_race(systematic(1, nullptr, 1));
  REQUIRE(found);
  INFO(found->message);
  CHECK(found->kind == hazard_kind::deadlock);
  CHECK(found->says("right (thread 32): waits for phase 0 (parity 0) of done: 0 of 1 arrival"));
  const std::string schedule = schedule_in(*found);
  CHECK(model::parse_schedule(schedule).departures.size() == 1);
  for (int i = 0; i < 3; ++i) {
    const auto again = run_race({.replay = schedule});
    REQUIRE(again);
    CHECK(again->message == found->message);
  }
}

TEST_CASE("the order in which copies land is a choice as well") {
  const kit::matrix zeros(8, 8);
  const auto map = kit::map_of(zeros, 8, 8, kit::swizzle_mode::none);
  constexpr std::uint32_t first = 512, second = 520;  // barriers
  bool first_has_landed = false;
  const auto entry = [&](machine& hw) {
    const std::uint32_t base = hw.shared_base();
    if (hw.thread() == 0) {
      first_has_landed = false;
      hw.mbarrier_init(base + first, 1);
      hw.mbarrier_init(base + second, 1);
      hw.mbarrier_init_fence();
    }
    hw.named_barrier_sync(0, 64);
    if (hw.thread() == 0) {
      hw.mbarrier_arrive_expect(base + first, 128);
      hw.tma_load(base, map, base + first, {0, 0});
      hw.mbarrier_arrive_expect(base + second, 128);
      hw.tma_load(base + 128, map, base + second, {0, 0});
      hw.mbarrier_wait(base + first, 0);
      first_has_landed = true;
    }
    if (hw.thread() == 32) {
      hw.mbarrier_wait(base + second, 0);
      if (!first_has_landed) hw.named_barrier_arrive(16, 64);  // shows
    }
    hw.cluster_sync();
  };
  const auto run = [&](int preemptions) {
    model::options how = systematic(preemptions, nullptr, 1);
    how.labels = roles(2);
    return hazard_of({.clusters = 1, .cluster_size = 1, .threads = 64, .shared_bytes = 1024}, how, entry);
  };
  CHECK(!run(0));
  const auto found = run(1);
  REQUIRE(found);
  CHECK(found->kind == hazard_kind::barrier_misuse);
  CHECK(model::parse_schedule(schedule_in(*found)).departures.size() == 1);
}

TEST_CASE("a seed repeats a report to the letter, and the report names it") {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const model::options how{.schedule = schedule_mode::random, .seed = seed, .workers = 1};
    const auto first = run_race(how), second = run_race(how);
    REQUIRE(first.has_value() == second.has_value());
    if (!first) continue;
    ++found;
    CHECK(first->message == second->message);
    CHECK(first->says("\n  schedule: random; seed " + std::to_string(seed) + " repeats it"));
  }
  CHECK(found > 0);
}

TEST_CASE("a schedule of another program is refused") {
  pipeline program(1, 2, 1, fault::none);
  const auto replay = [&](const char* schedule) { program.run({.replay = schedule}); };
  CHECK_NOTHROW(replay("0:"));
  CHECK(program.c == program.expected());
  CHECK_THROWS_WITH(replay("1:"), "schedule 1: is of cluster 1; the launch has 1");
  CHECK_THROWS_AS(replay("0:100000.1"), std::invalid_argument);
  CHECK_THROWS_AS(replay("0:0.77"), std::invalid_argument);
}

TEST_CASE("what the systematic schedule finds in the pipeline can be repeated") {
  for (int f = 1; f <= static_cast<int>(fault::no_final_sync); ++f) {
    const auto mistake = static_cast<fault>(f);
    const int cluster = mistake == fault::no_final_sync || mistake == fault::no_peer_release ? 2 : 1;
    pipeline program(cluster, 3, 2, mistake);
    const auto found = program.run(systematic(1));
    CAPTURE(f);
    REQUIRE(found);
    const std::string schedule = schedule_in(*found);
    const auto again = program.run({.replay = schedule});
    REQUIRE(again);
    CHECK(again->kind == found->kind);
    CHECK(again->message == found->message);
  }
}

}  // namespace
