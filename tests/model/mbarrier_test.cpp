// mbarrier: arrivals, transaction bytes, phases and parity, and what goes wrong with them.
#include <doctest/doctest.h>

#include <vector>

#include "kit.hpp"

using kit::hazard_of;
using kit::swizzle_mode;
using sectile::model::grid;
using sectile::model::hazard_kind;
using sectile::model::machine;
using sectile::model::options;
using sectile::model::simulate;

namespace {

constexpr std::uint32_t bar = 1024;        // the barrier of most tests: at shared_base
constexpr std::uint32_t data = bar + 128;  // and bytes for TMA

const grid small{.clusters = 1, .cluster_size = 1, .threads = 64, .shared_bytes = 4096};

/// Thread 0 makes the barrier; all see it.
void make(machine& hw, int arrivals) {
  if (hw.thread() == 0) {
    hw.mbarrier_init(bar, arrivals);
    hw.mbarrier_init_fence();
  }
  hw.cluster_sync();
}

TEST_CASE("a fresh barrier: parity 1 passes, parity 0 waits for the first completion") {
  for (const options& how : kit::schedules(8)) {
    std::vector<int> order;
    simulate(small, how, [&](machine& hw) {
      make(hw, 3);
      if (hw.thread() == 0) hw.mbarrier_wait(bar, 1);
      hw.named_barrier_sync(0, 64);
      if (hw.thread() == 0) {
        hw.mbarrier_wait(bar, 0);
        order.push_back(100);
      } else if (hw.thread() <= 3) {
        order.push_back(hw.thread());
        hw.mbarrier_arrive(bar);
      }
    });
    REQUIRE(order.size() == 4);
    CHECK(order.back() == 100);
  }
}

TEST_CASE("phases alternate in parity, and each needs all its arrivals") {
  for (const options& how : kit::schedules(8)) {
    int sum = 0;
    std::vector<int> seen;
    simulate(small, how, [&](machine& hw) {
      make(hw, 32);
      for (int round = 0; round < 6; ++round) {
        if (hw.thread() < 32) {
          ++sum;
          hw.mbarrier_arrive(bar);
        }
        hw.mbarrier_wait(bar, round & 1);
        if (hw.thread() == 40) seen.push_back(sum);
        hw.named_barrier_sync(0, 64);
      }
    });
    CHECK(seen == std::vector<int>{32, 64, 96, 128, 160, 192});
  }
}

TEST_CASE("bytes may arrive before they are expected while an arrival is pending") {
  kit::matrix x = kit::random_matrix(8, 8, 1);
  const auto map = kit::map_of(x, 8, 8, swizzle_mode::none);
  for (const options& how : kit::schedules(8)) {
    bool passed = false;
    simulate(small, how, [&](machine& hw) {
      make(hw, 2);
      if (hw.thread() == 0) {
        hw.tma_load(data, map, bar, {0, 0});
        hw.named_barrier_sync(1, 64);
        hw.mbarrier_arrive_expect(bar, 64);
      } else if (hw.thread() == 1) {
        hw.named_barrier_sync(1, 64);
        hw.mbarrier_arrive_expect(bar, 64);
      } else {
        hw.named_barrier_sync(1, 64);
      }
      hw.mbarrier_wait(bar, 0);
      passed = true;
    });
    CHECK(passed);
  }
}

TEST_CASE("arrivals at a peer of the cluster") {
  const grid pair{.clusters = 1, .cluster_size = 2, .threads = 32, .shared_bytes = 4096};
  for (const options& how : kit::schedules(8)) {
    std::vector<int> order;
    simulate(pair, how, [&](machine& hw) {
      make(hw, 2);
      if (hw.thread() < 2 && hw.cta_rank() == 1) {
        order.push_back(hw.thread());
        hw.mbarrier_arrive_at(bar, 0);
      }
      if (hw.cta_rank() == 0 && hw.thread() == 5) {
        hw.mbarrier_wait(bar, 0);
        order.push_back(5);
      }
      hw.cluster_sync();
    });
    REQUIRE(order.size() == 3);
    CHECK(order.back() == 5);
  }
}

TEST_CASE("more arrivals than a phase expects") {
  // The phase stays open for its bytes, and a second arrival comes.
  const auto run = [](int bytes) {
    return hazard_of(small, [bytes](machine& hw) {
      make(hw, 1);
      if (hw.thread() == 0) hw.mbarrier_arrive_expect(bar, bytes);
      hw.cluster_sync();
      if (hw.thread() == 1) {
        hw.mbarrier_wait(bar, 1);
        hw.mbarrier_arrive(bar);
      }
    });
  };
  const auto found = run(64);
  REQUIRE(found);
  CHECK(found->kind == hazard_kind::arrival_overflow);
  CHECK(found->says(
      "mbarrier_arrive of thread 1: phase 0 of mbarrier at 0x400 has all its 1 arrivals already (64 bytes"));
}

TEST_CASE("transaction bytes out of range, or other than expected") {
  kit::matrix x = kit::random_matrix(8, 8, 1);
  const auto map = kit::map_of(x, 8, 8, swizzle_mode::none);
  const auto run = [&](int expected) {
    return hazard_of(small, [&map, expected](machine& hw) {
      make(hw, 1);
      if (hw.thread() != 0) return;
      hw.mbarrier_arrive_expect(bar, expected);
      hw.tma_load(data, map, bar, {0, 0});
      hw.mbarrier_wait(bar, 0);
    });
  };
  CHECK(!run(128));
  const auto few = run(16);
  REQUIRE(few);
  CHECK(few->kind == hazard_kind::transaction_count);
  CHECK(few->says(
      "can never complete phase 0: all 1 arrivals are in, and 112 bytes more have arrived than were expected"));
  const auto many = run(144);
  REQUIRE(many);
  CHECK(many->kind == hazard_kind::deadlock);
  CHECK(
      many->says("thread 0: waits for phase 0 (parity 0) of mbarrier at 0x400: 1 of 1 arrival, 16 bytes outstanding"));
  const auto huge = run(1 << 20);
  REQUIRE(huge);
  CHECK(huge->kind == hazard_kind::transaction_count);
  CHECK(huge->says("1048576 bytes are not in 0..1048575"));
  const auto negative = run(-16);
  REQUIRE(negative);
  CHECK(negative->says("-16 bytes are not in 0..1048575"));
  const auto sum = hazard_of(small, [](machine& hw) {
    make(hw, 4);
    if (hw.thread() < 3) hw.mbarrier_arrive_expect(bar, (1 << 20) - 1);
  });
  REQUIRE(sum);
  CHECK(sum->kind == hazard_kind::transaction_count);
  CHECK(sum->says("transaction count 2097150 in phase 0"));
}

TEST_CASE("a wait that lags behind by a phase") {
  const auto run = [](int arrivals_before_wait, const options& how) {
    return hazard_of(small, how, [arrivals_before_wait](machine& hw) {
      make(hw, 1);
      if (hw.thread() == 0) {
        for (int i = 0; i < arrivals_before_wait; ++i) hw.mbarrier_arrive(bar);
      }
      if (hw.thread() == 1) hw.mbarrier_wait(bar, 0);
    });
  };
  for (const options& how : kit::schedules(8)) {
    CHECK(!run(1, how));
    const auto found = run(2, how);
    REQUIRE(found);
    CHECK(found->kind == hazard_kind::lagging_parity);
    CHECK(found->says("mbarrier at 0x400"));
  }
}

TEST_CASE("initialisation") {
  const auto kind_of = [](auto entry) {
    const auto found = hazard_of(small, entry);
    REQUIRE(found);
    INFO(found->message);
    return found->kind;
  };
  CHECK(kind_of([](machine& hw) {
          if (hw.thread() == 0) hw.mbarrier_arrive(bar);
        }) == hazard_kind::barrier_not_ready);
  CHECK(kind_of([](machine& hw) {
          make(hw, 1);
          if (hw.thread() == 0) hw.mbarrier_init(bar, 1);
        }) == hazard_kind::barrier_reused);
  CHECK(kind_of([](machine& hw) {
          if (hw.thread() == 0) hw.mbarrier_init(bar + 4, 1);
        }) == hazard_kind::misaligned);
  CHECK(kind_of([](machine& hw) {
          if (hw.thread() == 0) hw.mbarrier_init(bar + 4096, 1);
        }) == hazard_kind::out_of_range);
  CHECK(kind_of([](machine& hw) {
          if (hw.thread() == 0) hw.mbarrier_init(bar - 8, 1);
        }) == hazard_kind::out_of_range);
  CHECK(kind_of([](machine& hw) {
          if (hw.thread() == 0) hw.mbarrier_init(bar, 0);
        }) == hazard_kind::barrier_misuse);
  CHECK(kind_of([](machine& hw) {
          make(hw, 1);
          if (hw.thread() == 0) hw.mbarrier_wait(bar, 2);
        }) == hazard_kind::barrier_misuse);
  CHECK(kind_of([](machine& hw) {
          make(hw, 1);
          if (hw.thread() == 0) hw.store_shared(bar, 1.0f, 2.0f);
        }) == hazard_kind::barrier_reused);
}

TEST_CASE("initialisation must be published to other threads") {
  const auto run = [](bool with_barrier, const options& how) {
    return hazard_of(small, how, [with_barrier](machine& hw) {
      if (hw.thread() == 0) hw.mbarrier_init(bar, 1);
      if (with_barrier) hw.named_barrier_sync(0, 64);
      if (hw.thread() == 1) hw.mbarrier_arrive(bar);
    });
  };
  for (const options& how : kit::schedules(8)) {
    CHECK(!run(true, how));
    const auto found = run(false, how);
    REQUIRE(found);
    CHECK(found->kind == hazard_kind::barrier_not_ready);
  }
}

TEST_CASE("TMA and other CTAs see a barrier only after its fence, ordered before them") {
  kit::matrix x = kit::random_matrix(8, 8, 1);
  const auto map = kit::map_of(x, 8, 8, swizzle_mode::none);
  const auto run = [&](bool fence_first, const options& how) {
    return hazard_of(small, how, [&, fence_first](machine& hw) {
      if (hw.thread() == 0) hw.mbarrier_init(bar, 1);
      if (hw.thread() == 0 && fence_first) hw.mbarrier_init_fence();
      hw.named_barrier_sync(0, 64);
      if (hw.thread() == 0 && !fence_first) hw.mbarrier_init_fence();
      if (hw.thread() != 1) return;
      hw.mbarrier_arrive_expect(bar, 128);
      hw.tma_load(data, map, bar, {0, 0});
      hw.mbarrier_wait(bar, 0);
    });
  };
  for (const options& how : kit::schedules(6)) {
    CHECK(!run(true, how));
    const auto found = run(false, how);
    REQUIRE(found);
    CHECK(found->kind == hazard_kind::barrier_not_ready);
  }
}

TEST_CASE("an arrival at a CTA that may have exited") {
  const grid pair{.clusters = 1, .cluster_size = 2, .threads = 32, .shared_bytes = 4096};
  const auto run = [&](bool stays, const options& how) {
    return hazard_of(pair, how, [stays](machine& hw) {
      make(hw, 1);
      if (hw.thread() == 0 && hw.cta_rank() == 1) hw.mbarrier_arrive_at(bar, 0);
      if (stays) hw.cluster_sync();
    });
  };
  for (const options& how : kit::schedules(8)) {
    CHECK(!run(true, how));
    const auto found = run(false, how);
    REQUIRE(found);
    CHECK(found->kind == hazard_kind::peer_exited);
  }
}

}  // namespace
