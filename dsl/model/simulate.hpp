// Running a kernel on the CPU model of the machine.
//
// Every CUDA thread is a fiber. The CTAs of a cluster share one OS thread and take turns; clusters spread over worker
// threads. What runs next and when asynchronous operations complete is decided by the scheduler: round robin and as
// late as possible, or drawn at random from a seed. Either way a run can be repeated exactly, whatever the number of
// workers.
#pragma once

#include <atomic>
#include <cstdint>
#include <sectile/dsl/model/hazard.hpp>
#include <sectile/dsl/model/machine.hpp>
#include <type_traits>
#include <vector>

namespace sectile::model {

/// Bytes of shared memory that belong to one stage of an operand; begin and end count from shared_base. A stage below 0
/// means that the operand has no stages.
struct shared_label {
  const char* operand;
  int stage;
  std::uint32_t begin, end;
};

/// An mbarrier, `offset` bytes from shared_base. A stage below 0 means that there is only one of the name.
struct barrier_label {
  const char* name;
  int stage;
  std::uint32_t offset;
};

/// Threads first_thread..last_thread of each CTA play this role.
struct role_label {
  const char* role;
  int first_thread, last_thread;
};

/// The launch. threads: per CTA, a multiple of 32; shared_bytes: per CTA, at most 232,448.
struct grid {
  int clusters = 1;
  int cluster_size = 1;
  int threads = 128;
  std::uint32_t shared_bytes = 0;
};

struct options {
  std::uint64_t seed = 0;  ///< of the random schedule; each cluster draws from its own stream
  bool random_schedule = false;
  bool check_hazards = true;                  ///< off: only what would crash the model itself is reported
  int workers = 0;                            ///< OS threads; 0: one for each core
  int registers_per_thread = 0;               ///< at launch, for setmaxnreg; 0: as many as 65,536 registers allow
  std::uint64_t step_limit = 1'000'000'000;   ///< verbs that one cluster may execute
  std::atomic<long>* progress = nullptr;      ///< if given: incremented for each cluster that is done
  std::vector<shared_label> shared_labels{};  ///< names for the reports
  std::vector<barrier_label> barrier_labels{};
  std::vector<role_label> role_labels{};
};

/// The type-erased form of simulate().
void simulate_calls(const grid& shape, const options& how, void (*call)(const void* entry, machine& hw),
                    const void* entry);

/// Calls entry(hw) once for each thread of every CTA, from several OS threads. Throws the first hazard of the cluster
/// with the lowest index that has one, or whatever entry itself threw; std::invalid_argument for an impossible grid.
template <class F>
void simulate(const grid& shape, const options& how, F&& entry) {
  using function = std::remove_reference_t<F>;
  simulate_calls(
      shape, how, [](const void* f, machine& hw) { (*const_cast<function*>(static_cast<const function*>(f)))(hw); },
      static_cast<const void*>(&entry));
}

}  // namespace sectile::model
