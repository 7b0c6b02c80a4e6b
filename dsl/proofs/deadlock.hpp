// What the proof of the protocol says of a role that waits for ever.
#pragma once
#include <sectile/dsl/proofs/cluster_run.hpp>

namespace sectile::protocol {

template <class K>
constexpr violation cluster_run<K>::explain_deadlock(int i) const {
  constexpr const plan& p = plan_of<K>;
  const agent& a = of[i];
  const action& x = a.log.at[a.next];
  const auto waits = [&](const auto&... why) {
    return refuse(rule::protocol_deadlocks, name(a.role), " of CTA ", a.cta, " waits ", why...);
  };
  for (const agent& other : of) {  // who waits for these parts keeps whoever else waits
    if (p.how.stagger == 0 || other.next >= other.log.count) continue;
    const action& y = other.log.at[other.next];
    if (y.what == act::meet && y.barrier == exchange_barrier(consumers))
      return refuse(rule::protocol_deadlocks, name(other.role), " waits for the others' parts of ",
                    p.how.swap ? "rows" : "columns", ", which .stagger = ", p.how.stagger,
                    " keeps behind it: ", p.how.swap ? "where .swap = true, row_sum()" : "col_sum()",
                    " and its like meet in the middle of a tile; leave .stagger out");
  }
  if (x.what == act::meet)
    return waits("at named barrier ", x.barrier, " for ", x.bytes, " threads; ", hardware[a.cta][x.barrier].threads,
                 " come");
  if (x.what == act::gather)
    return waits("for ", agents, " roles of the cluster; ", everyone.threads / warpgroup, " come");
  const mbarrier& b = barrier[a.cta][x.barrier];
  if (x.barrier >= column_barriers)
    return is_full_ticket(x.barrier) ? waits("forever for the number of its next work item: ",
                                             b.pending > 0 ? "nobody arrives" : "nobody hands it out")
                                     : waits("forever until its cluster has read the number of a work item: of ",
                                             b.expected, " readers ", b.expected - b.pending, " say so");
  if (x.barrier >= sums_barriers)
    return waits("forever for parts of columns: ", b.pending > 0 ? "nobody says how many bytes there are; " : "", "of ",
                 b.transactions > 0 ? b.transactions : -b.transactions, " bytes ",
                 b.transactions > 0 ? "nobody sends them" : "nobody knows");
  if (x.barrier >= ring_barriers)
    return waits("forever for the sums of ", p.how.split - 1, " other parts; ", b.expected - b.pending, " come");
  const barrier_place at = place_of(x.barrier);
  const ring_plan& ring = p.ring[at.ring];
  if (b.transactions != 0)
    return refuse(rule::transaction_bytes_differ_from_the_copies, name(a.role), " of CTA ", a.cta, " waits for stage ",
                  at.stage, " of ", operand_of(at.ring), ", whose barrier expects ", ring.transaction_bytes, " bytes; ",
                  b.transactions > 0 ? b.transactions : -b.transactions,
                  b.transactions > 0 ? " of them never come" : " more come");
  if (!at.full)
    return refuse(rule::protocol_deadlocks, "the producer waits forever for a free stage of ", operand_of(at.ring),
                  " (it has ", ring.stages, "): the consumers hold ", ring.stages,
                  " and wait for what is loaded next; ",
                  is_read_by_trips_alone(p, trace_body<K>({}).log, at.ring)
                      ? "a loop may make no trip, where pipelined(at_least_one(n)) makes one"
                  : is_held_over_a_loop(p, trace_body<K>({}).log, at.ring)
                      ? "a tile from before a loop is read behind it: load it there, or bring it into registers"
                      : "use more stages");
  return waits("forever for stage ", at.stage, " of ", operand_of(at.ring), ": nobody loads it");
}

}  // namespace sectile::protocol
