// The proofs by name, in the order in which they are told: what counts or lists them asks here.
#pragma once

namespace sectile {

inline constexpr const char* proof_names[] = {"legality", "reachability", "feeding",   "alignment",
                                              "budgets",  "protocol",     "fragments", "banks"};

}  // namespace sectile
