// Kernels whose parts of tiles meet in a workspace, on a GPU and on the model: the same bits, of operands that are no
// whole numbers, so that another order of the sums would show. Each launch is repeated, also as a graph, in memory that
// was full of something else; and many times over, as each time another part comes last. Exits with 77 where there is
// no GPU.
#include <algorithm>
#include <sectile/dsl/launch/checked_device.hpp>
#include <string>
#include <vector>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/drawn.hpp"
#include "tests/programs/merge.hpp"
#include "tests/programs/split.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::test;

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
      [&](bool d, cudaStream_t s) { run_on<Kernel>(d, s, A, B, matrix(c.on(d), m, n, pitch), memory.view()); }, c);
}

template <configuration How>
void check_outputs(const char* name) {
  constexpr int m = 456, n = 520, k = 2056;
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
        with(d, [&](const auto&... operands) { run_on<kernel>(d, s, operands..., memory.view()); });
      },
      z, c, most);
}

/// Whoever comes last to the first sum waits for the others at the second.
template <configuration How>
void check_two_sums(const char* name, int m, int n, int k) {
  using kernel = two_sums<How>;
  shared_memory<bf16> a(m * k), w(n * k), v(n * k);
  fill_any(a, 1), fill_any(w, 2), fill_any(v, 3);
  output_pair<float> c("C", m * n);
  const auto A = matrix(a.in(), m, k), W = matrix(w.in(), n, k), V = matrix(v.in(), n, k);
  shared_workspace memory(workspace_bytes<kernel>(A, W, V, matrix(c.on(true), m, n)));
  compare(
      name, [&](bool d, cudaStream_t s) { run_on<kernel>(d, s, A, W, V, matrix(c.on(d), m, n), memory.view()); }, c);
}

/// On the debug machine, which is waited for: no graph.
void check_checked() {
  constexpr int m = 100, n = 136, k = 1032;
  using kernel = gemm_in_parts<bf16, bf16, float, split_in(12, 128, 64, 64, 2)>;
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<float> c("C", m * n);
  shared_workspace memory(
      workspace_bytes<kernel>(matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.on(true), m, n)));
  launch<checked<kernel>>(matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.on(true), m, n), memory.view());
  check(cudaDeviceSynchronize());
  run_on_model<kernel>(matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.on(false), m, n), memory.view());
  c.compare("twelve parts on the debug machine");
}

/// More tiles than SMs, so that parts of a tile do not run at the same time; and launches on two streams, each with a
/// workspace of its own.
template <class kernel>
void check_many_launches(const char* name) {
  constexpr int m = 512, n = 512, k = 2048, launches = 200;
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  const auto A = matrix(a.in(), m, k), B = matrix(b.in(), n, k);
  output_pair<float> c("C", m * n);
  shared_memory<float> other(m * n);
  const std::size_t bytes = workspace_bytes<kernel>(A, B, matrix(c.on(true), m, n));
  shared_workspace one(bytes), two(bytes);
  run_on_model_with<kernel>({.check_hazards = false}, A, B, matrix(c.on(false), m, n), one.view());
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
  std::printf("%s %s of 64 tiles: %d of %d launches differ\n", differ ? "FAIL" : "ok  ", name, differ, 2 * launches);
  for (const cudaStream_t s : stream) cudaStreamDestroy(s);
}

/// Requires that a launch with this workspace is refused with these words.
void expect_refusal(const char* words, workspace given) {
  constexpr int m = 64, n = 64, k = 2048;
  static shared_memory<bf16> a(m * k), b(n * k), c(m * n);
  std::string says = "nothing";
  try {
    launch<kernels::gemm_bf16_workspace>(matrix(a.in(), m, k), matrix(b.in(), n, k), matrix(c.get(), m, n), given);
    check(cudaDeviceSynchronize());
  } catch (const launch_error& e) {
    says = e.what();
  }
  const bool right = says.find(words) != std::string::npos;
  failures += !right;
  std::printf("%s refused: %s\n", right ? "ok  " : "FAIL", says.c_str());
}
void check_refusals() {
  constexpr std::size_t needed = 128 + 32 * 64 * 64 * 4;
  std::vector<std::uint8_t> host(needed + 16);
  void* device = nullptr;
  check(cudaMalloc(&device, needed));
  expect_refusal("and the launch was given none", {});
  expect_refusal("and it has 524415", {device, needed - 1});
  expect_refusal("bytes off", {static_cast<std::uint8_t*>(device) + 8, needed});
  expect_refusal("host memory", {host.data() + (16 - reinterpret_cast<std::uintptr_t>(host.data()) % 16) % 16, needed});
  cudaFree(device);
}

constexpr configuration overlapping = [] {
  configuration c = split_in(12, 64, 64, 64);
  c.overlap = launch_overlap::both;
  return c;
}();

/// Three kernels that may overlap take turns in one workspace, each in what another one has left of its tickets; as a
/// graph, whose replays have the tokens of the first time, and in memory that is filled with other things in between.
void check_one_workspace() {
  constexpr int m = 456, n = 520, k = 1032, rounds = 60, replays = 3;
  constexpr std::size_t elements = static_cast<std::size_t>(m) * n;
  using parts = gemm_in_parts<bf16, bf16, float, overlapping>;
  using pairs = two_sums<overlapping>;
  using drawing = drawn_product<drawn({.stages = 3, .consumers = 2, .overlap = launch_overlap::both})>;
  shared_memory<bf16> a(m * k), b(n * k), v(n * k);
  fill_any(a, 1), fill_any(b, 2), fill_any(v, 3);
  const auto A = matrix(a.in(), m, k), B = matrix(b.in(), n, k), V = matrix(v.in(), n, k);
  output_pair<float> c("C", m * n), again("C again", m * n), twice("C of two", m * n);
  output_pair<bf16> drawn_c("C, drawn", m * n);
  shared_workspace memory(std::max(workspace_bytes<parts>(A, B, matrix(c.on(true), m, n)),
                                   workspace_bytes<pairs>(A, B, V, matrix(c.on(true), m, n))));
  const auto run = [&](bool d, cudaStream_t s) {
    run_on<parts>(d, s, A, B, matrix(c.on(d), m, n), memory.view());
    run_on<drawing>(d, s, A, B, matrix(drawn_c.on(d), m, n), memory.view());
    run_on<pairs>(d, s, A, B, V, matrix(twice.on(d), m, n), memory.view());
    run_on<parts>(d, s, A, B, matrix(again.on(d), m, n), memory.view());
  };
  run(false, nullptr);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  run(true, stream);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&ready, graph, 0));
  std::size_t nodes = 0;
  check(cudaGraphGetNodes(graph, nullptr, &nodes));
  failures += nodes != 4;
  std::printf("%s four launches are %zu nodes of a graph\n", nodes == 4 ? "ok  " : "FAIL", nodes);
  std::vector<std::uint32_t> other(1024);
  int differ = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    for (std::size_t w = 0; w < other.size(); ++w) other[w] = random_bits(i, static_cast<unsigned>(w));
    if (i % 3 == 1) check(cudaMemsetAsync(memory.view().data, 0xFF, 4096, stream));
    if (i % 3 == 2) check(cudaMemcpyAsync(memory.view().data, other.data(), 4096, cudaMemcpyDefault, stream));
    for (auto* const x : {c.on(true), again.on(true), twice.on(true)})
      check(cudaMemsetAsync(x, 0xFF, elements * sizeof(float), stream));
    check(cudaMemsetAsync(drawn_c.on(true), 0xFF, elements * sizeof(bf16), stream));
    for (int n = 0; n < replays; ++n) {
      if (i % 2 == 0)
        check(cudaGraphLaunch(ready, stream));
      else
        run(true, stream);
    }
    check(cudaStreamSynchronize(stream));
    for (auto* const x : {&c, &again, &twice})
      differ += std::memcmp(x->on(true), x->on(false), elements * sizeof(float)) != 0;
    differ += std::memcmp(drawn_c.on(true), drawn_c.on(false), elements * sizeof(bf16)) != 0;
  }
  failures += differ > 0;
  std::printf("%s three kernels in one workspace: %d of %d results differ\n", differ ? "FAIL" : "ok  ", differ,
              4 * rounds);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  check_product<kernels::gemm_bf16_workspace, bf16, bf16, bf16>("the shipped kernel", 37, 200, 16384);
  check_product<gemm_in_parts<bf16, bf16, float, split_in(9, 64, 64, 64)>, bf16, bf16, float>("nine parts", 456, 523,
                                                                                              1032);
  check_product<gemm_in_parts<bf16, bf16, float, split_in(64, 64, 64, 64)>, bf16, bf16, float>(
      "64 parts of fewer trips", 70, 136, 1032);
  check_product<gemm_in_parts<bf16, bf16, float, split_in(16, 128, 256, 64, 2)>, bf16, bf16, float>(
      "sixteen parts of large tiles", 456, 523, 2056);
  check_product<gemm_in_parts<bf16, bf16, float, split_in(16, 16, 64, 64, 1, {}, true)>, bf16, bf16, float>(
      "sixteen parts, swapped", 37, 523, 2056);
  check_product<gemm_in_parts<bf16, bf16, float, split_in(6, 128, 128, 64, 2, {2, 1})>, bf16, bf16, float>(
      "six parts of clusters", 456, 523, 1032);
  check_product<gemm_in_parts<bf16, bf16, float, kept_apart(split_in(3, 128, 128, 64, 2, {2, 1}))>, bf16, bf16, float>(
      "three parts of clusters that are kept apart", 456, 523, 2056);
  check_product<gemm_in_parts<bf16, bf16, float, overlapping>, bf16, bf16, float>("twelve parts that may overlap", 456,
                                                                                  523, 1032);
  check_product<gemm_in_parts<e4m3, e5m2, bf16, split_in(9, 128, 64, 128, 2)>, e4m3, e5m2, bf16>("nine parts of fp8",
                                                                                                 456, 528, 2064);
  check_product<gemm_in_parts<s8, s8, s32, split_in(9, 64, 64, 128)>, s8, s8, s32>("nine parts of s8", 456, 528, 2064);
  check_outputs<split_in(10, 64, 64, 64)>("what stands behind the loop");
  check_outputs<split_in(10, 128, 64, 64, 2)>("the same by two consumers");
  check_two_sums<split_in(12, 64, 64, 64)>("two sums of each tile", 200, 264, 1032);
  check_two_sums<split_in(32, 128, 64, 64, 2)>("two sums of more parts than SMs", 1032, 520, 2056);
  check_checked();
  check_many_launches<gemm_in_parts<bf16, bf16, float, split_in(24, 64, 64, 64)>>("24 parts");
  check_many_launches<decayed_sum<by_at_once(5, split_in(24, 64, 64, 64))>>("24 parts, five at once,");
  check_product<decayed_sum<by_at_once(3, split_in(7, 128, 64, 64, 2))>, bf16, bf16, float>(
      "seven parts that are merged, three at once, of two consumers", 200, 136, 1032);
  check_product<decayed_sum<by_at_once(2, split_in(5, 16, 128, 64, 1, {1, 2}, true))>, bf16, bf16, float>(
      "five parts that are merged, two at once, in clusters, turned around", 24, 520, 1032);
  check_one_workspace();
  check_refusals();
  return failures > 0;
}
