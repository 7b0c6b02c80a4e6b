// Proof 8, feeding, of copies: what TMA is asked to copy. The boxes that the lowered producers of a cluster
// send bring each tile that the body asks for, whole and once, from where it is in the tensor to where reachability
// expects it in a stage; and the consumers store each part of each output tile once, where it belongs.
//
// Which tiles the body asks for is the planner's reading of it. What is copied is what the roles do on the recorder:
// coordinates, addresses and masks of boxes. One box is one comparison, so all trips of a short run are looked at.
#pragma once
#include <sectile/dsl/proofs/protocol_runs.hpp>

namespace sectile::protocol {

/// The boxes that make a tile of the operand in one CTA, metadata included.
constexpr int boxes_of(const operand_plan& op) {
  const int metadata =
      op.facts.sparse ? op.metadata.k_blocks * (op.metadata.row_blocks / op.metadata.box.extent[1]) : 0;
  if (op.facts.is_vector()) return boxes_of_vector(op.facts);
  if (op.facts.is_gathered()) return 0;  // threads bring it, see gathers.hpp
  return op.panels * (op.facts.strided() / op.box.extent[1]) + metadata;
}
constexpr int most_boxes(const plan& p) {
  return most_of(p.operands, 1,
                 [&](int o) { return p.operand[o].facts.comes_through_ring() ? boxes_of(p.operand[o]) : 0; });
}

/// Which of a tile's boxes a box is, -1 for none, and its bytes from the start of a stage.
struct box_place {
  int number = -1, byte = 0;
};
/// What the box brings, if it is one of those of a part of a vector that lies there.
constexpr box_place place_in_vector(const operand_plan& op, const box_copy& b, const std::int32_t (&tile)[5],
                                    const vector_place& vector) {
  const operand_facts& f = op.facts;
  for (int number = 0; number < boxes_of_vector(f); ++number)
    if (b.at[0] == place_on_line(line_shape(f), tile, number, vector.lead, vector.stride))
      return {number, op.stage_offset + vector_box_offset(f, number)};
  return {};
}
/// A copy from an image as one from X(T,M,C): which place of the filter, and which pixel of the output it begins with.
/// (The other way round than the producer, who divides.) Where there are no such, its first coordinate is none.
constexpr box_copy undo_im2col(box_copy b, const im2col_place& p) {
  const int rows = static_cast<int>(p.rows.divisor), cols = static_cast<int>(p.cols.divisor);
  const int x = b.at[1] + p.padding.cols, y = b.at[2] + p.padding.rows, n = b.at[3];
  const int s = b.offset[0] / p.dilation.cols, r = b.offset[1] / p.dilation.rows;
  const int col = x / p.stride.cols, row = y / p.stride.rows, filter_cols = static_cast<int>(p.filter_cols.divisor);
  const bool exact = x == col * p.stride.cols && y == row * p.stride.rows && b.offset[0] == s * p.dilation.cols &&
                     b.offset[1] == r * p.dilation.rows;
  if (!exact || col < 0 || col >= cols || row < 0 || row >= rows || s >= filter_cols) b.at[0] = -1;
  b.at[1] = (n * rows + row) * cols + col;
  b.at[2] = r * filter_cols + s;
  return b;
}
/// The same of the tile with these coordinates.
constexpr box_place place_in_tile(const operand_plan& op, const box_copy& copy, const std::int32_t (&tile)[5],
                                  const vector_place& vector) {
  const operand_facts& f = op.facts;
  if (f.is_vector()) return place_in_vector(op, copy, tile, vector);
  const box_copy b = f.im2col ? undo_im2col(copy, recorded_im2col) : copy;
  const int rank = f.tile.rank;
  const tma_box& box = b.metadata ? op.metadata.box : op.box;
  const int unit = b.metadata ? 1 : f.packing();  // elements
  const int tall = b.metadata ? op.metadata.row_blocks : f.strided();
  const int wide = b.metadata ? op.metadata.k_blocks * box.extent[0] : f.contiguous();
  int at[2]{};  // behind the tile's first element, along and across the contiguous mode
  for (int d = 0; d < rank; ++d) {
    const int extent = d == 0 ? wide : d == 1 ? tall : 1;
    const int mode = b.metadata ? rank - 1 - d : f.mode_from_inside(d);
    const int behind = b.at[d] * (d == 0 ? unit : 1) - tile[mode] * extent;
    if (behind < 0 || behind >= extent) return {};
    if (d < 2) at[d] = behind;
  }
  const int width = box.extent[0] * unit, height = box.extent[1], column = at[0] / width, row = at[1];
  if (at[0] % width || row % height) return {};
  const int number = column * (tall / height) + row / height;
  if (b.metadata)
    return {boxes_of(op) - 1 - number, op.metadata.stage_offset + metadata_offset(op.metadata, row, column)};
  return {number, op.stage_offset + box_offset(tall, op.swizzle, column, row)};
}

/// What the planner finds in the body of the CTA whose output tile this is, and whose part of the trips.
template <class K>
constexpr trace asked_for(const tile_coordinates<max_rank>& tile, const loop_table& loops, int part, int first_trip = 0,
                          const plan& all = plan_of<K>) {
  planner<K> sm{};
  sm.part = part;
  sm.first_trip = first_trip;
  sm.loops = loops;
  for (int i = 0; i < head_of<K>.positions; ++i) sm.loop_end[i] = all.steps[i].loop_end;
  sm.tile = tile;
  traced_arguments<K>({recorded_tiles<K>}).read_body(sm);
  sm.finish();
  return sm.log;
}
/// Recorded work item number `n` of `items`.
template <class K>
constexpr work_item recorded_item(int count, int n, int items) {
  if constexpr (streams<K>) {
    const work_stream s = recorded_stream(count);
    return item_of(s, first_streamed_item(s, items) + streamed_clusters * n);
  } else {
    return {first_recorded_item(count, items) + recorded_clusters * n};
  }
}
/// The output tile of CTA `rank` there; of consumers abreast that of number `lane`.
template <class K>
constexpr tile_coordinates<max_rank> recorded_tile(int n, int items, int rank, int lane = 0) {
  using machine = typename machine_under_test<K, recorder<log_capacity_of<K>>>::type;
  constexpr const auto& problem = recorded_parameters<K, machine>;
  constexpr int modes = operand_plan_of<K, work_operand<K>>.facts.tile.rank;
  const place_in_cluster place = place_of_rank<K>(rank);
  const work_item item = recorded_item<K>(problem.work.count, n, items);
  tile_coordinates<max_rank> at = locate<K>(item.tile, problem.work, problem.arguments);
  at.at[modes - 2] += place.row * how_of<K>.rows_of_cta() + lane;
  at.at[modes - 1] += place.col;
  return at;
}
/// Each loop turns `trips` times, or as often as it must.
constexpr loop_table turning(loop_table loops, int trips) {
  for (int i = 0; i < loops.count; ++i) loops.trips[i] = trips > loops.least[i] ? trips : loops.least[i];
  return loops;
}
/// Boxes of one producer in such a run.
template <class K>
constexpr int boxes_sent(const trace& t, const plan& all = plan_of<K>) {
  int n = 1;
  for (const event& e : t)
    if (e.kind == event_kind::load) n += boxes_of(all.operand[e.operand]) * all.ring[all.operand[e.operand].ring].lanes;
  return n;
}

/// (Here and below the plan is an argument besides: nvcc lays a constant out anew whenever a run's number picks an
/// element of it, and what an argument refers to once.)
/// Every tile that the CTAs of a cluster ask for comes to each of them whole, once, and to its place in a stage.
template <class K>
constexpr violation check_loads(const plan& all = plan_of<K>) {
  constexpr const plan_head& p = head_of<K>;
  constexpr int ctas = p.how.ctas();
  constexpr loop_table loops = turning(p.loops, 2);
  constexpr int room = boxes_sent<K>(asked_for<K>(recorded_tile<K>(0, 1, 0), loops, 0));
  using machine = typename machine_under_test<K, recorder<log_capacity_of<K>>>::type;
  constexpr const auto& problem = recorded_parameters<K, machine>;
  constexpr int count = problem.work.count;
  box_copy box[ctas][room]{};
  copy_list sent[ctas]{};
  constexpr int abreast = p.how.rows_of_cta();
  trace asked[ctas][abreast]{};
  action_log<log_capacity_of<K>> log{};
  for (int c = 0; c < ctas; ++c) {
    sent[c] = {box[c], room};
    log.count = 0;
    record<K>(log, loops, 1, c, 0, nullptr, &sent[c]);
    // Read again for CTA 0, too: at run time g++ evaluates operands in another order than in a constant.
    for (int lane = 0; lane < abreast; ++lane)
      asked[c][lane] = asked_for<K>(recorded_tile<K>(0, 1, c, lane), loops, place_of_rank<K>(c).part,
                                    recorded_item<K>(count, 0, 1).first);
  }
  constexpr int most = most_boxes(plan_of<K>);
  int next[ctas]{};
  for (int i = 0; i < asked[0][0].events; ++i) {
    if (asked[0][0].at[i].kind != event_kind::load) continue;
    const operand_plan& op = all.operand[asked[0][0].at[i].operand];
    const ring_plan& ring = all.ring[op.ring];
    for (int lane = 0; lane < ring.lanes; ++lane) {
      int come[ctas][most]{};
      for (int from = 0; from < ctas; ++from)
        for (int n = 0; n < boxes_of(op) / op.slices && next[from] < sent[from].count && next[from] < room; ++n) {
          const box_copy& b = box[from][next[from]++];
          for (int to = 0; to < ctas; ++to) {
            if (!(b.mask >> to & 1)) continue;
            const event& load = asked[to][lane].at[i];
            const box_place at = b.operand == load.operand
                                     ? place_in_tile(op, b, load.coordinate,
                                                     problem.vector[has_vector<K>() ? b.operand : 0])
                                     : box_place{};
            const int lanes_bytes = ring.stages_of_lane() * ring.stage_bytes;
            const int behind = static_cast<int>(b.shared) - ring.offset, byte = behind % ring.stage_bytes;
            if (at.number < 0 || at.byte != byte || behind / lanes_bytes != lane)
              return refuse(to == from ? rule::wgmma_does_not_read_what_tma_wrote : rule::multicast_peers_disagree,
                            "operand ", op.facts.name, ": CTA ", from, " copies the box at ", b.at[0], ", ", b.at[1],
                            " of the tensor to byte ", byte, " of a stage of CTA ", to,
                            at.number < 0 ? "; it is no part of the tile that is loaded there"
                                          : "; of the tile that is loaded there, it belongs to byte ",
                            at.number < 0 ? sentence{} : sentence{} << at.byte);
            ++come[to][at.number];
          }
        }
      for (int c = 0; c < ctas; ++c)
        for (int n = 0; n < boxes_of(op); ++n)
          if (come[c][n] != 1)
            return refuse(rule::wgmma_does_not_read_what_tma_wrote, "operand ", op.facts.name, ": box ", n, " of the ",
                          boxes_of(op), " that make a tile is copied ", come[c][n], " times into a stage of CTA ", c);
    }
  }
  for (int c = 0; c < ctas; ++c)
    if (next[c] != sent[c].count)
      return refuse(rule::wgmma_does_not_read_what_tma_wrote, "the producer of CTA ", c, " sends ", sent[c].count,
                    " boxes where the tiles that are asked for have ", next[c]);
  return {};
}

/// Each panel of a consumer's part of one output's tile is stored once: by what it had TMA copy from number `next` on,
/// which moves behind them.
template <int Most>
constexpr violation check_stores(const plan& p, const epilogue_plan& e, const int (&tile)[max_rank],
                                 const copy_list& sent, int& next, int item, int rank, int consumer) {
  const operand_facts& out = p.operand[e.operand].facts;
  const int modes = out.tile.rank, panels = e.panels;
  const int sharers = p.how.sharers();
  const coord share = share_origin(e.transposed, extent_of(out), sharers, consumer % sharers);
  const int wide = e.transposed ? out.contiguous() / sharers : out.contiguous(), across = wide / e.panel_cols;
  int stored[Most]{};
  for (int n = 0; n < panels && next < sent.count && next < sent.room; ++n) {
    const box_copy& b = sent.at[next++];
    bool right = b.store && b.operand == e.operand;
    for (int d = 2; d < modes; ++d) right = right && b.at[d] == tile[modes - 1 - d];
    const int row = b.at[1] - tile[out.mode_from_inside(1)] * out.strided() - share.row;
    const int col = b.at[0] - tile[out.mode_from_inside(0)] * out.contiguous() - share.col;
    const int buffer = static_cast<int>(b.shared) - e.offset;
    right = right && row >= 0 && row < panels / across * e.panel_rows && col >= 0 && col < wide &&
            row % e.panel_rows == 0 && col % e.panel_cols == 0;
    if (!right)
      return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": consumer ", consumer,
                    " of CTA ", rank, " stores a panel at column ", b.at[0], ", row ", b.at[1],
                    " of the tensor, which is none of its part of the tile");
    if (buffer % e.panel_bytes || buffer / e.panel_bytes / e.buffers != consumer)
      return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": consumer ", consumer,
                    " stores a panel from byte ", buffer, " of the epilogue's buffers, where none of its own begins");
    ++stored[row / e.panel_rows * across + col / e.panel_cols];
  }
  for (int n = 0; n < panels; ++n)
    if (stored[n] != 1)
      return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", out.name, ": rows ",
                    n / across * e.panel_rows, " to ", n / across * e.panel_rows + e.panel_rows - 1, ", columns ",
                    n % across * e.panel_cols, " to ", n % across * e.panel_cols + e.panel_cols - 1, " of consumer ",
                    consumer, "'s part of work item ", item, " are stored ", stored[n], " times");
  return {};
}
/// The same of all outputs, in their order: `sent` is what a consumer had TMA copy in `items` work items.
template <class K>
constexpr violation check_stores(const copy_list& sent, int items, int rank, int consumer, const plan& p = plan_of<K>) {
  int next = 0;
  constexpr bool by_threads = operand_plan_of<K, work_operand<K>>.facts.is_scattered();  // see scatters.hpp
  const bool stores = place_of_rank<K>(rank).part == 0 && !by_threads;
  for (int item = 0; item < items && stores; ++item) {
    if (p.how.own_tiles && item % p.how.consumers != consumer) continue;
    const tile_coordinates<max_rank> tile =
        recorded_tile<K>(item, items, rank, consumer % p.how.rows_of_cta());
    int at[max_outputs][max_rank]{};
    for (int n = 0; n < p.epilogues; ++n)
      for (int d = 0; d < max_rank; ++d) at[n][d] = tile.at[d];
    if constexpr (head_of<K>.trip_outputs > 0)  // in the one trip of each loop
      for (const event& e : asked_for<K>(tile, turning(p.loops, 1), 0))
        for (int d = 0; e.kind == event_kind::store && d < max_rank; ++d)
          at[find_epilogue(p, e.operand)][d] = e.coordinate[d];
    for (int n = 0; n < p.epilogues; ++n)
      if (const violation v =
              check_stores<most_panels(head_of<K>)>(p, p.epilogue[n], at[n], sent, next, item, rank, consumer);
          !v.holds())
        return v;
  }
  if (next == sent.count) return {};
  return refuse(rule::epilogue_misses_or_doubles_elements, "operand ", p.operand[p.work].facts.name, ": consumer ",
                consumer, " of CTA ", rank, " stores ", sent.count, " panels where its work items have ", next);
}

}  // namespace sectile::protocol
