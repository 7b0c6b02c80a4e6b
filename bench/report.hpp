// What the benchmarks' reports have in common: the machine, and times as JSON.
#pragma once
#include <cuda_runtime_api.h>

#include <cmath>
#include <ostream>
#include <string>

#include "bench/timing.hpp"

namespace sectile::bench {

struct machine {
  std::string name;
  int multiprocessors = 0, driver = 0;

  std::string text() const {
    return name + ", " + std::to_string(multiprocessors) + " SMs, CUDA driver " + std::to_string(driver / 1000) + "." +
           std::to_string(driver % 1000 / 10);
  }
};

inline machine this_machine() {
  cudaDeviceProp properties{};
  machine m;
  check(cudaGetDeviceProperties(&properties, 0), "looking for a GPU");
  check(cudaDriverGetVersion(&m.driver), "asking for the driver's version");
  m.name = properties.name;
  m.multiprocessors = properties.multiProcessorCount;
  return m;
}

/// How far the slowest round was from the fastest, in percent.
inline double spread_percent(const race_time& t) { return (t.slowest / t.fastest - 1) * 100; }

/// Writes `"name": {...}`, in microseconds.
inline void write_time(std::ostream& to, const char* name, const race_time& t) {
  to << '"' << name << "\": {\"median_us\": " << t.median * 1e3 << ", \"fastest_us\": " << t.fastest * 1e3
     << ", \"slowest_us\": " << t.slowest * 1e3 << ", \"calls_per_round\": " << t.repetitions << "}";
}

/// Writes `"name": x`, or null where JSON has no such number.
inline void write_number(std::ostream& to, const char* name, double x) {
  to << '"' << name << "\": ";
  if (std::isfinite(x))
    to << x;
  else
    to << "null";
}

}  // namespace sectile::bench
