#include <algorithm>
#include <sectile/dsl/launch/error.hpp>
#include <sectile/dsl/tell/timeline/timeline_of_kernel.hpp>

namespace sectile::tell {
namespace {

/// How often the stage is filled that is filled most often.
int most_fills(const timeline& t) {
  int most = 0;
  for (const stage_change& c : t.changes) most = std::max(most, c.fill + 1);
  return most;
}

}  // namespace

kernel_timeline choose_timeline(const plan& p, const std::function<void(const example_sizes&)>& run) {
  constexpr int enough = 3;
  kernel_timeline best;
  int most = -1;
  for (const example_sizes& s : sizes_for(p)) {
    kernel_timeline now{.sizes = sizes_text(p, s)};
    try {
      now.shown = watch([&] { run(s); }, s.cluster);
    } catch (const launch_error& refused) {
      now.refused = refused.what();
    }
    const int fills = now.refused.empty() ? most_fills(now.shown) : -1;
    if (fills > most || most < 0) {
      best = std::move(now);
      most = fills;
    }
    if (most >= enough || !best.shown.stopped.empty()) break;
  }
  return best;
}

}  // namespace sectile::tell
