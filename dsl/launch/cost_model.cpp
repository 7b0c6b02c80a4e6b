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
double slowed_by_rows(std::int64_t alignment, const hopper_constants& h) {
  return alignment == 128 ? 1.0 : alignment == 64 ? h.half_lines : alignment == 32 ? h.sectors : h.half_sectors;
}

}  // namespace

const gpu_constants& constants_of(const char* device) {
  static constexpr gpu_constants known[] = {
      {.name = "NVIDIA H200", .memory_bytes_per_us = 4.37e6},
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

predictor::predictor(const operand_table& operands, const problem_size& sizes, const gpu_constants& gpu,
                     const hopper_constants& hopper)
    : sizes_(sizes), multiprocessors_(gpu.multiprocessors), per_cycle_(1 / hopper.cycles_per_us) {
  const std::int64_t alignment = row_alignment(operands, sizes);
  fetching_ = slowed_by_rows(alignment, hopper);
  per_l2_byte_ = fetching_ / hopper.l2_bytes;
  per_beyond_byte_ = 1 / hopper.beyond_bytes;
  sharing_ = alignment >= 32 ? hopper.shared_by_two : 0;
  copying_us_ = hopper.fill_cycles * per_cycle_ + bytes_of(operands, sizes) / gpu.memory_bytes_per_us;
  for (int i = 0; i < max_tiled_modes && sizes[i].along.name != mode_id::any; ++i) {
    mode_[modes_] = sizes[i].along.name;
    size_[modes_++] = at_least_one(sizes[i].elements);
  }
}

inline double predictor::size_along(mode_id m) const {
  for (int i = 0; i < modes_; ++i)
    if (mode_[i] == m) return size_[i];
  return at_least_one(sizes_.of(m));  // M' where M is meant, or a mode that is not there
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
  const double second = std::max(0.0, on.sms - 0.5 * multiprocessors_);
  const double beyond = on.rows_beyond * q.row_bytes + on.cols_beyond * q.col_bytes;
  return ((q.fetched_bytes - beyond) * on.sms - shared * second * sharing_) * per_l2_byte_ +
         beyond * q.arriving * on.sms * per_beyond_byte_;
}

struct predictor::times {
  double computing, copying;

  /// Where both take long they hinder each other: between the larger and the sum.
  double fourth_power() const {
    const double a = computing * computing, b = copying * copying;
    return a * a + b * b;
  }
};

template <bool Explained>
inline predictor::times predictor::time(const timed_kernel& k, [[maybe_unused]] predicted_time* explained) const {
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
  const part_count at_once = std::max(1, (multiprocessors_ - left_over) / k.cluster);
  const double waves = at_once.of(items);
  on.sms = std::min<double>(items, at_once.elements) * k.cluster;
  double work = 0;
  for (int i = 0; i < k.phases; ++i) {
    const timed_kernel::phase& q = k.at[i];
    const double fetching = q.fetching_cycles * fetching_, l2 = l2_cycles(q, on);
    const double slowest = std::max(std::max(q.own_cycles, fetching), l2);
    const bool loops = q.along != mode_id::any;
    const double trips = loops ? q.step.of(size_along(q.along)) : 1.0;
    work += slowest * (k.parts.elements > 1 && loops ? k.parts.of(trips) : trips);
    if (Explained && loops && slowest >= explained->trip_cycles) {
      explained->trip_cycles = slowest;
      explained->slowest = slowest == q.own_cycles ? q.longest : slowest == fetching ? "the way from L2" : "L2";
    }
  }
  if (Explained) explained->waves = waves;
  const double half = 0.5 * multiprocessors_, idle = multiprocessors_ - on.sms;
  const double launch = k.launch_us + (idle < half ? k.crowding_us * idle / half : 0.0);
  return {launch + (k.once_cycles + waves * (work + k.tile_cycles)) * per_cycle_, launch + copying_us_};
}

double predictor::fourth_power(const timed_kernel& kernel) const { return time<false>(kernel, nullptr).fourth_power(); }

double predictor::microseconds(const timed_kernel& kernel) const { return std::sqrt(std::sqrt(fourth_power(kernel))); }

predicted_time predictor::explained(const timed_kernel& kernel) const {
  predicted_time t;
  const times parts = time<true>(kernel, &t);
  t.computing = parts.computing;
  t.copying = parts.copying;
  t.microseconds = std::sqrt(std::sqrt(parts.fourth_power()));
  return t;
}

}  // namespace sectile
