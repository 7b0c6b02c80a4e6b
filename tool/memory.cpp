#include "tool/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "tool/input_error.hpp"

namespace sectile::tool {
namespace {

double memory_here() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  // What a container is granted, by the second and by the first version of control groups: a number, or "max".
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream in(file);
    if (double granted = 0; in >> granted && granted > 0) bytes = std::min(bytes, granted);
  }
  return bytes;
}

}  // namespace

void require_memory(double bytes, std::string_view what) {
  if (const double memory = memory_here(); bytes > memory)
    throw input_error(
        fmt::format("{} need {:.1f} GB of memory, this machine has {:.1f} GB", what, bytes * 1e-9, memory * 1e-9));
}

}  // namespace sectile::tool
