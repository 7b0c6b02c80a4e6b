// What the threads of one cluster did, verb by verb: the trace of a run on the model.
//
// Any run can be watched, however it is started: as long as a `watching` lives, runs that begin on its thread write
// down what the threads of one of their clusters do. A verb is written down when a thread comes to it, so the last
// entry of a thread that never went on is what it waits for.
#pragma once

#include <cstdint>
#include <sectile/dsl/model/labels.hpp>
#include <sectile/dsl/model/simulate.hpp>
#include <sectile/dsl/plan/instruction.hpp>
#include <vector>

namespace sectile::model {

/// What a thread came to. Behind each: which members of a verb_record mean something there, and what.
enum class verb : std::uint8_t {
  // written down for every thread
  mbarrier_init,    // barrier; value: arrivals
  mbarrier_wait,    // barrier; value: parity
  mbarrier_arrive,  // barrier; mask: the CTA where it is, a bit; value: bytes announced with it
  store_async,      // address: destination; barrier; value: bytes; mask: the CTA where both are, a bit
  tma_load,         // address: destination; barrier; value: bytes; mask: CTAs that receive; tensor, coordinate
  tma_store,        // address: source; value: bytes; tensor, coordinate
  bulk_commit,
  bulk_wait_read,  // value: groups that may still be reading
  bulk_wait,       // value: groups that may be incomplete
  tile_stored,     // a tile's accumulators are about to leave; value: the operand
  load_global,     // value: bytes
  store_global,    // value: bytes
  griddepcontrol_launch,
  // written down for the first lane of each warp: all lanes do the same
  wgmma_fence,
  wgmma,         // instruction, a, b, registers: of the accumulator
  wgmma_commit,  //
  wgmma_wait,    // value: groups that may be pending
  fence_proxy_async,
  named_barrier_sync,    // address: number; value: threads
  named_barrier_arrive,  // the same
  cluster_sync,
  griddepcontrol_wait,
  store_shared,  // address; value: bytes of the warp
  load_shared,   // the same
  shuffle,
  copies,        // of the warp's lanes; address: of one, barrier; value: bytes of all; mask: the CTA
  set_registers  // value
};
/// Whether all lanes of a warp come to it together; one record stands for them.
constexpr bool is_collective(verb v) { return v >= verb::wgmma_fence; }

/// Ordinary instructions that a thread executed.
struct arithmetic_count {
  std::uint32_t plain = 0;        ///< sums, products
  std::uint32_t comparisons = 0;  ///< maxima
  std::uint32_t conversions = 0;  ///< of a pair, of a number
  std::uint32_t special = 0;      ///< ex2, rcp
};

/// Where the running thread of a watched cluster counts; nullptr: nobody watches.
constinit inline thread_local arithmetic_count* executed_arithmetic = nullptr;

/// Thread `thread` of CTA `cta` came to a verb. Which of the rest means anything, and what, is said at the verbs.
struct verb_record {
  verb what = verb::mbarrier_wait;
  std::uint32_t address = 0, barrier = 0;  ///< byte addresses in the shared window, without the CTA's rank
  int value = 0;
  std::uint32_t mask = 0;
  std::uint64_t a = 0, b = 0;  ///< descriptors; a is 0 if A is in registers
  const wgmma_instruction* instruction = nullptr;
  const void* registers = nullptr;
  const void* tensor = nullptr;  ///< where it begins in host memory
  int coordinate[5]{};           ///< elements, innermost first
  int cta = 0, thread = 0;
  int trip = 0;               ///< of its innermost loop, see trips.hpp
  std::uint32_t step = 0;     ///< collective verbs that the thread had come to before
  arithmetic_count before{};  ///< what the thread computed between its last verb and this one
};

/// What the threads of one cluster did, in an order in which they may have done it.
struct verb_log {
  int cluster = 0;  ///< which one to watch; -1: the last of the run
  grid shape{};
  label_set labels{};
  std::vector<verb_record> records{};  ///< a thread's own are in the order in which it came to them

  /// A run begins; what was written down of one before is dropped.
  void begin(const grid& run, const label_set& names);
  /// Thread `r.thread` of CTA `r.cta` came to a verb.
  void add(verb_record r);
  /// Whether it is that cluster of the run which is watched.
  bool is_about(int some_cluster) const { return some_cluster == (cluster < 0 ? shape.clusters + cluster : cluster); }

 private:
  std::vector<std::uint32_t> steps_;  // by thread
};

/// As long as it lives, runs that begin on this thread fill `log`. One at a time.
struct watching {
  explicit watching(verb_log& log);
  ~watching();
  watching(const watching&) = delete;
  watching& operator=(const watching&) = delete;

  /// The log that runs beginning on this thread fill, or nullptr.
  static verb_log* current();
};

}  // namespace sectile::model
