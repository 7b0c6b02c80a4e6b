// Outputs of a kernel on a GPU beside those of the model: memory that both reach, and launches that are repeated, also
// as a graph.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/launch/portable.hpp>
#include <string>

#include "tests/gpu/device.hpp"
#include "tests/gpu/on_device.hpp"

namespace sectile::gpu_test {

inline int failures = 0;

inline void check(cudaError_t e) { hopper::check_cuda(e, "testing outputs"); }

/// Elements that host and device both reach, at a multiple of 128 bytes and `off` elements behind it. Those of an
/// output begin as NaN, those of an input are whole numbers.
template <class T>
struct shared_memory {
  T* data = nullptr;
  int off, count;

  explicit shared_memory(int elements, int offset = 0) : off(offset), count(elements) {
    check(cudaMallocManaged(&data, (static_cast<std::size_t>(elements) + 256) * sizeof(T)));
    check(cudaMemset(data, 0xFF, (static_cast<std::size_t>(elements) + 256) * sizeof(T)));
    check(cudaDeviceSynchronize());
  }
  shared_memory(const shared_memory&) = delete;
  ~shared_memory() { cudaFree(data); }
  shared_memory& fill(unsigned seed) {
    for (int i = 0; i < count; ++i)
      data[off + i] = T(static_cast<float>(static_cast<int>(random_bits(seed, static_cast<unsigned>(i)) % 5) - 2));
    return *this;
  }
  T* get() { return data + off; }
  const T* in() const { return data + off; }
};

/// Memory of so many bytes that host and device reach, full of what no ticket is.
struct shared_workspace {
  shared_memory<std::uint8_t> memory;
  explicit shared_workspace(std::size_t bytes) : memory(static_cast<int>(bytes)) {}
  workspace view() { return {memory.get(), static_cast<std::size_t>(memory.count)}; }
};

/// Launches K, with a workspace for as long as it runs if it needs one.
template <class K, class... Arguments>
void launch_by_itself(const Arguments&... arguments) {
  if constexpr (needs_workspace(plan_of<K>)) {
    shared_workspace memory(workspace_bytes<K>(arguments...));
    launch<K>(arguments..., memory.view());
    check(cudaDeviceSynchronize());
  } else {
    launch<K>(arguments...);
  }
}

/// Numbers that are not whole, so that another order of sums shows.
template <class T>
void fill_any(shared_memory<T>& x, unsigned seed) {
  for (int i = 0; i < x.count; ++i)
    x.data[x.off + i] =
        T(static_cast<float>(static_cast<int>(random_bits(seed, static_cast<unsigned>(i)) % 2001) - 1000) / 321);
}

/// One output, by the GPU and by the model.
template <class T>
struct output_pair {
  shared_memory<T> gpu, model;
  const char* name;
  double close;  // relative; 0: the same bits
  output_pair(const char* called, int elements, double bar = 0, int offset = 0)
      : gpu(elements, offset), model(elements, offset), name(called), close(bar) {}
  T* on(bool device) { return (device ? gpu : model).get(); }

  void compare(const char* kernel) {
    int wrong = 0, first = -1;
    for (int i = 0; i < gpu.count; ++i) {
      const double x = static_cast<float>(gpu.get()[i]), y = static_cast<float>(model.get()[i]);
      const bool same = close > 0 ? std::abs(x - y) <= close * (std::abs(y) + 1e-30)
                                  : std::memcmp(gpu.get() + i, model.get() + i, sizeof(T)) == 0;
      if (!same && wrong++ == 0) first = i;
    }
    failures += wrong > 0;
    std::printf("%s %s, %s: %d of %d elements differ", wrong ? "FAIL" : "ok  ", kernel, name, wrong, gpu.count);
    if (wrong)
      std::printf(", the first is number %d: %.9g on the GPU, %.9g on the model", first,
                  static_cast<double>(static_cast<float>(gpu.get()[first])),
                  static_cast<double>(static_cast<float>(model.get()[first])));
    std::printf("\n");
  }
};

/// run(device, stream) on the model, and on the GPU twice.
template <class Run, class... Outputs>
void compare_launches(const char* kernel, Run run, cudaStream_t stream, Outputs&... outputs) {
  run(false, nullptr);
  run(true, stream);
  run(true, stream);
  check(cudaStreamSynchronize(stream));
  (outputs.compare(kernel), ...);
}
/// The same, and as a graph that is launched twice.
template <class Run, class... Outputs>
void compare(const char* kernel, Run run, Outputs&... outputs) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  compare_launches(kernel, run, stream, outputs...);

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  run(true, stream);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < 2; ++i) check(cudaGraphLaunch(ready, stream));
  check(cudaStreamSynchronize(stream));
  (outputs.compare((std::string(kernel) + " in a graph").c_str()), ...);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

/// run() launches a checked kernel, of which the debug machine finds nothing to report.
template <class Run>
void check_watched_run(Run run) {
  try {
    run();
    std::puts("ok   watched");
  } catch (const std::exception& e) {
    ++failures;
    std::printf("FAIL watched: %s\n", e.what());
  }
}
/// Of a run with `what`, which is wrong, it says `words` first. The last test: it ends the kernel, and with it the
/// context.
template <class Run>
void check_wrong_run(Run run, const char* what, const char* words) {
  std::string said = std::string("nothing is said of ") + what;
  try {
    run();
  } catch (const std::exception& e) {
    said = e.what();
  }
  const bool right = said.find(words) == 0;
  failures += !right;
  std::printf("%s watched, wrong: %s\n", right ? "ok  " : "FAIL", said.c_str());
}

/// On the device through `launch`, on the host on the model.
template <class K, class... Arguments>
void run_on(bool device, cudaStream_t stream, const Arguments&... arguments) {
  if (device)
    launch<K>(arguments..., stream);
  else
    run_on_model_with<K>({.check_hazards = false}, arguments...);
}
template <class K, class... Arguments>
void run_without_tensor_cores(bool device, cudaStream_t stream, const Arguments&... arguments) {
  if (device)
    launch_portable<K, portable::simt>(arguments..., stream);
  else
    run_on_model_with<K>({.check_hazards = false}, arguments...);
}

/// What a program of such checks ends with.
template <class Checks>
int run_checks(Checks checks) {
  if (const std::string why = why_no_gpu(); !why.empty()) {
    std::printf("left out: %s\n", why.c_str());
    return exit_skipped;
  }
  try {
    checks();
  } catch (const std::exception& e) {
    ++failures;
    std::printf("FAIL %s\n", e.what());
  }
  std::printf("%s\n", failures ? "FAILED" : "all right");
  return failures ? 1 : 0;
}

}  // namespace sectile::gpu_test
