// What the benchmarks' reports have in common: the machine, and the file of measurements (measured_file.hpp).
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "bench/measured_file.hpp"
#include "bench/timing.hpp"

namespace sectile::bench {

struct machine {
  std::string name;
  int multiprocessors = 0, driver = 0, runtime = 0;

  std::string device() const { return name + ", " + std::to_string(multiprocessors) + " SMs"; }
  std::string text() const { return device() + ", CUDA driver " + version(driver); }
  /// "CUDA 13.0, driver for CUDA 13.1"
  std::string software() const { return "CUDA " + version(runtime) + ", driver for CUDA " + version(driver); }

 private:
  static std::string version(int n) { return std::to_string(n / 1000) + "." + std::to_string(n % 1000 / 10); }
};

inline machine this_machine() {
  cudaDeviceProp properties{};
  machine m;
  check(cudaGetDeviceProperties(&properties, 0), "looking for a GPU");
  check(cudaDriverGetVersion(&m.driver), "asking for the driver's version");
  check(cudaRuntimeGetVersion(&m.runtime), "asking for the runtime's version");
  m.name = properties.name;
  m.multiprocessors = properties.multiProcessorCount;
  return m;
}

/// The version of a library that counts as cuBLASLt does, e.g. 130101.
inline std::string library_version(std::size_t n) {
  return std::to_string(n / 10000) + "." + std::to_string(n / 100 % 100) + "." + std::to_string(n % 100);
}

/// How far the slowest round was from the fastest, in percent.
inline double spread_percent(const race_time& t) { return (t.slowest / t.fastest - 1) * 100; }

/// The command as it was typed, without the folder of the program and without where its figures go.
inline std::string command_of(int count, char** words) {
  const std::string program = words[0];
  std::string text = program.substr(program.rfind('/') + 1);  // the whole of it without a slash
  for (int i = 1; i < count; ++i) {
    if (std::string(words[i]) == "--json") {
      ++i;
      continue;
    }
    text += std::string(" ") + words[i];
  }
  return text;
}

}  // namespace sectile::bench
