// What each role of a cluster did, in the words of the program: a verb log sorted into lanes.
//
// A lane is a thread, or a warpgroup whose threads do the same and count as one. Stages, barriers and roles have the
// names that the launcher gave them; where it gave none they are told from what the copies do.
#pragma once

#include <sectile/dsl/model/verb_log.hpp>
#include <sectile/dsl/tell/timeline/nominal.hpp>
#include <string>
#include <vector>

namespace sectile::tell {

enum class deed : std::uint8_t {
  wait,          // for a phase of an mbarrier; number: parity
  arrive,        // at an mbarrier of the CTAs in `ctas`, `count` times; bytes: announced with it, or, if less than 0,
                 // that have come
  copy,          // through TMA, `count` boxes; reports to `barrier`, lands in the CTAs in `ctas`
  multiply,      // a group of `count` wgmmas
  retire,        // wait until at most `number` groups are pending
  meet,          // named barrier `number`, `count` threads of the lane among `bytes`
  announce,      // the same without waiting
  gather,        // the whole cluster
  compute,       // ordinary instructions
  write_shared,  // and what they needed to compute first
  read_shared,
  read_global,
  write_global,
  store,        // through TMA, `count` boxes
  close_store,  // they are a group
  reclaim,      // wait until TMA has read all but `number` groups
  drain,        // wait until all but `number` groups have arrived
  proxy_fence,
};

enum class barrier_duty : std::uint8_t { full, empty, other };

/// An mbarrier; every CTA of the cluster has one of it.
struct recorded_barrier {
  std::string name;           // "full[2]", or "barrier 3"
  std::uint32_t address = 0;  // in the shared window
  barrier_duty duty = barrier_duty::other;
  int ring = -1, stage = -1;
  int arrivals = 0;  // that a phase counts
};

struct recorded_ring {
  std::string name;  // of its operands: "A and B"
  std::vector<std::string> operands{};
  int stages = 0;
  bool guarded = false;  // somebody waits until a stage is free
};

struct stage_use {
  std::string operand;
  int ring = -1, stage = -1;
  friend bool operator==(const stage_use&, const stage_use&) = default;
};

struct operation {
  deed what = deed::wait;
  int barrier = -1;  // among recording::barriers
  int number = 0;
  int count = 1;
  std::int64_t bytes = 0;
  std::uint32_t ctas = 0;
  cycles duration = 0;            // of what the lane does itself, and of products
  std::vector<stage_use> uses{};  // of shared memory that is read or filled
  bool from_registers = false;    // multiply: A
  bool fenced = false;            // multiply: a wgmma.fence stands before it
  int trip = -1, tile = -1;       // of the innermost loop; counted from 0 in the order of the work
  int fill = -1;                  // of the stage that it is about, counted from 0
  int at[2] = {-1, -1};           // store: row and column of the first element
};

struct recorded_lane {
  std::string role;  // "producer", "consumer 1", "warpgroup 0"
  int cta = 0, first_thread = 0, last_thread = 0, warps = 1;
  std::vector<operation> operations{};
};

struct recording {
  int cluster_size = 1;
  bool on_one_sm = false;  // its CTAs are no cluster: each is one by itself, and they share an SM
  std::vector<recorded_barrier> barriers{};
  std::vector<recorded_ring> rings{};
  std::vector<recorded_lane> lanes{};  // by CTA, then by thread
  std::string report{};                // of the model, where it stopped the run; who ran it keeps it here

  int sm_of(int cta) const { return on_one_sm ? 0 : cta; }
  int sms() const { return sm_of(cluster_size - 1) + 1; }
};

/// Sorts a log. Names come from its labels, if there are any.
recording recording_of(const model::verb_log& log);

/// So many CTAs on one SM, each of which does what the one of this recording did. Precondition: its cluster is one CTA.
recording side_by_side(const recording& one, int ctas);

}  // namespace sectile::tell
