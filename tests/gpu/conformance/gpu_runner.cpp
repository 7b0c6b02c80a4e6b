#include "gpu_runner.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "rows.hpp"

namespace sectile::conformance {

void check(cudaError_t e, const char* doing) {
  if (e != cudaSuccess) throw std::runtime_error(std::string(doing) + ": " + cudaGetErrorString(e));
}

namespace {

/// The same array on both sides.
template <class T>
struct mirrored {
  T* host = nullptr;
  T* device = nullptr;

  explicit mirrored(std::size_t count) {
    check(cudaMallocHost(reinterpret_cast<void**>(&host), count * sizeof(T)), "allocating host memory");
    check(cudaMalloc(reinterpret_cast<void**>(&device), count * sizeof(T)), "allocating device memory");
  }
  ~mirrored() {
    cudaFreeHost(host);
    cudaFree(device);
  }
  mirrored(const mirrored&) = delete;
  mirrored& operator=(const mirrored&) = delete;

  void upload(std::size_t count, cudaStream_t s) {
    check(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, s), "copying to the device");
  }
  void download(std::size_t count, cudaStream_t s) {
    check(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost, s), "copying from the device");
  }
};

using launcher = cudaError_t (*)(int, const batch&, int, int, cudaStream_t);

template <std::size_t... F>
launcher launcher_of(int family, std::index_sequence<F...>) {
  constexpr launcher all[] = {issue_jobs<static_cast<int>(F)>...};
  return all[family];
}

}  // namespace

struct job_buffers {
  static constexpr std::size_t cases = gpu_runner::most_cases;
  mirrored<job> jobs{cases};
  mirrored<uint4> chunk{cases * most_pieces};
  mirrored<std::uint32_t> chunk_place{cases * most_pieces};
  mirrored<std::uint32_t> sources{cases * source_words};
  mirrored<std::uint32_t> d{cases * 128 * 128};

  /// Copies case i into the arrays; returns how many pieces it has.
  std::size_t put(const prepared_case& c, std::size_t i, std::size_t first_piece) const {
    jobs.host[i] = c.work;
    jobs.host[i].first_chunk = static_cast<int>(first_piece);
    for (std::size_t k = 0; k < c.pieces.size(); ++k) {
      std::memcpy(&chunk.host[first_piece + k], c.pieces[k].bytes, 16);
      chunk_place.host[first_piece + k] = c.pieces[k].place;
    }
    std::copy(c.sources.begin(), c.sources.end(), sources.host + i * source_words);
    std::copy(c.d.begin(), c.d.end(), d.host + i * c.d.size());
    return c.pieces.size();
  }
};

gpu_runner::gpu_runner() : buffers_(new job_buffers) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
}

gpu_runner::~gpu_runner() {
  cudaStreamDestroy(stream_);
  delete buffers_;
}

void gpu_runner::run(int family, int n_index, std::vector<prepared_case>& cases) {
  std::size_t pieces = 0;
  int shared_bytes = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    pieces += buffers_->put(cases[i], i, pieces);
    shared_bytes = std::max(shared_bytes, cases[i].work.shared_bytes);
  }
  const std::size_t count = cases.size(), words = cases[0].d.size();
  job_buffers& all = *buffers_;
  all.jobs.upload(count, stream_);
  all.chunk.upload(pieces, stream_);
  all.chunk_place.upload(pieces, stream_);
  all.sources.upload(count * source_words, stream_);
  all.d.upload(count * words, stream_);
  const batch work{all.jobs.device, all.chunk.device, all.chunk_place.device, all.sources.device, all.d.device};
  const launcher launch = launcher_of(family, std::make_index_sequence<instruction_table::families>{});
  check(launch(n_index, work, static_cast<int>(count), shared_bytes, stream_), "launching");
  all.d.download(count * words, stream_);
  check(cudaStreamSynchronize(stream_), spelling(cases[0].p.w).c_str());
  for (std::size_t i = 0; i < count; ++i) std::copy_n(all.d.host + i * words, words, cases[i].d.begin());
}

}  // namespace sectile::conformance
