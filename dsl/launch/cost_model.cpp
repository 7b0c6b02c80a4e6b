#include <sectile/dsl/launch/cost_model.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sectile {

namespace {

double at_least_one(int size) { return size < 1 ? 1.0 : size; }

/// The largest power of two, up to 128, that divides the bytes from row to row of every input. (Rows are taken to be
/// packed: of a longer stride a pick knows nothing.)
std::int64_t row_alignment(const operand_table& operands, const problem_size& sizes) {
  std::int64_t all = 128;
  for (int o = 0; o < operands.count; ++o) {
    const operand_facts& f = operands.at[o];
    if (f.kind != operand_kind::input) continue;
    const double elements = at_least_one(sizes.of(f.mode_at(f.mode_from_inside(0)))) / (f.sparse ? 2 : 1);
    all |= static_cast<std::int64_t>(elements * f.type.bits / 8);
  }
  return all & -all;
}
/// How much longer the way from L2 takes because rows begin anywhere in its lines of 128 bytes.
double slowed_by_rows(std::int64_t alignment, const gpu_constants& gpu) {
  return alignment == 128 ? 1.0 : alignment == 64 ? gpu.half_lines : alignment == 32 ? gpu.sectors : gpu.half_sectors;
}

}  // namespace

const gpu_constants& constants_of(const char* device) {
  static constexpr gpu_constants known[] = {
      {.name = "NVIDIA H200"},
      {.name = "NVIDIA H100", .memory_bytes_per_us = 3.06e6},
  };
  for (const gpu_constants& g : known)
    if (std::strncmp(device, g.name, std::strlen(g.name)) == 0) return g;
  return known[0];
}

double bytes_of(const operand_table& operands, const problem_size& sizes) {
  double all = 0;
  for (int o = 0; o < operands.count; ++o) {
    const operand_facts& f = operands.at[o];
    if (f.kind == operand_kind::scalar) continue;
    double elements = f.sparse ? 0.5 : 1;
    for (int d = 0; d < f.tile.rank; ++d) elements *= at_least_one(sizes.of(f.mode_at(d)));
    all += elements * f.type.bits / 8;
  }
  return all;
}

predictor::predictor(const operand_table& operands, const problem_size& sizes, const gpu_constants& gpu)
    : sizes_(sizes),
      gpu_(gpu),
      per_tensor_cycle_(1 / gpu.tensor_share),
      per_arriving_byte_(1 / gpu.arriving_bytes),
      per_fetched_byte_(1 / gpu.fetched_bytes),
      per_l2_byte_(1 / gpu.l2_bytes),
      per_beyond_byte_(1 / gpu.beyond_bytes),
      per_stored_byte_(1 / gpu.epilogue_bytes),
      per_wide_byte_(1 / gpu.wide_epilogue_bytes),
      per_met_byte_(1 / gpu.meeting_bytes),
      per_cycle_(1 / gpu.cycles_per_us),
      memory_us_(bytes_of(operands, sizes) / gpu.memory_bytes_per_us) {
  const std::int64_t alignment = row_alignment(operands, sizes);
  const double slowed = slowed_by_rows(alignment, gpu);
  per_fetched_byte_ *= slowed;
  per_l2_byte_ *= slowed;
  sharing_ = alignment >= 32 ? gpu.shared_by_two : 0;
  for (int i = 0; i < max_tiled_modes && sizes[i].along.name != mode_id::any; ++i) {
    mode_[modes_] = sizes[i].along.name;
    size_[modes_++] = at_least_one(sizes[i].elements);
  }
}

double predictor::size_along(mode_id m) const {
  for (int i = 0; i < modes_; ++i)
    if (mode_[i] == m) return size_[i];
  return at_least_one(sizes_.of(m));  // M' where M is meant, or a mode that is not there
}

/// The SMs that are at work, on so many rows and columns of (clusters of) tiles, and the share of those that is beyond
/// the output's last row or column.
struct predictor::grid {
  double sms = 0, rows = 1, cols = 1, rows_beyond = 0, cols_beyond = 0;
};

/// What a trip of the phase waits for, in cycles each.
inline void predictor::time_trip(double (&parts)[trip_parts], const kernel_cost& k, const phase_cost& q,
                                 const grid& on) const {
  // CTAs that come one after the other, down a column of tiles, get the two SMs of a TPC once every TPC has one: so it
  // fits what was measured best, of pairs, GPCs and anything in between.
  const double shared = on.rows > 1 ? q.row_shared_bytes : on.cols > 1 ? q.col_shared_bytes : 0;
  const double second = std::max(0.0, on.sms - 0.5 * gpu_.multiprocessors);
  const double beyond = on.rows_beyond * q.row_bytes + on.cols_beyond * q.col_bytes;
  const double fetched = q.fetched_bytes - beyond * q.fetched_share;
  parts[0] = q.tensor_cycles * per_tensor_cycle_;
  parts[1] = q.shared_cycles;
  parts[2] = q.arriving_bytes * per_arriving_byte_;
  parts[3] = q.fetched_bytes * per_fetched_byte_;
  parts[4] = (fetched * on.sms - shared * second * sharing_) * per_l2_byte_ + beyond * on.sms * per_beyond_byte_;
  parts[5] = q.loads ? gpu_.copy_cycles * k.per_stage : 0.0;
}
constexpr const char* part_names[] = {"tensor cores", "reading shared memory", "TMA's writing", "the way from L2",
                                      "L2",           "a copy's latency"};

struct predictor::times {
  double computing, copying;

  /// Where both take long they hinder each other: between the larger and the sum.
  double fourth_power() const {
    const double a = computing * computing, b = copying * copying;
    return a * a + b * b;
  }
};

template <bool Explained>
inline predictor::times predictor::time(const kernel_cost& k, [[maybe_unused]] predicted_time* explained) const {
  double items = 1;  // clusters of output tiles
  grid on;
  for (int d = 0; d < k.grid_modes; ++d) {
    const double size = size_along(k.grid[d].along);
    on.rows = on.cols;
    on.rows_beyond = on.cols_beyond;
    on.cols = k.grid[d].tiles.of(size);
    on.cols_beyond = 1 - size * k.grid[d].tiles.reciprocal / on.cols;
    items *= on.cols;
  }
  // The SMs of a GPC are no multiple of a larger cluster: a few are left over. (An H200 of 132 SMs has room for 30
  // clusters of 4 CTAs: 31 of them took as long as two waves do.)
  const int left_over = k.cluster > 2 ? k.cluster + 8 : 0;
  const int at_once = std::max(1, static_cast<int>((gpu_.multiprocessors - left_over + 0.5) * k.per_cluster));
  on.sms = std::min(items, static_cast<double>(at_once)) * k.cluster;
  const double waves = part_count(at_once).of(items);
  double work = 0;
  for (int i = 0; i < k.phases; ++i) {
    const phase_cost& q = k.phase[i];
    if (!q.loads && q.tensor_cycles == 0) continue;
    double parts[trip_parts];
    time_trip(parts, k, q, on);
    double slowest = parts[0];  // found without branches, which no processor could foretell
    for (int part = 1; part < trip_parts; ++part) slowest = std::max(slowest, parts[part]);
    const bool loops = q.along != mode_id::any;
    const double trips = loops ? q.step.of(size_along(q.along)) : 1.0;
    work += slowest * (k.parts > 1 && loops ? part_count(k.parts).of(trips) : trips);
    if (Explained && loops && slowest >= explained->trip_cycles) {
      explained->trip_cycles = slowest;
      explained->slowest = part_names[std::find(parts, parts + trip_parts, slowest) - parts];
    }
  }
  const double epilogue = k.output_bytes * (k.wide_rows ? per_wide_byte_ : per_stored_byte_);
  const double meeting = k.parts > 1 ? gpu_.meeting_cycles + k.meeting_bytes * per_met_byte_ : 0.0;
  const double cycles = !k.persistent ? waves * (gpu_.fill_cycles + work + meeting + epilogue)
                        : k.deferred  ? gpu_.fill_cycles + waves * (work + gpu_.walk_cycles) + epilogue
                                      : gpu_.fill_cycles + waves * (work + gpu_.walk_cycles + epilogue);
  if (Explained) explained->waves = waves;
  const double idle = gpu_.multiprocessors - on.sms, half = 0.5 * gpu_.multiprocessors;
  const double launch = gpu_.launch_us + (k.cluster > 1 ? gpu_.cluster_us : 0.0) -
                        (k.overlap != launch_overlap::none ? gpu_.prologue_us : 0.0) -
                        (k.overlap == launch_overlap::both ? gpu_.dependents_us : 0.0) +
                        (k.overlap == launch_overlap::both && idle < half ? gpu_.crowding_us * idle / half : 0.0);
  return {launch + cycles * per_cycle_, launch + gpu_.fill_cycles * per_cycle_ + memory_us_};
}

double predictor::fourth_power(const kernel_cost& kernel) const { return time<false>(kernel, nullptr).fourth_power(); }

double predictor::microseconds(const kernel_cost& kernel) const { return std::sqrt(std::sqrt(fourth_power(kernel))); }

predicted_time predictor::explained(const kernel_cost& kernel) const {
  predicted_time t;
  const times parts = time<true>(kernel, &t);
  t.computing = parts.computing;
  t.copying = parts.copying;
  t.microseconds = std::sqrt(std::sqrt(parts.fourth_power()));
  return t;
}

}  // namespace sectile
