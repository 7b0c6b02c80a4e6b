// libpeer_cutlass: the kernels of bf16 with a sparse A.
#define CUTLASS_ENABLE_GDC_FOR_SM90 1
#include <cutlass/transform/device/transform_universal_adapter.hpp>
#include <cutlass/transform/kernel/sparse_gemm_compressor.hpp>

#include <deque>

#include "bench/peers/cutlass.hpp"
#include "bench/peers/cutlass_lists.hpp"

namespace sectile::bench {

namespace {

using element = cutlass::bfloat16_t;
using extents = cute::Shape<int, int, int, int>;

template <cutlass_tile Tile>
using config_of =
    typename cutlass_kernel<element, element, float, Tile>::gemm::GemmKernel::CollectiveMainloop::SparseConfig;
constexpr cutlass_tile sparse_tile(int m, int n, int cluster_m, int cluster_n,
                                   cutlass_schedule schedule = cutlass_schedule::cooperative) {
  return {m, n, cluster_m, cluster_n, schedule, false, true};
}
/// Spelled out, because nvcc 13.0 fails on a function that uses what is deduced. Two of four elements, eight of which
/// share a byte of metadata.
using config = cutlass::Sm90GemmSparseConfig<cute::sparse_elem<2, element>, cute::SM90::GMMA::Major::K,
                                             cute::sparse_elem<8, std::uint8_t>, cute::Int<128>>;

/// All tiles read the same form of A.
template <cutlass_tile Tile>
void add(cutlass_list& to) {
  static_assert(std::is_same_v<config_of<Tile>, config>);
  add_kernel<element, element, float, Tile>(to, as_they_come);
}

cutlass_list sparse_kernels() {
  constexpr auto pingpong = cutlass_schedule::pingpong;
  cutlass_list all;
  add<sparse_tile(128, 256, 2, 1)>(all);
  add<sparse_tile(128, 256, 1, 2)>(all);
  add<sparse_tile(256, 128, 2, 1)>(all);
  add<sparse_tile(128, 192, 2, 1)>(all);
  add<sparse_tile(128, 128, 2, 1)>(all);
  add<sparse_tile(128, 128, 1, 1)>(all);
  add<sparse_tile(64, 256, 2, 1, pingpong)>(all);
  add<sparse_tile(64, 128, 2, 1, pingpong)>(all);
  add<sparse_tile(64, 128, 1, 1, pingpong)>(all);
  add<sparse_tile(64, 64, 1, 1, pingpong)>(all);
  add<sparse_tile(64, 32, 1, 1, pingpong)>(all);
  return all;
}

using order = cutlass::layout::RowMajor;
using compressor_sizes = cutlass::transform::kernel::StructuredSparseCompressorUtility<extents, element, order, config>;
using compressor = cutlass::transform::device::TransformUniversalAdapter<
    cutlass::transform::kernel::StructuredSparseCompressor<extents, element, order, config, cutlass::arch::Sm90>>;

device_buffer<unsigned char> bytes(int rows, int cols, std::size_t each) {
  return device_buffer<unsigned char>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols) * each);
}

/// Waits for it.
cutlass_sparse_form compressed(const void* a, const shape& s, cudaStream_t on) {
  const int m = static_cast<int>(s.m), k = static_cast<int>(s.k);
  const extents all{m, static_cast<int>(s.n), k, 1};
  const auto stride = cutlass::make_cute_packed_stride(cutlass::gemm::TagToStrideA_t<order>{}, {m, k, 1});
  compressor_sizes sizes(all, stride);
  cutlass_sparse_form form{bytes(m, sizes.get_tensorA_k_physical(), sizeof(element)),
                           bytes(sizes.get_metadata_m_physical(), sizes.get_metadata_k_physical(), 1)};
  cutlass::KernelHardwareInfo machine;
  machine.sm_count = cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
  const typename compressor::Arguments arguments{all, {a, stride, form.values.data, form.metadata.data}, {machine}};
  const device_buffer<unsigned char> workspace(std::max<std::size_t>(compressor::get_workspace_size(arguments), 1));
  compressor compress;
  check(compress.initialize(arguments, workspace.data, on), "preparing CUTLASS's compression of A");
  check(compress.run(on), "compressing A with CUTLASS");
  check(cudaStreamSynchronize(on), "compressing A with CUTLASS");
  return form;
}

class sparse_cutlass_product : public cutlass_product {
 public:
  explicit sparse_cutlass_product(const shape& s) : cutlass_product(s, sparse_kernels()) {}

  const void* left_of(const void* a, const void*, void*, cudaStream_t on) override {
    forms_.push_back(compressed(a, size(), on));
    return &forms_.back();
  }

 private:
  std::deque<cutlass_sparse_form> forms_{};  // which stay where they are
};

}  // namespace

std::unique_ptr<product> make_cutlass_sparse(const shape& size) {
  return std::make_unique<sparse_cutlass_product>(size);
}

}  // namespace sectile::bench
