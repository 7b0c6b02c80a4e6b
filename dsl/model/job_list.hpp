// Work that several OS threads share, with failures that do not depend on how many they are.
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <sectile/dsl/model/fiber.hpp>
#include <thread>
#include <vector>

namespace sectile::model {

/// Jobs are handed out in order. After a failure no later one is begun, but earlier ones end, so that which failure is
/// the first is always the same.
template <class Job>
struct job_list {
  std::function<std::optional<Job>()> next;  ///< never called twice at a time; nothing when there are no more
  std::function<void(Job, stack_pool&)> run;

  /// Returns when all jobs are done. Throws what the first to fail threw.
  void work(int workers) {
    {
      std::vector<std::jthread> others;  // joined also if the system has no more threads to give
      for (int i = 1; i < workers; ++i) others.emplace_back([this] { work_along(); });
      work_along();
    }
    if (!failures_.empty()) std::rethrow_exception(failures_.begin()->second);
  }

 private:
  void work_along() {
    stack_pool stacks;
    for (;;) {
      std::unique_lock hold(mutex_);
      if (!failures_.empty()) return;
      const long number = begun_++;
      try {
        std::optional<Job> job = next();
        if (!job) return;
        hold.unlock();
        run(*std::move(job), stacks);
      } catch (...) {
        if (!hold) hold.lock();
        failures_[number] = std::current_exception();
      }
    }
  }

  std::mutex mutex_;
  long begun_ = 0;
  std::map<long, std::exception_ptr> failures_;
};

}  // namespace sectile::model
