// From a rung of the ladder that is written by hand to what the rest of the tool knows of it, as shipped.hpp does for
// planned kernels.
#pragma once

#include <sectile/dsl/operator/typed_arguments.hpp>
#include <sectile/kernels/ladder/launch.hpp>

#include "tool/kernel_list.hpp"

namespace sectile::tool {

namespace ladder = kernels::ladder;

template <class K>
void run_by_hand_on_model(std::span<const argument> arguments, const model_options& how) {
  with_typed_arguments<ladder::declaration<K>>(
      arguments, [&](const auto&... typed) { ladder::run_on_model_with<K>(how, typed...); });
}

#ifdef __CUDACC__
template <class K>
void launch_by_hand(std::span<const argument> on_device, void* stream) {
  with_typed_arguments<ladder::declaration<K>>(
      on_device, [stream](const auto&... typed) { ladder::launch<K>(typed..., static_cast<cudaStream_t>(stream)); });
}
#endif

/// All that the tool has to know of a kernel that is written by hand in the file `listing`.
template <class K>
kernel_facts by_hand(std::string_view name, std::string_view listing, std::string_view summary) {
  kernel_facts facts{.name = name, .summary = summary, .declared = &ladder::outline_of<K>, .listing = listing};
  facts.model_clusters = [](int items) { return items; };
  facts.wgmma.on_model = run_by_hand_on_model<K>;
#ifdef __CUDACC__
  facts.wgmma.launch = launch_by_hand<K>;
#endif
  return facts;
}

}  // namespace sectile::tool
