// Kernels whose clusters draw their tiles, on a GPU and on the model: the same bits, whoever made which tile. Each
// launch is repeated, also as a graph, into memory that has nothing of the result; many times over, and on two streams,
// each with a counter of its own. Exits with 77 where there is no GPU.
#include <sectile/dsl/launch/checked_device.hpp>
#include <string>
#include <vector>

#include "tests/gpu/output_pairs.hpp"
#include "tests/programs/drawn.hpp"
#include "tests/programs/groups.hpp"

namespace {

using namespace sectile;
using namespace sectile::gpu_test;
using namespace sectile::test;

constexpr int workspace_needed = 128;

template <configuration How>
void check_product(const char* name, int m, int n, int k) {
  using kernel = drawn_product<drawn(How)>;
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<bf16> c("C", m * n);
  const auto A = matrix(a.in(), m, k), B = matrix(b.in(), n, k);
  shared_workspace memory(workspace_needed);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        if (d) check(cudaMemsetAsync(c.on(d), 0xFF, sizeof(bf16) * static_cast<std::size_t>(m * n), s));
        run_on<kernel>(d, s, A, B, matrix(c.on(d), m, n), memory.view());
      },
      c);
}

/// Tiles of other weights, which are drawn the heaviest first: the bits are those of a grid that has a cluster for
/// each. (The model's exponentials are others in the last bit.)
template <class Kernel, int D>
void check_attention(const char* name, int b, int h, int s) {
  constexpr kernels::attention_mask mask = kernels::attention_mask::causal;
  const int elements = b * h * s * D;
  shared_memory<bf16> q(elements), k(elements), v(elements);
  fill_any(q, 1), fill_any(k, 2), fill_any(v, 3);
  output_pair<bf16> o("O", elements);
  const auto of = [&](auto* data) { return tensor(data, b, h, s, D); };
  shared_workspace memory(workspace_needed);
  compare(
      name,
      [&](bool drawn, cudaStream_t stream) {
        if (drawn)
          launch<Kernel>(of(q.in()), of(k.in()), of(v.in()), of(o.on(true)), 0.125f, memory.view(), stream);
        else
          launch<kernels::attention<D, mask>>(of(q.in()), of(k.in()), of(v.in()), of(o.on(false)), 0.125f);
        if (!drawn) check(cudaDeviceSynchronize());
      },
      o);
}

/// Tiles of groups, of which clusters have to find out how many there are.
template <configuration How>
void check_groups(const char* name, const std::vector<int>& sizes, int n, int k) {
  using kernel = groups::rows<bf16, How>;
  const auto count = static_cast<int>(sizes.size());
  shared_memory<s32> ends(count);
  int rows = 0;
  for (int e = 0; e < count; ++e) ends.get()[e] = rows += sizes[static_cast<std::size_t>(e)];
  shared_memory<bf16> x(rows * k), w(count * n * k);
  fill_any(x, 1), fill_any(w, 2);
  output_pair<bf16> y("Y", rows * n);
  const auto X = matrix(x.in(), rows, k);
  const auto W = tensor(w.in(), count, n, k);
  const auto E = tensor(ends.in(), count);
  shared_workspace memory(workspace_needed);
  compare(
      name,
      [&](bool d, cudaStream_t s) {
        if (d) check(cudaMemsetAsync(y.on(d), 0xFF, sizeof(bf16) * static_cast<std::size_t>(rows * n), s));
        run_on<kernel>(d, s, X, W, E, matrix(y.on(d), rows, n), memory.view());
      },
      y);
}

/// On the debug machine, which is waited for.
void check_checked() {
  constexpr int m = 1400, n = 520, k = 136;
  using kernel = drawn_product<drawn({.stages = 3, .cluster = {2, 1}, .consumers = 2})>;
  shared_memory<bf16> a(m * k), b(n * k);
  fill_any(a, 1), fill_any(b, 2);
  output_pair<bf16> c("C", m * n);
  const auto A = matrix(a.in(), m, k), B = matrix(b.in(), n, k);
  shared_workspace memory(workspace_needed);
  launch<checked<kernel>>(A, B, matrix(c.on(true), m, n), memory.view());
  check(cudaDeviceSynchronize());
  run_on_model<kernel>(A, B, matrix(c.on(false), m, n), memory.view());
  c.compare("on the debug machine");
}

/// Launches behind each other on two streams at the same time, which take SMs from each other: so clusters come late,
/// and others draw what would have been theirs.
void check_many_launches() {
  constexpr int m = 4096, n = 1024, k = 128, launches = 200;
  using kernel = drawn_product<drawn({.stages = 3, .cluster = {2, 1}, .consumers = 2})>;
  using walked = walking<kernel>;
  shared_memory<bf16> a(m * k), b(n * k), expected(m * n);
  fill_any(a, 1), fill_any(b, 2);
  const auto A = matrix(a.in(), m, k), B = matrix(b.in(), n, k);
  launch<walked>(A, B, matrix(expected.get(), m, n));
  shared_memory<bf16> one(m * n), two(m * n);
  shared_workspace counters[2]{shared_workspace(workspace_needed), shared_workspace(workspace_needed)};
  cudaStream_t stream[2]{};
  for (cudaStream_t& s : stream) check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  check(cudaDeviceSynchronize());
  constexpr std::size_t size = static_cast<std::size_t>(m) * n * sizeof(bf16);
  int differ = 0;
  for (int i = 0; i < launches; ++i) {
    check(cudaMemsetAsync(one.get(), 0xFF, size, stream[0]));
    check(cudaMemsetAsync(two.get(), 0xFF, size, stream[1]));
    for (int again = 0; again < 3; ++again) {
      launch<kernel>(A, B, matrix(one.get(), m, n), counters[0].view(), stream[0]);
      launch<kernel>(A, B, matrix(two.get(), m, n), counters[1].view(), stream[1]);
    }
    for (const cudaStream_t s : stream) check(cudaStreamSynchronize(s));
    differ += std::memcmp(one.get(), expected.get(), size) != 0;
    differ += std::memcmp(two.get(), expected.get(), size) != 0;
  }
  failures += differ > 0;
  std::printf("%s drawn on two streams: %d of %d results differ\n", differ ? "FAIL" : "ok  ", differ, 2 * launches);
  for (const cudaStream_t s : stream) cudaStreamDestroy(s);
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  check_product<configuration{.stages = 3, .consumers = 2}>("one CTA a cluster", 2300, 1000, 264);
  check_product<configuration{.stages = 3, .cluster = {2, 2}, .consumers = 2}>("clusters of four", 2300, 1000, 264);
  check_product<configuration{.stages = 4, .cluster = {1, 2}, .consumers = 2, .own_tiles = true}>("own tiles", 2300, 1000, 264);
  check_product<configuration{.stages = 4, .consumers = 2, .stagger = 2}>("a stagger", 2300, 1000, 520);
  check_product<configuration{.stages = 3, .consumers = 2, .overlap = launch_overlap::both}>("launches that may overlap", 2300,
                                                                                 1000, 72);
  check_product<configuration{.stages = 3, .cluster = {4, 1}, .consumers = 1, .swap = true}>("swapped", 300, 4200, 136);
  check_attention<drawn_in_twos<64, kernels::attention_mask::causal>, 64>("attention, D = 64", 2, 5, 1500);
  check_attention<kernels::drawn_attention<128>, 128>("attention, D = 128", 3, 16, 1024);
  check_attention<kernels::drawn_attention<64, true>, 64>("attention of brief sequences", 7, 12, 700);
  check_groups<groups::drawn>("groups", {700, 0, 1, 2000, 0, 64, 33}, 520, 200);
  check_groups<groups::drawn>("groups of fewer tiles than clusters", {0, 70, 0, 64}, 72, 136);
  check_groups<groups::drawn>("one group", {2300}, 1000, 72);
  check_groups<groups::drawn_in_pairs>("groups in clusters of two", {700, 0, 1, 2000, 0, 64, 33}, 520, 200);
  check_groups<groups::drawn_by_turns>("groups, own tiles", {700, 0, 1, 2000, 0, 64, 33}, 520, 200);
  check_checked();
  check_many_launches();
  return failures > 0;
}
