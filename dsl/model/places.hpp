// In which order a compiler has the operands of expressions evaluated.
#pragma once

#include <atomic>
#include <cstdint>

namespace sectile::model {

/// For each step of a body that a use has taken: which one was the next then. Of all threads of a launch.
struct places_taken {
  static constexpr int most = 128;
  /// Whether it is the same one as ever.
  bool take(int step, int next) {
    std::int16_t seen = -1;
    const auto now = static_cast<std::int16_t>(next);
    return next_of_[step].compare_exchange_strong(seen, now, std::memory_order_relaxed) || seen == now;
  }
  places_taken() {
    for (auto& next : next_of_) next.store(-1, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::int16_t> next_of_[most];
};

}  // namespace sectile::model
