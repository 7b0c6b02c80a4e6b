// libpeer_kittens: ThunderKittens' GEMM of bf16 in three orders of tiles. It takes a B of K x N, so B is transposed
// once before it is timed.
#include "bench/peers/kittens_gemm.hpp"

#include "bench/device_data.hpp"
#include "bench/peers/product.hpp"

namespace sectile::bench {

namespace {

/// to[j][i] = from[i][j], a thread for each element.
__global__ void transpose(std::uint16_t* to, const std::uint16_t* from, std::int64_t rows, std::int64_t cols) {
  const std::int64_t i = blockIdx.x, j = static_cast<std::int64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
  if (j < cols) to[j * rows + i] = from[i * cols + j];
}

struct operands {
  const void* a;
  device_buffer<std::uint16_t> b;  // of K x N
};

class kittens_product : public product {
 public:
  explicit kittens_product(const shape& s) : size_(s) {
    if (s.m % 128 != 0 || s.n % 256 != 0 || s.k % 64 != 0)
      throw std::runtime_error("ThunderKittens' GEMM takes M, N and K that are multiples of 128, 256 and 64, not " +
                               s.text());
  }

  std::size_t candidates() const override { return std::size(ways); }
  std::string name(std::size_t candidate) const override {
    return "128 x 256, groups of " + std::to_string(ways[candidate].rows);
  }
  const void* left_of(const void* a, const void* b, void*, cudaStream_t on) override {
    const auto count = static_cast<std::size_t>(size_.n * size_.k);
    auto& made = *made_.emplace_back(std::make_unique<operands>(a, device_buffer<std::uint16_t>(count)));
    constexpr unsigned threads = 256;
    const dim3 blocks(static_cast<unsigned>(size_.n), static_cast<unsigned>((size_.k + threads - 1) / threads));
    transpose<<<blocks, threads, 0, on>>>(made.b.data, static_cast<const std::uint16_t*>(b), size_.n, size_.k);
    check(cudaGetLastError(), "transposing B");
    check(cudaStreamSynchronize(on), "transposing B");
    return &made;
  }
  void run(std::size_t candidate, const void* left, const void*, void* c, cudaStream_t on) override {
    const auto& of = *static_cast<const operands*>(left);
    const auto n = [](std::int64_t extent) { return static_cast<int>(extent); };
    check(ways[candidate].queue(of.a, of.b.data, c, n(size_.m), n(size_.n), n(size_.k), on),
          "running ThunderKittens' GEMM");
  }

 private:
  struct way {
    int rows;
    cudaError_t (*queue)(const void*, const void*, void*, int, int, int, cudaStream_t);
  };
  static constexpr way ways[] = {{4, kittens_gemm<4>}, {8, kittens_gemm<8>}, {12, kittens_gemm<12>}};

  shape size_;
  std::vector<std::unique_ptr<operands>> made_;
};

}  // namespace

std::unique_ptr<product> make_product(product_type type, const shape& size) {
  return type == product_type::bf16 ? std::make_unique<kittens_product>(size) : nullptr;
}
std::string library_name() { return "ThunderKittens " KITTENS_COMMIT; }

}  // namespace sectile::bench
