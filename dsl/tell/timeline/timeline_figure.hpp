// A timeline as a picture: a row for each role and unit of the first CTA, and for each stage of its rings.
#pragma once

#include <sectile/dsl/tell/draw/figure.hpp>
#include <sectile/dsl/tell/timeline/timeline.hpp>

namespace sectile::tell {

/// All of it, folded in the middle where it would become too wide. The axis has at least so many cycles: two timelines
/// with the same axis can be compared.
figure draw_timeline(const timeline& t, cycles axis = 0);

/// Only the beginning, until each ring has been filled once and begun anew: narrow enough for a phone.
figure draw_timeline_start(const timeline& t);

}  // namespace sectile::tell
