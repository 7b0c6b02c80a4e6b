// What the model reports: an error in the kernel that the chip would not mention.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace sectile::model {

/// What the model has found.
enum class hazard_kind : std::uint8_t {
  // shared memory
  read_before_full,          ///< bytes read that were never written, or whose write the reader has not waited for
  overwrite_while_read,      ///< bytes written that a wgmma or another thread may still read
  store_source_overwritten,  ///< bytes written that a TMA store may still read
  overwrite_in_flight,       ///< bytes written while another write to them is not known to be over
  missing_proxy_fence,       ///< ordinary stores read or overwritten by TMA or wgmma without fence.proxy.async
  out_of_range,              ///< an address outside shared memory, or a coordinate the copy does not accept
  misaligned,
  bad_descriptor,
  bad_metadata,  ///< of sparse A: places that are the same or out of order
  // host memory
  other_path,           ///< operations that the planner has not seen in this place
  function_with_state,  ///< a function given to map, map_rows or mask that does not depend on its arguments alone
  function_of_order,    ///< one given to row_reduce or col_reduce that is not commutative and associative
  order_of_uses,        ///< products' results are used in another order than was planned: a condition chooses
  wrong_tile,     ///< CTAs that share a load ask for different tiles, a tile is stored that is not the work's, or one
                  ///< is read that is no longer there
  written_twice,  ///< bytes of an output that two threads store to, or one twice
  too_early,      ///< a tensor touched before the kernels before this one have ended
  never_written,  ///< elements of an output that nobody stores to
  wrong_element,  ///< another element is where a product, a read or a store means one to be
  beyond_edge,    ///< a reduction, or a factor, that hangs over the edge of a matrix takes what is not there
  // registers
  register_in_flight,   ///< touched, or gone out of scope, before the wait that covers the wgmma
  missing_wgmma_fence,  ///< wgmma on registers that were touched since the last wgmma.fence
  not_taken_over,       ///< touched behind the wait, with nothing that keeps a compiler from moving it before it
  unwritten_registers,  ///< read, or added to, before anything wrote them
  accumulator_shape,    ///< a wgmma of another shape on an accumulator that is still pending
  register_budget,      ///< a setmaxnreg that can never be met, or fewer registers than a role was compiled for
  // barriers
  barrier_not_ready,  ///< used before its initialisation, or before that was fenced and published
  barrier_reused,     ///< initialised twice, or its bytes overwritten
  arrival_overflow,   ///< more arrivals than the phase expects
  transaction_count,  ///< transaction bytes out of range, or not those that were expected
  lagging_parity,     ///< a wait whose phase has been overtaken by the next one
  arrival_left,       ///< arrivals at a named barrier that nobody waits for any more
  barrier_misuse,     ///< counts or ids that the hardware does not accept
  // control flow
  divergent,       ///< threads of a warp or warpgroup disagree about a collective instruction
  peer_exited,     ///< a copy or an arrival sent to a CTA that has exited
  exit_in_flight,  ///< an exit that leaves asynchronous operations behind
  deadlock,
  runaway,  ///< more steps than options::step_limit
};

/// Thrown by simulate(). what() is the report, one sentence first; the kind is for programs.
struct hazard : std::runtime_error {
  hazard(hazard_kind what_kind, const std::string& message) : std::runtime_error(message), kind(what_kind) {}

  hazard_kind kind;
};

}  // namespace sectile::model
