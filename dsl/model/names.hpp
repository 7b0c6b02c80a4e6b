// How reports name things: in the words of the labels that the launcher passed.
#pragma once

#include <cstdint>
#include <sectile/dsl/model/happens_before.hpp>
#include <sstream>
#include <string>

namespace sectile::model {

struct barrier_label;
struct cta;
struct cuda_thread;
struct label_set;
struct mbarrier;
struct named_barrier_label;
struct observer;
struct role_label;
struct warpgroup;

/// All arguments, one after the other.
template <class... T>
std::string text(const T&... part) {
  std::ostringstream all;
  (all << ... << part);
  return all.str();
}

/// The role that a thread of the CTA plays, if it is known.
const role_label* role_of(const label_set& labels, int thread);
const role_label* role_of(const cta& c, int thread);
/// "consumer 1", or "" where no role is known.
std::string role_name(const label_set& labels, int thread);

/// "consumer 1 (thread 256, k = 5)", "producer (cta 1, thread 0, outside of loops)": what the thread does now.
std::string name(const cuda_thread& t);
/// The same when it was in another trip of its loop.
std::string name(const cuda_thread& t, int trip);
/// The same when its clock stood at e.
std::string name_at(const cuda_thread& t, event e);
/// The threads that an access stands for.
std::string name(const observer& who);
/// "consumer 0 (threads 128-255, k = 5)"
std::string name(const warpgroup& g, int trip);
/// "a wgmma of consumer 0 (threads 128-255, k = 5, group 6)"
std::string name_wgmma(const warpgroup& g, std::uint32_t group);
/// "threads FIRST-LAST of a CTA" with their role; `more` goes into the same parentheses.
std::string name_threads(const cta& c, int first, int last, const std::string& more = "");
/// The same where no CTA is at hand; `place` comes first in the parentheses: "cta 1, ".
std::string name_threads(const label_set& labels, const std::string& place, int first, int last,
                         const std::string& more);
/// ", k = 5", ", outside of loops", or "" if nothing is known.
std::string name_trip(int trip);
/// The label of a barrier, or nullptr.
const barrier_label* label_of(const mbarrier& b);
/// The label of named barrier `id`, or nullptr.
const named_barrier_label* label_of_named(const cta& c, int id);
/// "full[2] of A and B", "full[2] of A and B in cta 1", "full[2] of cta 1", or "mbarrier at 0x...".
std::string name(const mbarrier& b);
std::string name_barrier(const cta& c, std::uint32_t address);
/// "B stage 2 (byte 0x1040 of shared memory)"
std::string name_bytes(const cta& c, std::uint32_t address);
/// "B stage 2", or "" where the byte belongs to nothing that is known.
std::string name_part(const cta& c, std::uint32_t address);

}  // namespace sectile::model
