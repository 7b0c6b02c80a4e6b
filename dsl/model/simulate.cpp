#include <algorithm>
#include <memory>
#include <numeric>
#include <sectile/dsl/model/cluster.hpp>
#include <sectile/dsl/model/exploration.hpp>
#include <sectile/dsl/model/job_list.hpp>
#include <sectile/dsl/model/names.hpp>
#include <sectile/dsl/model/simulate.hpp>
#include <stdexcept>
#include <thread>

namespace sectile::model {
namespace {

constexpr std::uint32_t shared_limit = 232448;  // bytes that a CTA may have on sm_90

void check_grid(const grid& g) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument("grid: " + why); };
  if (g.clusters < 0) refuse(text(g.clusters, " clusters"));
  if (g.cluster_size < 1 || g.cluster_size > 16)
    refuse(text("clusters of ", g.cluster_size, " CTAs; 1..16 are possible"));
  if (g.threads < 32 || g.threads > 1024 || g.threads % 32 != 0) {
    refuse(text(g.threads, " threads per CTA; multiples of 32 up to 1024 are possible"));
  }
  if (g.parts < 1 || g.clusters % g.parts != 0)
    refuse(text(g.clusters, " clusters cannot be ", g.parts, " parts each of the same tiles"));
  if (g.shared_bytes > shared_limit) {
    refuse(text(g.shared_bytes, " bytes of shared memory per CTA; at most ", shared_limit, " are possible"));
  }
}

/// The fair schedule, or the random one of this cluster, and how a report spells it.
struct chosen_schedule {
  std::unique_ptr<turns> order;
  std::string spelling;
};
chosen_schedule schedule_of(const options& how, int cluster) {
  if (how.schedule == schedule_mode::fair) return {fair_turns(), "fair"};
  return {random_turns(how.seed, cluster), text("random; seed ", how.seed, " repeats it")};
}

/// Which of `all` clusters comes as number `turn`, of those that make parts of each other's tiles: of seed 0 each behind
/// the one before it, of others by steps that come to every one.
int cluster_at_turn(std::uint64_t all, int turn, std::uint64_t seed) {
  std::uint64_t step = all > 1 ? 1 + seed % (all - 1) : 1;
  while (std::gcd(step, all) != 1) ++step;
  return static_cast<int>((seed + static_cast<std::uint64_t>(turn) * step) % all);
}

/// Which part of a tile comes as number `turn`: of the next tile the next one, of another seed another.
int part_at_turn(const launch& what, int tile, int turn) {
  const std::uint64_t seed = what.how.schedule == schedule_mode::random ? what.how.seed : 0;
  if (what.shape.linked) return cluster_at_turn(static_cast<std::uint64_t>(what.shape.clusters), turn, seed);
  const auto parts = static_cast<std::uint64_t>(what.shape.parts);
  return static_cast<int>((static_cast<std::uint64_t>(tile) + static_cast<std::uint64_t>(turn) + seed % parts) % parts);
}

/// Which tile's clusters come as number `turn`. Where tiles are added up in order, a random schedule begins elsewhere,
/// so that other ones come last.
int tile_at_turn(const launch& what, int tiles, int turn) {
  if (what.ordered == nullptr || what.how.schedule != schedule_mode::random) return turn;
  const auto all = static_cast<std::uint64_t>(tiles), from = what.how.seed % all;
  return static_cast<int>((static_cast<std::uint64_t>(turn) + from) % all);
}

void run_each_cluster(const launch& what, int workers) {
  const int tiles = clusters_of_a_part(what.shape);
  int begun = 0;
  job_list<int> all;
  all.next = [&] { return begun < tiles ? std::optional(tile_at_turn(what, tiles, begun++)) : std::nullopt; };
  all.run = [&](int tile, stack_pool& stacks) {
    for (int turn = 0; turn < what.shape.clusters / tiles; ++turn) {
      const int i = part_at_turn(what, tile, turn) * tiles + tile;
      const auto [order, spelling] = schedule_of(what.how, i);
      run_cluster(what, i, stacks, *order, spelling, true);
      if (what.how.progress != nullptr) ++*what.how.progress;
    }
  };
  all.work(std::min(workers, tiles));
}

/// Whether an input and an output have an element in common, the first of one of them.
bool reads_what_it_writes(const label_set& labels) {
  for (const tensor_label& out : labels.tensors)
    for (const tensor_label& in : labels.tensors)
      if (out.covered && !in.covered && (find_element(out, in.map.base) || find_element(in, out.map.base))) return true;
  return false;
}

}  // namespace

void run_cluster(const launch& what, int index, stack_pool& stacks, turns& order, const std::string& schedule,
                 bool computes) {
  try {
    cluster(what, index, stacks, order, computes).run();
  } catch (const hazard& found) {
    throw hazard(found.kind, text(found.what(), "\n  schedule: ", schedule));
  }
}

void simulate_calls(const grid& shape, const options& how, void (*call)(const void* entry, machine& hw),
                    const void* entry) {
  check_grid(shape);
  global_writes writes;
  places_taken places;
  verb_log* const log = watching::current();
  if (log != nullptr) log->begin(shape, how.labels);
  const auto workspace = shape.parts > 1 || shape.linked ? std::make_unique<workspace_state>(shape, how.workspace) : nullptr;
  const auto ordered = how.numbers.count > 0 ? std::make_unique<ordered_sums_state>(how.numbers) : nullptr;
  const auto drawn = how.drawn.items > 0 ? std::make_unique<drawn_work>(shape, how.drawn, how.seed) : nullptr;
  const launch what{shape,
                    how,
                    call,
                    entry,
                    how.check_hazards ? &writes : nullptr,
                    log,
                    &places,
                    workspace.get(),
                    ordered.get(),
                    drawn.get(),
                    reads_what_it_writes(how.labels)};
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int workers = how.workers > 0 ? how.workers : cores;
  if (!how.replay.empty()) {
    replay(what, parse_schedule(how.replay));
  } else if (how.schedule == schedule_mode::systematic) {
    explore(what, workers);
  } else {
    run_each_cluster(what, workers);
  }
  if (how.check_hazards) writes.check(what);
  if (how.check_hazards && how.replay.empty() && ordered != nullptr) ordered->check();
  if (how.check_hazards && how.replay.empty() && drawn != nullptr) drawn->check(how.tickets);
}

}  // namespace sectile::model
