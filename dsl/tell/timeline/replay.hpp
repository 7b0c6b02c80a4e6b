// Gives a recording its times.
#pragma once

#include <sectile/dsl/tell/timeline/timeline.hpp>

namespace sectile::tell {

/// Fills in events, changes of stages and length. Precondition: the recording and the lanes are there.
void replay(timeline& t);

}  // namespace sectile::tell
