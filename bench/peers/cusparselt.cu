// libpeer_cusparselt: cuSPARSELt's product with a sparse A, by the algorithm that its own search finds fastest.
#include "bench/cusparselt.hpp"

#include <deque>

#include "bench/peers/product.hpp"

namespace sectile::bench {

namespace {

class sp_contestant : public product {
 public:
  explicit sp_contestant(const shape& s) : sp_(s.m, s.n, s.k, sp_types_of<bf16, bf16, bf16>()) {}

  std::string name(std::size_t) const override { return "its search"; }
  const void* left_of(const void* a, const void* b, void* c, cudaStream_t) override {
    check(cudaDeviceSynchronize(), "waiting for A");  // compressing has a stream of its own
    const bool first = forms_.empty();
    forms_.push_back(sp_.compress(a, own_));
    if (first) sp_.search(forms_.front(), b, c, own_);
    return &forms_.back();
  }
  void run(std::size_t, const void* left, const void* b, void* c, cudaStream_t on) override {
    sp_.run(*static_cast<const device_buffer<unsigned char>*>(left), b, c, on);
  }

 private:
  stream own_;
  sp_product sp_;
  std::deque<device_buffer<unsigned char>> forms_{};  // which stay where they are
};

}  // namespace

std::unique_ptr<product> make_product(product_type type, const shape& size) {
  return type == product_type::sparse_bf16 ? std::make_unique<sp_contestant>(size) : nullptr;
}
std::string library_name() {
  return "cuSPARSELt " + std::to_string(CUSPARSELT_VER_MAJOR) + "." + std::to_string(CUSPARSELT_VER_MINOR);
}

}  // namespace sectile::bench
