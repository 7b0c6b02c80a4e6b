#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <sectile/dsl/launch/model.hpp>
#include <thread>

#include "tool/machines.hpp"
#include "tool/progress.hpp"
#include "tool/shipped.hpp"
#include "tool/typed_arguments.hpp"

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

/// Work items of kernel K: clusters' worth of output tiles.
template <class K>
int work_items(std::span<const argument> arguments) {
  constexpr const plan& p = plan_of<K>;
  const argument& out = arguments[static_cast<std::size_t>(p.epilogue.operand)];
  const tile_shape& tile = p.operand[p.epilogue.operand].facts.tile;
  std::int64_t items = 1;
  for (int d = 0; d < tile.rank; ++d) {
    const int side = d == tile.rank - 2 ? p.how.cluster.rows : d == tile.rank - 1 ? p.how.cluster.cols : 1;
    const std::int64_t step = std::int64_t{tile.extent[d]} * side;
    items *= (out.extent[d] + step - 1) / step;
  }
  return static_cast<int>(std::min<std::int64_t>(items, std::numeric_limits<int>::max() - 1));
}

template <class K>
void run_kernel(std::span<const argument> arguments, const model_run& how) {
  std::atomic<long> clusters{0};
  const model_options options{.check_hazards = how.check_hazards,
                              .random_schedule = how.random_schedule,
                              .seed = how.schedule_seed,
                              .workers = how.workers,
                              .progress = &clusters};
  const counter_watch watch(clusters, model::clusters_for<K>(work_items<K>(arguments)));
  with_typed_arguments<K>(arguments, [&](const auto&... typed) { run_on_model_with<K>(options, typed...); });
}

}  // namespace

void run_on_model(int kernel, std::span<const argument> arguments, const model_run& how) {
  with_kernel(kernel, [&](auto type) { run_kernel<typename decltype(type)::type>(arguments, how); });
}

}  // namespace sectile::tool
