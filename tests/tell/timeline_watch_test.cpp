// What a watched cluster did is what is written down, whatever ran beside it or before it.
#include <algorithm>
#include <sectile/dsl/model/verb_log.hpp>

#include "tests/tell/timeline_kit.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;
using model::verb, model::verb_record;

constexpr int clusters = 6, before_a_verb = 300, behind_all_verbs = 1000;

void add(int times) {
  for (int i = 0; i < times; ++i) model::machine::add(1, 1);
}

/// Two warpgroups that compute before their only verb, and behind it as long as their cluster's number says.
constexpr auto compute_and_fence = [](model::machine& hw) {
  add(before_a_verb * (1 + hw.thread() / 128));
  hw.wgmma_fence();
  add(behind_all_verbs * (1 + hw.cluster_index()));
};

void run(int workers) {
  const model::options how{.workers = workers};
  model::simulate({.clusters = clusters, .cluster_size = 1, .threads = 256, .shared_bytes = 1024}, how,
                  compute_and_fence);
}

model::verb_log watched(int cluster, int workers) {
  model::verb_log log;
  log.cluster = cluster;
  const model::watching watch(log);
  run(workers);
  return log;
}

TEST_CASE("what a thread computes counts for its own next verb, and for nothing else") {
  for (const int cluster : {0, 2, clusters - 1, -1})
    for (const int workers : {1, 2, clusters}) {
      CAPTURE(cluster);
      CAPTURE(workers);
      const model::verb_log log = watched(cluster, workers);
      CHECK(log.records.size() == 8);  // one for each warp
      for (const verb_record& r : log.records)
        CHECK(r.before.plain == static_cast<unsigned>(before_a_verb * (1 + r.thread / 128)));
    }
}

TEST_CASE("a timeline of any cluster is the same, however many workers the model has") {
  for (const int cluster : {0, 3, -1}) {
    CAPTURE(cluster);
    const timeline alone = tell::watch([] { run(1); }, cluster), beside = tell::watch([] { run(clusters); }, cluster);
    CHECK(count(alone, timeline_kind::compute) == 2);
    CHECK(tell::facts_of(alone).dump() == tell::facts_of(beside).dump());
    CHECK(tell::draw_timeline(alone).svg == tell::draw_timeline(beside).svg);
  }
}

TEST_CASE("an arrival in another CTA waits for its turn first: what others compute meanwhile is theirs") {
  const auto arrive = [](model::machine& hw) {
    const std::uint32_t barrier = hw.shared_base();
    if (hw.thread() == 0) hw.mbarrier_init(barrier, 2);
    hw.mbarrier_init_fence();
    hw.cluster_sync();
    if (hw.thread() % 128 == 0) {
      add(before_a_verb * (1 + hw.thread() / 128));
      hw.mbarrier_arrive_at(barrier, 0);
    }
    hw.cluster_sync();
  };
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    CAPTURE(seed);
    model::verb_log log;
    const model::watching watch(log);
    const model::options how{.schedule = schedule_mode::random, .seed = seed};
    model::simulate({.clusters = 1, .cluster_size = 1, .threads = 256, .shared_bytes = 1024}, how, arrive);
    for (const verb_record& r : log.records)
      if (r.what == verb::mbarrier_arrive)
        CHECK(r.before.plain == static_cast<unsigned>(before_a_verb * (1 + r.thread / 128)));
  }
}

}  // namespace
