// A protocol as Promela, for SPIN: https://spinroot.com.
#pragma once

#include <sectile/dsl/tell/promela/walk.hpp>
#include <string>

namespace sectile::tell {

/// The walk as a program of Promela. `about`: what is walked, for the comment at its head.
///
/// What is modelled is what PTX says of barriers and asynchronous copies, and not how the proof of the protocol goes
/// about it; docs/protocol.md lists what is left out.
std::string promela_text(const protocol_walk& walk, const std::string& about);

}  // namespace sectile::tell
