#include <sectile/dsl/launch/cost_model.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

namespace sectile {

namespace {

/// a / b, rounded up, of positive numbers. In 32 bits: a pick divides a hundred times.
int ceil_div(int a, int b) { return (a - 1) / b + 1; }
int size_along(const problem_size& sizes, mode_id m) { return std::max(1, sizes.of(m)); }

struct trip_time {
  double cycles = 0;
  const char* slowest = "";
};
/// How long one trip of the phase takes, with so many SMs at work.
trip_time time_trip(const kernel_cost& k, const phase_cost& q, double sms, const gpu_constants& gpu) {
  const trip_time parts[] = {
      {q.tensor_cycles / gpu.tensor_share, "tensor cores"},
      {1.0 * q.shared_cycles, "reading shared memory"},
      {q.arriving_bytes / gpu.arriving_bytes, "TMA's writing"},
      {q.fetched_bytes / gpu.fetched_bytes, "the way from L2"},
      {q.fetched_bytes * sms / gpu.l2_bytes, "L2"},
      {q.loads ? gpu.copy_cycles / std::max(1, k.stages) : 0.0, "a copy's latency"},
  };
  trip_time slowest = *std::max_element(std::begin(parts), std::end(parts),
                                        [](const trip_time& a, const trip_time& b) { return a.cycles < b.cycles; });
  if (k.cluster > 1) slowest.cycles *= gpu.cluster_factor;
  return slowest;
}

}  // namespace

const gpu_constants& constants_of(const char* device) {
  static constexpr gpu_constants known[] = {
      {.name = "NVIDIA H200"},
      {.name = "NVIDIA H100", .memory_bytes_per_us = 3.1e6},
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
    for (int d = 0; d < f.tile.rank; ++d) elements *= static_cast<double>(size_along(sizes, f.mode_at(d)));
    all += elements * f.type.bits / 8;
  }
  return all;
}

predicted_time predict(const kernel_cost& k, const problem_size& sizes, double bytes, const gpu_constants& gpu) {
  double items = 1;  // clusters of output tiles
  for (int d = 0; d < k.grid_modes; ++d) items *= ceil_div(size_along(sizes, k.grid[d].along), k.grid[d].elements);
  // The SMs of a GPC are no multiple of a larger cluster: a few are left over.
  const int left_over = k.cluster > 2 ? 2 * k.cluster : 0;
  const double at_once = std::max(1, (gpu.multiprocessors - left_over) / k.cluster);
  const double sms = std::min(items, at_once) * k.cluster;
  predicted_time t{.waves = std::ceil(items / at_once)};
  double work = 0;
  for (int i = 0; i < k.phases; ++i) {
    const phase_cost& q = k.phase[i];
    if (!q.loads && q.tensor_cycles == 0) continue;
    const int trips = q.along == mode_id::any ? 1 : ceil_div(size_along(sizes, q.along), q.step);
    const trip_time trip = time_trip(k, q, sms, gpu);
    work += trips * trip.cycles;
    if (q.along != mode_id::any && trip.cycles >= t.trip_cycles) t.trip_cycles = trip.cycles, t.slowest = trip.slowest;
  }
  const double epilogue = gpu.epilogue_cycles + k.output_bytes / gpu.epilogue_bytes;
  const double cycles = k.persistent ? gpu.fill_cycles + t.waves * (work + gpu.walk_cycles) + epilogue
                                     : t.waves * (gpu.fill_cycles + work + epilogue);
  // A few SMs do not ask memory for as much as it can give.
  const double share = std::min(1.0, sms / (0.6 * gpu.multiprocessors));
  t.computing = gpu.launch_us + cycles / gpu.cycles_per_us;
  t.copying = gpu.launch_us + gpu.fill_cycles / gpu.cycles_per_us + bytes / gpu.memory_bytes_per_us / share;
  // Where both take long they hinder each other: between the larger and the sum.
  const double a = t.computing * t.computing, b = t.copying * t.copying;
  t.microseconds = std::sqrt(std::sqrt(a * a + b * b));
  return t;
}

}  // namespace sectile
