#include "tests/spin/walked_kernel.hpp"

#include <algorithm>
#include <sectile/dsl/tell/facts/record.hpp>
#include <sectile/dsl/tell/promela/walk.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/long_rows.hpp>

#include "tests/dsl/all_orders/plans.hpp"
#include "tests/exhaustively.hpp"
#include "tool/records.hpp"

namespace sectile::witness {
namespace {

template <class K, int... Run>
std::string refusal_of(std::integer_sequence<int, Run...>) {
  std::string says;
  const auto note = [&](const violation& v) {
    if (says.empty() && !v.holds()) says = v.says.text;
  };
  (note(protocol::protocol_verdict<K, Run>), ...);
  return says;
}
template <class K>
walked_kernel walked(std::string name) {
  constexpr int runs = protocol::protocol_runs(plan_of<K>);
  return {std::move(name), &plan_of<K>, tell::walk_protocol<K>,
          refusal_of<K>(std::make_integer_sequence<int, runs>{})};
}

}  // namespace

std::vector<walked_kernel> kernels_with_workspace() {
  using namespace sectile::orders;
  std::vector<walked_kernel> all{walked<two_parted_sums<true>>("streamed_two_sums")};
  if constexpr (test::exhaustively)
    for (walked_kernel k :
         {walked<parted_gemm<2>>("split_in_workspace"), walked<parted_gemm<3, 2>>("split_in_workspace_two_consumers"),
          walked<two_parted_sums<false>>("split_in_workspace_two_sums"), walked<states_of_groups>("split_in_groups"),
          walked<streamed_gemm<2>>("streamed"), walked<streamed_gemm<3, 2>>("streamed_two_consumers"),
          walked<streamed_gemm<2, 1, 2>>("streamed_two_ctas")})
      all.push_back(std::move(k));
  return all;
}

std::vector<walked_kernel> kernels_of_the_sample() {
  using namespace sectile::kernels;
  std::vector<walked_kernel> all{walked<attention<64, attention_mask::none>>("attention_d64")};
  if constexpr (test::exhaustively) all.push_back(walked<member<softmax<bf16>, 0>>("softmax_bf16"));
  return all;
}

walked_kernel find_walked(const std::string& name) {
  for (const auto known : {kernels_with_workspace, kernels_of_the_sample}) {
    const std::vector<walked_kernel> small = known();
    if (const auto found = std::ranges::find(small, name, &walked_kernel::name); found != small.end()) return *found;
  }
  const tool::kernel_facts& kernel = tool::find_kernel(name);
  return {name, kernel.planned, tool::find_walker(name), tool::find_record(kernel)->prove().said.protocol.says.text};
}

}  // namespace sectile::witness
