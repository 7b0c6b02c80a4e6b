// From a kernel's type to its portable readings, as shipped.hpp does for the reading for Hopper.
#pragma once

#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/dsl/operator/typed_arguments.hpp>

#include "tool/kernels/families.hpp"
#ifdef __CUDACC__
#include <sectile/dsl/launch/portable.hpp>
#endif

namespace sectile::tool {

template <class K, class How>
void run_portable_on_model(std::span<const argument> arguments, const model_options& how) {
  model_options options{};
  options.workers = how.workers;
  options.progress = how.progress;
  with_typed_arguments<K>(arguments,
                          [&](const auto&... typed) { run_portable_on_model_with<K, How>(options, typed...); });
}

#ifdef __CUDACC__
template <class K, class How>
void launch_portably(std::span<const argument> on_device, void* stream) {
  with_typed_arguments<K>(on_device, [stream](const auto&... typed) {
    launch_portable<K, How>(typed..., static_cast<cudaStream_t>(stream));
  });
}
#endif

template <class K, class How>
portable_reading portable_of(std::string_view kernel) {
  static_assert(portable::readable<K, How>);
  constexpr bool multiplies_by_tensor_core = !std::is_same_v<How, portable::simt>;
  portable_reading r{kernel, multiplies_by_tensor_core ? reading::wmma : reading::simt, {}};
  r.run.on_model = run_portable_on_model<K, How>;
#ifdef __CUDACC__
  r.run.launch = launch_portably<K, How>;
#endif
  return r;
}

}  // namespace sectile::tool
