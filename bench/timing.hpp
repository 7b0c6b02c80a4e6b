// Times of work on a GPU, taken so that contestants can be compared: measured by events, in turns, as medians.
//
// What is timed is the replay of a CUDA graph of many calls, so the cost of queueing a call from the host stays out;
// host_microseconds() is for that one. The contestants take turns within each round and the order rotates from round to
// round, because a GPU's clock follows its temperature and its power.
#pragma once
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace sectile::bench {

inline void check(cudaError_t e, const char* doing) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(doing) + ": " + cudaGetErrorString(e));
}

/// The middle value; of an even number of values the mean of the two in the middle. Of none: 0.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct stream {
  cudaStream_t handle{};

  stream() { check(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking), "creating a stream"); }
  ~stream() { cudaStreamDestroy(handle); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  void wait() const { check(cudaStreamSynchronize(handle), "waiting for the stream"); }
};

struct event {
  cudaEvent_t handle{};

  event() { check(cudaEventCreate(&handle), "creating an event"); }
  ~event() { cudaEventDestroy(handle); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
};

/// Milliseconds between two events around what `queue` puts on the stream. Waits for it.
template <class Queue>
double milliseconds(const stream& on, const event& begin, const event& end, const Queue& queue) {
  check(cudaEventRecord(begin.handle, on.handle), "recording an event");
  queue();
  check(cudaEventRecord(end.handle, on.handle), "recording an event");
  check(cudaEventSynchronize(end.handle), "running the work that is timed");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin.handle, end.handle), "reading the events");
  return static_cast<double>(ms);
}

/// Microseconds that call(i), which queues a little work on the idle stream, takes the host. The median of several
/// bursts of calls, i = 0 .. 99 in each: so few that none waits for room in the stream's queue. The first burst, which
/// loads modules, is left out.
template <class Call>
double host_microseconds(const stream& on, const Call& call) {
  constexpr int bursts = 20, calls = 100;
  std::vector<double> times;
  for (int burst = 0; burst <= bursts; ++burst) {
    on.wait();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call(i);
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    if (burst > 0) times.push_back(taken.count() / calls);
  }
  on.wait();
  return median(times);
}

/// Something to time: queue(i) puts its i-th call on the stream that it is given.
struct contestant {
  std::function<void(int, cudaStream_t)> queue;
};

/// Calls 0 .. repetitions - 1 of a contestant, recorded once and replayed at will.
struct replay {
  cudaGraphExec_t executable{};

  replay(const contestant& who, int repetitions, const stream& on) {
    cudaGraph_t graph{};
    check(cudaStreamBeginCapture(on.handle, cudaStreamCaptureModeThreadLocal), "beginning a capture");
    try {
      for (int i = 0; i < repetitions; ++i) who.queue(i, on.handle);
    } catch (...) {  // a stream that goes on capturing would fail whoever uses it next
      cudaStreamEndCapture(on.handle, &graph);
      if (graph) cudaGraphDestroy(graph);
      throw;
    }
    check(cudaStreamEndCapture(on.handle, &graph), "ending a capture");
    const cudaError_t e = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    check(e, "instantiating a graph");
  }
  ~replay() { cudaGraphExecDestroy(executable); }
  replay(const replay&) = delete;
  replay& operator=(const replay&) = delete;

  void run(const stream& on) const { check(cudaGraphLaunch(executable, on.handle), "launching a graph"); }
};

struct race_rules {
  int rounds = 9;
  double milliseconds_per_turn = 25;
  int max_repetitions = 1000;
  int min_repetitions = 3;
};

/// Milliseconds of one call: median, fastest and slowest round.
struct race_time {
  double median = 0, fastest = 0, slowest = 0;
  int repetitions = 0;
};

/// Times the contestants against each other. Each has run before it is timed, and all make the same number of calls. Every
/// round has an order of its own: how warm and how fast the chip is, a contestant has from the one before.
inline std::vector<race_time> race(const std::vector<contestant>& contestants, const stream& on,
                                   const race_rules& rules) {
  if (contestants.empty()) return {};
  event begin, end;
  for (const contestant& who : contestants) who.queue(0, on.handle);  // first calls load modules and set limits
  on.wait();
  constexpr int probes = 3;
  const double one = milliseconds(on, begin, end, [&] {
    for (int i = 0; i < probes; ++i) contestants[0].queue(i, on.handle);
  });
  const double wanted = rules.milliseconds_per_turn * probes / std::max(one, 1e-6);
  const int repetitions =
      static_cast<int>(std::clamp(wanted, 1.0 * rules.min_repetitions, 1.0 * rules.max_repetitions));

  std::vector<std::unique_ptr<replay>> replays;
  for (const contestant& who : contestants) replays.push_back(std::make_unique<replay>(who, repetitions, on));
  for (const auto& r : replays) r->run(on);
  on.wait();

  std::vector<std::vector<double>> times(contestants.size());
  std::vector<std::size_t> order(contestants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random;
  for (int round = 0; round < rules.rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t who : order)
      times[who].push_back(milliseconds(on, begin, end, [&] { replays[who]->run(on); }) / repetitions);
  }

  std::vector<race_time> result;
  for (const auto& t : times) {
    const auto [fastest, slowest] = std::minmax_element(t.begin(), t.end());
    result.push_back({median(t), *fastest, *slowest, repetitions});
  }
  return result;
}

/// The number of the contestant with the least median. Of none: 0.
inline std::size_t fastest_of(const std::vector<race_time>& times) {
  const auto by_median = [](const race_time& x, const race_time& y) { return x.median < y.median; };
  return static_cast<std::size_t>(std::min_element(times.begin(), times.end(), by_median) - times.begin());
}

}  // namespace sectile::bench
