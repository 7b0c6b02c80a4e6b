// A family of Sectile's kernels as a product: the launch picks the member, as it does for any user.
#pragma once
#include <sectile/dsl/launch/launch.hpp>

#include <cstdint>
#include <string>

#include "bench/device_data.hpp"
#include "bench/peers/product.hpp"

namespace sectile::bench {

/// Which member of a family a launch takes on the current GPU.
template <class Family>
std::string picked_member(const shape& s) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "looking for a GPU");
  const auto size = [](std::int64_t extent) { return static_cast<int>(extent); };
  const member_choice pick = choice<Family>({{"M", size(s.m)}, {"N", size(s.n)}, {"K", size(s.k)}}, properties.name);
  return "member " + std::to_string(pick.member);
}

/// `Family` multiplies matrices of Element into Out.
template <class Family, class Element, class Out>
class family_product : public product {
 public:
  explicit family_product(const shape& s) : size_(s) {}

  std::string name(std::size_t) const override { return picked_member<Family>(size_); }
  void run(std::size_t, const void* left, const void* b, void* c, cudaStream_t on) override {
    launch<Family>(matrix(static_cast<const Element*>(left), size_.m, size_.k),
                   matrix(static_cast<const Element*>(b), size_.n, size_.k),
                   matrix(static_cast<Out*>(c), size_.m, size_.n), on);
  }

 private:
  shape size_;
};

/// One function for each file of kernels, which are compiled side by side.
std::unique_ptr<product> make_bf16_product(const shape& size);
std::unique_ptr<product> make_e4m3_product(const shape& size);
std::unique_ptr<product> make_s8_product(const shape& size);
std::unique_ptr<product> make_sparse_product(const shape& size);

}  // namespace sectile::bench
