// A lock that is held for a few instructions. <mutex> or <atomic> would cost every kernel 0.2 s of compile time in each
// of the four readings of its file.
#pragma once

namespace sectile {

struct brief_lock {
  bool taken = false;

  /// Holds the lock while it lives.
  struct hold {
    bool& taken;
    explicit hold(brief_lock& lock) : taken(lock.taken) {
      while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(&taken, __ATOMIC_RELAXED)) {
        }
    }
    ~hold() { __atomic_clear(&taken, __ATOMIC_RELEASE); }
    hold(const hold&) = delete;
    hold& operator=(const hold&) = delete;
  };
};

}  // namespace sectile
