// A lock that is held for a few instructions. <mutex> would cost every kernel 0.15 s of compile time.
#pragma once
#include <atomic>

namespace sectile {

struct brief_lock {
  std::atomic_flag taken{};

  /// Holds the lock while it lives.
  struct hold {
    std::atomic_flag& taken;
    explicit hold(brief_lock& lock) : taken(lock.taken) {
      while (taken.test_and_set(std::memory_order_acquire))
        while (taken.test(std::memory_order_relaxed)) {
        }
    }
    ~hold() { taken.clear(std::memory_order_release); }
    hold(const hold&) = delete;
    hold& operator=(const hold&) = delete;
  };
};

}  // namespace sectile
