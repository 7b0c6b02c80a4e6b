#include <algorithm>
#include <map>
#include <mutex>
#include <sectile/dsl/model/cluster.hpp>
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
  if (g.shared_bytes > shared_limit) {
    refuse(text(g.shared_bytes, " bytes of shared memory per CTA; at most ", shared_limit, " are possible"));
  }
}

/// Hands out clusters in order. After a failure no later one is begun, but earlier ones end, so that which failure is
/// the first does not depend on the number of workers.
struct work_list {
  explicit work_list(const launch& l) : what(l) {}

  void work() {
    stack_pool stacks;
    for (int i; (i = next()) >= 0;) {
      try {
        cluster(what, i, stacks).run();
        if (what.how.progress != nullptr) ++*what.how.progress;
      } catch (...) {
        fail(i);
      }
    }
  }

  void rethrow() const {
    if (!failures.empty()) std::rethrow_exception(failures.begin()->second);
  }

 private:
  int next() {
    const std::lock_guard lock(mutex);
    return failures.empty() && begun < what.shape.clusters ? begun++ : -1;
  }

  void fail(int i) {
    const std::lock_guard lock(mutex);
    failures[i] = std::current_exception();
  }

  const launch& what;
  std::mutex mutex;
  int begun = 0;
  std::map<int, std::exception_ptr> failures;
};

}  // namespace

void simulate_calls(const grid& shape, const options& how, void (*call)(const void* entry, machine& hw),
                    const void* entry) {
  check_grid(shape);
  const launch what{shape, how, call, entry};
  work_list list(what);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int workers = std::min(how.workers > 0 ? how.workers : cores, shape.clusters);
  std::vector<std::thread> others;
  for (int i = 1; i < workers; ++i) others.emplace_back([&list] { list.work(); });
  list.work();
  for (std::thread& t : others) t.join();
  list.rethrow();
}

}  // namespace sectile::model
