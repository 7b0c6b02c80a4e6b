// What a launch writes to host memory. Clusters run in any order, and within one nothing orders two stores to the same
// bytes: whoever writes an output twice has a race, or covers its tiles wrongly; and so has who leaves some of it out.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace sectile::model {

struct cuda_thread;
struct label_set;
struct launch;

/// Bytes begin .. end - 1 of host memory, and who wrote them.
struct global_write {
  const std::byte *begin, *end;
  int cluster, cta_rank, thread, trip;
};

/// Bytes of an input that are an output's as well, and who has loaded them.
struct global_read {
  const std::byte *begin, *end;
  int cluster, cta_rank, thread;
};

/// The writes of one cluster, then those of all.
struct global_writes {
  /// Notes a write by t, in trip `trip` of its loop. What belongs to the store that was noted last joins it where both
  /// touch; that of another store may touch it as well, and belong to another tensor.
  void add(const cuda_thread& t, int trip, const void* to, std::size_t bytes, bool of_the_last_store);
  /// Notes that the element that begins at `to` is combined with something.
  void add_combined(const void* to) { combined_.push_back(static_cast<const std::byte*>(to)); }
  /// Notes that bytes are loaded that some CTA stores.
  void add_read(const cuda_thread& t, const void* from, std::size_t bytes);
  /// Takes over what another cluster wrote. May be called from several threads.
  void take(global_writes&& more);
  /// Throws a hazard if a CTA has loaded what another one writes, if two of the writes meet, always for the same two,
  /// or if together they leave out elements of a tensor that the launch has to cover.
  void check(const launch& what);

 private:
  void check_reads(const launch& what) const;

  std::vector<global_write> all_;  ///< in check() in the order of memory
  std::vector<global_read> reads_;
  std::vector<const std::byte*> combined_;
  std::mutex mutex_;
};

}  // namespace sectile::model
