#include <algorithm>
#include <atomic>
#include <random>
#include <sectile/dsl/launch/checks.hpp>
#include <sectile/dsl/launch/prepare.hpp>
#include <sectile/dsl/launch/scattered_rows.hpp>

namespace sectile {

namespace {

/// Columns of an output in whole pieces of 16 bytes: what TMA may store (see output_place).
std::int64_t whole_columns(const operand_facts& f, std::int64_t cols) {
  const int piece = 128 / f.type.bits;
  return cols / piece * piece;
}

/// Where an output is, for the columns that TMA does not store.
output_place place_output(const operand_facts& f, const tensor_facts& t) {
  output_place o{};
  o.data = static_cast<unsigned char*>(const_cast<void*>(t.data));
  const int across = f.mode_from_inside(1), along = f.mode_from_inside(0);
  for (int d = 0; d + 1 < t.rank; ++d) {  // that of a mode of size 1 is never used, and may be anything
    const int mode = d == t.rank - 2 ? across : d;
    o.stride_bytes[d] = t.extent[mode] == 1 ? 0 : t.stride[mode] * f.type.bits / 8;
  }
  o.rows = static_cast<int>(t.extent[across]);
  o.cols = static_cast<int>(t.extent[along]);
  o.whole_cols = static_cast<int>(whole_columns(f, o.cols));
  if (o.whole_cols == 0) o.first_col = f.contiguous();
  return o;
}

/// Elements of a vector between the last multiple of 16 bytes and its first.
int lead_of(const operand_facts& f, const tensor_facts& t) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(t.data) % 16) / (f.type.bits / 8);
}
/// Where a vector is.
vector_place place_vector(const operand_facts& f, const tensor_facts& t) {
  vector_place v{const_cast<void*>(t.data), lead_of(f, t), {}};
  for (int d = 0; d + 1 < t.rank; ++d)  // what is never stepped over may be anything
    v.stride[d] = t.extent[d] == 1 ? 0 : t.stride[d];
  return v;
}

/// Where rows are that an index picks or names.
picked_rows place_rows(const operand_facts& f, const tensor_facts& t) {
  const std::int64_t element = f.type.bits / 8, pitch = t.picked_from > 1 ? t.stride[f.tile.rank - 2] * element : 0;
  picked_rows from{static_cast<const std::byte*>(t.data), static_cast<std::uint32_t>(pitch),
                   static_cast<int>(t.picked_from), static_cast<int>(t.extent[f.tile.rank - 1] * element)};
  for (int i = 0; i < t.matrix_modes - 2; ++i)
    if (const int d = t.matrix_mode[i]; t.extent[d] > 1) from.apart[d] = t.stride[d] * element;
  return from;
}

/// The line that TMA is shown of a vector, see plan/vector_boxes.hpp.
map_request request_line(const operand_plan& op, const tensor_facts& t) {
  const int lead = lead_of(op.facts, t), bytes = op.facts.type.bits / 8;
  map_request r{static_cast<const std::byte*>(t.data) - lead * bytes, {}, {}, op.box, op.facts.type};
  r.extent[0] = lead + bytes_of(op.facts, t).reach() / bytes;
  r.stride_bytes[0] = bytes;
  return r;
}

}  // namespace

bool is_read_once(const plan& p, int o, const map_request& r, const tensor_facts& made) {
  constexpr int sector = 32;
  const operand_facts &f = p.operand[o].facts, &work = p.operand[p.work].facts;
  if (f.kind != operand_kind::input || f.im2col || p.loops.count != 1 || p.products.count != 1) return false;
  if (p.cuts.count > 0 || work.has_index()) return false;  // the tensor's modes are not the body's
  for (int d = 0, rank = work.tile.rank; d < rank; ++d) {
    const int tiles = d == rank - 2 ? p.how.rows_of_item() : d == rank - 1 ? p.how.cluster.cols : 1;
    if (f.position_of(work.mode_at(d)) < 0 && made.extent[d] > tiles * work.tile.extent[d]) return false;
  }
  for (int i = 1; i < r.box.rank; ++i)
    if (r.stride_bytes[i] % sector != 0) return false;
  return reinterpret_cast<std::uintptr_t>(r.base) % sector == 0;
}

map_request request_map(const plan& p, int o, const tensor_facts& given) {
  const operand_plan& op = p.operand[o];
  if (op.facts.is_vector()) return request_line(op, given);
  const operand_in_memory stored = in_memory(op.facts, given);
  const tensor_facts& t = stored.tensor;
  map_request r{t.data, {}, {}, op.box, op.facts.type};
  r.im2col = op.facts.im2col;
  if (r.im2col) r.bounds = bounds_of(t.image.path);
  const bool output = op.facts.kind == operand_kind::output;
  if (output) r.box = panel_box(p, find_epilogue(p, o));
  const int inside = stored.facts.mode_from_inside(0);
  r.in_pieces = !output && t.extent[inside] > stored.facts.tile.extent[inside];
  for (int i = 0; i < t.rank; ++i) {
    const int d = stored.facts.mode_from_inside(i);
    r.extent[i] = t.extent[d];
    if (op.facts.sparse && d == t.rank - 1) r.extent[i] /= 2;
    if (i == 0) r.extent[i] /= op.facts.packing();
    // A mode of size 1 is never stepped over, but TMA wants a multiple of 16.
    r.stride_bytes[i] = i > 0 && t.extent[d] == 1 ? 16 : t.stride[d] * op.facts.type.bits / 8;
  }
  if (position_of_cut(p, o) >= 0) {  // see plan/groups.hpp
    r.extent[t.rank - 1] = r.extent[1] + 1;
    r.stride_bytes[t.rank - 1] = r.stride_bytes[1];
    r.extent[1] = most_group_rows;
    r.extent[t.rank] = group_place::beyond + 1;
    r.stride_bytes[t.rank] = group_step - r.stride_bytes[1];
  }
  if (output && whole_columns(op.facts, r.extent[0]) > 0) r.extent[0] = whole_columns(op.facts, r.extent[0]);
  return r;
}

map_request request_metadata_map(const operand_plan& op, const tensor_facts& t) {
  map_request r{t.metadata, {}, {}, op.metadata.box, element_of<s32>()};
  r.extent[0] = metadata_cols(t.extent[1], op.facts.type.bits);
  r.extent[1] = metadata_rows(t.extent[0]);
  r.stride_bytes[0] = 4;
  r.stride_bytes[1] = 4 * t.metadata_stride;
  return r;
}

// ---- the body

namespace path {

int note_load(trace_log& log, int at, int operand, const int* tile, int rank) {
  log.note_load(at, operand, tile, rank);
  return log.log.events - 1;
}
void note_vector(trace_log& log, int operand, const int* tile, int rank) { log.note_vector(operand, tile, rank); }
void note_read(trace_log& log, int at, int operand, int value, int load) { log.note_read(at, operand, value, load); }
void note_product(trace_log& log, int at, int accumulator, int left, int left_load, int right_load, bool widened) {
  log.note_product(at, accumulator, left, left_load, right_load, widened);
}
void note_touch(trace_log& log, int at, int value) { log.note_touch(value, at); }
void note_moved(trace_log& log, int value) { log.note_moved(value); }
void note_store(trace_log& log, int at, int operand, int value, const int* tile, int rank) {
  log.note_store(at, operand, value, tile, rank);
}
void note_written(trace_log& log, int operand, const int* tile, int rank, bool combines, reduction how) {
  log.note_written(operand, tile, rank, combines, how);
}
int loop_begins(trace_log& log, int start, int asked, int least) { return log.loop_begins(start, asked, least); }
int loop_head(trace_log& log, int start, int at, bool more) { return log.note_loop_head(start, at, more); }
void trip_begins(trace_log& log) { log.note_trip(); }
int number_of(const trace_log& log, int trip) { return log.number_of(trip); }
void note_end(trace_log& log, int at, const tile_coordinates<max_rank>& tile) { log.note_end(at, tile); }

}  // namespace path

namespace {

/// The trace of a run of the body for one output tile. Loops turn as in the planner's first run, but their trips are
/// numbered from `first_trip` on.
trace trace_of(const launchable& k, const void* arguments, const tile_coordinates<max_rank>& tile, int first_trip) {
  const plan& p = *k.planned;
  trace_log log{};
  log.first_trip = first_trip;
  log.loops = p.loops;
  for (int i = 0; i < p.positions; ++i) log.loop_end[i] = p.steps[i].loop_end;
  detail::hardly_meant = {};
  k.read(log, arguments, tile);
  if (const std::int64_t number = detail::hardly_meant.more_than_an_int; number != 0)
    throw launch_error("with these sizes and scalars the body works out the whole number ", number,
                       ", which no int holds; work it out with floats: 1.0f * size<\"M\">(C) * size<\"N\">(C)");
  if (const int divisor = detail::hardly_meant.divides_one; divisor != 0)
    throw launch_error("the body divides 1 by ", divisor, ", a whole number, which makes 0; 1.0f / x is a fraction");
  return log.log;
}

/// Throws if a loop asks for more trips than anybody could mean. It may pass over its tiles several times, but not for
/// hours.
void check_trips(const plan& p, const trace& t, const parameter_places& to) {
  constexpr std::int64_t always_possible = 1 << 20;
  std::int64_t most = 0;  // tiles of one operand
  for (int o = 0; o < p.operands; ++o) {
    if (p.operand[o].facts.kind == operand_kind::scalar) continue;
    std::int64_t tiles = 1;
    for (int d = 0; d < p.operand[o].facts.tile.rank; ++d) tiles *= to.tile_count[o][d];
    most = std::max(most, tiles);
  }
  for (int i = 0; i < t.events; ++i)
    if (t.at[i].kind == event_kind::loop && t.at[i].coordinate[0] > std::max(most, always_possible))
      throw launch_error("with these sizes and scalars a loop asks for ", t.at[i].coordinate[0],
                         " trips, but no operand has more than ", most,
                         " tiles; pipelined() takes the number of trips, such as tiles<\"K\">(A)");
}

/// What is done to the tile of an event that the body numbers: of a load, or of a store in a trip; null: of any other.
const char* done_to_tile(const plan& p, const event& e) {
  if (e.kind == event_kind::load) return "loaded";
  return e.kind == event_kind::store && p.operand[e.operand].facts.of_trips ? "stored" : nullptr;
}

/// Throws if a load asks for a tile so far behind the last one that nobody could mean its zeros: as far again as there
/// are tiles, and a few. Then elements have been counted in place of tiles.
void check_reach(const plan& p, const trace& t, const parameter_places& to) {
  const auto check = [&](int operand, const std::int32_t* coordinate, const char* done) {
    const operand_facts& f = p.operand[operand].facts;
    for (int d = 0; d < f.tile.rank; ++d) {
      const int tiles = to.tile_count[operand][d];
      if (coordinate[d] / 2 <= tiles + 4) continue;
      throw launch_error("operand ", f.name, ": with these sizes and scalars ", f.is_vector() ? "part " : "tile ",
                         coordinate[d], " along ", f.mode_name[d], " is ", done, ", of ", tiles,
                         "; coordinates count tiles, not elements: ", f.tile.rank == 1 ? "{n}" : "{m, k}");
    }
  };
  for (int i = 0; i < t.events; ++i)
    if (const char* const done = done_to_tile(p, t.at[i])) check(t.at[i].operand, t.at[i].coordinate, done);
  for (int i = 0; i < t.vector_reads && i < max_vector_reads; ++i)
    check(t.vector_read[i].operand, t.vector_read[i].coordinate, "loaded");
}

/// Throws if a loop that takes several tiles at a time leaves some over, which nothing loads.
void check_last_tiles(const plan& p, const trace& t, const parameter_places& to) {
  for (int i = 0; i < max_tiled_modes; ++i) {
    if ((p.divided_loops >> i & 1) == 0) continue;
    const mode_place of = place_in_matrices(p, p.how.tile[i].along.name);
    const int tiles = to.tile_count[of.operand][of.mode], loaded = reach(p, t, p.how.tile[i].along.name) + 1;
    if (loaded >= tiles) continue;
    const operand_facts& f = p.operand[of.operand].facts;
    throw launch_error("operand ", f.name, ": it has ", tiles, " tiles along ", f.mode_name[of.mode], ", of which the ",
                       "body's loops take several at a time and load ", loaded,
                       "; pad the tensor, or have the body load what is left over as well");
  }
}

/// Whether a loop makes `trips` trips, so that the last one may load what the next would need. (Of a loop that is
/// divided among CTAs nobody knows.)
bool may_load_ahead(const plan& p, const trace& t, int trips) {
  return p.how.split > 1 || p.how.streamed || std::any_of(t.begin(), t.end(), [&](const event& e) {
           return e.kind == event_kind::loop && e.coordinate[0] == trips;
         });
}

/// Throws if a load asks for a batch behind the last one, or before the first. Tiles of rows and columns hang over
/// edges, batches do not, so an index was meant. Of vectors, what a loop loads ahead in its last trip is not asked for.
void check_batches(const plan& p, const trace& t, const parameter_places& to) {
  for (const event& e : t) {
    const char* const done = done_to_tile(p, e);
    if (!done || e.unasked) continue;
    const operand_facts& f = p.operand[e.operand].facts;
    for (int d = 0; d < f.tile.rank - 2 && !f.is_vector(); ++d)
      if (const int all = to.tile_count[e.operand][d]; e.coordinate[d] >= all || e.coordinate[d] < 0)
        throw launch_error("operand ", f.name, ": with these sizes and scalars number ", e.coordinate[d], " along ",
                           f.mode_name[d], " is ", done, ", of ", all, ", which are counted from 0; ",
                           e.coordinate[d] < 0 ? "max(x, 0) is the first one"
                                               : "min(x, size<\"" + std::string(f.mode_name[d]) + "\">(" + f.name +
                                                     ") - 1) is the last one");
  }
  for (int i = 0; i < t.vector_reads && i < max_vector_reads; ++i) {
    const int operand = t.vector_read[i].operand;
    const operand_facts& f = p.operand[operand].facts;
    for (int d = 0; d < f.tile.rank; ++d)
      if (const int at = t.vector_read[i].coordinate[d]; at < 0 && !t.vector_read[i].unasked)
        throw launch_error("operand ", f.name, ": with these sizes and scalars number ", at, " along ", f.mode_name[d],
                           " is loaded, which are counted from 0: what it lacks counts as zeros; max(x, 0) is the ",
                           "first one");
    for (int d = 0; d < f.tile.rank - 1; ++d)
      if (const int all = to.tile_count[operand][d], at = t.vector_read[i].coordinate[d];
          f.tile.extent[d] == 1 && f.block[d] <= 1 && (at > all || (at == all && !may_load_ahead(p, t, all))))
        throw launch_error("operand ", f.name, ": with these sizes and scalars number ", at, " along ", f.mode_name[d],
                           " is loaded, of ", all,
                           ", which are counted from 0: what it lacks counts as zeros; min(x, size<\"", f.mode_name[d],
                           "\">(", f.name, ") - 1) is the last one");
  }
}

/// Throws if a run is another than the planned one. Its values are of types that decide no path; what is left is a body
/// that asks whether it is constant evaluation, and where its tile is stored. (The operations are counted and not
/// compared: here operands may be evaluated in another order than when the plan was made, and on the GPU.)
void check_as_planned(const plan& p, const trace& t) {
  if (t.positions != p.positions)
    throw launch_error(
        "the body does something else when it runs than it did when it was planned: does it ask for "
        "std::is_constant_evaluated()?");
  if (const violation v = check_store(p, t); !v.holds())
    throw launch_error("with these sizes and scalars ", v.says.text);
  if (const violation v = check_vector_writes(p, t); !v.holds())
    throw launch_error("with these sizes and scalars ", v.says.text);
}

/// Of the loop that a run comes to first; 0: it has none.
int first_trips(const trace& t) {
  for (int i = 0; i < t.events; ++i)
    if (t.at[i].kind == event_kind::loop) return t.at[i].coordinate[0];
  return 0;
}

/// Throws if the body does something else for these arguments than it was planned to do, for the first and the last
/// tile of the work. Returns the trips of the first loop, which where tiles are cut are as many for both tiles.
int check_path(const launchable& k, const parameter_places& to) {
  const plan& p = *k.planned;
  int trips = 0;
  const int o = p.work, rank = p.operand[o].facts.tile.rank;
  for (const bool last : {false, true}) {
    tile_coordinates<max_rank> tile{};
    for (int d = 0; last && d < rank; ++d) tile.at[d] = to.tile_count[o][d] - 1;
    if (p.whole_rows) tile.at[rank - 1] = 0;
    const trace t = trace_of(k, to.arguments, tile, last ? last_trips : 0);
    check_trips(p, t, to);
    if (last && p.how.streamed && first_trips(t) != trips)
      throw launch_error("with these sizes and scalars the loop makes ", trips, " trips for the first tile and ",
                         first_trips(t), " for the last; .streamed = true shares out tiles that are alike");
    trips = first_trips(t);
    check_reach(p, t, to);
    check_batches(p, t, to);
    check_as_planned(p, t);
    if (last) check_last_tiles(p, t, to);
  }
  return trips;
}

/// What tickets of the next launch count from: see plan/ticket_counters.hpp.
std::uint64_t next_token() {
  static const std::uint64_t random = [] {
    std::random_device bits;
    return std::uint64_t{bits()} << 32 | bits();
  }();
  static std::atomic<std::uint64_t> launches{0};
  return random + (launches.fetch_add(1, std::memory_order_relaxed) << token_step_bits);
}

/// Where in the workspace parts of tiles meet, and the tiles of sums in order.
void place_workspace(const plan& p, const given_operands& given, parameter_places& to) {
  if (!needs_workspace(p)) return;
  check_workspace(p, given);
  const int* const tiles = to.tile_count[p.work];
  const scattered_sizes sizes = scattered_sizes_of(p, given.tensor);
  to.in_workspace = lay_out_workspace(p, std::int64_t{to.work->count} * p.how.cluster.size(), tiles, sizes);
  auto* const first = static_cast<std::byte*>(given.workspace);
  to.counters->tickets = {reinterpret_cast<std::uint64_t*>(first), next_token()};
  to.counters->counters = static_cast<int>(to.in_workspace.tickets);
  if (to.workspace != nullptr) {
    to.workspace->sums = first + to.in_workspace.sums;
    to.workspace->clusters_of_a_part = fast_divisor(to.work->count);  // of a split
  }
  ordered_sum next{
      static_cast<int>(to.in_workspace.split_tickets), reinterpret_cast<float*>(first + to.in_workspace.numbers), {}};
  for (int o = 0, n = 0; o < p.operands; ++o) {
    if (!adds_in_order(p, o)) continue;
    const operand_facts& v = p.operand[o].facts;
    next.tiles = order_of_sum(p, o, tiles, sizes);
    to.in_order[n++] = next;
    next.counter += next.tiles.groups * warps_of_a_sum(p, v);
    next.numbers += std::int64_t{next.tiles.groups} * next.tiles.slots * numbers_of_a_tile(v);
  }
}

/// Sizes and scalars, and whether they are those of `known`.
known_path path_of(const plan& p, const given_operands& given) {
  known_path now{true, {}, {}, 0};
  for (int o = 0; o < p.operands; ++o) {
    now.scalar[o] = given.scalar[o];
    for (int d = 0; d < given.tensor[o].rank; ++d)
      now.extent[o][d] = static_cast<std::int32_t>(given.tensor[o].extent[d]);
  }
  return now;
}
bool same_path(const known_path& a, const known_path& b) {
  bool same = a.tried && b.tried;
  for (int o = 0; o < max_operands; ++o) {
    same = same && a.scalar[o] == b.scalar[o];
    for (int d = 0; d < max_rank; ++d) same = same && a.extent[o][d] == b.extent[o][d];
  }
  return same;
}

}  // namespace

void count_groups_of(const operand_facts& f, int cut, int groups, tensor_facts& t) {
  const int modes = f.tile.rank - 1, rows = cut - (cut > groups);  // its place in the tensor
  if (t.rank != modes)
    throw launch_error("operand ", f.name, ": the tensor has ", t.rank, t.rank == 1 ? " mode" : " modes", ", but ",
                       f.mode_name[cut], " is cut into groups, ", f.mode_name[groups],
                       " of them, which are given as one ",
                       modes == 1   ? "vector"
                       : modes == 2 ? "matrix"
                                    : "tensor",
                       " of all their rows");
  if (t.extent[rows] >= most_group_rows)
    throw launch_error("operand ", f.name, ": ", f.mode_name[cut], " = ", t.extent[rows],
                       " rows of all groups; there may be up to ", most_group_rows - 1);
  for (int d = t.rank++; d > groups; --d) {
    t.extent[d] = t.extent[d - 1];
    t.stride[d] = t.stride[d - 1];
  }
  t.extent[groups] = 1;
  t.stride[groups] = 0;
}

void pick_rows(const plan& p, tensor_facts (&tensor)[max_operands]) {
  for (int o = 0; o < p.operands; ++o) {
    const operand_facts& f = p.operand[o].facts;
    if (!f.has_index()) continue;
    tensor_facts& t = tensor[o];
    const operand_facts& picks = p.operand[find_index(p, o)].facts;
    const tensor_facts index = tensor[find_index(p, o)], rows = t;
    const int last = f.tile.rank - 1, besides = last - picks.tile.rank;  // modes of the matrix but rows and columns
    if (rows.rank != 2 + besides)
      throw launch_error("operand ", f.name, ": the tensor has ", rows.rank, rows.rank == 1 ? " mode" : " modes",
                         ", but its rows are ", f.is_scattered() ? "named" : "picked", " by ", f.index,
                         besides == 0   ? ": it is a matrix, of any number of rows"
                         : besides == 1 ? ": it has one mode that this lacks, rows, of any number, and columns"
                                        : ": it has the modes that this lacks, rows, of any number, and columns");
    t = {.data = rows.data, .rank = f.tile.rank, .picked_from = rows.extent[besides]};
    for (int d = 0; d <= last; ++d) {
      const int i = place_in_index(f, picks, d);
      if (i >= 0) t.extent[d] = i < index.rank ? index.extent[i] : 1;
      if (i >= 0 && d + 1 < last) continue;
      t.matrix_mode[t.matrix_modes] = d;
      t.stride[d] = rows.stride[t.matrix_modes];
      if (i < 0) t.extent[d] = rows.extent[t.matrix_modes];
      ++t.matrix_modes;
    }
  }
}

void fill_in_sizes(const plan& p, const given_operands& given, const parameter_places& to) {
  for (int o = 0; o < p.operands; ++o)
    for (int d = 0; d < given.tensor[o].rank; ++d) {
      const bool groups = counts_groups(p, o, d);
      const std::int64_t size = groups ? given.tensor[ends_of(p, o)].extent[0] : given.tensor[o].extent[d];
      const std::int64_t tile = p.operand[o].facts.tile.extent[d];
      to.extent[o][d] = static_cast<int>(size);
      to.tile_count[o][d] = static_cast<int>((size * p.operand[o].facts.block[d] + tile - 1) / tile);
    }
}

void prepare(const launchable& k, const given_operands& given, map_encoder encode, parameter_places& to,
             known_path& known) {
  const plan& p = *k.planned;
  check_launch(p, given.tensor);
  check_scattered_rows(p, given.tensor);
  for (int o = 0; o < p.operands; ++o) {
    const operand_plan& op = p.operand[o];
    const tensor_facts& t = given.tensor[o];
    if (op.facts.is_vector()) to.vector[o] = place_vector(op.facts, t);
    if (const output_pixels& made = t.image.output; op.facts.im2col)
      to.im2col[o] = im2col_place(t.image.path, {static_cast<int>(made.rows), static_cast<int>(made.cols)});
    if (op.facts.has_index()) to.gathered[o] = place_rows(op.facts, t);
    if (!op.facts.has_tensor_map()) continue;
    const std::size_t at = static_cast<std::size_t>(o) * to.map_bytes;
    map_request r = request_map(p, o, t);
    r.once = is_read_once(p, o, r, given.tensor[p.work]);
    check_map(p, o, t, encode(r, op.facts.kind, to.map + at));
    if (op.facts.sparse)
      check_metadata_map(p, o, t, encode(request_metadata_map(op, t), op.facts.kind, to.metadata_map + at));
  }
  fill_in_sizes(p, given, to);
  for (int n = 0; n < p.epilogues; ++n) {
    const int out = p.epilogue[n].operand;
    to.output[n] = place_output(p.operand[out].facts, given.tensor[out]);
  }
  if (known_path now = path_of(p, given); !same_path(now, known)) {
    known.tried = false;
    now.trips = check_path(k, to);
    known = now;
  }
  to.trips = known.trips;
  *to.work = work_of(p, to.tile_count[p.work]);
  place_workspace(p, given, to);
}

int share_out_work(const plan& p, const parameter_places& to, int at_once) {
  const int items = to.work->count;
  if (to.stream == nullptr) return p.how.persistent && items > at_once ? at_once : items * p.how.clusters_of_a_tile();
  work_stream& s = *to.stream;
  s = stream_of(items, to.trips, std::min(at_once, most_multiprocessors / p.how.ctas()));
  s.clusters = std::min(s.clusters, s.items());
  return s.clusters;
}

void refuse_parts(std::int64_t elements, std::int64_t parts) {
  if (elements == 0)
    throw launch_error("folded(): the tensor has no mode to fold, or ", max_rank,
                       " modes already, which are all that TMA counts along");
  const std::string asked = std::to_string(elements) + " elements in " + std::to_string(parts) + " parts";
  if (parts < 1) throw launch_error("folded(): ", asked, "; there is at least one part");
  throw launch_error("folded(): ", asked, " are ", elements / parts, " each, and ", elements % parts,
                     " left over; use a number of parts that divides ", elements);
}

}  // namespace sectile
