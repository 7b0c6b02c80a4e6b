// CUTLASS's kernels as products, a dozen for each type of elements.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/device_data.hpp"
#include "bench/peers/cutlass_kernel.hpp"
#include "bench/peers/product.hpp"

namespace sectile::bench {

/// An A that has been compressed, in CUTLASS's own form.
struct cutlass_sparse_form {
  device_buffer<unsigned char> values, metadata;
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
