// Which GPUs a program is compiled for. nvcc tells the host's code in __CUDA_ARCH_LIST__: ascending numbers, 800 for
// sm_80.
#pragma once

#define SECTILE_FIRST_OF(first, ...) first
#define SECTILE_FIRST(list) SECTILE_FIRST_OF(list, 0)
/// Whether some of the program's code is for GPUs before Hopper: then launch<K>() has a portable reading to choose.
#define SECTILE_BEFORE_HOPPER (SECTILE_FIRST(__CUDA_ARCH_LIST__) < 900)

namespace sectile {

struct architectures {
  /// The newest that runs on a device of compute capability `device` (80 for sm_80); 0 if none does.
  static constexpr int newest_for(int device) {
    constexpr int all[] = {__CUDA_ARCH_LIST__};
    int newest = 0;
    for (int a : all)
      if (a / 10 <= device && a / 10 > newest) newest = a / 10;
    return newest;
  }
  static constexpr int newest() { return newest_for(1000); }
  static constexpr bool has_hopper() { return newest_for(90) == 90; }
};

}  // namespace sectile
