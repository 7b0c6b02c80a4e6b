// The roles of a kernel run on the recorder: on which problem, from which work item on, and how far.
#pragma once
#include <sectile/dsl/proofs/recorder.hpp>
#include <sectile/dsl/roles/machine_under_test.hpp>

namespace sectile::protocol {

/// Work items that a persistent cluster is followed through, at most: two of each consumer show that rings are carried
/// from one to the next; and those of the slots of drawn numbers, that each is written and read again. Where the last
/// tiles are cut it makes a whole one, and a part of two.
constexpr int longest_walk(const configuration& how) {
  if (how.streamed) return 3;
  return 2 * how.tiles_at_once() + (how.dynamic ? ticket_slots : 0);
}

constexpr int recorded_counters = 1 << 30;  // of tickets: one for each thread that is recorded

/// The problem on which roles are recorded: so many tiles along each mode, and clusters that share the work. (Where
/// rows are whole, a column of tiles has two work items for each consumer with tiles of its own, in both clusters.)
template <class K>
constexpr int recorded_tiles = (1 + recorded_clusters * longest_walk(configuration_of<K>)) *
                               (configuration_of<K>.rows_of_item() > configuration_of<K>.cluster.cols
                                    ? configuration_of<K>.rows_of_item()
                                    : configuration_of<K>.cluster.cols);
/// The first of `items` work items that the recorded cluster does, of `count` in all: with the last, or the last but
/// one, a persistent kernel ends. (That of a single one has unequal coordinates.)
constexpr int first_recorded_item(int count, int items) {
  return count - 1 - (items == 1 ? 1 : recorded_clusters * (items - 1));
}
/// Tiles that are cut, in a walk over `count`: of two tiles that three clusters make in three parts each, the second one
/// makes the first of one and the last of the other, with which its walk ends.
constexpr work_stream recorded_stream(int count) {
  constexpr int trips = 6 * least_trips_of_a_part, cut = 2, parts = 3;
  return {count, count - cut, trips, streamed_clusters, parts};
}
constexpr int first_streamed_item(const work_stream& s, int items) {
  return s.whole + 1 + streamed_clusters * (2 - items);
}
/// Where a recorded vector of so many tiles along each mode lies: its rows so far apart that a place on its line belongs
/// to one part only, one tile behind the last included.
constexpr vector_place place_recorded(const operand_facts& f, int tiles) {
  vector_place v{};
  long long stride = vector_box(f);
  for (int d = f.tile.rank - 2; d >= 0; --d) {
    v.stride[d] = stride *= tiles + 1;
    stride *= f.held(d);
  }
  return v;
}
/// The matrix of which recorded operands have rows: more, and longer ones, than any tile reaches.
constexpr picked_rows recorded_rows{nullptr, 1 << 24, 1 << 30, 1 << 24, {1LL << 46, 1LL << 50, 1LL << 54}};
/// How a filter goes over a recorded image: no two of its numbers are alike.
inline constexpr im2col_place recorded_im2col{
    {.filter = {5, 2}, .stride = {3, 4}, .padding = {1, 2}, .dilation = {7, 6}}, {9, 11}};
template <class K, class Machine>
constexpr parameters_for<K, Machine> recorded_problem(const plan& p = plan_of<K>) {
  parameters_for<K, Machine> parameters{};
  parameters.arguments = traced_arguments<K>({recorded_tiles<K>});
  for (int i = 0; i < p.operands; ++i) {
    const operand_plan& op = p.operand[i];
    if (picks_rows(p, i)) parameters.vector[i] = place_recorded(op.facts, recorded_tiles<K>);
    if constexpr (gathers<K>)
      if (op.facts.is_gathered()) parameters.gathered[i] = recorded_rows;
    if (!op.facts.has_tensor_map()) continue;
    [[maybe_unused]] const auto number = static_cast<std::int8_t>(i);
    parameters.map[i] = {number, false, op.facts.comes_through_ring() ? bytes(op.box) : 0};
    if (op.facts.path == with_tiles) parameters.vector[i] = place_recorded(op.facts, recorded_tiles<K>);
    if constexpr (has_im2col_operand<K>())
      if (op.facts.im2col) parameters.im2col[i] = recorded_im2col;
    if (op.facts.sparse) parameters.metadata_map[i] = {number, true, bytes(op.metadata.box)};
  }
  for (int n = 0; n < p.epilogues; ++n) {
    output_place& o = parameters.output[n];
    o.cols = o.whole_cols = recorded_tiles<K> * p.operand[p.epilogue[n].operand].facts.contiguous();
  }
  parameters.work = work_of<K>(parameters.arguments);
  if constexpr (uses_workspace<K> && parts_of<K> > 1)
    parameters.clusters_of_a_part = fast_divisor(parameters.work.count);
  if constexpr (needs_workspace(plan_of<K>)) parameters.counters = recorded_counters;
  return parameters;
}
template <class K, class Machine>
inline constexpr parameters_for<K, Machine> recorded_parameters = recorded_problem<K, Machine>();
template <class K>
inline constexpr address_book addresses_of = address_book_of(plan_of<K>);

/// What role number `role` (0: the producer, then the consumers) of CTA `rank` does when loops turn as `loops` says,
/// for `items` work items (a persistent kernel carries its rings from one to the next). `fed`: what its wgmmas are
/// given; `copied`: the boxes that it has TMA copy. Of parts that meet in a workspace it makes the first one, which
/// comes last; or, if `last` has no bit, the second one. (Where groups of parts meet first the lowest bit is of its
/// group, and the next one of these.) Where it makes parts of several tiles it comes last to those
/// items whose bits `last` has. Of a producer of many threads this is its thread `lane`; `pieces`: what that copies.
constexpr unsigned to_all = ~0u;
template <class K, int Capacity>
constexpr void record(action_log<Capacity>& log, const loop_table& loops, int items, int rank, int role,
                      feed_list* fed = nullptr, copy_list* copied = nullptr, unsigned last = to_all, int lane = 0,
                      piece_list* pieces = nullptr) {
  using machine = typename machine_under_test<K, recorder<Capacity>>::type;
  machine hw{};
  hw.log = &log;
  hw.where = addresses_of<K>;
  hw.rank = rank;
  hw.loops = loops;
  hw.fed = fed;
  hw.copied = copied;
  hw.comes_last = last & 1;
  hw.last_of = last;
  hw.thread_index = role * warpgroup + lane;
  hw.pieces = pieces;
  const int count = recorded_parameters<K, machine>.work.count;
  if constexpr (streams<K>) {
    kernel_parameters<K, typename machine::tensor_map> parameters = recorded_parameters<K, machine>;
    parameters.stream = recorded_stream(count);
    hw.clusters = streamed_clusters;
    hw.first_item = first_streamed_item(parameters.stream, items);
    hw.parts = part_places_of(head_of<K>, parameters.stream.rest() * head_of<K>.how.ctas());
    kernel_entry<K>(hw, parameters);
  } else {
    hw.first_item = first_recorded_item(count, items) + (last ? 0 : count);
    hw.parts = part_places_of(head_of<K>, count * head_of<K>.how.ctas());
    kernel_entry<K>(hw, recorded_parameters<K, machine>);
  }
}
template <class K, int Capacity>
constexpr action_log<Capacity> record(const loop_table& loops, int items, int rank, int role) {
  action_log<Capacity> log{};
  record<K, Capacity>(log, loops, items, rank, role);
  return log;
}

}  // namespace sectile::protocol
