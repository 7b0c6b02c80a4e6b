// From a kernel's type to what the rest of the tool knows of it. Only the files of this folder include this: each
// kernel is planned, proven and lowered where its family is listed, and nowhere else.
#pragma once

#include <sectile/dsl/launch/checked.hpp>
#include <sectile/dsl/launch/cost.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/operator/typed_arguments.hpp>
#include <sectile/dsl/plan/build.hpp>
#include <sectile/dsl/proofs/verified.hpp>
#include <sectile/dsl/tell/told_trace.hpp>
#include <typeinfo>
#include <vector>

#include "tool/kernel_list.hpp"
#include "tool/kernels/kernel_type.hpp"
#ifdef __CUDACC__
#include <sectile/dsl/launch/launch.hpp>

#include "tool/kernels/device_workspace.hpp"
#endif

namespace sectile::tool {

template <class K>
void run_shipped_on_model(std::span<const argument> arguments, const model_options& how) {
  with_typed_arguments<K>(arguments, [&](const auto&... typed) { run_on_model_by_itself<K>(how, typed...); });
}

#ifdef __CUDACC__
template <class K>
void launch_shipped(std::span<const argument> on_device, void* stream) {
  const auto on = static_cast<cudaStream_t>(stream);
  with_typed_arguments<K>(on_device, [on](const auto&... typed) {
    if constexpr (needs_workspace(plan_of<K>)) {
      const device_workspace memory(workspace_bytes<K>(typed...), on);
      launch_on<K>(on, typed..., memory.view());
    } else {
      launch_on<K>(on, typed...);
    }
  });
}
#endif

template <class K>
trace trace_shipped() {
  return tell::told_trace<K>;
}

/// All that the tool has to know of kernel K.
template <class K>
kernel_facts shipped(std::string_view name, std::string_view summary) {
  static_assert(verified<K>);
  static_assert(plan_of<checked<K>>.refusal.holds());  // the other proofs are about what both plans have in common
  kernel_facts facts{
      .name = name, .summary = summary, .planned = &plan_of<K>, .declared = &plan_of<K>, .type_name = typeid(K).name()};
  facts.computes = formula_of(kernel_type<K>());
  facts.model_clusters = model::clusters_launched<K>;
  facts.traced = trace_shipped<K>;
  facts.cost = &cost_of<K>;
  facts.wgmma.on_model = run_shipped_on_model<K>;
#ifdef __CUDACC__
  facts.wgmma.launch = launch_shipped<K>;
  facts.checked.launch = launch_shipped<checked<K>>;
#endif
  return facts;
}

/// All kernels of a list; see kernel_type.hpp.
template <class List>
std::vector<kernel_facts> all_shipped(List each) {
  std::vector<kernel_facts> all;
  each([&all](auto type, std::string_view name, std::string_view summary) {
    all.push_back(shipped<typename decltype(type)::type>(name, summary));
  });
  return all;
}

}  // namespace sectile::tool
