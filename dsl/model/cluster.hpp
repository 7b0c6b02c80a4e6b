// The state of one cluster while it is simulated: CTAs, their threads, and the scheduler that lets them take turns.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <sectile/dsl/model/drawn_work.hpp>
#include <sectile/dsl/model/fiber.hpp>
#include <sectile/dsl/model/global_writes.hpp>
#include <sectile/dsl/model/happens_before.hpp>
#include <sectile/dsl/model/hazard.hpp>
#include <sectile/dsl/model/machine.hpp>
#include <sectile/dsl/model/mbarrier.hpp>
#include <sectile/dsl/model/observed_factors.hpp>
#include <sectile/dsl/model/observed_numbers.hpp>
#include <sectile/dsl/model/observed_sums.hpp>
#include <sectile/dsl/model/observed_tiles.hpp>
#include <sectile/dsl/model/operand.hpp>
#include <sectile/dsl/model/ordered_sums.hpp>
#include <sectile/dsl/model/places.hpp>
#include <sectile/dsl/model/shared_memory.hpp>
#include <sectile/dsl/model/simulate.hpp>
#include <sectile/dsl/model/thread_barriers.hpp>
#include <sectile/dsl/model/thread_copies.hpp>
#include <sectile/dsl/model/tma.hpp>
#include <sectile/dsl/model/trips.hpp>
#include <sectile/dsl/model/turns.hpp>
#include <sectile/dsl/model/verb_log.hpp>
#include <sectile/dsl/model/warp.hpp>
#include <sectile/dsl/model/warpgroup.hpp>
#include <sectile/dsl/model/workspace.hpp>
#include <string>
#include <vector>

namespace sectile::model {

enum class waiting_for : std::uint8_t {
  nothing,
  mbarrier,
  named_barrier,
  cluster_barrier,
  wgmma,
  bulk_reads,
  bulk_writes,
  lanes,
  registers
};

/// Why a thread does not run. `where`: barrier address or id, group, warp_instruction, register count; `phase`: of an
/// mbarrier.
struct wait_reason {
  waiting_for what = waiting_for::nothing;
  std::uint32_t where = 0, phase = 0;

  friend bool operator==(const wait_reason&, const wait_reason&) = default;
};

struct cuda_thread {
  cluster* all = nullptr;
  cta* block = nullptr;
  int index = 0;         ///< in the CTA
  std::size_t unit = 0;  ///< with which of the cluster's threads it takes turns in the systematic schedule
  const role_label* role = nullptr;

  fiber execution;
  wait_reason waiting;
  wgmma_progress registers;  ///< what registers.hpp asks for
  thread_clock clock;
  trip_log trips;
  int fence_trip = unknown_trip;                      ///< of its last wgmma_fence
  bool loading = false;                               ///< its last verb was tma_load
  bool awaited_grids = false;                         ///< the kernels before this one have ended
  arithmetic_count executed{};                        ///< since its last verb, if somebody watches
  std::uint64_t warp_steps = 0, warpgroup_steps = 0;  ///< collective instructions so far
  std::uint32_t wgmma_groups = 0;                     ///< committed
  std::unique_ptr<bulk_stores> bulk;
  std::vector<thread_copy> copies;    ///< that it has begun since it last told a barrier of some
  observed_factors product, reading;  ///< what its next wgmmas and ldmatrix take
  observed_numbers numbers;
  observed_vector vector;  ///< what the last of them become
  std::uint32_t stores_observed = 0;
  tile_share share_observed;            ///< what it makes of a tile, where that hangs on the tile
  const std::byte* metadata = nullptr;  ///< of which its next load from shared memory is a copy; nullptr: any

  int lane() const { return index % 32; }
  warp& own_warp() const;
  warpgroup& own_warpgroup() const;
  int share() const;  ///< which part of its tiles' rows is its consumer's
};

struct cta {
  cta(cluster& c, int rank, const grid& shape, bool tracked);

  cluster* all;
  int rank;
  shared_memory memory;
  std::deque<mbarrier> barriers;
  named_barrier named[16];
  std::vector<std::unique_ptr<cuda_thread>> threads;
  std::vector<warp> warps;
  std::vector<warpgroup> warpgroups;  ///< the last one may have fewer than 128 threads
  int running = 0;                    ///< threads that have not exited
  std::int64_t free_registers = 0;    ///< given up by setmaxnreg.dec
  gathering at_exit;                  ///< what threads knew when they exited
};

/// What a component counts.
struct component_owner {
  enum class kind : std::uint8_t {
    nobody,
    thread_writes,
    fenced_writes,
    thread_reads,
    mbarrier,
    copies,  // of threads, that a barrier's phases tell of; and those that are shown to TMA and wgmma
    wgmma,
    bulk
  } what = kind::nobody;
  const cuda_thread* thread = nullptr;
  const mbarrier* barrier = nullptr;
  const warpgroup* group = nullptr;
};

/// What simulate() was called with.
struct launch {
  grid shape;
  const options& how;
  void (*call)(const void* entry, machine& hw);
  const void* entry;
  global_writes* writes;  ///< of all clusters; nullptr: nobody asks
  verb_log* log;          ///< of one cluster; nullptr: nobody watches
  places_taken* places;   ///< of all clusters
  workspace_state* workspace = nullptr;   ///< of all clusters; nullptr: no parts of tiles meet there
  ordered_sums_state* ordered = nullptr;  ///< likewise, where tiles are added up in order
  drawn_work* drawn = nullptr;            ///< likewise, where work is drawn
  bool in_place = false;                  ///< an input begins where an output does, or within it
};

/// Ends a thread after the simulation has failed elsewhere.
struct cancelled {};

struct cluster {
  /// `order` must outlive the cluster. Without `computes` nothing is multiplied, and nothing written to host memory.
  cluster(const launch& what, int index, stack_pool& stacks, turns& order, bool computes);

  /// Runs all threads to their end. Throws what the first of them to fail threw, or hazard.
  void run();

  // ---- for the verbs
  bool checked() const { return what.how.check_hazards; }
  /// Start of every verb: counts it, and lets others go first if the schedule says so. A meeting point is a verb whose
  /// order among those of other roles matters.
  void enter(cuda_thread& t, bool at_meeting_point);
  /// Suspends the running thread. Callers check again what they wait for.
  void block(cuda_thread& t, wait_reason reason);
  void wake(cuda_thread& t);
  void wake_all(std::vector<cuda_thread*>& waiters);
  void start_async(std::unique_ptr<async_operation> operation) { in_flight.push_back(std::move(operation)); }
  component new_component(const component_owner& owner);
  /// What the write, or the ordinary read, of thread t at this moment is known by; nothing if nobody checks.
  event write_mark(cuda_thread& t);
  event read_mark(cuda_thread& t);
  void acquire(cuda_thread& t, const knowledge& k) { t.clock.seen = joins.join(t.clock.seen, k); }
  /// Thread t writes to host memory, in trip `trip` of its loop. Whether the bytes are really written is for the caller
  /// to look up in `computes`. A store of several rows notes each of them, all but the first as `of_the_last_store`.
  void note_global_write(const cuda_thread& t, int trip, const void* to, std::size_t bytes,
                         bool of_the_last_store = false) {
    if (what.writes != nullptr && computes) writes.add(t, trip, to, bytes, of_the_last_store);
  }
  /// Thread t loads bytes of an input.
  void note_global_read(const cuda_thread& t, const void* from, std::size_t bytes) {
    if (what.writes != nullptr && computes) writes.add_read(t, from, bytes);
  }
  /// The same of an element that is combined with what is there.
  void note_combined(const void* to) {
    if (what.writes != nullptr && computes) writes.add_combined(to);
  }
  /// Throws unless t's warp has the registers that its role was compiled for.
  void require_registers(const cuda_thread& t, const char* verb) const;
  /// Keeps the first failure; the rest of the run is called off.
  void fail(std::exception_ptr why) noexcept;

  const launch what;
  const int index;
  const bool computes;
  verb_log* const log;  ///< nullptr: this run is not watched
  std::vector<std::unique_ptr<cta>> ctas;
  cluster_barrier barrier;
  int running = 0;  ///< threads that have not exited
  std::vector<component_owner> owners;
  join_memory joins;
  chunk_cache operands;
  std::exception_ptr failure;
  global_writes writes;  ///< to host memory
  observed_tiles tiles;
  observed_sums sums;
  workspace_view workspace;
  ordered_sums_view ordered;
  std::size_t asked = 0, drawn = 0;  ///< draws, and numbers of work items that they gave

 private:
  void complete(std::size_t operation);
  void resume(cuda_thread& t);
  void cancel_all();
  void thread_body(cuda_thread& t);
  void exit_thread(cuda_thread& t);

  stack_pool& stacks_;
  turns& order_;
  std::uint64_t steps_ = 0;

 public:
  operation_queue in_flight;
};

/// Writes down what t came to, if somebody watches.
void note(cuda_thread& t, verb_record r);

/// The CTA of t's cluster that has this rank, as `verb` asks for it; reports one that there is not.
cta& cta_at(const cuda_thread& t, int rank, const char* verb);

/// The report for a state in which nobody can go on.
std::string describe_deadlock(const cluster& c);

/// Whether a warp waits for registers.
bool lacks_registers(const cluster& c);

[[noreturn]] void report(hazard_kind kind, const std::string& message);

inline warp& cuda_thread::own_warp() const { return block->warps[static_cast<std::size_t>(index) / 32]; }
inline warpgroup& cuda_thread::own_warpgroup() const {
  return block->warpgroups[static_cast<std::size_t>(index) / 128];
}
inline int cuda_thread::share() const {
  const int consumer = role != nullptr && role->number > 0 ? role->number : 0, sharers = all->what.shape.sharers;
  return sharers > 0 ? consumer % sharers : consumer;
}

}  // namespace sectile::model
