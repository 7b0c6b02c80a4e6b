// Which phase of an mbarrier a wait is meant for. The hardware is only told a parity; what the program means follows
// from the order in which a role waits.
#pragma once

#include <sectile/dsl/tell/promela/walk.hpp>
#include <vector>

namespace sectile::tell {

/// That no phase will do: nobody fills what is waited for.
inline constexpr int no_phase = 255;

/// For each action of the role, the phase that a wait is meant for, counted from 1; 0: before the first. Else -1.
///
/// A first wait of parity 1 is meant for what was before all phases, one of parity 0 for the first; then the same
/// parity means the same phase, the other one the next. A consumer with tiles of its own does not come to every phase
/// of a stage: its waits, counted since it began with a work item, are for what its producer announces for that item.
std::vector<int> asked_phases(const protocol_walk& walk, const walked_role& role);

}  // namespace sectile::tell
