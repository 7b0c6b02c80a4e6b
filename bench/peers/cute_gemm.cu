// libpeer_cute: the GEMM of CuTe's tutorial for Hopper as a product of bf16.
#include "bench/peers/cute_gemm.hpp"

#include <cutlass/version.h>

#include "bench/peers/product.hpp"

namespace sectile::bench {

namespace {

class cute_product : public product {
 public:
  explicit cute_product(const shape& s) : size_(s) {
    if (s.m % 256 != 0 || s.n % 128 != 0 || s.k % 64 != 0 || s.k < 192)
      throw std::runtime_error("the GEMM of CuTe's tutorial takes no " + s.text());
  }

  std::string name(std::size_t) const override { return "128 x 128 x 64"; }
  void run(std::size_t, const void* left, const void* b, void* c, cudaStream_t on) override {
    using element = cute::bfloat16_t;
    const auto n = [](std::int64_t extent) { return static_cast<int>(extent); };
    const auto status = cute_gemm(static_cast<const element*>(left), static_cast<const element*>(b),
                                  static_cast<rounded_bf16*>(c), n(size_.m), n(size_.n), n(size_.k), on);
    if (status != cutlass::Status::kSuccess)
      throw std::runtime_error(std::string("running CuTe's GEMM: ") + cutlass::cutlassGetStatusString(status));
  }

 private:
  shape size_;
};

}  // namespace

std::unique_ptr<product> make_product(product_type type, const shape& size) {
  return type == product_type::bf16 ? std::make_unique<cute_product>(size) : nullptr;
}
std::string library_name() {
  return "CuTe of CUTLASS " + std::to_string(CUTLASS_MAJOR) + "." + std::to_string(CUTLASS_MINOR) + "." +
         std::to_string(CUTLASS_PATCH);
}

}  // namespace sectile::bench
