// CUTLASS's kernel of C = A B^T that its CollectiveBuilder makes of a tile, a cluster and a schedule. Nothing of
// CUTLASS lies here: whoever builds this says where its headers are.
#pragma once
#include <cute/tensor.hpp>

#include <cutlass/cutlass.h>

#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/epilogue/fusion/operations.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>

#include <cutlass/gemm/device/gemm_universal_adapter.h>

#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/gemm/kernel/tile_scheduler.hpp>
#include <cutlass/util/packed_stride.hpp>

#include <string>
#include <type_traits>

namespace sectile::bench {

/// How two warpgroups share work: both one tile, each its own by turns, or both one whose sum may be split.
enum class cutlass_schedule { cooperative, pingpong, stream_k };

struct cutlass_tile {
  int m, n;
  int cluster_m = 1, cluster_n = 1;
  cutlass_schedule schedule = cutlass_schedule::cooperative;
  bool swapped = false;  // C^T = B A^T, for few rows
  bool sparse = false;

  std::string text() const {
    const auto by = [](int x, int y) { return std::to_string(x) + " x " + std::to_string(y); };
    std::string t = by(m, n) + ", cluster " + by(cluster_m, cluster_n);
    if (schedule == cutlass_schedule::pingpong) t += ", ping-pong";
    if (schedule == cutlass_schedule::stream_k) t += ", stream-K";
    return swapped ? t + ", swapped" : t;
  }
};

/// CUTLASS's types for C = A B^T of Element into Out, by one tile.
template <class Element, class Out, class Sum, cutlass_tile Tile>
struct cutlass_kernel {
  static constexpr int spans = Tile.sparse ? 2 : 1;  // of 128 bytes along K, so that an A has as many when compressed
  static constexpr bool by_turns = Tile.schedule == cutlass_schedule::pingpong;
  static constexpr bool fp8 = std::is_same_v<Element, cutlass::float_e4m3_t>;

  using instructions =
      std::conditional_t<Tile.sparse, cutlass::arch::OpClassSparseTensorOp, cutlass::arch::OpClassTensorOp>;
  using row_major = cutlass::layout::RowMajor;
  using column_major = cutlass::layout::ColumnMajor;
  using out_order = std::conditional_t<Tile.swapped, column_major, row_major>;
  using tile = cute::Shape<cute::Int<Tile.m>, cute::Int<Tile.n>, cute::Int<spans * 128 / int{sizeof(Element)}>>;
  using cluster = cute::Shape<cute::Int<Tile.cluster_m>, cute::Int<Tile.cluster_n>, cute::_1>;
  template <class Plain, class Fast>
  using of_fp8 = std::conditional_t<fp8, Fast, Plain>;
  // 8-bit floats are summed as the tensor cores do it, as cuBLASLt is asked to here.
  using schedule = std::conditional_t<by_turns,
                                      of_fp8<cutlass::gemm::KernelTmaWarpSpecializedPingpong,
                                             cutlass::gemm::KernelTmaWarpSpecializedPingpongFP8FastAccum>,
                                      of_fp8<cutlass::gemm::KernelTmaWarpSpecializedCooperative,
                                             cutlass::gemm::KernelTmaWarpSpecializedCooperativeFP8FastAccum>>;
  using epilogue_schedule = std::conditional_t<by_turns, cutlass::epilogue::TmaWarpSpecialized,
                                               cutlass::epilogue::TmaWarpSpecializedCooperative>;
  using scheduler = std::conditional_t<Tile.schedule == cutlass_schedule::stream_k, cutlass::gemm::StreamKScheduler,
                                       cutlass::gemm::PersistentScheduler>;
  static constexpr int aligned = 16 / int{sizeof(Element)}, out_aligned = 16 / int{sizeof(Out)};

  using epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, instructions, tile, cluster, cutlass::epilogue::collective::EpilogueTileAuto, Sum, Sum, void,
      out_order, out_aligned, Out, out_order, out_aligned, epilogue_schedule>::CollectiveOp;
  using mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, instructions, Element, row_major, aligned, Element, column_major, aligned, Sum, tile,
      cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename epilogue::SharedStorage))>,
      schedule>::CollectiveOp;
  using gemm = cutlass::gemm::device::GemmUniversalAdapter<
      cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, mainloop, epilogue, scheduler>>;
};

}  // namespace sectile::bench
