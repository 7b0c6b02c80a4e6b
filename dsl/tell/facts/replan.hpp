// The plan of a kernel with other tiles or element types, made at run time from the plan of the kernel as it is.
//
// What a body does, position by position, does not depend on its tiles' extents: those follow from types, and the trace
// counts tiles. So the steps, rings and loops of the plan stay, and the products, boxes, shared memory and registers
// are planned again by the planner's own functions. The proofs that are functions of a plan are applied to what
// comes out; those that run the lowered roles (feeding, protocol) are not.
#pragma once
#include <optional>
#include <vector>

#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/tell/linked_modes.hpp>

namespace sectile::tell {

/// The plan after an edit of its declarations, refused if a rule or one of those proofs says so. None, where what the
/// body computes between products leaves open how other shapes would follow. `t` is a trace of its body.
std::optional<plan> with_tile_extent(const plan& p, const trace& t, const linked_modes& modes, int extent);

/// The same with another element type for all inputs of `from`'s type. None, where the body itself names that type.
std::optional<plan> with_type(const plan& p, const trace& t, const element& from, const element& to);

}  // namespace sectile::tell
