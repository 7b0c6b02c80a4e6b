// kernels/experts.hpp: a layer of experts for tokens in any order. gathered_experts picks their rows; beside it the
// kernel of sorted rows, by itself and behind a copy that sorts them, as an index_select does; likewise the gradients
// of one of the layer's matrices. Then what takes rows back to tokens: weighted_experts and summed_experts, or
// scattered_experts, which is both in one launch; and the whole layer, in three launches and in two.
//
//   bench_gathers [--rounds N]
//
// All are timed in turns on the same random data. Each token goes to experts drawn for it, and none twice to one. Ways
// to the same have to leave the same bits. The exit code is 1 if they do not.
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/experts.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/device_data.hpp"
#include "bench/report.hpp"

namespace sectile::bench {

namespace {

using sorted = kernels::gated_experts<bf16, kernels::activation::silu>;
using gathered = kernels::gathered_experts<bf16, kernels::activation::silu>;
using by_weight = kernels::gathered_weights<bf16, bf16>;
using by_weight_of_sorted = kernels::grouped_weights<bf16, bf16>;
using weighted = kernels::weighted_experts<bf16, bf16>;
using summed = kernels::summed_experts<bf16, bf16>;
using scattered = kernels::scattered_experts<bf16, bf16>;

struct layer {
  int experts, tokens, each, k, n;  // each: experts of a token
  int rows() const { return tokens * each; }
};
constexpr layer layers[] = {
    {256, 4096, 8, 7168, 2048}, {64, 4096, 6, 2048, 1408}, {16, 16384, 1, 2048, 2048},
    {8, 512, 2, 4096, 14336},   {8, 4096, 2, 4096, 14336},
};

/// Where the rows of experts end, the token of each row, and its place among those of all tokens; and, rank by rank,
/// the rows of each token.
struct routing {
  std::vector<s32> ends{}, token{}, place{}, slot{};

  explicit routing(const layer& l) : slot(static_cast<std::size_t>(l.rows())) {
    std::mt19937 random(1);
    std::vector<int> expert(static_cast<std::size_t>(l.experts)), ranks(static_cast<std::size_t>(l.tokens));
    std::iota(expert.begin(), expert.end(), 0);
    std::vector<std::vector<int>> of(expert.size());
    for (int t = 0; t < l.tokens; ++t)
      for (std::size_t j = 0; j < static_cast<std::size_t>(l.each); ++j) {
        std::swap(expert[j], expert[j + random() % (expert.size() - j)]);
        of[static_cast<std::size_t>(expert[j])].push_back(t);
      }
    for (const std::vector<int>& all : of) {
      for (const int t : all) {
        const int rank = ranks[static_cast<std::size_t>(t)]++;
        slot[static_cast<std::size_t>(rank) * l.tokens + t] = static_cast<s32>(token.size());
        token.push_back(t);
        place.push_back(t * l.each + rank);
      }
      ends.push_back(static_cast<s32>(token.size()));
    }
  }
};

device_buffer<s32> on_device(const std::vector<s32>& from) {
  device_buffer<s32> to(from.size());
  check(cudaMemcpy(to.data, from.data(), from.size() * sizeof(s32), cudaMemcpyHostToDevice), "copying an index");
  return to;
}

/// Row r of `to` is row index[r] of `from`; a row has so many pieces of 16 bytes.
__global__ void select_rows(uint4* to, const uint4* from, const s32* index, int pieces) {
  const uint4* row = from + static_cast<std::int64_t>(index[blockIdx.x]) * pieces;
  for (int i = threadIdx.x; i < pieces; i += blockDim.x)
    to[blockIdx.x * static_cast<std::int64_t>(pieces) + i] = row[i];
}

struct data {
  layer of;
  routing routes;
  device_buffer<s32> ends, token, place, slot;
  device_buffer<float> weight;
  device_buffer<bf16> x, sorted_x, gate, up, down, h, expected, parts, y, y_scattered, gradient, gradient_of_sorted;
  device_buffer<std::uint8_t> memory;  // the workspace of what is scattered, and of all others

  static auto index(const device_buffer<s32>& b, int count) { return tensor(static_cast<const s32*>(b.data), count); }
  workspace room() const { return {memory.data, memory.count}; }
  auto hidden() const { return matrix(static_cast<const bf16*>(h.data), of.rows(), of.n); }
  auto down_weights() const { return tensor(static_cast<const bf16*>(down.data), of.experts, of.k, of.n); }
  auto weights_of_rows() const { return tensor(static_cast<const float*>(weight.data), of.rows()); }

  explicit data(const layer& l)
      : of(l),
        routes(l),
        ends(on_device(routes.ends)),
        token(on_device(routes.token)),
        place(on_device(routes.place)),
        slot(on_device(routes.slot)),
        weight(static_cast<std::size_t>(l.rows())),
        x(elements(l.tokens, l.k)),
        sorted_x(elements(l.rows(), l.k)),
        gate(elements(l.experts * l.n, l.k)),
        up(gate.count),
        down(gate.count),
        h(elements(l.rows(), l.n)),
        expected(h.count),
        parts(sorted_x.count),
        y(x.count),
        y_scattered(x.count),
        gradient(gate.count),
        gradient_of_sorted(gate.count),
        memory(workspace_bytes<scattered>(hidden(), down_weights(), weights_of_rows(), index(place, l.rows()),
                                          index(ends, l.experts), matrix(y_scattered.data, l.tokens, l.k))) {
    std::uint64_t seed = 1;
    for (device_buffer<bf16>* b : {&x, &gate, &up, &down, &parts}) fill_random(*b, seed++);
    fill_random(weight, seed++);
    h.poison();
    expected.poison();
    select(nullptr);
    check(cudaDeviceSynchronize(), "making the data");
  }
  static std::size_t elements(int rows, int cols) { return static_cast<std::size_t>(rows) * cols; }

  auto rows_in(const device_buffer<bf16>& b, int rows) const {
    return matrix(static_cast<const bf16*>(b.data), rows, of.k);
  }
  auto weights(const device_buffer<bf16>& b) const {
    return tensor(static_cast<const bf16*>(b.data), of.experts, of.n, of.k);
  }

  void select(cudaStream_t on) const {
    select_rows<<<of.rows(), 128, 0, on>>>(reinterpret_cast<uint4*>(sorted_x.data),
                                           reinterpret_cast<const uint4*>(x.data), token.data, of.k / 8);
    check(cudaGetLastError(), "sorting rows");
  }
  void by_sorted(cudaStream_t on) const {
    launch<sorted>(rows_in(sorted_x, of.rows()), weights(gate), weights(up), index(ends, of.experts),
                   matrix(expected.data, of.rows(), of.n), room(), on);
  }
  void by_gathered(cudaStream_t on) const {
    launch<gathered>(rows_in(x, of.tokens), index(token, of.rows()), weights(gate), weights(up),
                     index(ends, of.experts), matrix(h.data, of.rows(), of.n), on);
  }
  auto gradient_in(const device_buffer<bf16>& b) const { return tensor(b.data, of.experts, of.n, of.k); }
  void gather_weights(cudaStream_t on) const {
    launch<by_weight>(hidden(), rows_in(x, of.tokens), index(token, of.rows()), index(ends, of.experts),
                      gradient_in(gradient), on);
  }
  void sort_for_weights(cudaStream_t on) const {
    select(on);
    launch<by_weight_of_sorted>(hidden(), rows_in(sorted_x, of.rows()), index(ends, of.experts),
                                gradient_in(gradient_of_sorted), on);
  }
  void weigh(cudaStream_t on) const {
    launch<weighted>(hidden(), down_weights(), weights_of_rows(), index(ends, of.experts),
                     matrix(parts.data, of.rows(), of.k), room(), on);
  }
  void scatter(cudaStream_t on) const {
    launch<scattered>(hidden(), down_weights(), weights_of_rows(), index(place, of.rows()), index(ends, of.experts),
                      matrix(y_scattered.data, of.tokens, of.k), room(), on);
  }
  void sum(cudaStream_t on) const {
    launch<summed>(rows_in(parts, of.rows()), tensor(static_cast<const s32*>(slot.data), of.each, of.tokens),
                   matrix(y.data, of.tokens, of.k), on);
  }
};

__global__ void count_others(const std::uint16_t* x, const std::uint16_t* y, std::size_t count, unsigned* others) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count; i += step)
    if (x[i] != y[i]) atomicAdd(others, 1);
}
unsigned differences(const device_buffer<bf16>& x, const device_buffer<bf16>& y) {
  device_buffer<unsigned> count(1);
  unsigned host = 0;
  check(cudaMemset(count.data, 0, sizeof host), "clearing a count");
  count_others<<<data_blocks, data_threads>>>(reinterpret_cast<const std::uint16_t*>(x.data),
                                              reinterpret_cast<const std::uint16_t*>(y.data), x.count, count.data);
  check(cudaMemcpy(&host, count.data, sizeof host, cudaMemcpyDeviceToHost), "comparing two results");
  return host;
}

bool measure(const layer& l, int rounds) {
  const stream on;
  const data d(l);
  const std::pair<const char*, contestant> all[] = {
      {"gathered", {[&](int, cudaStream_t to) { d.by_gathered(to); }}},
      {"sorted by a copy before", {[&](int, cudaStream_t to) {
         d.select(to);
         d.by_sorted(to);
       }}},
      {"sorted already", {[&](int, cudaStream_t to) { d.by_sorted(to); }}},
      {"gradients of one's weights", {[&](int, cudaStream_t to) { d.gather_weights(to); }}},
      {"the same, sorted before", {[&](int, cudaStream_t to) { d.sort_for_weights(to); }}},
      {"rows of K, weighted", {[&](int, cudaStream_t to) { d.weigh(to); }}},
      {"sums of a token's rows of K", {[&](int, cudaStream_t to) { d.sum(to); }}},
      {"both in one launch", {[&](int, cudaStream_t to) { d.scatter(to); }}},
      {"the layer in three launches", {[&](int, cudaStream_t to) {
         d.by_gathered(to);
         d.weigh(to);
         d.sum(to);
       }}},
      {"the layer in two", {[&](int, cudaStream_t to) {
         d.by_gathered(to);
         d.scatter(to);
       }}},
  };
  std::vector<contestant> contestants;
  for (const auto& [title, who] : all) contestants.push_back(who);
  const std::vector<race_time> times = race(contestants, on, {.rounds = rounds});
  std::printf("%d experts, %d tokens to %d each, K = %d, N = %d\n", l.experts, l.tokens, l.each, l.k, l.n);
  for (std::size_t i = 0; i < times.size(); ++i)
    std::printf("  %-30s %9.1f us, spread %.0f %%\n", all[i].first, times[i].median * 1e3, spread_percent(times[i]));
  const unsigned others = differences(d.h, d.expected);
  if (others > 0) std::printf("WRONG: %u elements differ between gathered and sorted\n", others);
  d.weigh(on.handle), d.sum(on.handle), d.scatter(on.handle);
  on.wait();
  const unsigned sums = differences(d.y, d.y_scattered);
  if (sums > 0) std::printf("WRONG: %u elements differ between two launches and one\n", sums);
  const unsigned gradients = differences(d.gradient, d.gradient_of_sorted);
  if (gradients > 0) std::printf("WRONG: %u gradients differ between gathered and sorted\n", gradients);
  return others == 0 && sums == 0 && gradients == 0;
}

}  // namespace

}  // namespace sectile::bench

int main(int count, char** words) {
  using namespace sectile::bench;
  try {
    int rounds = 9;
    if (count == 3 && std::string(words[1]) == "--rounds")
      rounds = std::atoi(words[2]);
    else if (count > 1)
      rounds = 0;
    if (rounds < 1) throw std::runtime_error("expected nothing, or --rounds and how many, at least 1");
    std::printf("%s\n", this_machine().text().c_str());
    bool right = true;
    for (const layer& l : layers) right = measure(l, rounds) && right;
    return right ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_gathers: %s\n", e.what());
    return 2;
  }
}
