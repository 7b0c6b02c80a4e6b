// What bench/machine_code.py asks of a family's kernels, in a program that nvcc compiles and links with
// --wrap=__cudaRegisterFunction: the symbol of each, and what its plan gives its roles. Nothing is launched, so that no
// GPU is needed.
#pragma once
#include <cstdio>
#include <map>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/dsl/launch/portable.hpp>
#include <sectile/kernels/ladder/launch.hpp>
#include <string_view>

namespace sectile::bench {

/// From the host's address of a __global__ function to its symbol in the machine code, as nvcc registers it. (The
/// host's compiler spells some template arguments in another way.)
inline std::map<const void*, const char*>& device_symbols() {
  static std::map<const void*, const char*> all;
  return all;
}

/// A line of the report: symbol, name, threads, registers of each role (0: there are no roles).
inline void tell(const void* function, std::string_view name, int threads, int producer = 0, int consumer = 0) {
  std::printf("%s %.*s %d %d %d\n", device_symbols().at(function), static_cast<int>(name.size()), name.data(), threads,
              producer, consumer);
}

/// For lists of kernels with a plan; see tool/kernels/kernel_type.hpp.
struct tell_planned {
  template <class Type>
  void operator()(Type, std::string_view name, std::string_view) const {
    using K = typename Type::type;
    constexpr const plan& p = plan_of<K>;
    tell(hopper::launch_method<K>::function(), name, p.threads, p.producer_registers, p.consumer_registers);
  }
};
/// Of kernels that are written by hand.
struct tell_by_hand {
  template <class Type>
  void operator()(Type, std::string_view name, std::string_view, std::string_view) const {
    using K = typename Type::type;
    tell(reinterpret_cast<const void*>(kernels::ladder::run_by_hand<K>), name, K::threads);
  }
};
/// Of those that are read for nvcuda::wmma.
struct tell_portable {
  template <class Type>
  void operator()(Type, std::string_view name, std::string_view, std::string_view) const {
    using K = typename Type::type;
    using how = portable::wmma<>;
    tell(reinterpret_cast<const void*>(portable::run<K, how>), name, portable::portable_plan_of<K, how>.threads);
  }
};

}  // namespace sectile::bench

/// Takes the place of what registers a kernel with the CUDA runtime as the program starts.
extern "C" [[gnu::used]] inline void __wrap___cudaRegisterFunction(void**, const char* function, char*,
                                                                   const char* symbol, int, void*, void*, void*, void*,
                                                                   int*) {
  sectile::bench::device_symbols()[function] = symbol;
}
