// Work spread over the cores: a counter that threads draw from until nothing is left.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace sectile::tool {

/// Calls work(i) once for every i in [0, count), on as many threads as there are cores; returns when all is done.
/// The first exception of a call stops the rest and is thrown here.
template <class Work>
void parallel_for(std::int64_t count, const Work& work) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  const auto drain = [&] {
    try {
      for (std::int64_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      next = count;
      const std::lock_guard hold(failure_lock);
      if (!failure) failure = std::current_exception();
    }
  };

  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  {
    std::vector<std::jthread> others;
    try {
      for (std::int64_t i = 1; i < std::min(cores, count); ++i) others.emplace_back(drain);
    } catch (const std::system_error&) {
      // Fewer threads than asked for: the ones there are do the work.
    }
    drain();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace sectile::tool
