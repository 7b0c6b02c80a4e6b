// The programs of tests/programs/roles.hpp on a GPU, against exact results. Exits with 77 where there is no GPU.
#include <cstdio>
#include <sectile/dsl/launch/launch.hpp>

#include "tests/gpu/device.hpp"
#include "tests/gpu/device_memory.hpp"
#include "tests/programs/roles.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;
using gpu_test::check;
using gpu_test::device_memory;

struct run_on_gpu {
  template <class K, class Out, class... Inputs>
  void operator()(typed_matrix<Out>& C, const Inputs&... inputs) const {
    device_memory memory;
    Out* out = memory.copy(C.data);
    for (int repeat = 0; repeat < 20; ++repeat) launch<K>(memory.view(inputs)..., C.view_of(out));
    check(cudaDeviceSynchronize(), "running the kernel");
    check(cudaMemcpy(C.data.data(), out, C.data.size() * sizeof(Out), cudaMemcpyDeviceToHost), "copying back");
  }
};

}  // namespace

int main() {
  if (const std::string why = gpu_test::why_no_gpu(); !why.empty()) {
    std::printf("left out: %s\n", why.c_str());
    return gpu_test::exit_skipped;
  }
  int failures = 0;
  try {
    for_each_role_program(run_on_gpu{}, [&](const char* name, const auto& C, auto expected) {
      int wrong = 0;
      for (int i = 0; i < C.rows; ++i)
        for (int j = 0; j < C.cols; ++j) wrong += C(i, j) != expected(i, j);
      std::printf("%s %s: %d of %d elements wrong\n", wrong ? "FAIL" : "ok  ", name, wrong,
                  static_cast<int>(C.rows * C.cols));
      failures += wrong != 0;
    });
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    ++failures;
  }
  return failures ? 1 : 0;
}
