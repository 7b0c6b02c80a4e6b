// How reports name things: in the words of the labels that the launcher passed.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>

namespace sectile::model {

struct cta;
struct cuda_thread;
struct mbarrier;
struct warpgroup;

/// All arguments, one after the other.
template <class... T>
std::string text(const T&... part) {
  std::ostringstream all;
  (all << ... << part);
  return all.str();
}

/// "consumer (thread 128)", "producer (cta 1, thread 0)"
std::string name(const cuda_thread& t);
/// "consumer (threads 128-255)"
std::string name(const warpgroup& g);
/// "threads FIRST-LAST of a CTA" with their role.
std::string name_threads(const cta& c, int first, int last);
/// "full[2]", "full[2] of cta 1", or "mbarrier at 0x...".
std::string name(const mbarrier& b);
std::string name_barrier(const cta& c, std::uint32_t address);
/// "B stage 2 (byte 0x1040 of shared memory)"
std::string name_bytes(const cta& c, std::uint32_t address);

}  // namespace sectile::model
