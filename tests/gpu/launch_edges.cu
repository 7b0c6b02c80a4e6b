// The edges of a launch's world, on a GPU, each in a process of its own.
//
//   gpu_launch_edges [NAME]
//
// A process's first launch that is captured into a graph, cudaDeviceReset between launches, launches after errors of
// others, from a thread that has set nothing, from a host function. With NAME only the scenarios whose name contains
// it. Exit code: 0 if all is right, 1 if not, 77 without a GPU.
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm.hpp>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "tests/gpu/in_child.hpp"
#include "tests/gpu/refusing.hpp"

namespace {

using namespace sectile::gpu_test;
using sectile::bf16;
using gemm = sectile::kernels::gemm_bf16;
// nvcc, too, makes the proofs of a sum in parts, which this file has for it alone.
static_assert(sectile::verified<sectile::kernels::gemm_bf16_split>);
using product = device_product<bf16>;

struct stream_owner {
  cudaStream_t stream{};
  explicit stream_owner(unsigned flags = cudaStreamNonBlocking) {
    check(cudaStreamCreateWithFlags(&stream, flags), "creating a stream");
  }
  ~stream_owner() { cudaStreamDestroy(stream); }
  stream_owner(const stream_owner&) = delete;
  stream_owner& operator=(const stream_owner&) = delete;
};

void expect_right(tally& count, const std::string& what, product& p) {
  p.download();
  const double error = relative_error(p.problem, p.out);
  count.expect(error <= 4e-3, what, "relative error " + std::to_string(error));
}

/// Nothing was launched before the capture: the kernel is loaded and its shared memory reserved while a stream
/// captures.
void first_launch_is_captured(tally& count, cudaStreamCaptureMode mode) {
  product p(100);
  const stream_owner on;
  cudaGraph_t graph{};
  cudaGraphExec_t executable{};
  p.poison();
  check(cudaStreamBeginCapture(on.stream, mode), "beginning a capture");
  p.queue(on.stream);
  p.queue(on.stream);
  check(cudaStreamEndCapture(on.stream, &graph), "ending a capture");
  const std::vector<unsigned char> untouched = p.out.bytes;
  count.expect(p.download() == untouched, "a captured launch", "it ran while it was captured");
  check(cudaGraphInstantiate(&executable, graph, 0), "instantiating a graph");
  for (int replay = 0; replay < 3; ++replay) {
    p.poison();
    check(cudaGraphLaunch(executable, on.stream), "launching a graph");
    expect_right(count, "replay " + std::to_string(replay), p);
  }
  check(cudaGraphExecDestroy(executable), "destroying a graph");
  check(cudaGraphDestroy(graph), "destroying a graph");
}

/// What cannot be done while a stream captures is refused, and the capture goes on.
void refusals_do_not_end_a_capture(tally& count) {
  product p(100);
  const stream_owner on(cudaStreamDefault);
  cudaGraph_t graph{};
  check(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeThreadLocal), "beginning a capture");
  const std::string on_default = refusal_of([&] { p.queue(nullptr); });
  count.expect(contains(on_default, "the default stream would wait for a stream that captures a graph"),
               "a launch on the default stream", "got '" + on_default + "'");
  const std::string waiting = refusal_of([&] { sectile::finish(on.stream); });
  count.expect(contains(waiting, "captures a graph, whose kernels have not begun"), "finish", "got '" + waiting + "'");
  sectile::wait_for_each_launch(true);  // which a capture must not notice
  const std::string said = refusal_of([&] { p.queue(on.stream); });
  sectile::wait_for_each_launch(false);
  count.expect(said.empty(), "a launch into the capture", said);
  const cudaError_t ended = cudaStreamEndCapture(on.stream, &graph);
  count.expect(ended == cudaSuccess, "the capture", cudaGetErrorString(ended));
  cudaGraphDestroy(graph);
}

/// Memory that the graph allocates itself is no memory yet when the launch is captured.
void graphs_that_allocate(tally& count) {
  product p(100);
  const stream_owner on;
  cudaGraph_t graph{};
  cudaGraphExec_t executable{};
  const std::size_t bytes = p.problem.a.bytes.size();
  void* memory = nullptr;
  p.poison();
  check(cudaStreamBeginCapture(on.stream, cudaStreamCaptureModeGlobal), "beginning a capture");
  check(cudaMallocAsync(&memory, bytes, on.stream), "allocating in a graph");
  check(cudaMemcpyAsync(memory, p.a.base, bytes, cudaMemcpyDeviceToDevice, on.stream), "copying in a graph");
  const std::string said = refusal_of([&] {
    sectile::launch<gemm>(p.problem.a.const_view(static_cast<unsigned char*>(memory)), p.b_view(), p.c_view(),
                          on.stream);
  });
  count.expect(said.empty(), "a launch with memory of the graph", said);
  check(cudaFreeAsync(memory, on.stream), "freeing in a graph");
  check(cudaStreamEndCapture(on.stream, &graph), "ending a capture");
  check(cudaGraphInstantiate(&executable, graph, 0), "instantiating a graph");
  check(cudaGraphLaunch(executable, on.stream), "launching a graph");
  check(cudaStreamSynchronize(on.stream), "running a graph");
  expect_right(count, "memory of the graph", p);
  check(cudaGraphExecDestroy(executable), "destroying a graph");
  check(cudaGraphDestroy(graph), "destroying a graph");
}

void reset_between_launches(tally& count) {
  for (int round = 0; round < 5; ++round) {
    const bf16* old = nullptr;
    {
      product p(100 + round % 2);
      p.run();
      expect_right(count, "round " + std::to_string(round), p);
      old = p.a_view().data;
    }
    if (round % 2)
      check(cudaDeviceReset(), "resetting the device");
    else
      std::jthread([] { check(cudaDeviceReset(), "resetting the device"); }).join();
    const product p(100);
    const std::string said = refusal_of([&] {
      const auto a = with_data(p.a_view(), old);
      if (old != p.a_view().data) sectile::launch<gemm>(a, p.b_view(), p.c_view());
    });
    count.expect(said.empty() || contains(said, "operand A"), "memory from before a reset", said);
  }
}

__global__ void do_nothing() {}

/// Errors that others have left behind are neither ours nor taken away.
void after_errors_of_others(tally& count) {
  product p(100);
  void* memory = nullptr;
  count.expect(cudaMalloc(&memory, std::size_t{1} << 50) == cudaErrorMemoryAllocation, "a petabyte",
               "it was allocated");
  p.poison();
  std::string said = refusal_of([&] { p.queue(); });
  count.expect(said.empty(), "a launch after an allocation that failed", said);
  expect_right(count, "a launch after an allocation that failed", p);
  do_nothing<<<1, 100'000>>>();
  const cudaError_t left = cudaPeekAtLastError();
  count.expect(left != cudaSuccess, "a launch that fails", "it left no error");
  p.poison();
  said = refusal_of([&] { p.queue(); });
  count.expect(said.empty(), "a launch after one that failed", said);
  const cudaError_t kept = cudaGetLastError();
  count.expect(kept == left, "the error of others",
               std::string(cudaGetErrorName(left)) + " became " + cudaGetErrorName(kept));
  expect_right(count, "a launch after one that failed", p);
}

void from_a_bare_thread(tally& count) {
  product p(100);
  p.poison();
  std::string said;
  std::jthread([&] { said = refusal_of([&] { p.queue(); }); }).join();
  count.expect(said.empty(), "a launch from a thread that has set no device", said);
  expect_right(count, "a launch from a thread that has set no device", p);
}

struct inside_host_function {
  const product& p;
  std::string said;
};
void launch_in_host_function(void* what) {
  auto& call = *static_cast<inside_host_function*>(what);
  call.said = refusal_of([&] { call.p.queue(); });
}
void from_a_host_function(tally& count) {
  product p(100);
  p.run();
  const stream_owner on;
  inside_host_function call{p, ""};
  check(cudaLaunchHostFunc(on.stream, launch_in_host_function, &call), "queueing a host function");
  check(cudaStreamSynchronize(on.stream), "running a host function");
  count.expect(contains(call.said, "in a host function or callback of a stream nothing can be launched"),
               "a launch in a host function", "got '" + call.said + "'");
  p.run();
  expect_right(count, "a launch after it", p);
}

void environment_variable(tally& count) {
  setenv("SECTILE_LAUNCH_BLOCKING", "1", 1);
  const product p(100);
  const stream_owner on;
  for (int i = 0; i < 20; ++i) {
    p.queue(on.stream);
    count.expect(cudaStreamQuery(on.stream) == cudaSuccess, "SECTILE_LAUNCH_BLOCKING=1", "the stream is still busy");
  }
}

/// The table of errors names them as CUDA does, as far as this version of CUDA knows them.
void names_of_errors(tally& count) {
  for (const sectile::cuda_trouble& t : sectile::cuda_troubles) {
    const std::string name = cudaGetErrorName(static_cast<cudaError_t>(t.code));
    count.expect(name == t.name || contains(name, "unrecognized"), std::string("error ") + t.name, "CUDA says " + name);
  }
}

}  // namespace

int main(int count, char** words) {
  const scenario all[] = {
      {"first launch captured, global", [](tally& c) { first_launch_is_captured(c, cudaStreamCaptureModeGlobal); }},
      {"first launch captured, thread-local",
       [](tally& c) { first_launch_is_captured(c, cudaStreamCaptureModeThreadLocal); }},
      {"first launch captured, relaxed", [](tally& c) { first_launch_is_captured(c, cudaStreamCaptureModeRelaxed); }},
      {"refusals do not end a capture", refusals_do_not_end_a_capture},
      {"graphs that allocate", graphs_that_allocate},
      {"reset between launches", reset_between_launches},
      {"after errors of others", after_errors_of_others},
      {"from a bare thread", from_a_bare_thread},
      {"from a host function", from_a_host_function},
      {"environment variable", environment_variable},
      {"names of errors", names_of_errors},
  };
  return run_in_children(all, count > 1 ? words[1] : "");
}
