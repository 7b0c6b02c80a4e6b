// A timeline in words: what an event is, where a run stopped, what the figures come to.
#pragma once

#include <sectile/dsl/tell/timeline/statistics.hpp>

namespace sectile::tell {

/// "consumer 0 waits for stage 2 of A and B to be full (k = 6)". A CTA is named where there are several.
std::string sentence(const timeline& t, const timeline_event& e);

/// The same without who does it and where: "waits until stage 2 of A and B is full".
std::string action_text(const timeline& t, const timeline_event& e);

/// "A[0] and B[0]", "registers and B[1]"
std::string uses_text(const operation& o);

/// Which roles never came to their end, and for what they wait; "" if all did.
std::string unfinished(const timeline& t);

/// A few sentences: how busy the tensor cores are, who waits most for what, how full the rings are. About CTA 0.
std::string summary(const timeline& t, const timeline_statistics& s);

}  // namespace sectile::tell
