// The timeline of a kernel: it runs on the model on operands of zeros, of sizes that show its pipeline.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/tell/timeline/example_sizes.hpp>
#include <sectile/dsl/tell/timeline/timeline.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sectile::tell {

/// A kernel's timeline, and what was run for it.
struct kernel_timeline {
  timeline shown{};
  std::string sizes{};    // "M = 512, N = 256, K = 640"
  std::string refused{};  // why there was no run, or ""
};

/// Memory for one operand: zeros, and for a sparse one metadata that keep the first of the neighbours.
struct example_memory {
  std::vector<std::byte> bytes{};
  std::vector<std::uint32_t> metadata{};
  /// Begins at a multiple of 256 bytes.
  void* data() {
    void* at = bytes.data();
    std::size_t room = bytes.size();
    return std::align(256, 1, at, room);
  }
};

/// Argument I of a launch of K.
template <class K, int I>
auto example_argument(const example_sizes& s, example_memory& memory) {
  using declaration = operand_at<K, I>;
  using element_type = typename declaration::element_type;
  constexpr operand_facts f = operand_facts_of<K, I>();
  if constexpr (declaration::kind == operand_kind::scalar) {
    return static_cast<element_type>(1);
  } else {
    const std::int64_t* const extent = s.extent[I];
    std::int64_t elements = 1;
    for (int d = 0; d < f.tile.rank; ++d) elements *= extent[d];
    memory.bytes.resize(static_cast<std::size_t>(elements * f.type.bits / 8 + 1024));
    if constexpr (declaration::sparse) {
      constexpr std::uint32_t first_two_of_four = 0x4444'4444;
      const std::int64_t words = sparse_metadata_words<element_type>(extent[0], extent[1]);
      memory.metadata.assign(static_cast<std::size_t>(words) + 4, first_two_of_four);
      void* at = memory.metadata.data();
      std::size_t room = 4 * memory.metadata.size();
      return sparse(static_cast<const element_type*>(memory.data()),
                    static_cast<const std::uint32_t*>(std::align(16, 1, at, room)), extent[0], extent[1],
                    sparse_value_stride<element_type>(extent[1]));
    } else {
      using viewed = std::conditional_t<f.is_read(), const element_type, element_type>;
      tensor_view<viewed> view{static_cast<viewed*>(memory.data()), f.tile.rank, {}, {}};
      std::int64_t stride = 1;
      for (int i = 0; i < f.tile.rank; ++i) {
        const int d = f.mode_from_inside(i);
        view.extent[d] = extent[d];
        view.stride[d] = stride;
        stride *= extent[d];
      }
      return view;
    }
  }
}

/// Runs K on operands of these sizes. Throws as run_on_model does.
template <class K>
void run_example(const example_sizes& s) {
  std::vector<example_memory> memory(static_cast<std::size_t>(operand_count<K>));
  [&]<int... I>(std::integer_sequence<int, I...>) {
    run_on_model_by_itself<K>({}, example_argument<K, I>(s, memory[I])...);
  }
  (std::make_integer_sequence<int, operand_count<K>>{});
}

/// Chooses among the candidates: the first that fills a stage often enough, else the one that fills most.
kernel_timeline choose_timeline(const plan& p, const std::function<void(const example_sizes&)>& run);

/// The timeline of a cluster of a run of K, which must be verified. A kernel that no example can be run of says why in
/// `refused`; what the model reports is in shown.stopped.
template <class K>
kernel_timeline timeline_of_kernel() {
  return choose_timeline(plan_of<K>, run_example<K>);
}

}  // namespace sectile::tell
