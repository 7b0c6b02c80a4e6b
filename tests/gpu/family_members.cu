#include "tests/gpu/family_members.hpp"

#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm_family.hpp>

#include "tool/family_list.hpp"

namespace sectile::gpu_test {
namespace {

using family = kernels::gemm_bf16_family;
static_assert(same_sums<member<family, 0>, kernels::gemm_bf16>, "gemm_bf16 on the model says what they all give");

template <class K>
void launch_kernel(const tensor_view<const bf16>& a, const tensor_view<const bf16>& b, const tensor_view<bf16>& c,
                   cudaStream_t stream) {
  launch_on<K>(stream, a, b, c);
}

template <int... I>
std::vector<family_member> list_members(std::integer_sequence<int, I...>) {
  const std::vector<mode_id> modes = tool::modes_of(*family_facts_of<family>.operands);
  const auto name = [&](int i) {
    return "member " + std::to_string(i) + ", " + tool::member_text(family::how.at[i], modes);
  };
  return {{name(I), launch_kernel<member<family, I>>}...};
}

}  // namespace

const std::vector<family_member>& gemm_bf16_members() {
  static const std::vector<family_member> all = list_members(member_numbers<family>{});
  return all;
}

void launch_gemm_bf16_family(const tensor_view<const bf16>& a, const tensor_view<const bf16>& b,
                             const tensor_view<bf16>& c, cudaStream_t stream) {
  launch_kernel<family>(a, b, c, stream);
}
const family_facts& gemm_bf16_family_facts() { return family_facts_of<family>; }

}  // namespace sectile::gpu_test
