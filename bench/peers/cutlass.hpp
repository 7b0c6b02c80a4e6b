// CUTLASS's kernels as products: those that its CollectiveBuilder makes of a tile, a cluster and a schedule, a dozen
// for each type of elements. Nothing of it lies here: whoever builds this says where its headers are.
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

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/device_data.hpp"
#include "bench/peers/product.hpp"

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

/// An A that has been compressed, in CUTLASS's own form.
struct cutlass_sparse_form {
  device_buffer<unsigned char> values, metadata;
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

/// Whether kernels of this file are set up while the kernel before them ends, as Sectile's are: by a macro of CUTLASS.
#ifdef CUTLASS_ENABLE_GDC_FOR_SM90
constexpr bool cutlass_overlaps = true;
#else
constexpr bool cutlass_overlaps = false;
#endif

/// One kernel in one order of tiles, of any types.
class cutlass_candidate {
 public:
  virtual ~cutlass_candidate() = default;
  virtual bool can_run(const shape& s) = 0;
  virtual std::string name() const = 0;
  virtual void run(const shape& s, const void* a, const void* b, void* c, cudaStream_t on) = 0;
};

inline void check(cutlass::Status status, const char* doing) {
  if (status != cutlass::Status::kSuccess)
    throw std::runtime_error(std::string(doing) + ": " + cutlass::cutlassGetStatusString(status));
}

/// `Group` tiles along one side follow each other before the next along the other.
template <class Element, class Out, class Sum, cutlass_tile Tile, int Group>
class built_candidate : public cutlass_candidate {
 public:
  bool can_run(const shape& s) override {
    return gemm::can_implement(turned(s, nullptr, nullptr, nullptr)) == cutlass::Status::kSuccess;
  }
  std::string name() const override {
    return Tile.text() + (Group > 1 ? ", groups of " + std::to_string(Group) : std::string());
  }
  void run(const shape& s, const void* a, const void* b, void* c, cudaStream_t on) override {
    const auto all = turned(s, a, b, c);
    if (!workspace_) workspace_.emplace(std::max<std::size_t>(gemm::get_workspace_size(all), 1));
    check(gemm_.initialize(all, workspace_->data, on), "preparing a kernel of CUTLASS");
    check(gemm_.run(on, nullptr, cutlass_overlaps), "running a kernel of CUTLASS");
  }

 private:
  using gemm = typename cutlass_kernel<Element, Out, Sum, Tile>::gemm;
  using kernel = typename gemm::GemmKernel;

  static typename gemm::Arguments turned(const shape& s, const void* a, const void* b, void* c) {
    return Tile.swapped ? arguments({s.n, s.m, s.k}, b, a, c) : arguments(s, a, b, c);
  }
  static typename gemm::GemmKernel::MainloopArguments factors(int m, int n, int k, const void* a, const Element* b) {
    const auto b_stride = cutlass::make_cute_packed_stride(typename kernel::StrideB{}, {n, k, 1});
    if constexpr (Tile.sparse) {
      using config = typename kernel::CollectiveMainloop::SparseConfig;
      using metadata = typename kernel::CollectiveMainloop::ElementE;
      const auto* form = static_cast<const cutlass_sparse_form*>(a);
      const cute::Shape<int, int, int, int> all{m, n, k, 1};
      return {form ? reinterpret_cast<const Element*>(form->values.data) : nullptr,
              config::fill_layoutA(all),
              b,
              b_stride,
              form ? reinterpret_cast<const metadata*>(form->metadata.data) : nullptr,
              config::fill_layoutE(all)};
    } else {
      return {static_cast<const Element*>(a), cutlass::make_cute_packed_stride(typename kernel::StrideA{}, {m, k, 1}),
              b, b_stride};
    }
  }
  static typename gemm::Arguments arguments(const shape& s, const void* a, const void* b, void* c) {
    const int m = static_cast<int>(s.m), n = static_cast<int>(s.n), k = static_cast<int>(s.k);
    typename gemm::Arguments all{cutlass::gemm::GemmUniversalMode::kGemm,
                                 {m, n, k, 1},
                                 factors(m, n, k, a, static_cast<const Element*>(b)),
                                 {{},
                                  nullptr,
                                  {},
                                  static_cast<Out*>(c),
                                  cutlass::make_cute_packed_stride(typename kernel::StrideD{}, {m, n, 1})}};
    all.epilogue.thread.alpha = Sum{1};
    all.epilogue.thread.beta = Sum{0};
    all.scheduler.max_swizzle_size = Group;
    all.hw_info.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    return all;
  }

  gemm gemm_;
  std::optional<device_buffer<unsigned char>> workspace_;
};

using cutlass_list = std::vector<std::unique_ptr<cutlass_candidate>>;

/// All kernels of some types that can compute a size.
class cutlass_product : public product {
 public:
  cutlass_product(const shape& s, cutlass_list all) : size_(s) {
    for (auto& one : all)
      if (one->can_run(s)) candidates_.push_back(std::move(one));
    if (candidates_.empty()) throw std::runtime_error("no kernel of CUTLASS that was built takes " + s.text());
  }

  std::size_t candidates() const override { return candidates_.size(); }
  std::string name(std::size_t candidate) const override { return candidates_[candidate]->name(); }
  void run(std::size_t candidate, const void* left, const void* b, void* c, cudaStream_t on) override {
    candidates_[candidate]->run(size_, left, b, c, on);
  }

 protected:
  const shape& size() const { return size_; }

 private:
  shape size_;
  cutlass_list candidates_;
};

/// A kernel of this tile in some orders.
template <class Element, class Out, class Sum, cutlass_tile Tile, int... Groups>
void add_kernel(cutlass_list& to, std::integer_sequence<int, Groups...>) {
  (to.push_back(std::make_unique<built_candidate<Element, Out, Sum, Tile, Groups>>()), ...);
}
/// Large tiles come in two orders, which matter where operands are larger than L2.
constexpr std::integer_sequence<int, 1> as_they_come{};
constexpr std::integer_sequence<int, 1, 8> in_two_orders{};

/// Those that overlap.
template <class Element, class Out, class Sum>
void add_whole_sums(cutlass_list& to) {
  constexpr auto pingpong = cutlass_schedule::pingpong;
  add_kernel<Element, Out, Sum, cutlass_tile{128, 256, 2, 1}>(to, in_two_orders);
  add_kernel<Element, Out, Sum, cutlass_tile{128, 256, 1, 2}>(to, in_two_orders);
  add_kernel<Element, Out, Sum, cutlass_tile{256, 128, 2, 1}>(to, in_two_orders);
  add_kernel<Element, Out, Sum, cutlass_tile{128, 192, 2, 1}>(to, as_they_come);
  add_kernel<Element, Out, Sum, cutlass_tile{128, 128, 2, 1}>(to, as_they_come);
  add_kernel<Element, Out, Sum, cutlass_tile{64, 256, 2, 1, pingpong}>(to, as_they_come);
  add_kernel<Element, Out, Sum, cutlass_tile{64, 128, 2, 1, pingpong}>(to, as_they_come);
  add_kernel<Element, Out, Sum, cutlass_tile{64, 64, 1, 1, pingpong}>(to, as_they_come);
  add_kernel<Element, Out, Sum, cutlass_tile{64, 16, 1, 1, pingpong, true}>(to, as_they_come);
  add_kernel<Element, Out, Sum, cutlass_tile{64, 64, 1, 1, pingpong, true}>(to, as_they_come);
}
/// Those whose sums may be split.
template <class Element, class Out, class Sum>
void add_stream_k(cutlass_list& to) {
  constexpr auto stream_k = cutlass_schedule::stream_k;
  add_kernel<Element, Out, Sum, cutlass_tile{128, 256, 2, 1, stream_k}>(to, as_they_come);
  add_kernel<Element, Out, Sum, cutlass_tile{128, 128, 1, 1, stream_k}>(to, as_they_come);
}

}  // namespace sectile::bench
