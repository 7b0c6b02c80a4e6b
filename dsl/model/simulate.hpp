// Running a kernel on the CPU model of the machine.
//
// Every CUDA thread is a fiber. The CTAs of a cluster share one OS thread and take turns; clusters spread over worker
// threads. What runs next and when asynchronous operations complete is decided by the schedule (schedule.hpp).
// Whichever it is, a run can be repeated exactly, whatever the number of workers.
#pragma once

#include <atomic>
#include <cstdint>
#include <sectile/dsl/model/hazard.hpp>
#include <sectile/dsl/model/labels.hpp>
#include <sectile/dsl/model/machine.hpp>
#include <sectile/dsl/model/schedule.hpp>
#include <sectile/dsl/model/workspace_range.hpp>
#include <sectile/dsl/plan/ticket_counters.hpp>
#include <string>
#include <type_traits>

namespace sectile::model {

/// The launch. threads: per CTA, a multiple of 32; shared_bytes: per CTA, at most 232,448.
struct grid {
  int clusters = 1;
  int cluster_size = 1;
  int threads = 128;
  std::uint32_t shared_bytes = 0;
  int sharers = 0;        ///< warpgroups behind the first that share a tile's rows; 0: all of them
  int parts = 1;          ///< clusters that make the same tiles, each a part: they are as many clusters apart as make
                          ///< one part of all tiles. They run one after the other, each time another one last
  bool linked = false;    ///< any of them may make a part of another one's tile: they run one after the other, of each
                          ///< random seed in another order
  bool overlaps = false;  ///< it may begin while kernels before it run: griddepcontrol.wait comes before any tensor
};

/// How simulate() runs a kernel and what it looks for.
struct options {
  schedule_mode schedule = schedule_mode::fair;
  std::uint64_t seed = 0;                    ///< of the random schedule; each cluster draws from its own stream
  int preemptions = 2;                       ///< systematic: departures from the default schedule, at most
  long max_schedules = 10'000;               ///< systematic: runs of one cluster, at most
  std::string replay{};                      ///< if given, all that runs: the cluster and schedule that a report named
  schedule_count* explored = nullptr;        ///< if given: systematic says here what it did
  bool check_hazards = true;                 ///< off: only what would crash the model itself is reported
  int workers = 0;                           ///< OS threads; 0: one for each core
  int registers_per_thread = 0;              ///< at launch, for setmaxnreg; 0: as many as 65,536 registers allow
  std::uint64_t step_limit = 1'000'000'000;  ///< verbs that one cluster may execute
  std::atomic<long>* progress = nullptr;     ///< if given: incremented for each cluster that is done
  ticket_counters tickets{};                 ///< of all that follow, if there are any
  int counters = 0;
  workspace_range workspace{};               ///< where the parts of a tile meet, if there are several
  drawn_range drawn{};                       ///< what clusters draw work from, if they do
  numbers_range numbers{};                   ///< where tiles are that are added up in order, if there are any
  label_set labels{};                        ///< names for the reports
};

/// The type-erased form of simulate().
void simulate_calls(const grid& shape, const options& how, void (*call)(const void* entry, machine& hw),
                    const void* entry);

/// Calls entry(hw) once for each thread of every CTA, from several OS threads. Throws the first hazard of the cluster
/// with the lowest index that has one, or whatever entry itself threw; std::invalid_argument for an impossible grid.
///
/// The systematic schedule calls it again and again, and computes in the first run of each cluster only: the others
/// look for hazards, leave accumulators as they are and store nothing to host memory.
template <class F>
void simulate(const grid& shape, const options& how, F&& entry) {
  using function = std::remove_reference_t<F>;
  simulate_calls(
      shape, how, [](const void* f, machine& hw) { (*const_cast<function*>(static_cast<const function*>(f)))(hw); },
      static_cast<const void*>(&entry));
}

}  // namespace sectile::model
