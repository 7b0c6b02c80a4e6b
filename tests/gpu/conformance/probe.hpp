// Small experiments that answer what no document says about wgmma.
#pragma once

namespace sectile::conformance {

/// Runs them on device 0 and prints what came out, a few lines for each question.
void probe();

}  // namespace sectile::conformance
