// What a replay keeps of barriers, lanes and CTAs while it runs.
#pragma once

#include <sectile/dsl/tell/timeline/clock.hpp>
#include <vector>

namespace sectile::tell {

struct barrier_state {
  int completed = 0, expected = 0, pending = 0;
  std::int64_t bytes = 0;            // announced and not landed, or landed before
  std::vector<int> contributions{};  // events of the open phase
  std::vector<std::vector<int>> before{};
  std::vector<int> waiting{};  // lanes
};

struct named_state {
  int arrived = 0;
  std::vector<int> contributions{}, waiting{};
};

struct lane_state {
  std::size_t next = 0;
  int open = -1;  // the wait that it is in
  int last = -1;  // its last event
  std::vector<int> groups{};
  std::vector<int> stores{};               // not closed
  std::vector<std::vector<int>> stored{};  // closed groups
  std::vector<int> awaited{};              // its own events that it waits for
};

/// What a CTA has one of; CTAs that share an SM have the units of the first.
struct cta_units {
  queue_server copies{}, loads{}, tensor_cores{}, stores{};
  shared_server ordinary{};
  std::vector<barrier_state> barriers{};
};

}  // namespace sectile::tell
