// What is remembered of a kernel on each device.
#pragma once
#include <cstdint>

#include <sectile/dsl/launch/brief_lock.hpp>

namespace sectile::hopper {

constexpr int most_devices = 64;  // that something is remembered of

/// One number for each device, which holds for one of its contexts: another context, such as the one after a
/// cudaDeviceReset, finds nothing. A context of 0 is not known, and nothing is found for it.
struct number_per_context {
  /// 0 if nothing is known.
  int find(int device, std::uint64_t context) {
    if (device >= most_devices || context == 0) return 0;
    const brief_lock::hold lock(guard);
    return slot[device].context == context ? slot[device].number : 0;
  }
  void keep(int device, std::uint64_t context, int number) {
    if (device >= most_devices) return;
    const brief_lock::hold lock(guard);
    slot[device] = {context, number};
  }

  struct entry {
    std::uint64_t context = 0;
    int number = 0;
  };
  brief_lock guard;
  entry slot[most_devices]{};
};

}  // namespace sectile::hopper
