// Attention forward by the headers of CUTLASS's example 88, Hopper's FMHA, in bf16 with heads of 128 elements. Nothing
// of it lies here: whoever builds this says where CUTLASS and that example are.
#pragma once
#include <cute/tensor.hpp>

#include <cutlass/cutlass.h>

#include <collective/fmha_fusion.hpp>
#include <device/device_universal.hpp>
#include <kernel/fmha_kernel_builder.hpp>
#include <type_traits>

namespace sectile::bench {

/// Schedule: cutlass::gemm::KernelTmaWarpSpecializedCooperative or Pingpong, in tiles of 128 queries and 128 keys,
/// which are those that the example runs for such heads.
template <class Schedule, bool Causal>
struct cutlass_attention {
  using element = cutlass::bfloat16_t;
  using strides = cute::tuple<int, cute::_1, cute::tuple<int, int>>;  // of a row, its elements, (batch, head)
  using mask =
      std::conditional_t<Causal, cutlass::fmha::collective::CausalFusion, cutlass::fmha::collective::DefaultFusion>;
  using built =
      cutlass::fmha::kernel::FmhaBuilder<element, float, float, cute::Shape<cute::_128, cute::_128, cute::_128>,
                                         strides, strides, strides, mask, Schedule>;
  using operation = cutlass::device::Universal<typename built::Kernel>;

  /// Queues it for packed tensors of batch x heads x length x 128. `sums`: a float for each row, which it writes.
  static cutlass::Status run(const void* q, const void* k, const void* v, void* o, float* sums, int batch, int heads,
                             int length, cudaStream_t on) {
    const auto head = length * 128;
    const strides rows{128, {}, {heads * head, head}};
    const auto in = [](const void* data) { return static_cast<element*>(const_cast<void*>(data)); };
    const typename operation::Arguments all{{batch, heads, length, length, 128},
                                            {in(q), rows, in(k), rows, in(v), rows},
                                            {static_cast<element*>(o), rows, sums, {{}, {heads * length, length}}},
                                            {0, cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0)}};
    if (operation::get_workspace_size(all) > 0) return cutlass::Status::kErrorWorkspaceNull;
    if (const auto can = operation::can_implement(all); can != cutlass::Status::kSuccess) return can;
    operation work;
    return work.run(all, nullptr, on);
  }
};

}  // namespace sectile::bench
