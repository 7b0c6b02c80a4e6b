// A program for GPUs before Hopper: compiled for compute_80, launch<K>() runs the kernel through nvcuda::wmma. The
// driver translates such code for newer GPUs, so this runs on a Hopper as well. Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/kernels/gemm.hpp>

#include <cstdio>
#include <string>

#include "tests/gpu/device.hpp"
#include "tests/gpu/gemm_case.hpp"

namespace {

using namespace sectile;
using kernel = kernels::gemm_bf16;

static_assert(architectures::newest() < 90, "this test is about programs without code for Hopper");

/// Bytes of the output that are not the model's, over a few products.
int count_differences() {
  int differ = 0;
  for (int i = 0; i < 8; ++i) {
    const gpu_test::gemm_case c = gpu_test::make_gemm_case(37 * i);
    auto gpu = gpu_test::make_output<bf16>(c), model = gpu;
    run_portable_on_model<kernel>(c.a.const_view(c.a.bytes.data()), c.b.const_view(c.b.bytes.data()),
                                  model.view(model.bytes.data()));
    const gpu_test::device_copy<bf16> a(c.a), b(c.b);
    gpu_test::device_copy<bf16> out(gpu);
    launch<kernel>(c.a.const_view(a.base), c.b.const_view(b.base), gpu.view(out.base));
    out.download(gpu);
    int here = 0;
    for (std::size_t byte = 0; byte < gpu.bytes.size(); ++byte) here += gpu.bytes[byte] != model.bytes[byte];
    std::printf("%s: %d bytes differ\n", gpu_test::describe(c).c_str(), here);
    differ += here;
  }
  return differ;
}

}  // namespace

int main() {
  try {
    if (const std::string why = gpu_test::why_no_gpu(); !why.empty()) {
      std::printf("left out: %s\n", why.c_str());
      return gpu_test::exit_skipped;
    }
    return count_differences() ? 1 : 0;
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    return 1;
  }
}
