// Counters of tickets on the model: the chip's own way to count (plan/ticket_counters.hpp), on memory of the host.
#pragma once

#include <cstdint>
#include <sectile/dsl/plan/ticket_counters.hpp>

namespace sectile::model {

struct cuda_thread;

/// Clusters may run on several threads of the host.
struct ticket_word {
  std::uint64_t* at;

  std::uint64_t add_one() const { return __atomic_fetch_add(at, 1, __ATOMIC_ACQ_REL); }
  std::uint64_t replace(std::uint64_t old, std::uint64_t by) const {
    __atomic_compare_exchange_n(at, &old, by, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return old;
  }
  std::uint64_t load() const { return __atomic_load_n(at, __ATOMIC_ACQUIRE); }
  void set(std::uint64_t x) const { __atomic_store_n(at, x, __ATOMIC_RELEASE); }
};

/// Throws a hazard unless these are the counters of t's launch.
void require_counters(const cuda_thread& t, const ticket_counters& given, const char* verb);

void open_tickets(cuda_thread& t, const ticket_counters& given, int counter);

/// Throws a hazard if a launch that is over has left tickets of a counter that nobody took: one that is replayed has
/// the same token, and would count on from there.
void require_all_taken(const ticket_counters& of, int counters);

}  // namespace sectile::model
