// How the model is to run a kernel, apart from what runs kernels: light enough for those who only pass it on.
#pragma once
#include <atomic>
#include <cstdint>
#include <string>

#include <sectile/dsl/model/schedule.hpp>

namespace sectile {

using model::schedule_mode;

/// How the model runs: whether it looks for hazards, which schedules it takes (see model/schedule.hpp), on how many
/// cores.
struct model_options {
  bool check_hazards = true;
  schedule_mode schedule = schedule_mode::fair;
  std::uint64_t seed = 0;                     // of the random schedule
  int preemptions = 2;                        // systematic: departures from the default schedule, at most
  long max_schedules = 10'000;                // systematic: runs of each cluster, at most
  std::string replay{};                       // repeats the schedule that a report names, and nothing else
  model::schedule_count* explored = nullptr;  // systematic: what was done
  int workers = 0;                            // 0: one per core
  int clusters = 0;                           // that find room at once, of a persistent kernel; 0: fewer than there is
                                              // work, so that each walks
  std::atomic<long>* progress = nullptr;      // counts clusters that are done
};

}  // namespace sectile
