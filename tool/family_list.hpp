// The families that the tool knows: kernels whose program is shipped in several configurations, of which a launch
// picks.
#pragma once
#include <sectile/dsl/launch/family.hpp>
#include <sectile/dsl/plan/counted_tiles.hpp>
#include <sectile/dsl/plan/summation.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sectile::tool {

struct shipped_family {
  std::string_view kernel;  // the kernel that has the same program, see kernel_list.hpp
  std::string_view header;  // where it is declared, and under which name
  std::string_view type;
  const family_facts* facts = nullptr;
  std::span<const configuration> members{};
  const plan* first = nullptr;  // the first member's: what vectors count is the same in all
  const summation_order* sums = nullptr;  // of the first member, and of all unless their orders differ
  order_of_sums order = order_of_sums::one_order;
};
/// Program P as the tool lists it.
template <class P>
constexpr shipped_family list_family(std::string_view kernel, std::string_view header, std::string_view type) {
  return {kernel, header, type, &family_facts_of<P>, P::how.at, &plan_of<member<P, 0>>, &summation_of<member<P, 0>>,
          declared_order<P>()};
}
/// Those that this build has (see kernels/member_launchers.cmake).
std::vector<const shipped_family*> shipped_families();
/// The family with that kernel's program. Throws input_error if there is none, which says what of the command line asks
/// for one.
const shipped_family& find_family(std::string_view kernel, std::string_view asked_by);

/// The modes of the operands in the order in which sizes are written: those of the output, then the others. MxNxK.
std::vector<mode_id> modes_of(const operand_table& operands);
/// Elements that operand `o` of a kernel with plan `p` has along its mode `d`: the problem's, or as many as there are
/// blocks of them, or tiles that a vector counts.
std::int64_t extent_along(const plan& p, int o, int d, const problem_size& sizes);
/// "64x256x64 s5 c1x2 persistent": what tells the members of a family apart. The tile's extents along `modes`.
std::string member_text(const configuration& c, std::span<const mode_id> modes);

/// Which member a launch picks for "MxNxK" on a GPU, and why: the terms of the cost model for it and for those that
/// come next. Throws input_error.
std::string choice_text(const shipped_family& family, const std::string& shape);

}  // namespace sectile::tool
