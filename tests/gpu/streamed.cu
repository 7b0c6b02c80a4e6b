// Kernels that cut the tiles of a last wave that is short, on a GPU and on the model with as many clusters: the same bits, of
// operands that are no whole numbers, so that another order of the sums would show. Each launch is repeated, also as a
// graph, in memory that was full of something else; and many times over, on two streams at the same time. Exits with 77
// where there is no GPU.
#include <sectile/dsl/launch/checked_device.hpp>
#include <string>
#include <vector>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/split.hpp"
#include "tests/programs/streamed.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::test;

/// Clusters of K that find room at once, which a launch has found out.
template <class K>
int at_once() {
  const launch_place at = hopper::place_of(hopper::check_device(), nullptr);
  return hopper::resident_clusters<K>.find(at.device, at.context);
}

/// On the device, or on the model as the device has done it.
template <class K, class... Arguments>
void run_alike(bool device, cudaStream_t stream, const Arguments&... arguments) {
  if (device) return launch<K>(arguments..., stream);
  launch<K>(arguments..., stream);
  check(cudaDeviceSynchronize());
  run_on_model_with<K>({.check_hazards = false, .clusters = at_once<K>()}, arguments...);
}

template <class Kernel, class Left, class Right, class Out>
void check_product(const char* name, int m, int n, int k) {
  const int pitch = (n + 15) / 16 * 16;
  shared_memory<Left> a(m * k);
  shared_memory<Right> b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<Out> c("C", m * pitch);
  const auto A = matrix(a.in(), m, k);
  const auto B = matrix(b.in(), n, k);
  shared_workspace memory(workspace_bytes<Kernel>(A, B, matrix(c.on(true), m, n, pitch)));
  compare(
      name,
      [&](bool d, cudaStream_t s) { run_alike<Kernel>(d, s, A, B, matrix(c.on(d), m, n, pitch), memory.view()); }, c);
}

template <configuration How>
void check_outputs(const char* name) {
  constexpr int m = 456, n = 400, k = 4104;
  shared_memory<bf16> a(m * k), b(n * k), r(m * n);
  shared_memory<float> bias(n, 1);
  fill_any(a, 1), fill_any(b, 2), fill_any(r, 3), fill_any(bias, 4);
  output_pair<bf16> z("Z", m * n);
  output_pair<float> c("C", m * n), most("most", n);
  using kernel = outputs_of_parts<How>;
  const auto with = [&](bool d, const auto& use) {
    use(matrix(a.in(), m, k), matrix(b.in(), n, k), tensor(bias.in(), n), matrix(r.in(), m, n),
        matrix(z.on(d), m, n), matrix(c.on(d), m, n), tensor(most.on(d), n));
  };
  std::size_t bytes = 0;
  with(true, [&](const auto&... operands) { bytes = workspace_bytes<kernel>(operands...); });
  shared_workspace memory(bytes);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        with(d, [&](const auto&... operands) { run_alike<kernel>(d, s, operands..., memory.view()); });
      },
      z, c, most);
}

/// Whoever comes last to the first sum of a tile waits for the others at the second.
template <configuration How>
void check_two_sums(const char* name, int m, int n, int k) {
  using kernel = two_sums<How>;
  shared_memory<bf16> a(m * k), w(n * k), v(n * k);
  fill_any(a, 1), fill_any(w, 2), fill_any(v, 3);
  output_pair<float> c("C", m * n);
  const auto A = matrix(a.in(), m, k), W = matrix(w.in(), n, k), V = matrix(v.in(), n, k);
  shared_workspace memory(workspace_bytes<kernel>(A, W, V, matrix(c.on(true), m, n)));
  compare(
      name, [&](bool d, cudaStream_t s) { run_alike<kernel>(d, s, A, W, V, matrix(c.on(d), m, n), memory.view()); },
      c);
}

/// On the debug machine, which is waited for: no graph.
void check_checked() {
  constexpr int m = 500, n = 600, k = 4104;
  using kernel = checked<streamed_gemm<bf16, bf16, bf16, streamed_in(128, 64, 64, 2)>>;
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<bf16> c("C", m * n);
  const auto A = matrix(a.in(), m, k), B = matrix(b.in(), n, k);
  shared_workspace memory(workspace_bytes<kernel>(A, B, matrix(c.on(true), m, n)));
  run_alike<kernel>(false, nullptr, A, B, matrix(c.on(false), m, n), memory.view());
  launch<kernel>(A, B, matrix(c.on(true), m, n), memory.view());
  check(cudaDeviceSynchronize());
  c.compare("streamed on the debug machine");
}

/// Launches on two streams that take room from each other, so that clusters of one launch do not all run at the same
/// time; each has a workspace of its own.
void check_many_launches() {
  constexpr int m = 1000, n = 1000, k = 4096, launches = 200;
  using kernel = streamed_gemm<bf16, bf16, float, streamed_in(128, 128, 64, 2)>;
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  const auto A = matrix(a.in(), m, k), B = matrix(b.in(), n, k);
  output_pair<float> c("C", m * n);
  shared_memory<float> other(m * n);
  const std::size_t bytes = workspace_bytes<kernel>(A, B, matrix(c.on(true), m, n));
  shared_workspace one(bytes), two(bytes);
  run_alike<kernel>(false, nullptr, A, B, matrix(c.on(false), m, n), one.view());
  check(cudaMemset(one.view().data, 0xFF, bytes));
  check(cudaDeviceSynchronize());
  cudaStream_t stream[2]{};
  for (cudaStream_t& s : stream) check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  int differ = 0;
  for (int i = 0; i < launches; ++i) {
    launch<kernel>(A, B, matrix(c.on(true), m, n), one.view(), stream[0]);
    launch<kernel>(A, B, matrix(other.get(), m, n), two.view(), stream[1]);
    for (const cudaStream_t s : stream) check(cudaStreamSynchronize(s));
    const std::size_t size = static_cast<std::size_t>(m) * n * sizeof(float);
    differ += std::memcmp(c.on(true), c.on(false), size) != 0;
    differ += std::memcmp(other.get(), c.on(false), size) != 0;
  }
  failures += differ > 0;
  std::printf("%s streamed on two streams: %d of %d launches differ\n", differ ? "FAIL" : "ok  ", differ, 2 * launches);
  for (const cudaStream_t s : stream) cudaStreamDestroy(s);
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  check_product<streamed_gemm<bf16, bf16, float, streamed_in(64, 64, 64)>, bf16, bf16, float>("few tiles", 456, 400,
                                                                                              4104);
  check_product<streamed_gemm<bf16, bf16, bf16, streamed_in(128, 64, 64, 2)>, bf16, bf16, bf16>(
      "whole waves and parts, put off", 1250, 1900, 4168);
  check_product<streamed_gemm<bf16, bf16, bf16, streamed_in(128, 128, 64, 2)>, bf16, bf16, bf16>("one tile", 100, 120,
                                                                                                 16384);
  check_product<streamed_gemm<bf16, bf16, bf16, streamed_in(128, 128, 64, 2, {2, 1})>, bf16, bf16, bf16>("clusters",
                                                                                                    1000, 600, 4104);
  check_product<streamed_gemm<bf16, bf16, bf16, streamed_in(16, 64, 64, 1, {}, true)>, bf16, bf16, bf16>(
      "swapped factors", 37, 4100, 4104);
  check_product<streamed_gemm<e4m3, e5m2, bf16, streamed_in(128, 64, 128, 2)>, e4m3, e5m2, bf16>("fp8", 456, 528, 8208);
  check_product<streamed_gemm<s8, s8, s32, streamed_in(64, 64, 128)>, s8, s8, s32>("s8", 456, 400, 8208);
  check_outputs<streamed_in(64, 64, 64)>("what stands behind the loop");
  check_outputs<streamed_in(128, 64, 64, 2)>("the same by two consumers");
  check_two_sums<streamed_in(64, 64, 64)>("two sums of each tile", 700, 1000, 4104);
  check_two_sums<streamed_in(128, 64, 64, 2)>("two sums of two consumers", 1032, 1000, 4104);
  check_checked();
  check_many_launches();
  return failures > 0;
}
