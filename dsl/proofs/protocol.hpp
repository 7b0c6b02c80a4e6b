// Proof 5, protocol: no deadlock, no race, no lagging parity, and as many bytes and arrivals as barriers wait for, in
// every interleaving of the roles of a cluster. One run decides: docs/protocol.md says why. Two things roles do that
// hang on others: one asks whether its part of a tile comes last to a workspace, and both answers are run; and roles
// read which work item is next, where that is drawn, of which it is proven on the way that all of a cluster read the
// same.
//
// TMA and wgmma are asynchronous, so an access here is an interval: a load writes from its issue until its barrier's
// phase, a product reads stages and uses registers from its issue until the wait that retires it.
#pragma once
#include <sectile/dsl/proofs/deadlock.hpp>

namespace sectile::protocol {

/// One CTA's part of run number `Run`, a constant of its own.
template <class K, int Run, int Cta>
inline constexpr auto recorded_cta = [] {
  typename cluster_run<K>::cta_record all;
  all.refusal = cluster_run<K>::record_cta(all.of, Cta, Run);
  return all;
}();
template <class K, int Run, int... Cta>
constexpr cluster_run<K> join_ctas(std::integer_sequence<int, Cta...>) {
  cluster_run<K> all;
  (all.take(Cta, recorded_cta<K, Run, Cta>), ...);
  return all;
}
/// Run number `Run` as it begins. nvcc limits the work of a constant, and to record 32 roles takes more than that.
template <class K, int Run>
constexpr cluster_run<K> begin_run(unsigned last) {
  if constexpr (cluster_run<K>::agents > 24 && !uses_workspace<K>)
    return join_ctas<K, Run>(std::make_integer_sequence<int, cluster_run<K>::ctas>{});
  else
    return cluster_run<K>(Run, last);
}

/// Which parts come last to a workspace, see record(): what comes behind the meeting has two ways, and a run goes both.
/// (Where tiles are streamed: all but the third item, or that alone. It has the sums of one tile and not of the next, or
/// the other way round.) Where groups of parts meet first there is a third way, of who comes last to its group alone.
constexpr unsigned to_the_third = 0b100;
template <class K>
inline constexpr unsigned last_in_one_way = streams<K> ? ~to_the_third : to_all;
template <class K>
inline constexpr unsigned last_in_the_other = streams<K> ? to_the_third : 0;

constexpr unsigned last_of_its_group = 1;
constexpr int ways_to_come_last(const configuration& how) { return !how.uses_workspace() ? 1 : how.fan_in > 0 ? 3 : 2; }

/// A run that begin(last) begins, and ends, in each of its ways up to the first that fails; look(run) is shown how.
template <class K, class Begin, class Look>
constexpr violation run_in_all_ways(Begin begin, Look look) {
  constexpr unsigned ways[] = {last_in_one_way<K>, last_in_the_other<K>, last_of_its_group};
  violation v{};
  for (int i = 0; i < ways_to_come_last(how_of<K>) && v.holds(); ++i) {
    cluster_run<K> cluster = begin(ways[i]);
    if (cluster.refusal.holds()) cluster.run();
    look(cluster);
    v = cluster.refusal;
  }
  return v;
}
/// The protocol of K in run number `Run`.
template <class K, int Run>
constexpr violation check_protocol() {
  return run_in_all_ways<K>([](unsigned last) { return begin_run<K, Run>(last); }, [](const cluster_run<K>&) {});
}
/// The same of a run that shows something new. (Of `repeats() ? ... : check_protocol()` g++ would make both.)
template <class K, int Run>
constexpr violation check_new_run() {
  if constexpr (repeats(head_of<K>, Run))
    return {};
  else
    return check_protocol<K, Run>();
}
template <class K, int Run>
inline constexpr violation protocol_verdict = check_new_run<K, Run>();

}  // namespace sectile::protocol
