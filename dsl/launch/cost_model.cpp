#include <sectile/dsl/launch/cost_model.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace sectile {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double per_cycle = 1 / hopper_reaches.cycles_per_us, per_beyond_byte = 1 / hopper_reaches.beyond_bytes;

double at_least_one(int size) { return size < 1 ? 1.0 : size; }

/// How much longer the way from L2 takes because rows begin anywhere in its lines of 128 bytes.
double slowed_by_rows(std::int64_t alignment) {
  return alignment == 128  ? 1.0
         : alignment == 64 ? hopper_reaches.half_lines
         : alignment == 32 ? hopper_reaches.sectors
                           : hopper_reaches.half_sectors;
}

/// Of all tensors, each once. `size_of(o, d)`: of operand `o` along its mode at position `d`.
template <class SizeOf>
double add_up_bytes(const operand_table& operands, SizeOf size_of) {
  double all = 0;
  for (int o = 0; o < operands.count; ++o) {
    const operand_facts& f = operands.at[o];
    if (f.kind == operand_kind::scalar) continue;
    double elements = f.sparse ? 0.5 : 1;
    for (int d = f.im2col ? 1 : 0; d < f.tile.rank; ++d) elements *= size_of(o, d);  // a filter's places share pixels
    all += elements * f.type.bits / 8;
  }
  return all;
}

/// The way from L2, in the numbers of the model or in the shorter ones of its bounds.
template <class T>
struct l2_way {
  T half, sharing, per_byte, per_beyond_byte;  // of the SMs; predictor::sharing_, cycles

  /// Until it has sent what so many SMs ask for: `bytes` each, of which `shared` go once to the two SMs of a TPC, and
  /// `beyond` are rows or columns beyond the output's last. (Every TPC has one SM at work before any has two.)
  T cycles(T bytes, T shared, T beyond, T arriving, T sms) const {
    const T second = (sms > half ? sms : half) - half;
    return ((bytes - beyond) * sms - shared * second * sharing) * per_byte + beyond * arriving * sms * per_beyond_byte;
  }
};

}  // namespace

const gpu_constants& constants_of(const char* device) {
  static constexpr gpu_constants known[] = {
      {"NVIDIA H200", 132, 4.37e6},
      {"NVIDIA H100", 132, 3.06e6},
  };
  for (const gpu_constants& g : known)
    if (std::strncmp(device, g.name, std::strlen(g.name)) == 0) return g;
  return known[0];
}

double bytes_of(const operand_table& operands, const problem_size& sizes) {
  return add_up_bytes(operands, [&](int o, int d) { return at_least_one(sizes.of(operands.at[o].mode_at(d))); });
}

predictor::predictor(const operand_table& operands, const problem_size& sizes, const gpu_constants& gpu) : gpu_(gpu) {
  size_[no_size] = 1;
  std::int64_t rows = 128;  // an or of the bytes from row to row of every input, which is packed as far as a pick knows
  for (int o = 0; o < operands.count; ++o) {
    const operand_facts& f = operands.at[o];
    for (int d = 0; d < f.tile.rank; ++d) size_[size_number(o, d)] = at_least_one(sizes.of(f.mode_at(d)));
    if (f.kind != operand_kind::input) continue;
    const double elements = size_[size_number(o, f.mode_from_inside(0))] / (f.sparse ? 2 : 1);
    rows |= static_cast<std::int64_t>(elements * f.type.bits / 8);
  }
  const std::int64_t alignment = rows & -rows;  // the largest power of two, up to 128, that divides them all
  fetching_ = slowed_by_rows(alignment);
  per_l2_byte_ = fetching_ / hopper_reaches.l2_bytes;
  sharing_ = alignment >= 32 ? hopper_reaches.shared_by_two : 0;
  const double bytes = add_up_bytes(operands, [this](int o, int d) { return size_[size_number(o, d)]; });
  copying_us_ = hopper_reaches.fill_cycles * per_cycle + bytes / gpu.memory_bytes_per_us;
}

/// The SMs that are at work, on so many rows and columns of (clusters of) tiles, and the share of those that is beyond
/// the output's last row or column.
struct predictor::grid {
  double sms = 0, rows = 1, cols = 1, rows_beyond = 0, cols_beyond = 0;
};

/// Of a trip: until L2 has sent what all SMs ask for.
inline double predictor::l2_cycles(const timed_kernel::phase& q, const grid& on) const {
  // CTAs that come one after the other, down a column of tiles, get the two SMs of a TPC once every TPC has one: so it
  // fits what was measured best, of pairs, GPCs and anything in between.
  const double shared = on.rows > 1 ? q.row_shared_bytes : on.cols > 1 ? q.col_shared_bytes : 0;
  const double beyond = on.rows_beyond * q.row_bytes + on.cols_beyond * q.col_bytes;
  const l2_way<double> way{0.5 * gpu_.multiprocessors, sharing_, per_l2_byte_, per_beyond_byte};
  return way.cycles(q.fetched_bytes, shared, beyond, q.arriving, on.sms);
}

struct predictor::times {
  double computing, copying;

  /// Where both take long they hinder each other: between the larger and the sum.
  double fourth_power() const {
    const double a = computing * computing, b = copying * copying;
    return a * a + b * b;
  }
};

/// What is loaded again comes from memory as far as L2 has not kept it: of as many rows as are at work.
double predictor::again_us(const timed_kernel& k, const grid& on) const {
  if (k.again_bytes == 0 || k.grid_modes < 2) return 0;
  const auto& rows = k.grid[k.grid_modes - 2];
  double elements = 1;
  for (int d = 0; d < k.grid_modes; ++d) elements *= size_[k.grid[d].along];
  const double at_work = on.sms * rows.tiles.elements * size_[k.grid[k.grid_modes - 1].along] * k.again_bytes;
  return elements * k.again_bytes * at_work / (at_work + hopper_reaches.kept_bytes) / gpu_.memory_bytes_per_us;
}

/// Of the products of all waves, and of the meeting of parts, where the last wave's tiles are cut (plan/stream.hpp).
double predictor::streamed_cycles(const timed_kernel& k, double items, const part_count& at_once, double trips,
                                  double work) const {
  const auto tiles = static_cast<int>(std::min(items, 1e9)), loop = static_cast<int>(std::min(trips, 1e6));
  const work_stream s = stream_of(tiles, loop, at_once.elements);
  const double waves = at_once.of(s.whole);
  if (s.parts == 1) return waves * work;
  const double turns = at_once.of(s.rest() * s.parts);
  return (waves + turns / s.parts) * work + turns * (k.meeting_cycles + s.parts * k.part_cycles);
}

template <bool Explained>
inline predictor::times predictor::time(const timed_kernel& k, [[maybe_unused]] predicted_time* explained) const {
  double items = 1, of_rows = 0, of_cols = 0;  // clusters of output tiles, and what the last two modes have for them
  grid on;
  for (int d = 0; d < k.grid_modes; ++d) {
    of_rows = of_cols, on.rows = on.cols;
    of_cols = size_[k.grid[d].along] * k.grid[d].tiles.reciprocal;
    on.cols = k.grid[d].tiles.of(size_[k.grid[d].along]);
    items *= on.cols;
  }
  if ((k.wide_tiles && on.cols > 1) || (k.tall_tiles && on.rows > 1)) return {never, never};
  items *= k.clusters;
  const part_count& at_once = gpu_.at_once[k.cluster];
  const double waves = at_once.of(items);
  on.sms = std::min<double>(items, at_once.elements) * k.cluster;
  const auto trips_of = [&](const timed_kernel::phase& q) {
    if (q.along < 0) return 1.0;
    const double trips = q.step.of(size_[q.along]) * size_[q.over];
    return k.parts.elements > 1 ? k.parts.of(trips) : trips;
  };
  const double each = 1 / (on.rows * on.cols);
  if (k.grid_modes > 1) on.rows_beyond = 1 - of_rows * on.cols * each;
  on.cols_beyond = 1 - of_cols * on.rows * each;
  double work = 0, least_trips = never;
  for (int i = 0; i < k.phases; ++i) {
    const timed_kernel::phase& q = k.at[i];
    const double fetching = q.fetching_cycles * fetching_, l2 = l2_cycles(q, on);
    const double slowest = std::max(std::max(q.own_cycles, fetching), l2);
    work += slowest * trips_of(q);
    if (q.along >= 0) least_trips = std::min(least_trips, trips_of(q));
    if (Explained && q.along >= 0 && slowest >= explained->trip_cycles) {
      explained->trip_cycles = slowest;
      explained->slowest = slowest == q.own_cycles ? q.longest : slowest == fetching ? "the way from L2" : "L2";
    }
  }
  if (Explained) explained->waves = waves;
  const double half = 0.5 * gpu_.multiprocessors, idle = gpu_.multiprocessors - on.sms;
  const double launch = k.launch_us + (idle < half ? k.crowding_us * idle / half : 0.0);
  double busy = waves * work;
  if (k.streamed) busy = streamed_cycles(k, items, at_once, least_trips, work);
  const double computing = (k.once_cycles + waves * k.tile_cycles + busy) * per_cycle;
  return {launch + computing, launch + copying_us_ + again_us(k, on)};
}

double predictor::fourth_power(const timed_kernel& kernel) const {
  return time<false>(kernel, nullptr).fourth_power();
}

namespace {

/// part_count::of, less exactly: of many parts there may be one too few or too many. (What is added to 2^23 loses its
/// fraction.)
float tiles_in(float size, float reciprocal) {
  constexpr float no_fraction = 8388608.0F;
  return (size - 0.5F) * reciprocal + 0.5F + no_fraction - no_fraction;
}

}  // namespace

/// As time() does it, but for the loops besides the costliest one, and what only some kernels pay for.
void predictor::bounds(const member_bounds& of, float (&least)[member_bounds::most]) const {
  constexpr float nearly = 0.999F;  // what rounding may take away
  const auto rows = static_cast<float>(size_[of.row]), cols = static_cast<float>(size_[of.col]);
  const auto depth = static_cast<float>(size_[of.loop]), turns = static_cast<float>(size_[of.over]);
  const auto fetching = static_cast<float>(fetching_);
  const auto copying = static_cast<float>(copying_us_);
  constexpr auto us = static_cast<float>(per_cycle);
  const l2_way<float> way{0.5F * static_cast<float>(gpu_.multiprocessors), static_cast<float>(sharing_),
                          static_cast<float>(per_l2_byte_), static_cast<float>(per_beyond_byte)};
  float room[member_bounds::most], per_room[member_bounds::most], ctas[member_bounds::most];
  for (int i = 0; i < of.count; ++i) {
    const part_count& at_once = gpu_.at_once[of.cluster[i]];
    room[i] = static_cast<float>(at_once.elements);
    per_room[i] = static_cast<float>(at_once.reciprocal);
    ctas[i] = static_cast<float>(of.cluster[i]);
  }
  for (int i = 0; i < of.count; ++i) {
    const float down = tiles_in(rows, of.per_row[i]), across = tiles_in(cols, of.per_col[i]);
    const float items = down * across * of.clusters[i];
    const float whole = tiles_in(items, per_room[i]), waves = whole + of.streamed[i] * (items * per_room[i] - whole);
    const float sms = (items < room[i] ? items : room[i]) * ctas[i];
    const float by_rows = of.row_shared_bytes[i], by_cols = of.col_shared_bytes[i];
    const float beside = across > 1 ? by_cols : 0.0F, shared = down > 1 ? by_rows : beside;
    const float beyond = of.row_bytes[i] * (1 - rows * of.per_row[i] / down) +
                         of.col_bytes[i] * (1 - cols * of.per_col[i] / across);
    const float l2 = way.cycles(of.fetched_bytes[i], shared, beyond, of.arriving[i], sms);
    const float fetched = of.fetching_cycles[i] * fetching;
    const float own = of.own_cycles[i] > fetched ? of.own_cycles[i] : fetched;
    const float trip = (own > l2 ? own : l2) * of.parts[i];
    const float work = tiles_in(depth, of.per_step[i]) * turns * trip + of.tile_cycles[i];
    const float computing = of.begin_us[i] + waves * work * us, all = of.launch_us[i] + copying;
    const float a = computing * computing, b = all * all;
    least[i] = nearly * (a * a + b * b);
  }
}

double predictor::workspace_bytes(const timed_kernel& k) const {
  if (k.part_bytes == 0) return k.dynamic ? static_cast<double>(sums_begin(1)) : 0;
  double tiles = k.cluster;
  for (int d = 0; d < k.grid_modes; ++d) tiles *= k.grid[d].tiles.of(size_[k.grid[d].along]);
  constexpr double most = 1e15;  // more than any GPU has, and a whole number of bytes
  const auto counted = static_cast<long long>(std::min(tiles, most / k.clusters / k.part_bytes));
  const part_counts n = count_parts(counted, k.clusters, k.streamed, k.cluster);
  return static_cast<double>(sectile::workspace_bytes(n, k.counters, k.part_bytes));
}

double predictor::microseconds(const timed_kernel& kernel) const {
  return std::sqrt(std::sqrt(fourth_power(kernel)));
}

predicted_time predictor::explained(const timed_kernel& kernel) const {
  predicted_time t;
  const times parts = time<true>(kernel, &t);
  t.computing = parts.computing;
  t.copying = parts.copying;
  t.microseconds = std::sqrt(std::sqrt(parts.fourth_power()));
  return t;
}

}  // namespace sectile
