#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <sectile/dsl/plan/groups.hpp>
#include <thread>

#include "tool/machines.hpp"
#include "tool/progress.hpp"

namespace sectile::tool {
namespace {

/// Shows on a progress bar what other threads count, until it goes out of scope.
struct counter_watch {
  counter_watch(const std::atomic<long>& watched, std::int64_t total)
      : bar("on the model", total), watcher([this, &watched](std::stop_token stop) {
          std::unique_lock hold(lock);
          const auto last = [&] { return watched.load() - bar.done(); };
          while (!stop.stop_requested()) {
            woken.wait_for(hold, stop, std::chrono::milliseconds(100), [] { return false; });
            bar.add(last());
          }
        }) {}

  progress bar;
  std::mutex lock;
  std::condition_variable_any woken;
  std::jthread watcher;  // joins before the bar goes
};

/// Work items of a launch: output tiles, or clusters' worth of them.
int work_items(const plan& p, cluster_shape cluster, std::span<const argument> arguments) {
  const argument& out = arguments[static_cast<std::size_t>(p.work)];
  const tile_shape& tile = p.operand[p.work].facts.tile;
  std::int64_t items = 1;
  const int first = position_of_cut(p, p.work) >= 0;  // rows of groups follow each other
  for (int d = first; d < tile.rank; ++d) {
    const int side = d == tile.rank - 2 ? cluster.rows : d == tile.rank - 1 ? cluster.cols : 1;
    const std::int64_t step = std::int64_t{tile.extent[d]} * side;
    items *= (out.extent[d - first] + step - 1) / step;
  }
  return static_cast<int>(std::min<std::int64_t>(items, std::numeric_limits<int>::max() - 1));
}

/// What the model counts while it runs: clusters, or the CTAs of a portable reading.
int counted_blocks(const kernel_facts& kernel, reading how, std::span<const argument> arguments) {
  const plan& p = *kernel.declared;
  if (how != reading::wgmma) return work_items(p, {1, 1}, arguments);
  return kernel.model_clusters(work_items(p, p.how.cluster, arguments));
}

}  // namespace

void run_on_model(const kernel_facts& kernel, reading how, std::span<const argument> arguments, model_options options) {
  std::atomic<long> done{0};
  options.progress = &done;
  const counter_watch watch(done, counted_blocks(kernel, how, arguments));
  kernel.in(how).on_model(arguments, options);
}

}  // namespace sectile::tool
