// A right kernel on a machine that gets one thing wrong: what a mistake in the lowering would do. The model must name
// the operand, the stage, the role, the trip of the loop and both accesses, and must notice in every schedule.
#include <doctest/doctest.h>

#include <cstdio>
#include <set>
#include <utility>

#include "faulty_machine.hpp"
#include "kit.hpp"
#include "tests/exhaustively.hpp"

namespace {

namespace model = sectile::model;
using kit::caught;
using model::hazard_kind;
using sectile::schedule_mode;
using sectile::test::exhaustively;
using sectile::test::host_tensor;

using faulty::mistake;

/// The report of a kernel with that mistake, four trips, `rows` rows and `cols` columns.
template <class Kernel, class Left = sectile::bf16>
std::optional<caught> run_kernel(mistake m, const sectile::model_options& how, int rows, int cols) {
  host_tensor<Left> A({rows, 256});
  host_tensor<sectile::bf16> B({cols, 256}), C({rows, cols});
  A.fill(1);
  B.fill(2);
  faulty::active = m;
  try {
    sectile::run_on_model_with<Kernel>(how, A.in(), B.in(), C.view());
  } catch (const model::hazard& h) {
    CHECK(C.touched() == 0);
    return caught{h.kind, h.what()};
  }
  return std::nullopt;
}
std::optional<caught> run(mistake m, const sectile::model_options& how) {
  return run_kernel<faulty::gemm>(m, how, 256, 64);
}

struct expectation {
  mistake m;
  std::set<hazard_kind> kinds;    ///< which of them it is may depend on the schedule
  std::vector<const char*> says;  ///< in the fair schedule
};

/// Looks for the mistake in fair, random and systematic schedules, and repeats what the last of them finds.
void check(const expectation& e) {
  const auto check_kind = [&](const std::optional<caught>& found) {
    REQUIRE(found);
    INFO(found->message);
    CHECK(e.kinds.count(found->kind) == 1);
  };
  const auto fair = run(e.m, {.workers = 1});
  check_kind(fair);
  INFO(fair->message);
  for (const char* part : e.says) {
    INFO("expected: ", std::string(part));
    CHECK(fair->says(part));
  }
  for (std::uint64_t seed = 0; seed < (exhaustively ? 4 : 2); ++seed)
    check_kind(run(e.m, {.schedule = schedule_mode::random, .seed = seed, .workers = 1}));
  // What depends on no schedule is found when all have been tried.
  sectile::model_options all{.schedule = schedule_mode::systematic, .preemptions = 1, .workers = 2};
  if (!exhaustively) all.max_schedules = 25;
  const auto found = run(e.m, all);
  check_kind(found);
  const std::string line = "--replay ";
  const std::size_t at = found->message.find(line);
  if (at == std::string::npos) {  // it does not depend on the schedule
    CHECK(found->says("schedule: any"));
    return;
  }
  const std::string schedule =
      found->message.substr(at + line.size(), found->message.rfind(" repeats it") - at - line.size());
  const auto again = run(e.m, {.replay = schedule});
  REQUIRE(again);
  CHECK(again->message == found->message);
}

TEST_CASE("without a mistake the kernel is right in every schedule") {
  CHECK(!run(mistake::none, {}));
  CHECK(!run(mistake::none, {.schedule = schedule_mode::random, .seed = 1}));
  model::schedule_count explored;
  const auto found = run(mistake::none, {.schedule = schedule_mode::systematic,
                                         .preemptions = 1,
                                         .max_schedules = exhaustively ? 10'000 : 25,
                                         .explored = &explored,
                                         .workers = 2});
  INFO((found ? found->message : ""));
  CHECK(!found);
  CHECK(explored.all() == exhaustively);
  std::printf("GEMM, cluster 2x1, 2 consumers, 4 trips: %s\n", describe(explored).c_str());
}

TEST_CASE("fences") {
  check({mistake::no_proxy_fence,
         {hazard_kind::missing_proxy_fence},
         {"tma_store of consumer 0 (cta 0, thread 128, outside of loops) reads C of consumer 0 buffer 0 (byte ",
          ", which consumer 0 (cta 0, thread 128, outside of loops) wrote with ordinary stores and did not fence"}});
  check({mistake::no_wgmma_fence,
         {hazard_kind::missing_wgmma_fence},
         {"of consumer 0 (cta 0, thread ",
          ", k = 0) takes as accumulator registers that it has touched since its last"}});
  check({mistake::no_init_fence,
         {hazard_kind::barrier_not_ready},
         {"tma_load of producer (cta 0, thread 0, k = 0) uses full[0] of A and B in cta 0, whose initialisation ",
          "producer (cta 0, thread 0, outside of loops) has not published: mbarrier_init_fence is missing"}});
}

TEST_CASE("waits for products") {
  const char* const reads = ", which is still read by a wgmma of consumer 0 (cta 0, threads 128-255, k = 0, group 1): ";
  check({mistake::no_wgmma_wait,
         {hazard_kind::overwrite_while_read, hazard_kind::read_before_full},
         {"tma_load of producer (cta 0, thread 0, k = 2) writes B stage 0 (byte ", reads}});
  check({mistake::wgmma_wait_for_one_less,
         {hazard_kind::overwrite_while_read, hazard_kind::read_before_full},
         {"tma_load of producer (cta 0, thread 0, k = 2) writes B stage 0 (byte ", reads}});
}

TEST_CASE("waits for halves of a left factor") {
  const auto of_halves = [](mistake m) {
    return run_kernel<faulty::in_halves, sectile::e4m3>(m, {.workers = 1}, 256, 64);
  };
  CHECK(!of_halves(mistake::none));
  for (const mistake m : {mistake::no_wgmma_wait, mistake::wgmma_wait_for_one_less}) {
    const auto found = of_halves(m);
    REQUIRE(found);
    INFO(found->message);
    CHECK(found->kind == hazard_kind::register_in_flight);
    CHECK(found->says("operand A"));
  }
}
TEST_CASE("waits for stages") {
  const char* const early =
      "wgmma of consumer 0 (cta 0, threads 128-255, k = 0) reads A stage 0 (byte 0x400 of shared memory of cta 0), "
      "which "
      "the tma_load of producer (cta 0, thread 0, k = 0) is still writing: phase 0 of full[0] of A and B in cta 0 is "
      "not "
      "complete (1 of 1 arrivals, 24576 bytes outstanding); wait for it first";
  check({mistake::consumer_ignores_full, {hazard_kind::read_before_full}, {early}});
  check({mistake::consumer_waits_for_the_wrong_parity,
         {hazard_kind::read_before_full, hazard_kind::lagging_parity},
         {early}});
  check({mistake::producer_ignores_empty,
         {hazard_kind::arrival_overflow, hazard_kind::overwrite_in_flight, hazard_kind::overwrite_while_read},
         {"mbarrier_arrive_expect of producer (cta 0, thread 0, k = 2): phase 0 of full[0] of A and B in cta 0 has all "
          "its "
          "1 arrivals already",
          "arrived: producer (cta 0, thread 0, k = 0)"}});
  check(
      {mistake::producer_waits_for_the_wrong_parity,
       {hazard_kind::deadlock},
       {"\n  cycle: producer (cta 0, thread 0, k = 0) waits for consumer 0 (cta 0, threads 128-255, k = 0) to free "
        "stage "
        "0 of A and B; consumer 0 (cta 0, threads 128-255, k = 0) waits for producer (cta 0, thread 0, k = 0) to fill "
        "stage 0 of A and B\n"}});
}

TEST_CASE("stages that are released") {
  check(
      {mistake::no_release_by_consumer_1,
       {hazard_kind::deadlock},
       {"\n  cycle: producer (cta 0, thread 0, k = 2) waits for consumer 1 (cta 0, threads 256-383, k = 2) to free "
        "stage "
        "0 of A and B; consumer 1 (cta 0, threads 256-383, k = 2) waits for producer (cta 0, thread 0, k = 2) to fill "
        "stage 0 of A and B\n",
        "\n  producer (cta 0, thread 0, k = 2): waits for phase 0 (parity 0) of empty[0] of A and B in cta 0: 2 of 4 "
        "arrivals, 0 bytes outstanding; 2 more arrivals would release it\n"
        "    arrived: consumer 0 (cta 0, thread 128, k = 1), consumer 0 (cta 1, thread 128, k = 1)\n"
        "    missing: consumer 1 (cta 0, threads 256-383, k = 2), consumer 1 (cta 1, threads 256-383, k = 2)\n",
        "\n  consumer 0 (cta 0, threads 128-255, k = 2), consumer 1 (cta 0, threads 256-383, k = 2): wait for phase 1 "
        "(parity 1) of full[0] of A and B in cta 0: 0 of 1 arrival"}});
  check({mistake::release_of_own_cta_only,
         {hazard_kind::deadlock},
         {"producer (cta 0, thread 0, k = 2) waits for consumer 0 (cta 1, threads 128-255, k = 2) to free stage 0",
          "producer (cta 1, thread 0, k = 2) waits for consumer 0 (cta 0, threads 128-255, k = 2) to free stage 0"}});
  check({mistake::release_twice,
         {hazard_kind::overwrite_while_read, hazard_kind::overwrite_in_flight, hazard_kind::lagging_parity,
          hazard_kind::arrival_overflow},
         {"tma_load of producer (cta 0, thread 0, k = 2) writes B stage 0 (byte 0x4400 of shared memory of cta 1), "
          "which is "
          "still read by a wgmma of consumer 0 (cta 1, threads 128-255, k = 0, group 1)"}});
  check({mistake::one_arrival_too_few,
         {hazard_kind::overwrite_while_read, hazard_kind::overwrite_in_flight, hazard_kind::lagging_parity},
         {"tma_load of producer (cta 0, thread 0, k = 2) writes B stage 0 (byte 0x4400 of shared memory of cta 1), "
          "which is "
          "still read by a wgmma of consumer 1 (cta 1, threads 256-383, k = 0, group 1)"}});
  check({mistake::one_arrival_too_many,
         {hazard_kind::deadlock},
         {"\n  no cycle: producer (cta 0, thread 0, k = 2) waits for somebody to free stage 0 of A and B, and all who "
          "do so "
          "have: more is expected than comes",
          "4 of 5 arrivals", "\n    missing: nobody; all who come here have come"}});
}

TEST_CASE("bytes and copies") {
  check({mistake::expect_too_few_bytes,
         {hazard_kind::transaction_count},
         {"full[0] of A and B in cta 0 completes phase 0 while 1 TMA load that reports to it is in flight (4096 bytes "
          "of B "
          "stage 0 by producer (cta 1, thread 0, k = 0)): fewer bytes were expected than are copied"}});
  check({mistake::expect_too_many_bytes,
         {hazard_kind::deadlock},
         {"waits for somebody to fill stage 0 of A and B, and all who do so have: more is expected than comes",
          "1 of 1 arrival, 16 bytes outstanding; no copy that would bring them is in flight\n"
          "    arrived: producer (cta 0, thread 0, k = 0)\n",
          "\n    landed: 4096 bytes of B stage 0 by producer (cta 0, thread 0, k = 0); 16384 bytes of A stage 0 by "
          "producer "
          "(cta 0, thread 0, k = 0); 4096 bytes of B stage 0 by producer (cta 1, thread 0, k = 0)\n"}});
  check({mistake::lost_box,
         {hazard_kind::deadlock},
         {"waits for producer (cta 1, thread 0, k = 3) to fill stage 0 of A and B",
          "\n    missing: producer (cta 1, thread 0, k = 3)\n",
          "\n    landed in the phase before and not in this one: 4096 bytes of B stage 0 by producer (cta 1, thread 0, "
          "k = "
          "0)\n"}});
  check({mistake::no_multicast,
         {hazard_kind::deadlock},
         {"1 of 1 arrival, 4096 bytes outstanding", "\n    missing: producer (cta 1, thread 0, k = 2)\n"}});
  check({mistake::load_into_the_wrong_stage,
         {hazard_kind::overwrite_in_flight},
         {"tma_load of producer (cta 0, thread 0, k = 1) writes A stage 0 (byte 0x400 of shared memory of cta 0), "
          "which the "
          "tma_load of producer (cta 0, thread 0, k = 0) is still writing"}});
  check({mistake::product_of_the_wrong_stage,
         {hazard_kind::wrong_element},
         {"wgmma of consumer 0 (cta 0, threads 128-255, k = 1) takes B stage 0 (byte 0x4400 of shared memory of cta 0) "
          "for element (0, 0) of tile (0, 1) of B, but element (0, 0) of B is there, brought by the tma_load of "
          "producer (cta 0, thread 0, k = 0)"}});
}

TEST_CASE("begin and end") {
  check({mistake::no_first_cluster_sync,
         {hazard_kind::barrier_not_ready},
         {"tma_load of producer (cta 0, thread 0, k = 0) uses full[0] of A and B in cta 1, which has not been "
          "initialised"}});
  check({mistake::no_last_cluster_sync,
         {hazard_kind::peer_exited},
         {"cta 0 exits although nothing orders the arrival of consumer 0 (cta 1, thread 128, k = 3) at empty[0] of A "
          "and B "
          "in cta 0 before it"}});
  check({mistake::no_registers_dec,
         {hazard_kind::register_budget},
         {"\n  consumer 0 (cta 0, threads 128-255, outside of loops)",
          "for setmaxnreg.inc to 232 registers per thread: its warp needs 2048 more, the CTA's pool has 0 free"}});
}

TEST_CASE("the epilogue") {
  check({mistake::no_epilogue_barrier,
         {hazard_kind::read_before_full},
         {"tma_store of consumer 0 (cta 0, thread 128, outside of loops) reads C of consumer 0 buffer 0"}});
  check(
      {mistake::epilogue_barrier_of_two_warpgroups,
       {hazard_kind::deadlock},
       {"waits at named barrier 1 (the epilogue's barrier of consumer 0): 128 of 256 threads are there; 128 more would "
        "release it\n    missing: nobody; all who come here have come"}});
  check({mistake::no_bulk_commit,
         {hazard_kind::exit_in_flight},
         {"consumer 0 (cta 0, thread 128, outside of loops) exits with 1 tma_store it has not committed"}});
  check({mistake::no_bulk_wait,
         {hazard_kind::exit_in_flight},
         {"consumer 0 (cta 0, thread 128, outside of loops) exits with 1 tma_store it has not waited for"}});
  check({mistake::rows_stored_elsewhere,
         {hazard_kind::wrong_element},
         {"tma_store of consumer 1 (cta 0, thread 256, outside of loops) writes element (0, 0) of C, which is not of "
          "its part of tile (0, 0), the one that it stores"}});
  check({mistake::panels_stored_twice,
         {hazard_kind::written_twice},
         {"consumer 0 (cluster 0, cta 0, thread 128, outside of loops) and consumer 0 (cluster 0, cta 0, thread 128, "
          "outside of loops) both write element (0, 0) of C: nothing says whose value stays\n  schedule: any"}});
  check({mistake::rows_never_stored,
         {hazard_kind::never_written},
         {"C: 8192 of its 16384 elements are never written; of tile (0, 0), the first of which some are missing, rows "
          "64 to 127, columns 0 to 63 of C\n  schedule: any"}});
  check(
      {mistake::matrices_swapped,
       {hazard_kind::wrong_element},
       {"tma_store of consumer 0 (cta 0, thread 128, outside of loops) brings element (0, 8) of C, row 0 and column 8 "
        "of tile (0, 0), another value than the body stores there, the value of element (8, 0) of the tile"}});
  check({mistake::halves_swapped,
         {hazard_kind::wrong_element},
         {"brings element (0, 0) of C, row 0 and column 0 of tile (0, 0), another value than the body stores there"}});
}

TEST_CASE("which element is where") {
  check({mistake::first_columns_every_time,
         {hazard_kind::wrong_element},
         {"wgmma of consumer 0 (cta 0, threads 128-255, k = 1) takes A stage 1 (byte ",
          ") for element (0, 0) of tile (0, 1) of A, but element (0, 0) of A is there, brought by the tma_load of "
          "producer (cta 0, thread 0, k = 1)"}});
  check({mistake::slice_of_cta_0_by_both,
         {hazard_kind::wrong_element},
         {") for element (32, 0) of tile (0, 0) of B, but element (0, 0) of B is there, brought by the tma_load of "
          "producer (cta 1, thread 0, k = 0)"}});
  check({mistake::columns_before_the_box,
         {hazard_kind::wrong_element},
         {") for element (0, 0) of tile (0, 0) of A, but zeros are there, brought by the tma_load of producer (cta 0, "
          "thread 0, k = 0), which took it to lie outside of the tensor"}});
  check({mistake::products_cut_short,
         {hazard_kind::wrong_element},
         {"has issued 3 of the 4 instructions of a product: elements are left out of the sums"}});
}

TEST_CASE("registers") {
  check({mistake::sums_begin_with_anything,
         {hazard_kind::unwritten_registers},
         {", k = 0) adds to registers of which nothing has written 32: the first "
          "product into an accumulator must overwrite it"}});
  check({mistake::no_touch,
         {hazard_kind::not_taken_over},
         {", outside of loops) reads or writes registers that were the accumulator of a wgmma (group 4, k = "
          "3): the wgmma_wait has been, but a touch behind it is missing; a compiler may use them before it"}});
  check({mistake::no_registers_inc,
         {hazard_kind::register_budget},
         {"wgmma of consumer 0 (cta 0, thread 128, k = 0): its warp has 168 registers per thread, and the role was "
          "compiled for 232: a setmaxnreg must come first"}});
}

/// What is found in the fair schedule.
template <class Kernel>
void check_fair(mistake m, hazard_kind kind, const char* part, int rows, int cols) {
  CHECK(!run_kernel<Kernel>(mistake::none, {.workers = 1}, rows, cols));
  const auto found = run_kernel<Kernel>(m, {.workers = 1}, rows, cols);
  REQUIRE(found);
  INFO(found->message);
  INFO("expected: ", std::string(part));
  CHECK(found->kind == kind);
  CHECK(found->says(part));
}

TEST_CASE("what an ordinary store has written over is no copy any more") {
  check_fair<faulty::gemm>(mistake::stage_written_over, hazard_kind::wrong_element,
                           ") for element (0, 0) of tile (0, 1) of A, which no copy has brought", 256, 64);
}

TEST_CASE("the tile beside") {
  check_fair<faulty::gemm>(
      mistake::columns_stored_elsewhere, hazard_kind::wrong_element,
      "writes element (0, 64) of C, which is not of its part of tile (0, 0), the one that it stores", 256, 128);
}

TEST_CASE("ragged columns") {
  check_fair<faulty::gemm>(mistake::ragged_beyond_the_row, hazard_kind::out_of_range,
                           ", outside of loops) writes 2 bytes from byte 4088 of C on, where none of its elements is",
                           200, 60);
  check_fair<faulty::gemm>(mistake::ragged_below_the_last_row, hazard_kind::wrong_element,
                           "brings element (32, 56) of C, row 32 and column 56 of tile (0, 0), another value than the "
                           "body stores there",
                           200, 60);
  check_fair<faulty::gemm>(
      mistake::map_wider_than_the_tensor, hazard_kind::out_of_range,
      "tma_store of consumer 0 (cta 0, thread 128, outside of loops) writes 128 bytes from element "
      "(0, 0) of C on, which reach beyond its row",
      200, 60);
}

TEST_CASE("work that is left out, a turn that is not taken") {
  check_fair<faulty::deferring>(mistake::half_of_the_work, hazard_kind::never_written,
                                "C: 16384 of its 32768 elements are never written; of tile (2, 0), the first of which "
                                "some are missing, rows 256 to 383, columns 0 to 63 of C",
                                512, 64);
  check_fair<faulty::turns>(
      mistake::last_turn_not_taken, hazard_kind::arrival_left,
      "cta 0 exits with 128 of 256 threads at named barrier 3 (the turn of consumer 0), the first "
      "of them consumer 1 (thread ",
      512, 64);
}

}  // namespace
