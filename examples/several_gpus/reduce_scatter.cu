// A product whose sum is spread over several GPUs: each holds a part of K, and of the result each keeps M / GPUs rows.
// This is the second half of a tensor-parallel layer: C = A B^T, then a reduce-scatter of C by NCCL.
//
// One after the other, the links idle while the tensor cores work, and the other way round. So the rows are cut into
// chunks: while NCCL adds up one chunk, the next is multiplied. What is left over is the sum of the last chunk, so that
// one is small. Both need SMs: a persistent kernel would hold all of them until it ends, so from the second chunk on it
// takes only some, and NCCL no more than the others. Large products hardly miss them, as power limits them.
//
// Usage: reduce_scatter [M N K [SMS SHARE...]]: products beside a sum take SMS SMs, and chunks have rows in these
// proportions. It compares both forms element for element and prints their times; with fewer than two GPUs it says so
// and exits with 77.
#include <nccl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <sectile/dsl/launch/device.hpp>
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/batched_gemm.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace st = sectile;
using st::bf16;
using st::hopper::check_cuda;

namespace {

constexpr int not_run = 77;

void check_nccl(ncclResult_t r, const char* doing) {
  if (r != ncclSuccess) throw std::runtime_error(std::string(doing) + ": " + ncclGetErrorString(r));
}

struct problem {
  std::int64_t m = 8192, n = 8192, k = 8192;
  int sms = 108;                    // of a product beside a sum
  std::vector<int> share{2, 1, 1};  // of the rows, one for each chunk

  int shares() const { return std::accumulate(share.begin(), share.end(), 0); }
};
const std::vector<int> whole{1};  // the rows in one chunk: no overlap

template <class T>
struct device_memory {
  T* data = nullptr;
  explicit device_memory(std::int64_t elements) {
    check_cuda(cudaMalloc(&data, static_cast<std::size_t>(elements) * sizeof(T)), "allocating device memory");
  }
  ~device_memory() { cudaFree(data); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
};

/// Numbers from -1 to 7/8, of which `zeros` in 64 are 0: of few that are not, sums have so few terms that no format
/// rounds them, in whatever order they are added.
__global__ void fill(bf16* to, std::int64_t count, unsigned seed, unsigned zeros) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    unsigned x = (static_cast<unsigned>(i) ^ seed) * 2654435761U;
    x = (x ^ x >> 15) * 2246822519U;
    const bool zero = (x >> 8 & 63) < zeros;
    to[i] = bf16(zero ? 0.0F : static_cast<float>(static_cast<int>(x >> 16 & 15) - 8) / 8);
  }
}

/// What one GPU has: its columns of A and B, the partial sums of all rows, and the rows that it keeps.
struct rank {
  int device;
  std::int64_t k;  // of this GPU
  device_memory<bf16> a, b, partial, kept;
  cudaStream_t products{}, sums{};
  std::vector<cudaEvent_t> multiplied;
  cudaEvent_t begin{}, end{};

  /// Precondition: `on` is the current device.
  rank(int on, const problem& p, int gpus)
      : device(on), k(p.k / gpus), a(p.m * k), b(p.n * k), partial(p.m * p.n), kept(p.m / gpus * p.n) {
    int least = 0, most = 0;  // NCCL's few blocks go before those of a product that wait for an SM
    check_cuda(cudaDeviceGetStreamPriorityRange(&least, &most), "reading priorities");
    check_cuda(cudaStreamCreateWithPriority(&products, cudaStreamNonBlocking, least), "creating a stream");
    check_cuda(cudaStreamCreateWithPriority(&sums, cudaStreamNonBlocking, most), "creating a stream");
    multiplied.resize(p.share.size());
    for (cudaEvent_t& e : multiplied)
      check_cuda(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "creating an event");
    check_cuda(cudaEventCreate(&begin), "creating an event");
    check_cuda(cudaEventCreate(&end), "creating an event");
  }
};

struct machine {
  problem p;
  std::vector<std::unique_ptr<rank>> ranks;
  std::vector<ncclComm_t> alone, beside;  // sums that have the GPUs to themselves, and those beside a product

  machine(const problem& asked, int gpus) : p(asked) {
    int all = 0;
    for (int g = 0; g < gpus; ++g) {
      check_cuda(cudaSetDevice(g), "choosing a GPU");
      check_cuda(cudaDeviceGetAttribute(&all, cudaDevAttrMultiProcessorCount, g), "asking for the number of SMs");
      if (p.sms >= all)
        throw std::runtime_error("SMS = " + std::to_string(p.sms) + " leaves none of the " + std::to_string(all) +
                                 " SMs for the sums; take less");
      ranks.push_back(std::make_unique<rank>(g, p, gpus));
    }
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    alone = join(gpus, config);
    config.maxCTAs = all - p.sms;
    beside = join(gpus, config);
  }
  ~machine() {
    for (const auto* comms : {&alone, &beside})
      for (ncclComm_t c : *comms) ncclCommDestroy(c);
  }
  static std::vector<ncclComm_t> join(int gpus, ncclConfig_t& config) {
    std::vector<ncclComm_t> comms(static_cast<std::size_t>(gpus));
    ncclUniqueId id;
    check_nccl(ncclGetUniqueId(&id), "naming the group of GPUs");
    check_nccl(ncclGroupStart(), "opening a group");
    for (int g = 0; g < gpus; ++g) {
      check_cuda(cudaSetDevice(g), "choosing a GPU");
      check_nccl(ncclCommInitRankConfig(&comms[static_cast<std::size_t>(g)], gpus, id, g, &config), "joining the GPUs");
    }
    check_nccl(ncclGroupEnd(), "joining the GPUs");
    return comms;
  }
  /// Gives all operands new numbers.
  void fill_operands(unsigned zeros) const {
    for (const auto& r : ranks) {
      check_cuda(cudaSetDevice(r->device), "choosing a GPU");
      const unsigned seed = 2 * static_cast<unsigned>(r->device);
      fill<<<256, 256>>>(r->a.data, p.m * r->k, seed, zeros);
      fill<<<256, 256>>>(r->b.data, p.n * r->k, seed + 1, zeros);
      check_cuda(cudaDeviceSynchronize(), "filling the operands");
    }
  }
  int gpus() const { return static_cast<int>(ranks.size()); }

  /// Multiplies the rows that make a chunk: of those that each GPU keeps `rows` from row `first` on, one behind the
  /// other in what NCCL reads.
  void multiply(const rank& r, std::int64_t first, std::int64_t rows) const {
    const std::int64_t kept = p.m / gpus();
    bf16* const to = r.partial.data + first * gpus() * p.n;
    const st::tensor_view<const bf16> a{r.a.data + first * r.k, 3, {gpus(), rows, r.k}, {kept * r.k, r.k, 1}};
    st::launch<st::kernels::gemm_of_parts<bf16, bf16, bf16>>(
        a, st::matrix(const_cast<const bf16*>(r.b.data), p.n, r.k), st::tensor(to, gpus(), rows, p.n), r.products);
  }

  /// Adds a chunk over all GPUs, each of which receives the rows that it keeps, once they are multiplied.
  void add(std::size_t chunk, std::int64_t first, std::int64_t rows, const std::vector<ncclComm_t>& comms) const {
    for (const auto& r : ranks) {
      check_cuda(cudaSetDevice(r->device), "choosing a GPU");
      check_cuda(cudaEventRecord(r->multiplied[chunk], r->products), "recording an event");
      check_cuda(cudaStreamWaitEvent(r->sums, r->multiplied[chunk]), "waiting for a product");
    }
    check_nccl(ncclGroupStart(), "opening a group");
    for (std::size_t g = 0; g < ranks.size(); ++g)
      check_nccl(ncclReduceScatter(ranks[g]->partial.data + first * gpus() * p.n, ranks[g]->kept.data + first * p.n,
                                   static_cast<std::size_t>(rows * p.n), ncclBfloat16, ncclSum, comms[g],
                                   ranks[g]->sums),
                 "adding over the GPUs");
    check_nccl(ncclGroupEnd(), "closing a group");
  }

  /// The whole, in chunks of so many shares. Milliseconds of the slowest GPU.
  double run(const std::vector<int>& share) const {
    for (const auto& r : ranks) {
      check_cuda(cudaSetDevice(r->device), "choosing a GPU");
      check_cuda(cudaDeviceSynchronize(), "waiting");
    }
    for (const auto& r : ranks) check_cuda(cudaEventRecord(r->begin, r->products), "recording an event");
    const std::int64_t unit = p.m / gpus() / std::accumulate(share.begin(), share.end(), 0);
    std::int64_t first = 0;
    for (std::size_t c = 0; c < share.size(); ++c) {
      const std::int64_t rows = unit * share[c];
      const st::multiprocessors_at_most held(c > 0 ? p.sms : 0);
      for (const auto& r : ranks) {
        check_cuda(cudaSetDevice(r->device), "choosing a GPU");
        multiply(*r, first, rows);
      }
      add(c, first, rows, c + 1 < share.size() ? beside : alone);
      first += rows;
    }
    double slowest = 0;
    for (const auto& r : ranks) {
      check_cuda(cudaEventRecord(r->end, r->sums), "recording an event");
      check_cuda(cudaEventSynchronize(r->end), "running the products");
      float ms = 0;
      check_cuda(cudaEventElapsedTime(&ms, r->begin, r->end), "reading the events");
      slowest = std::max(slowest, static_cast<double>(ms));
    }
    return slowest;
  }

  std::vector<std::uint16_t> result() const {
    std::vector<std::uint16_t> all(static_cast<std::size_t>(p.m * p.n));
    const std::size_t each = all.size() / ranks.size();
    for (std::size_t g = 0; g < ranks.size(); ++g)
      check_cuda(cudaMemcpy(all.data() + g * each, ranks[g]->kept.data, each * sizeof(bf16), cudaMemcpyDefault),
                 "reading the result");
    return all;
  }
};

/// The middle of 15 runs of each form, in turns.
void compare(const machine& on) {
  constexpr int rounds = 15;
  std::vector<double> plain, overlapped;
  for (int i = 0; i < rounds; ++i) {
    plain.push_back(on.run(whole));
    overlapped.push_back(on.run(on.p.share));
  }
  const auto middle = [](std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  };
  std::printf("one after the other %.3f ms, in %zu chunks %.3f ms: %.3f times as fast\n", middle(plain),
              on.p.share.size(), middle(overlapped), middle(plain) / middle(overlapped));
}

/// Whole positive numbers that can be cut as asked; else a sentence, and nothing is run.
problem read_problem(int count, char** words, int gpus) {
  problem p;
  if (count != 1 && count != 4 && count < 6) throw std::runtime_error("usage: reduce_scatter [M N K [SMS SHARE...]]");
  if (count > 4) p.share.clear();
  std::int64_t* const sizes[] = {&p.m, &p.n, &p.k};
  for (int i = 1; i < count; ++i) {
    char* end = nullptr;
    const long long x = std::strtoll(words[i], &end, 10);
    if (*end != '\0' || x < 1 || x > 1 << 20)
      throw std::runtime_error(std::string("'") + words[i] + "' is no whole number from 1 to 1048576");
    if (i < 4)
      *sizes[i - 1] = x;
    else if (i == 4)
      p.sms = static_cast<int>(x);
    else
      p.share.push_back(static_cast<int>(x));
  }
  if (p.m % (std::int64_t{gpus} * p.shares()) != 0 || p.k % gpus != 0)
    throw std::runtime_error("M = " + std::to_string(p.m) + " is to be a multiple of GPUs x shares = " +
                             std::to_string(gpus) + " x " + std::to_string(p.shares()) + ", and K = " +
                             std::to_string(p.k) + " one of the GPUs");
  return p;
}

}  // namespace

int main(int count, char** words) try {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess) gpus = 0;
  if (gpus < 2) {
    std::printf("left out: this takes at least two GPUs, and there %s %d\n", gpus == 1 ? "is" : "are", gpus);
    return not_run;
  }
  const machine on(read_problem(count, words, gpus), gpus);
  on.fill_operands(62);
  on.run(whole);
  const auto plain = on.result();
  on.run(on.p.share);
  const auto overlapped = on.result();
  std::int64_t differ = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) differ += plain[i] != overlapped[i];
  std::printf("C = A B^T, %lld x %lld x %lld, over %d GPUs: %lld elements differ between both forms\n",
              static_cast<long long>(on.p.m), static_cast<long long>(on.p.n), static_cast<long long>(on.p.k), gpus,
              static_cast<long long>(differ));
  on.fill_operands(0);
  compare(on);
  return differ == 0 ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
