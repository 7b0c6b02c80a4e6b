// What a timeline comes to: who waits for whom and how long, how busy the units are, how full the rings.
#pragma once

#include <iterator>
#include <sectile/dsl/tell/timeline/timeline.hpp>
#include <string>
#include <vector>

namespace sectile::tell {

/// All waits of one role for one kind of thing.
struct waiting_total {
  int lane = 0;
  timeline_kind kind = timeline_kind::wait_full;
  std::string for_whom;  // "copies into A and B", "consumer 0"
  int times = 0;         // that it had to wait
  cycles spent = 0;
};

/// One ring of one CTA, from its first copy to the last product that reads it.
struct ring_use {
  int cta = 0, ring = 0;
  cycles from = 0, to = 0;
  cycles in_state[std::size(every_stage_state)]{};  // sum over the stages, by stage_state
};

struct timeline_statistics {
  cycles from = 0, to = 0;            // of the first copy's request, of the last event that is no wait
  std::vector<cycles> tensor_busy{};  // by CTA
  std::vector<cycles> first_product{}, last_product{};  // by CTA: where products begin and end
  std::vector<waiting_total> waits{};                   // of every role, the longest first
  std::vector<ring_use> rings{};
  std::vector<std::int64_t> bytes_copied{}, bytes_stored{};  // by CTA that asked for them
};

timeline_statistics statistics_of(const timeline& t);

/// Whole percents, rounded to the nearest; 0 of nothing.
int percent(cycles part, cycles whole);

}  // namespace sectile::tell
