// What reports say beyond the name of the mistake: which trip of its loop each of the two sides was in, who wrote to
// host memory twice, and in a deadlock who waits for whom.
#include <doctest/doctest.h>

#include <sectile/dsl/model/coverage.hpp>
#include <sectile/dsl/model/trips.hpp>

#include "kit.hpp"

namespace {

namespace model = sectile::model;
using kit::caught;
using kit::hazard_of;
using model::hazard_kind;
using model::machine;

/// Two roles of a warp each.
model::options two_roles(std::vector<model::barrier_label> barriers = {}) {
  return {.workers = 1,
          .labels = {.shared = {{"A", 1, 0, 64}},
                     .barriers = std::move(barriers),
                     .roles = {{"reader", 0, 31, 0}, {"writer", 32, 63, 1}}}};
}
constexpr model::grid two_warps{.clusters = 1, .cluster_size = 1, .threads = 64, .shared_bytes = 1024};

caught require(std::optional<caught> found) {
  REQUIRE(found);
  return *std::move(found);
}

// ---- trips

TEST_CASE("both sides of a race are told with their trips") {
  const auto found = require(hazard_of(two_warps, two_roles(), [](machine& hw) {
    const std::uint32_t word = hw.shared_base() + 8;
    for (int k = 0; k < 6; ++k) {
      hw.observe_trip(k);
      if (hw.thread() == 32 && k == 1) hw.store_shared(word, 1u, 2u);
      if (k == 2) hw.named_barrier_sync(1, 64);
      if (hw.thread() == 0 && k == 3) hw.load_shared(word);
      if (k == 4) hw.named_barrier_arrive(2, 64);  // nobody waits for it
      if (hw.thread() == 32 && k == 5) hw.store_shared(word, 3u, 4u);
    }
  }));
  CHECK(found.kind == hazard_kind::overwrite_while_read);
  CHECK(
      found.says("store_shared of writer 1 (thread 32, k = 5) writes A stage 1 (byte 0x408 of shared memory), which "
                 "reader 0 (thread 0, k = 3) reads with ordinary loads"));
}

TEST_CASE("a read is remembered when a write in order has gone to its neighbour") {
  const auto found = require(
      hazard_of({.clusters = 1, .cluster_size = 1, .threads = 96, .shared_bytes = 1024}, two_roles(), [](machine& hw) {
        const std::uint32_t word = hw.shared_base(), neighbour = word + 8;
        if (hw.thread() == 0) hw.store_shared(word, 1u, 2u), hw.store_shared(neighbour, 1u, 2u);
        hw.named_barrier_sync(1, 96);
        if (hw.thread() == 32) hw.load_shared(word);
        if (hw.thread() < 64) hw.named_barrier_sync(2, 64);
        if (hw.thread() == 0) hw.store_shared(neighbour, 3u, 4u);
        for (int later = 0; hw.thread() >= 64 && later < 4; ++later) hw.named_barrier_sync(3, 32);
        if (hw.thread() == 64) hw.store_shared(word, 5u, 6u);
      }));
  CHECK(found.kind == hazard_kind::overwrite_while_read);
  CHECK(found.says("thread 64"));
  CHECK(found.says("which writer 1 (thread 32) reads with ordinary loads"));
}

TEST_CASE("of two copies side by side, the one whose byte it is") {
  kit::matrix x = kit::random_matrix(8, 8, 1);
  const auto map = kit::map_of(x, 8, 8, sectile::swizzle_mode::none);
  const auto found = require(hazard_of(two_warps, two_roles({{"full", 1, 0, "A", "fill", "reader"}}), [&](machine& hw) {
    const std::uint32_t full = hw.shared_base(), third = full + 8, first = full + 128, second = first + 128;
    if (hw.thread() == 32) {
      hw.mbarrier_init(full, 1);
      hw.mbarrier_init(third, 1);
      hw.mbarrier_init_fence();
    }
    hw.named_barrier_sync(1, 64);
    if (hw.thread() == 32) {
      hw.mbarrier_arrive_expect(full, 256);
      hw.mbarrier_arrive_expect(third, 128);
      for (int k = 0; k < 3; ++k) {
        hw.observe_trip(k);
        hw.tma_load(k == 0 ? second : k == 1 ? first : second + 128, map, k < 2 ? full : third, {0, 0});
      }
      hw.mbarrier_wait(full, 0);
    }
    if (hw.thread() != 0) return;
    hw.mbarrier_wait(third, 0);  // which comes last, and says nothing of the others
    hw.load_shared(second);
  }));
  CHECK(found.says("the tma_load of writer 1 (thread 32, k = 0)"));
}

TEST_CASE("a write that was made in an earlier trip, and a reader outside of its loop") {
  const auto found = require(hazard_of(two_warps, two_roles(), [](machine& hw) {
    const std::uint32_t word = hw.shared_base() + 8;
    if (hw.thread() == 32) {
      for (int k = 0; k < 9; ++k) {
        hw.observe_trip(k);
        if (k == 4) hw.store_shared(word, 1u, 2u);
      }
      hw.observe_trip(-1);
    }
    hw.cluster_sync();
    if (hw.thread() == 32) {
      hw.observe_trip(0);
      hw.store_shared(word + 8, 1u, 2u);
      hw.observe_trip(1);
    }
    if (hw.thread() != 0) return;
    hw.observe_trip(-1);
    hw.load_shared(word);  // in order
    hw.load_shared(word + 8);
  }));
  CHECK(found.kind == hazard_kind::read_before_full);
  CHECK(
      found.says("load_shared of reader 0 (thread 0, outside of loops) reads A stage 1 (byte 0x410 of shared memory), "
                 "which nobody has written"));
}

TEST_CASE("trips of events stay what they were") {
  model::thread_clock clock;
  model::trip_log trips;
  CHECK(trips.at(clock.mark(1).at) == model::unknown_trip);
  trips.begin(-1, clock);
  const auto before = clock.mark(1);
  trips.begin(0, clock);
  trips.begin(1, clock);  // nothing happened in trip 0
  trips.begin(2, clock);
  const auto two = clock.mark(1);
  CHECK(clock.mark(1) == two);
  ++clock.now;  // something was published
  const auto two_again = clock.mark(1);
  trips.begin(2, clock);
  trips.begin(0, clock);  // another loop
  const auto zero = clock.mark(1);
  CHECK(trips.at(before.at) == -1);
  CHECK(trips.at(two.at) == 2);
  CHECK(trips.at(two_again.at) == 2);
  CHECK(trips.at(zero.at) == 0);
  CHECK(two.at < two_again.at);
}

// ---- deadlocks

TEST_CASE("a circle of two barriers") {
  const auto found = require(
      hazard_of(two_warps, two_roles({{"full", 1, 0, "A", "fill", "writer"}, {"empty", 1, 8, "A", "free", "reader"}}),
                [](machine& hw) {
                  const std::uint32_t full = hw.shared_base(), empty = full + 8;
                  if (hw.thread() == 0) {
                    hw.mbarrier_init(full, 1);
                    hw.mbarrier_init(empty, 1);
                  }
                  hw.named_barrier_sync(0, 64);
                  hw.observe_trip(7);
                  if (hw.thread() < 32) hw.mbarrier_wait(full, 0);
                  if (hw.thread() >= 32) hw.mbarrier_wait(empty, 0);
                }));
  CHECK(found.kind == hazard_kind::deadlock);
  CHECK(found.message ==
        "deadlock in cluster 0: no thread can go on\n"
        "  cycle: reader 0 (threads 0-31, k = 7) waits for writer 1 (threads 32-63, k = 7) to fill stage 1 of A; "
        "writer 1 "
        "(threads 32-63, k = 7) waits for reader 0 (threads 0-31, k = 7) to free stage 1 of A\n"
        "  reader 0 (threads 0-31, k = 7): waits for phase 0 (parity 0) of full[1] of A: 0 of 1 arrival, 0 bytes "
        "outstanding; 1 more arrival would release it\n"
        "    missing: writer 1 (threads 32-63, k = 7)\n"
        "  writer 1 (threads 32-63, k = 7): waits for phase 0 (parity 0) of empty[1] of A: 0 of 1 arrival, 0 bytes "
        "outstanding; 1 more arrival would release it\n"
        "    missing: reader 0 (threads 0-31, k = 7)\n"
        "  schedule: fair");
}

TEST_CASE("who has exited will not come") {
  const auto found = require(hazard_of(two_warps, two_roles({{"full", 1, 0, "A", "fill", "writer"}}), [](machine& hw) {
    const std::uint32_t full = hw.shared_base();
    if (hw.thread() == 0) hw.mbarrier_init(full, 1);
    hw.named_barrier_sync(0, 64);
    if (hw.thread() == 0) hw.mbarrier_wait(full, 0);
  }));
  CHECK(found.kind == hazard_kind::deadlock);
  CHECK(found.says(
      "\n  no cycle: reader 0 (thread 0) waits for writer 1 (threads 32-63, exited) to fill stage 1 of A\n"));
  CHECK(found.says("\n    missing: writer 1 (threads 32-63, exited)\n"));
}

TEST_CASE("who came to the phase before is expected again, label or not") {
  const auto found = require(hazard_of(two_warps, two_roles(), [](machine& hw) {
    const std::uint32_t barrier = hw.shared_base();
    if (hw.thread() == 0) hw.mbarrier_init(barrier, 2);
    hw.named_barrier_sync(0, 64);
    if (hw.thread() == 5 || hw.thread() == 40) hw.mbarrier_arrive(barrier);
    hw.named_barrier_sync(0, 64);
    if (hw.thread() == 5) hw.mbarrier_arrive(barrier);
    if (hw.thread() < 32) hw.mbarrier_wait(barrier, 0);
    if (hw.thread() < 32) hw.mbarrier_wait(barrier, 1);
    if (hw.thread() >= 32) hw.named_barrier_sync(3, 64);
  }));
  CHECK(found.says(
      "\n  reader 0 (threads 0-31): waits for phase 1 (parity 1) of mbarrier at 0x400: 1 of 2 arrivals, 0 bytes "
      "outstanding; 1 more arrival would release it\n    arrived: reader 0 (thread 5)\n    missing: writer 1 "
      "(threads 32-63)\n"));
  CHECK(found.says(
      "\n  writer 1 (threads 32-63): waits at named barrier 3: 32 of 64 threads are there; 32 more would release "
      "it"));
}

TEST_CASE("lanes that the others wait for") {
  const auto found = require(hazard_of(two_warps, two_roles({{"full", 1, 0, "A", "fill", "reader"}}), [](machine& hw) {
    const std::uint32_t full = hw.shared_base();
    if (hw.thread() == 0) hw.mbarrier_init(full, 1);
    hw.named_barrier_sync(0, 64);
    if (hw.thread() == 3) hw.mbarrier_wait(full, 0);
    if (hw.thread() < 32) hw.shuffle_xor(1, 1);
    if (hw.thread() == 0) hw.mbarrier_arrive(full);
  }));
  CHECK(found.says(
      "reader 0 (threads 0-2), reader 0 (threads 4-31): wait in shuffle_xor for the other lanes of its warp\n"
      "    missing: reader 0 (thread 3)\n"));
  CHECK(found.says(
      "\n  cycle: reader 0 (threads 0-2) waits for reader 0 (thread 3) to come to the same instruction; reader 0 "
      "(thread 3) waits for reader 0 (threads 0-2) to fill stage 1 of A\n"));
}

// ---- host memory

/// Each cluster stores `rows` rows of 16 columns, beginning with row `first_row(cluster)`.
template <class First>
std::optional<caught> store_rows(int clusters, int rows, First first_row, int workers, model::schedule_mode mode = {}) {
  kit::matrix out(64, 24);
  model::options how{.schedule = mode, .preemptions = 1, .workers = workers};
  how.labels.roles = {{"storer", 0, 31}};
  const auto map = kit::map_of(out, rows, 16, sectile::swizzle_mode::none);
  how.labels.tensors = {{"C", map}};
  return hazard_of({.clusters = clusters, .cluster_size = 1, .threads = 32, .shared_bytes = 4096}, how,
                   [&](machine& hw) {
                     hw.observe_trip(hw.cluster_index() + 10);
                     const std::uint32_t from = hw.shared_base();
                     for (std::uint32_t at = 8 * static_cast<std::uint32_t>(hw.thread());
                          at < static_cast<std::uint32_t>(rows) * 32; at += 256)
                       hw.store_shared(from + at, 1u, 2u);
                     hw.fence_proxy_async();
                     hw.named_barrier_sync(0, 32);
                     if (hw.thread() != 0) return;
                     hw.tma_store(map, from, {8, first_row(hw.cluster_index())});
                     hw.bulk_commit();
                     hw.bulk_wait<0>();
                   });
}

TEST_CASE("clusters that write the same bytes") {
  const auto apart = [](int cluster) { return 8 * cluster; };
  const auto meeting = [](int cluster) { return cluster == 5 ? 31 : 8 * cluster; };
  for (const int workers : {1, 3}) {
    CHECK(!store_rows(6, 8, apart, workers));
    const auto found = require(store_rows(6, 8, meeting, workers));
    CHECK(found.kind == hazard_kind::written_twice);
    CHECK(found.message ==
          "storer (cluster 3, thread 0, k = 13) and storer (cluster 5, thread 0, k = 15) both write element (31, 8) of "
          "C: "
          "nothing says whose value stays\n  schedule: any");
  }
  CHECK(!store_rows(6, 8, apart, 2, model::schedule_mode::systematic));
  CHECK(require(store_rows(6, 8, meeting, 2, model::schedule_mode::systematic)).kind == hazard_kind::written_twice);
}

TEST_CASE("ordinary stores to host memory count as well") {
  std::vector<std::uint16_t> out(64);
  const auto run = [&](int step) {
    return hazard_of({.clusters = 2, .threads = 32, .shared_bytes = 1024}, [&](machine& hw) {
      const std::uint32_t word = hw.shared_base() + 8 * static_cast<std::uint32_t>(hw.thread());
      hw.store_shared(word, 1u, 2u);
      hw.named_barrier_sync(0, 32);
      hw.copy_to_global<2>(out.data() + hw.thread() + step * hw.cluster_index(), word);
    });
  };
  CHECK(!run(32));
  CHECK(require(run(31)).kind == hazard_kind::written_twice);
}

/// Two CTAs of a cluster store 8 rows each to where 8 rows are that CTA r loads, those of CTA `loaded(r)`.
template <class Loaded>
std::optional<caught> store_in_place(Loaded loaded) {
  kit::matrix out(16, 16);
  const auto map = kit::map_of(out, 8, 16, sectile::swizzle_mode::none);
  model::options how{.workers = 1};
  how.labels.tensors = {{.name = "C", .map = map, .tile = {16, 8}, .coordinate = {1, 0}, .covered = true},
                        {.name = "R", .map = map}};
  return hazard_of({.clusters = 1, .cluster_size = 2, .threads = 32, .shared_bytes = 1024}, how, [&](machine& hw) {
    const std::uint32_t full = hw.shared_base(), rows = full + 128;
    if (hw.thread() != 0) return;
    hw.mbarrier_init(full, 1);
    hw.mbarrier_init_fence();
    hw.mbarrier_arrive_expect(full, 256);
    hw.tma_load(rows, map, full, {0, 8 * loaded(hw.cta_rank())});
    hw.mbarrier_wait(full, 0);
    hw.tma_store(map, rows, {0, 8 * hw.cta_rank()});
    hw.bulk_commit();
    hw.bulk_wait<0>();
  });
}
TEST_CASE("an input in the output's memory is read by the CTA that writes there") {
  CHECK(!store_in_place([](int rank) { return rank; }));
  const auto found = require(store_in_place([](int rank) { return 1 - rank; }));
  CHECK(found.kind == hazard_kind::read_before_full);
  CHECK(found.says("loads as part of an input: nothing says what comes first"));
}

TEST_CASE("of what is missing, the first tile is described and everything counted") {
  kit::matrix out(16, 16);
  model::coverage written(
      {.name = "C", .map = kit::map_of(out, 8, 8, sectile::swizzle_mode::none), .tile = {8, 8}, .coordinate = {1, 0}});
  for (int row = 0; row < 16; ++row)
    if (row != 3 && row != 12) CHECK(written.add(reinterpret_cast<const std::byte*>(&out.data[16 * row]), 32));
  CHECK(written.missing() ==
        "C: 32 of its 256 elements are never written; of tile (0, 0), the first of which some are missing, row 3, "
        "columns 0 to 7 of C");
}

TEST_CASE("a counter of drawn work begins again behind its last number, no sooner and no later") {
  for (const int tickets : {3, 4, 5}) {
    std::uint64_t counter = 0;
    const sectile::ticket_counters counters{&counter, 5};
    model::options how{.workers = 1};
    how.tickets = counters;
    how.counters = 1;
    how.drawn = {0, 4};
    const auto found =
        hazard_of({.clusters = 2, .cluster_size = 1, .threads = 32, .shared_bytes = 1024}, how, [&](machine& hw) {
          while (hw.thread() == 0 && hw.number_drawn(counters, 0, hw.draw_ticket(counters, 0), tickets) < 2) {
          }
        });
    CAPTURE(tickets);
    CHECK(found.has_value() == (tickets != 4));
    if (found) CHECK(found->says("the counter would begin again behind"));
  }
}

}  // namespace
