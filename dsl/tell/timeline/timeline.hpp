// The timeline of a cluster: what each role did when, and why not before.
//
// The model says what the roles do and in which order; it has no clock. A replay gives the record its times: every role
// is a sequence, barriers count, copies, products and stores take their nominal cycles (nominal.hpp) on units that a
// CTA has one of. As roles do not depend on who is first (docs/protocol.md), the replay is one of the orders that the
// model may run.
#pragma once

#include <functional>
#include <sectile/dsl/tell/timeline/recording.hpp>
#include <string>
#include <vector>

namespace sectile::tell {

/// What an event is. Waits last from the question to the answer, all others while the work is done.
enum class timeline_kind : std::uint8_t {
  wait_full,      // of a consumer: for copies into a stage
  wait_empty,     // of a producer: for a stage to be released
  wait_barrier,   // for another mbarrier
  wait_products,  // for wgmma groups
  wait_in_order,  // for other warpgroups at a named barrier
  wait_cluster,
  wait_store_read,  // for TMA to have read epilogue buffers
  wait_store,       // for TMA to have stored
  expect,           // announces bytes
  release,          // a stage
  arrive,           // at another mbarrier
  arrive_in_order,
  proxy_fence,
  compute,
  write,  // shared memory
  read,
  read_global,
  write_global,
  copy,     // of the unit that copies
  product,  // of the tensor cores
  store,    // of the unit that stores
};
const char* name_of(timeline_kind k);
/// Whether a role does nothing meanwhile.
bool is_wait(timeline_kind k);

struct timeline_event {
  static constexpr cycles never = -1;

  timeline_kind kind = timeline_kind::compute;
  int lane = 0;                           // where it is drawn
  int by = 0;                             // the role's lane that asked for it
  cycles issued = 0, start = 0, end = 0;  // never: it does not come to an end
  cycles read = never;                    // of a store: TMA has read it
  operation did{};
  std::vector<int> causes{};  // events that had to end before; of a wait, who ended it comes first
};

enum class lane_kind : std::uint8_t { role, copies, tensor_cores, stores };

struct timeline_lane {
  std::string name;  // "consumer 1", "TMA copies", "tensor cores", "TMA stores"
  lane_kind kind = lane_kind::role;
  int cta = 0, first_thread = -1, last_thread = -1;
};

enum class stage_state : std::uint8_t { empty, filling, full, reading };
constexpr stage_state every_stage_state[] = {stage_state::empty, stage_state::filling, stage_state::full,
                                             stage_state::reading};
const char* name_of(stage_state s);

/// A stage is in another state from now on.
struct stage_change {
  cycles at = 0;
  int cta = 0, ring = 0, stage = 0;
  stage_state state = stage_state::empty;
  int trip = -1, tile = -1, fill = -1;
  int event = -1;  // that brought it about
};

struct timeline {
  recording from{};
  std::vector<timeline_lane> lanes{};
  std::vector<timeline_event> events{};  // by id, in the order in which they begin
  std::vector<stage_change> changes{};   // in order
  cycles length = 0;
  std::string stopped{};  // who waits for ever, and what the model said; empty if all came to an end
};

/// Replays a recording.
timeline timeline_of(recording r);

/// Runs `run`, something that the model runs, and makes a timeline of cluster number `cluster` (-1: the last). What the
/// model reports ends the timeline where the run ended, and is kept in `stopped`. Other exceptions pass.
timeline watch(const std::function<void()>& run, int cluster = 0);

/// The first contradiction: an event before one of its causes, a role in two places at once, a stage that is copied
/// into while it is read; "" if there is none.
std::string contradiction_in(const timeline& t);

}  // namespace sectile::tell
