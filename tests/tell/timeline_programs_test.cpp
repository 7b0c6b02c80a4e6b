// Timelines of programs without a plan, and of kernels with a mistake.
#include <sectile/kernels/ladder/launch.hpp>
#include <sectile/kernels/ladder/one_tile.hpp>
#include <sectile/kernels/ladder/stages.hpp>
#include <sectile/kernels/ladder/tma.hpp>

#include "tests/exhaustively.hpp"
#include "tests/programs/matmul.hpp"
#include "tests/tell/timeline_kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;
namespace ladder = kernels::ladder;

constexpr int rows = 64, cols = 256, depth = 640;

/// Runs rung K once, with names for its stages or without.
template <class K, bool WithNames = true>
timeline climbed() {
  host_tensor<bf16> A({rows, depth}), B({cols, depth}), C({rows, cols});
  if constexpr (WithNames) return tell::watch([&] { ladder::run_on_model<K>(A.in(), B.in(), C.view()); });
  return tell::watch([&] {
    const auto p = ladder::prepare<K, model::ordinary_machine>(
        [](const map_request& r) { return model::encode_map(r, false); }, A.in(), B.in(), C.view());
    const model::grid shape{1, 1, K::threads, static_cast<std::uint32_t>(K::shared_bytes)};
    model::simulate(shape, {}, [&](model::machine& hw) {
      model::ordinary_machine mine(hw);
      K::run(mine, p);
    });
  });
}

/// Whether a product and a copy are ever under way at the same time.
bool overlaps(const timeline& t) {
  bool found = false;
  for_each(t, timeline_kind::copy, [&](const timeline_event& c) {
    for_each(t, timeline_kind::product,
             [&](const timeline_event& p) { found = found || (c.start < p.end && p.start < c.end); });
  });
  return found;
}

TEST_CASE("one stage: copies and products take turns; more: they overlap") {
  const timeline one = climbed<ladder::tma>(), four = climbed<ladder::stages>();
  check_sound(one);
  check_sound(four);
  check_states(one);
  check_states(four);
  CHECK(!overlaps(one));
  CHECK(overlaps(four));
  CHECK(four.length < one.length);
  CHECK(count(one, timeline_kind::product) == 10);
  for_each(one, timeline_kind::product, [trip = 0](const timeline_event& e) mutable { CHECK(e.did.trip == trip++); });
}

template <class K>
void check_copying_threads() {
  const timeline t = climbed<K>();
  check_sound(t);
  CHECK(t.from.lanes.size() == 1);
  CHECK(t.from.lanes[0].role == "warpgroup");
  CHECK(t.from.rings.empty());
  CHECK(count(t, timeline_kind::copy) == 0);
  CHECK(count(t, timeline_kind::read_global) == 10);
  std::int64_t loaded = 0, stored = 0;
  for_each(t, timeline_kind::read_global, [&](const timeline_event& e) { loaded += e.did.bytes; });
  for_each(t, timeline_kind::write_global, [&](const timeline_event& e) { stored += e.did.bytes; });
  CHECK(loaded == 2 * (rows + cols) * depth);
  CHECK(stored == 2 * rows * cols);
}
TEST_CASE("threads that copy themselves: no rings, loads before each product") {
  if constexpr (exhaustively) check_copying_threads<ladder::one_tile>();
}

TEST_CASE("without labels, rings and stages are told from what the copies do") {
  const timeline named = climbed<ladder::stages>(), bare = climbed<ladder::stages, false>();
  check_sound(bare);
  REQUIRE(bare.from.rings.size() == 1);
  CHECK(bare.from.rings[0].name == "operand 0 and operand 1");
  CHECK(bare.from.rings[0].stages == ladder::stages::stage_count);
  CHECK(bare.from.lanes.at(0).role == "warpgroup 0");
  CHECK(bare.length == named.length);
  CHECK(bare.events.size() == named.events.size());
}

// ---- mistakes: the proofs do not see them, because only the model's machine makes them

/// It is a number that the machine looks up while it runs: the kernel is compiled once for all of them.
enum mistake { stages_are_kept, one_wait_less, bytes_are_missing };
mistake mistake_made = stages_are_kept;

struct broken : matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1}> {};

struct wrong_machine : model::machine {
  void mbarrier_arrive(std::uint32_t barrier) {
    if (mistake_made != stages_are_kept) model::machine::mbarrier_arrive(barrier);
  }
  template <int N>
  void wgmma_wait() {
    if (mistake_made == one_wait_less)
      model::machine::wgmma_wait<(N < 7 ? N + 1 : 7)>();
    else
      model::machine::wgmma_wait<N>();
  }
  void mbarrier_arrive_expect(std::uint32_t barrier, int bytes) {
    model::machine::mbarrier_arrive_expect(barrier, mistake_made == bytes_are_missing ? bytes + 16 : bytes);
  }
};

tell::kernel_timeline broken_by(mistake m) {
  mistake_made = m;
  return tell::timeline_of_kernel<broken>();
}

}  // namespace

template <>
struct sectile::machine_under_test<broken, sectile::model::machine> {
  using type = wrong_machine;
};

namespace {

TEST_CASE("a stage that is never released: the timeline goes on until all wait") {
  const tell::kernel_timeline k = broken_by(stages_are_kept);
  CHECK(k.refused == "");
  CHECK(contains(k.shown.stopped, "producer waits until stage 0 of A and B is free"));
  CHECK(contains(k.shown.stopped, "consumer waits until stage 0 of A and B is full"));
  CHECK(contains(k.shown.stopped, "schedule: fair"));  // the model's report
  CHECK(count(k.shown, timeline_kind::product) == 2);
  const nlohmann::ordered_json j = tell::facts_of(k);
  CHECK(j["complete"] == false);
  CHECK(contains(tell::draw_timeline(k.shown).alt, "The run did not end: producer waits until stage 0"));
}

TEST_CASE("bytes that never come") {
  const tell::kernel_timeline k = broken_by(bytes_are_missing);
  CHECK(contains(k.shown.stopped, "consumer waits until stage 0 of A and B is full"));
  CHECK(count(k.shown, timeline_kind::product) == 0);
  CHECK(count(k.shown, timeline_kind::copy) == 4);
}

TEST_CASE("a report ends the timeline where the run ended") {
  const tell::kernel_timeline k = broken_by(one_wait_less);
  CHECK(!k.shown.stopped.empty());
  CHECK(count(k.shown, timeline_kind::product) > 0);
  CHECK(contains(tell::draw_timeline(k.shown).alt, "The run did not end"));
}

TEST_CASE("nothing was watched") {
  const timeline t = tell::watch([] {});
  CHECK(t.events.empty());
  CHECK(tell::facts_of(t)["steps"].empty());
  CHECK(tell::draw_timeline(t).svg.starts_with("<svg "));
}

TEST_CASE("contradictions are found") {
  timeline t = climbed<ladder::stages>();
  REQUIRE(tell::contradiction_in(t) == "");
  for (timeline_event& e : t.events)
    if (e.kind == timeline_kind::product) {
      timeline early = t;
      early.events[static_cast<std::size_t>(&e - t.events.data())].end += t.length;
      CHECK(tell::contradiction_in(early) != "");
    } else if (e.kind == timeline_kind::copy) {
      timeline late = t;
      late.events[static_cast<std::size_t>(&e - t.events.data())].end += t.length;
      CHECK(tell::contradiction_in(late) != "");
    }
}

}  // namespace
