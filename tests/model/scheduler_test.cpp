// The scheduler: runs that can be repeated, threads that meet, warps that act together, deadlocks, and how runs end.
#include <doctest/doctest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "pipeline.hpp"

using kit::hazard_of;
using sectile::model::grid;
using sectile::model::hazard_kind;
using sectile::model::machine;
using sectile::model::options;
using sectile::model::schedule_mode;
using sectile::model::simulate;

namespace {

const grid small{.clusters = 1, .cluster_size = 1, .threads = 64, .shared_bytes = 8192};

/// The order in which the threads of each cluster pass through a little program.
std::vector<std::string> traces(const options& how) {
  std::vector<std::string> trace(5);
  simulate({.clusters = 5, .cluster_size = 2, .threads = 32, .shared_bytes = 64}, how, [&](machine& hw) {
    std::string& mine = trace[static_cast<std::size_t>(hw.cluster_index())];
    for (int round = 0; round < 3; ++round) {
      mine += static_cast<char>('a' + hw.thread() % 26);
      mine += static_cast<char>('0' + hw.cta_rank());
      hw.named_barrier_sync(1, 32);
      hw.shuffle_xor(1, 1);
    }
  });
  return trace;
}

TEST_CASE("a seed gives the same run each time, whatever the number of workers") {
  const auto with = [](std::uint64_t seed, bool random, int workers) {
    const auto mode = random ? schedule_mode::random : schedule_mode::fair;
    return traces({.schedule = mode, .seed = seed, .workers = workers});
  };
  CHECK(with(1, true, 1) == with(1, true, 1));
  CHECK(with(1, true, 1) == with(1, true, 3));
  CHECK(with(7, true, 2) == with(7, true, 5));
  CHECK(with(1, true, 1) != with(2, true, 1));
  CHECK(with(1, true, 1)[0] != with(1, true, 1)[1]);
  CHECK(with(1, false, 1) == with(2, false, 3));
  CHECK(with(1, false, 1)[0] == with(1, false, 1)[1]);
}

TEST_CASE("the same seed finds the same hazard") {
  const auto report = [](std::uint64_t seed) {
    kit::pipeline program(2, 3, 2, kit::fault::early_release);
    const auto found = program.run({.schedule = schedule_mode::random, .seed = seed, .workers = 1});
    return found ? found->message : "";
  };
  for (std::uint64_t seed = 0; seed < 5; ++seed) CHECK(report(seed) == report(seed));
}

TEST_CASE("the failure that is reported is that of the lowest cluster") {
  for (const int workers : {1, 2, 4}) {
    const auto found =
        hazard_of({.clusters = 12, .threads = 32, .shared_bytes = 64}, {.workers = workers}, [](machine& hw) {
          if (hw.cluster_index() >= 3 && hw.thread() == 0) hw.named_barrier_sync(20 + hw.cluster_index(), 32);
        });
    REQUIRE(found);
    CHECK(found->says("named_barrier_sync(23, 32)"));
  }
}

TEST_CASE("progress counts clusters, and what the kernel itself throws comes out") {
  std::atomic<long> progress{0};
  simulate({.clusters = 9, .threads = 32}, {.workers = 2, .progress = &progress}, [](machine&) {});
  CHECK(progress == 9);
  CHECK_THROWS_WITH(simulate(small, {},
                             [](machine& hw) {
                               hw.named_barrier_sync(0, 64);
                               if (hw.thread() == 13) throw std::runtime_error("thirteen");
                               hw.named_barrier_sync(0, 64);
                             }),
                    "thirteen");
  CHECK_NOTHROW(simulate({.clusters = 0}, {}, [](machine&) {}));
}

TEST_CASE("grids that cannot be launched") {
  const auto launch = [](const grid& g) { simulate(g, {}, [](machine&) {}); };
  CHECK_THROWS_AS(launch({.threads = 33}), std::invalid_argument);
  CHECK_THROWS_AS(launch({.threads = 1056}), std::invalid_argument);
  CHECK_THROWS_AS(launch({.cluster_size = 17}), std::invalid_argument);
  CHECK_THROWS_WITH(launch({.shared_bytes = 232449}),
                    "grid: 232449 bytes of shared memory per CTA; at most 232448 are possible");
}

TEST_CASE("a thread that never waits for anything that ends is stopped") {
  const auto found = hazard_of(small, {.workers = 1, .step_limit = 10000}, [](machine& hw) {
    if (hw.thread() == 0) hw.mbarrier_init(1024, 1);
    while (hw.thread() == 0) hw.mbarrier_wait(1024, 1);
  });
  REQUIRE(found);
  CHECK(found->kind == hazard_kind::runaway);
}

TEST_CASE("named barriers: some wait, some only arrive; counts and ids") {
  for (const options& how : kit::schedules(6)) {
    int arrived = 0;
    std::vector<int> seen;
    simulate(small, how, [&](machine& hw) {
      for (int round = 1; round <= 3; ++round) {
        if (hw.thread() < 32) {
          ++arrived;
          hw.named_barrier_arrive(2, 64);
          hw.named_barrier_sync(3, 64);
        } else {
          hw.named_barrier_sync(2, 64);
          if (hw.thread() == 40) seen.push_back(arrived);
          hw.named_barrier_sync(3, 64);
        }
      }
    });
    CHECK(seen == std::vector<int>{32, 64, 96});
  }
  const auto kind = [](auto use) {
    const auto h = hazard_of(small, use);
    REQUIRE(h);
    return h->kind;
  };
  CHECK(kind([](machine& hw) { hw.named_barrier_sync(16, 64); }) == hazard_kind::barrier_misuse);
  CHECK(kind([](machine& hw) { hw.named_barrier_sync(1, 40); }) == hazard_kind::barrier_misuse);
  CHECK(kind([](machine& hw) { hw.named_barrier_sync(1, 96); }) == hazard_kind::barrier_misuse);
  CHECK(kind([](machine& hw) { hw.named_barrier_sync(1, hw.thread() < 32 ? 32 : 64); }) == hazard_kind::deadlock);
  CHECK(kind([](machine& hw) { hw.named_barrier_sync(1, hw.thread() == 0 ? 32 : 64); }) == hazard_kind::barrier_misuse);
}

TEST_CASE("the cluster barrier does without threads that have exited") {
  int after = 0;
  simulate({.clusters = 1, .cluster_size = 2, .threads = 64}, {.workers = 1}, [&](machine& hw) {
    if (hw.thread() % 3 == 0) return;
    hw.cluster_sync();
    ++after;
    hw.cluster_sync();
  });
  CHECK(after == 2 * 42);
}

TEST_CASE("shuffles exchange among all lanes, one after the other") {
  for (const options& how : kit::schedules(4)) {
    std::vector<float> sums(64);
    simulate(small, how, [&](machine& hw) {
      float x = static_cast<float>(hw.thread());
      for (int mask = 16; mask > 0; mask /= 2) x = machine::add(x, hw.shuffle_xor(x, mask));
      sums[static_cast<std::size_t>(hw.thread())] = x;
    });
    for (std::size_t i = 0; i < 64; ++i) CHECK(sums[i] == (i < 32 ? 496.0f : 1520.0f));
  }
}

TEST_CASE("stmatrix and st.shared put every word where it belongs") {
  kit::matrix out(16, 16), floats(16, 32);
  const auto map = kit::map_of(out, 16, 16, sectile::swizzle_mode::none);
  const auto float_map = kit::map_of(floats, 16, 32, sectile::swizzle_mode::none);
  constexpr std::uint32_t tile = 1024, wide = 2048;
  for (const int matrices : {4, 2}) {
    out.data.assign(out.data.size(), 0);
    simulate({.threads = 32, .shared_bytes = 4096}, {.workers = 1}, [&](machine& hw) {
      const int lane = hw.thread();
      std::uint32_t r[4];
      for (std::uint32_t q = 0; q < 4; ++q)
        r[q] =
            static_cast<std::uint32_t>(lane) * 8 + 2 * q + ((static_cast<std::uint32_t>(lane) * 8 + 2 * q + 1) << 16);
      const auto at = sectile::stmatrix_row_address(lane);
      const auto address = tile + static_cast<std::uint32_t>(at.row * 32 + at.col * 2);
      for (std::uint32_t i = 0; i < 2; ++i)
        hw.store_shared(tile + static_cast<std::uint32_t>(lane) * 16 + 8 * i, 0.0f, 0.0f);
      hw.named_barrier_sync(0, 32);
      if (matrices == 4) {
        hw.stmatrix_x4(address, r);
      } else {
        hw.stmatrix_x2(lane < 16 ? address : 3, r);  // the other addresses do not count
      }
      for (std::uint32_t i = 0; i < 4; ++i) {
        hw.store_shared(wide + static_cast<std::uint32_t>(lane) * 32 + 8 * i, static_cast<float>(lane),
                        static_cast<float>(i));
      }
      hw.fence_proxy_async();
      hw.named_barrier_sync(0, 32);
      if (lane != 0) return;
      hw.tma_store(map, tile, {0, 0});
      hw.tma_store(float_map, wide, {0, 0});
      hw.bulk_commit();
      hw.bulk_wait<0>();
    });
    for (int lane = 0; lane < 32; ++lane) {
      for (int q = 0; q < 4; ++q) {
        for (int part = 0; part < 2; ++part) {
          const auto at = sectile::detail::stored_at(sectile::stmatrix_row_address, false, q, lane, part);
          CHECK(out(at.row, at.col) == (q < matrices ? lane * 8 + 2 * q + part : 0));
        }
      }
    }
    const auto* stored = reinterpret_cast<const std::uint32_t*>(floats.data.data());
    for (std::uint32_t i = 0; i < 256; ++i) {
      CHECK(std::bit_cast<float>(stored[i]) == static_cast<float>(i % 2 == 0 ? i / 8 : i % 8 / 2));
    }
  }
}

TEST_CASE("stmatrix.trans turns every matrix, and st.shared writes one word") {
  kit::matrix out(16, 16);
  const auto map = kit::map_of(out, 16, 16, sectile::swizzle_mode::none);
  constexpr std::uint32_t tile = 1024;
  for (const int matrices : {4, 2, 1}) {
    out.data.assign(out.data.size(), 0);
    simulate({.threads = 32, .shared_bytes = 4096}, {.workers = 1}, [&](machine& hw) {
      const int lane = hw.thread();
      std::uint32_t r[4];
      for (std::uint32_t q = 0; q < 4; ++q)
        r[q] = static_cast<std::uint32_t>(lane) * 8 + 2 * q +
               ((static_cast<std::uint32_t>(lane) * 8 + 2 * q + 1) << 16);
      // Column-major memory: 8 rows of a column are 16 bytes.
      const auto at = sectile::stmatrix_column_address(lane % (8 * matrices));
      const auto address = tile + static_cast<std::uint32_t>(at.col * 32 + at.row * 2);
      for (std::uint32_t i = 0; i < 4; ++i) hw.store_shared(tile + static_cast<std::uint32_t>(lane) * 16 + 4 * i, 0u);
      hw.named_barrier_sync(0, 32);
      if (matrices == 4)
        hw.stmatrix_x4_trans(address, r);
      else if (matrices == 2)
        hw.stmatrix_x2_trans(lane < 16 ? address : 3, r);  // the other addresses do not count
      else
        hw.stmatrix_x1_trans(lane < 8 ? address : 3, r);
      hw.fence_proxy_async();
      hw.named_barrier_sync(0, 32);
      if (lane != 0) return;
      hw.tma_store(map, tile, {0, 0});
      hw.bulk_commit();
      hw.bulk_wait<0>();
    });
    for (int lane = 0; lane < 32; ++lane)
      for (int q = 0; q < 4; ++q)
        for (int part = 0; part < 2; ++part) {
          const auto at = sectile::detail::stored_at(sectile::stmatrix_column_address, true, q, lane, part);
          CHECK(out(at.col, at.row) == (q < matrices ? lane * 8 + 2 * q + part : 0));
        }
  }
}

TEST_CASE("misuse of the warp") {
  const auto found = [](auto use) {
    const auto h = hazard_of(small, use);
    REQUIRE(h);
    INFO(h->message);
    return *h;
  };
  const std::uint32_t r[4] = {};
  CHECK(found([&](machine& hw) { hw.stmatrix_x4(1024 + 8, r); }).kind == hazard_kind::misaligned);
  CHECK(found([&](machine& hw) { hw.stmatrix_x4(1024 + 8192, r); }).kind == hazard_kind::out_of_range);
  CHECK(found([&](machine& hw) { hw.stmatrix_x2_trans(1024 + 8, r); }).kind == hazard_kind::misaligned);
  CHECK(found([&](machine& hw) { hw.store_shared(1024 + 2, 0u); }).kind == hazard_kind::misaligned);
  CHECK(found([&](machine& hw) {
          if (hw.thread() == 5)
            hw.stmatrix_x4(1024, r);
          else
            hw.stmatrix_x4_trans(1024, r);
        }).says("thread 5 is at stmatrix_x4 where other lanes of its warp are at stmatrix_x4_trans"));
  CHECK(found([&](machine& hw) { hw.store_shared(1024 + 4, 0.0f, 0.0f); }).kind == hazard_kind::misaligned);
  CHECK(found([&](machine& hw) { hw.store_shared(8, 0.0f, 0.0f); }).kind == hazard_kind::out_of_range);
  const auto mixed = found([&](machine& hw) {
    if (hw.thread() == 3) {
      hw.stmatrix_x4(1024, r);
    } else {
      hw.shuffle_xor(0, 1);
    }
  });
  CHECK(mixed.kind == hazard_kind::divergent);
  CHECK(mixed.says("thread 3 is at stmatrix_x4 where other lanes of its warp are at shuffle_xor(1)"));
  CHECK(found([&](machine& hw) { hw.shuffle_xor(0, hw.thread() < 8 ? 1 : 2); }).kind == hazard_kind::divergent);
  CHECK(found([&](machine& hw) {
          if (hw.thread() != 31) hw.shuffle_xor(0, 1);
        }).kind == hazard_kind::divergent);
  CHECK(found([&](machine& hw) {
          if (hw.thread() != 0) hw.stmatrix_x4(1024, r);
        }).kind == hazard_kind::divergent);
}

TEST_CASE("a kernel that may begin early waits before it touches a tensor") {
  kit::matrix out(8, 8);
  const auto map = kit::map_of(out, 8, 8, sectile::swizzle_mode::none);
  const auto run = [&](bool overlaps, bool waits) {
    return hazard_of({.threads = 32, .shared_bytes = 4096, .overlaps = overlaps}, [&](machine& hw) {
      if (waits) hw.griddepcontrol_wait();
      hw.griddepcontrol_launch_dependents();
      hw.store_shared(1024 + 8 * static_cast<std::uint32_t>(hw.thread()), 1.0f, 2.0f);
      hw.fence_proxy_async();
      hw.named_barrier_sync(0, 32);
      if (hw.thread() != 0) return;
      hw.tma_store(map, 1024, {0, 0});
      hw.bulk_commit();
      hw.bulk_wait<0>();
    });
  };
  CHECK(!run(true, true));
  CHECK(!run(false, false));
  const auto early = run(true, false);
  REQUIRE(early);
  CHECK(early->kind == hazard_kind::too_early);
  CHECK(early->says("tma_store of thread 0 comes before its griddepcontrol_wait"));
}

TEST_CASE("setmaxnreg is a budget") {
  const auto run = [](auto producer, auto consumer) {
    return hazard_of({.threads = 384}, [&](machine& hw) { hw.thread() < 128 ? producer(hw) : consumer(hw); });
  };
  for (const options& how : kit::schedules(4)) {
    CHECK(!hazard_of({.threads = 384}, how, [](machine& hw) {
      if (hw.thread() < 128) {
        hw.registers_dec<24>();
      } else {
        hw.registers_inc<240>();
      }
    }));
  }
  const auto too_much = run([](machine& hw) { hw.registers_dec<40>(); }, [](machine& hw) { hw.registers_inc<240>(); });
  REQUIRE(too_much);
  CHECK(too_much->kind == hazard_kind::register_budget);
  CHECK(too_much->says(
      ": waits for setmaxnreg.inc to 240 registers per thread: its warp needs 2304 more, the CTA's pool has 256 free"));
  const auto wrong_way = run([](machine& hw) { hw.registers_inc<24>(); }, [](machine&) {});
  REQUIRE(wrong_way);
  CHECK(wrong_way->kind == hazard_kind::register_budget);
}

TEST_CASE("a deadlock names who waits for what, once for each group of threads") {
  const auto found = hazard_of({.cluster_size = 2, .threads = 96, .shared_bytes = 64},
                               {.workers = 1, .labels = {.barriers = {{"ready", -1, 0}}, .roles = {{"left", 0, 31}}}},
                               [](machine& hw) {
                                 if (hw.thread() == 0) {
                                   hw.mbarrier_init(1024, 2);
                                   hw.mbarrier_init_fence();
                                 }
                                 hw.cluster_sync();
                                 if (hw.cta_rank() == 1) return;
                                 if (hw.thread() < 32) {
                                   if (hw.thread() == 7) hw.mbarrier_arrive(1024);
                                   hw.mbarrier_wait(1024, 0);
                                 } else if (hw.thread() < 64) {
                                   hw.named_barrier_sync(4, 64);
                                 } else {
                                   hw.cluster_sync();
                                 }
                               });
  REQUIRE(found);
  CHECK(found->kind == hazard_kind::deadlock);
  CHECK(found->message ==
        "deadlock in cluster 0: no thread can go on\n"
        "  left (cta 0, threads 0-31): waits for phase 0 (parity 0) of ready of cta 0: 1 of 2 arrivals, 0 bytes "
        "outstanding; 1 "
        "more arrival would release it\n"
        "    arrived: left (cta 0, thread 7)\n"
        "  cta 0, threads 32-63: waits at named barrier 4: 32 of 64 threads are there; 32 more would release it\n"
        "  cta 0, threads 64-95: waits at cluster_sync: 32 of 96 running threads are there; 64 more would release it\n"
        "  schedule: fair");
}

TEST_CASE("arithmetic rounds and treats NaN as PTX does") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  CHECK(machine::fma(1 + 0x1p-12f, 1 + 0x1p-12f, -1) == 0x1p-11f + 0x1p-24f);
  CHECK(machine::add(machine::multiply(1 + 0x1p-12f, 1 + 0x1p-12f), -1) == 0x1p-11f);
  CHECK(bits(machine::subtract(infinity, infinity)) == 0x7FFF'FFFFu);
  CHECK(machine::maximum(nan, 3) == 3);
  CHECK(machine::maximum(3, nan) == 3);
  CHECK(bits(machine::maximum(-0.0f, 0.0f)) == 0);
  CHECK(bits(machine::maximum(0.0f, -0.0f)) == 0);
  CHECK(machine::maximum(-infinity, -5) == -5);
  CHECK(machine::exp2(3) == 8);
  CHECK(machine::exp2(-infinity) == 0);
  CHECK(machine::exp2(-127) == 0);  // subnormal results are flushed
  CHECK(machine::exp2(0x1p-130f) == 1);
  CHECK(machine::reciprocal(3) == 1.0f / 3);
  CHECK(machine::reciprocal(0) == infinity);
  CHECK(machine::pack_bf16(1.0f, -2.0f) == 0xC000'3F80u);
  CHECK(machine::pack_bf16(1.00390625f, 1.01171875f) == 0x3F82'3F80u);  // ties to even
  CHECK(machine::pack_bf16(nan, infinity) == 0x7F80'7FFFu);
}

}  // namespace
