// Every mistake the model knows, made on purpose in a program that is right but for it. Mistakes in the order of things
// must be found in every schedule, not only in those where they do harm; and the program without a mistake must pass.
#include <doctest/doctest.h>

#include <algorithm>
#include <sectile/dsl/model/happens_before.hpp>
#include <set>

#include "pipeline.hpp"

using kit::caught;
using kit::fault;
using kit::pipeline;
using kit::swizzle_mode;
using sectile::model::grid;
using sectile::model::hazard_kind;
using sectile::model::machine;
using sectile::model::options;
using sectile::model::registers;

namespace {

struct expectation {
  fault mistake;
  int cluster;
  int trips, tiles;
  std::set<hazard_kind> kinds;    ///< which of them it is may depend on the schedule
  std::vector<const char*> says;  ///< in the fair schedule
};

void check(const expectation& e) {
  bool fair = true;
  for (const options& how : kit::schedules(8)) {
    pipeline program(e.cluster, e.trips, e.tiles, e.mistake);
    const auto found = program.run(how);
    REQUIRE(found);
    INFO("seed ", how.seed, ": ", found->message);
    CHECK(e.kinds.count(found->kind) == 1);
    for (const char* part : e.says) {
      INFO("expected: ", part);
      CHECK((!fair || found->says(part)));
    }
    fair = false;
  }
}

TEST_CASE("the pipeline without a mistake is clean and exact in every schedule") {
  for (const int cluster : {1, 2, 4}) {
    const kit::matrix expected = pipeline(cluster, 5, 2, fault::none).expected();
    for (const options& how : kit::schedules(12)) {
      pipeline program(cluster, 5, 2, fault::none);
      const auto found = program.run(how);
      INFO("cluster ", cluster, " seed ", how.seed, ": ", found ? found->message : "");
      CHECK(!found);
      CHECK(program.c == expected);
    }
  }
}

TEST_CASE("a stage that is not full") {
  check({fault::no_full_wait,
         1,
         3,
         2,
         {hazard_kind::read_before_full},
         {"wgmma of consumer (threads 128-255, k = 0) reads A stage 0 (byte 0x400 of shared memory), which the "
          "tma_load of "
          "producer (thread 0, k = 0) is still writing",
          "full[0]"}});
  check({fault::wrong_parity,
         1,
         3,
         2,
         {hazard_kind::read_before_full, hazard_kind::lagging_parity},
         {"which the tma_load of producer (thread 0, k = 0) is still writing: phase 0 of full[0] is not complete (1 of "
          "1 arrivals, 16384 bytes outstanding); wait for it first"}});
}

TEST_CASE("transaction bytes") {
  check(
      {fault::expect_more,
       1,
       3,
       2,
       {hazard_kind::deadlock},
       {"deadlock in cluster 0: no thread can go on",
        "\n  producer (thread 0, k = 2): waits for phase 0 (parity 0) of empty[0]: 0 of 1 arrival, 0 bytes "
        "outstanding; 1 "
        "more "
        "arrival would release it",
        "\n  producer (threads 1-127): waits at cluster_sync: 127 of 256 running threads are there; 129 more",
        "\n  consumer (threads 128-255, k = 0): waits for phase 0 (parity 0) of full[0]: 1 of 1 arrival, 16 bytes "
        "outstanding; no "
        "copy that would bring them is in flight\n    arrived: producer (thread 0, k = 0)\n    landed: 8192 bytes of A "
        "stage 0 by producer (thread 0, k = 0); 8192 bytes of B stage 0 by producer (thread 0, k = 0)"}});
  check({fault::expect_less,
         1,
         3,
         2,
         {hazard_kind::transaction_count, hazard_kind::read_before_full},
         {"full[0] completes phase 0 while 1 TMA load",
          "(8192 bytes of B stage 0 by producer (thread 0, k = 0)): fewer bytes were expected"}});
}

TEST_CASE("a stage that is not empty") {
  check({fault::no_empty_wait,
         1,
         3,
         2,
         {hazard_kind::arrival_overflow, hazard_kind::overwrite_in_flight, hazard_kind::overwrite_while_read},
         {"mbarrier_arrive_expect of producer (thread 0, k = 2): phase 0 of full[0] has all its 1 arrivals already",
          "arrived: producer (thread 0, k = 0)"}});
  check({fault::early_release,
         1,
         3,
         2,
         {hazard_kind::overwrite_while_read, hazard_kind::read_before_full, hazard_kind::lagging_parity},
         {"tma_load of producer (thread 0, k = 2) writes A stage 0",
          "which is still read by a wgmma of consumer (threads 128-255, k = 0, group 1): its wgmma_wait and an "
          "arrival"}});
  check({fault::release_twice,
         1,
         3,
         2,
         {hazard_kind::lagging_parity, hazard_kind::overwrite_while_read, hazard_kind::overwrite_in_flight},
         {"empty[0]", "parity"}});
}

TEST_CASE("the peers of a cluster") {
  check({fault::no_peer_release,
         2,
         3,
         2,
         {hazard_kind::overwrite_while_read, hazard_kind::overwrite_in_flight, hazard_kind::transaction_count,
          hazard_kind::read_before_full, hazard_kind::lagging_parity},
         {"B stage 0", "of cta "}});
  check({fault::no_final_sync,
         2,
         3,
         2,
         {hazard_kind::peer_exited},
         {"cta ", "consumer (cta ", "empty[", "cluster_sync"}});
}

TEST_CASE("initialisation of barriers") {
  check(
      {fault::no_init_fence, 1, 3, 2, {hazard_kind::barrier_not_ready}, {"full[0]", "mbarrier_init_fence is missing"}});
  check({fault::no_init_barrier, 1, 3, 2, {hazard_kind::barrier_not_ready}, {"full[0]", "without a barrier between"}});
}

TEST_CASE("accumulators") {
  check({fault::no_wgmma_fence,
         1,
         1,
         1,
         {hazard_kind::missing_wgmma_fence},
         {"wgmma m64n64k16.f32.bf16.bf16 of consumer (thread ", "has touched since its last wgmma_fence"}});
  check({fault::no_wgmma_wait,
         1,
         1,
         1,
         {hazard_kind::register_in_flight},
         {"takes over registers that are the accumulator of a pending wgmma (group 1"}});
}

TEST_CASE("the epilogue") {
  check({fault::no_proxy_fence,
         1,
         3,
         2,
         {hazard_kind::missing_proxy_fence},
         {"tma_store of consumer (thread 128, outside of loops) reads C", "did not fence", "fence_proxy_async"}});
  check({fault::no_store_barrier,
         1,
         3,
         2,
         {hazard_kind::read_before_full, hazard_kind::missing_proxy_fence},
         {"tma_store of consumer (thread 128, outside of loops) reads C"}});
  check(
      {fault::no_read_wait,
       1,
       3,
       2,
       {hazard_kind::store_source_overwritten},
       {"stmatrix of consumer", "writes C", "tma_store of consumer (thread 128, outside of loops)", "bulk_wait_read"}});
  check({fault::no_read_barrier,
         1,
         3,
         2,
         {hazard_kind::store_source_overwritten},
         {"writes C", "a barrier must come before"}});
  check({fault::no_store_wait,
         1,
         3,
         2,
         {hazard_kind::exit_in_flight},
         {"consumer (thread 128, outside of loops) exits with 1 tma_store it has not waited for: bulk_wait_read<0> is "
          "missing"}});
  check({fault::no_commit, 1, 1, 1, {hazard_kind::exit_in_flight}, {"exits with 1 tma_store it has not committed"}});
}

TEST_CASE("joins of knowledge, remembered or not, are the larger count of each") {
  using namespace sectile::model;
  join_memory joins;
  std::vector<knowledge> known{knowledge{}};
  std::uint32_t random = 1;
  for (int i = 0; i < 3000; ++i) {
    random = random * 1664525u + 1013904223u;
    if (i % 3 == 0) {
      known.push_back(knowledge_of({1 + (random >> 8) % 9, random >> 20}));
      continue;
    }
    const knowledge& a = known[(random >> 6) % known.size()];
    const knowledge& b = known[(random >> 18) % known.size()];
    const knowledge both = joins.join(a, b);
    for (component c = 1; c < 12; ++c) CHECK(count_of(both, c) == std::max(count_of(a, c), count_of(b, c)));
    known.push_back(both);
  }
}

TEST_CASE("without checks the pipeline still computes, and what would crash the model is still reported") {
  const options how{.check_hazards = false, .workers = 1};
  pipeline clean(2, 3, 2, fault::none);
  CHECK(!clean.run(how));
  CHECK(clean.c == clean.expected());
  pipeline unfenced(1, 3, 1, fault::no_proxy_fence);
  CHECK(!unfenced.run(how));
  pipeline untimely(1, 3, 1, fault::no_wgmma_wait);
  const auto found = untimely.run(how);
  REQUIRE(found);
  CHECK(found->kind == hazard_kind::register_in_flight);
}

}  // namespace
