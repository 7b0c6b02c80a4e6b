// libpeer_sectile: the kernels of bf16 with a sparse A.
#include <sectile/dsl/launch/sparse_device.hpp>
#include <sectile/kernels/sparse_gemm_family.hpp>

#include <deque>

#include "bench/peers/family.hpp"

namespace sectile::bench {

namespace {

using family = kernels::sparse_gemm_bf16_family;

class sparse_family_product : public product {
 public:
  explicit sparse_family_product(const shape& s) : size_(s) {}

  std::string name(std::size_t) const override { return picked_member<family>(size_); }
  const void* left_of(const void* a, const void*, void*, cudaStream_t on) override {
    form& f = forms_.emplace_back(size_);
    compress_on(on, static_cast<const bf16*>(a), size_.m, size_.k, size_.k, f.values.data, form::stride(size_),
                f.metadata.data);
    return &f;
  }
  void run(std::size_t, const void* left, const void* b, void* c, cudaStream_t on) override {
    const form& f = *static_cast<const form*>(left);
    const bf16* values = f.values.data;
    launch<family>(sparse(values, f.metadata.data, size_.m, size_.k, form::stride(size_)),
                   matrix(static_cast<const bf16*>(b), size_.n, size_.k),
                   matrix(static_cast<bf16*>(c), size_.m, size_.n), on);
  }

 private:
  /// A as sparse kernels read it.
  struct form {
    device_buffer<bf16> values;
    device_buffer<std::uint32_t> metadata;

    static std::int64_t stride(const shape& s) { return sparse_value_stride<bf16>(s.k); }
    explicit form(const shape& s)
        : values(static_cast<std::size_t>(s.m * stride(s))),
          metadata(static_cast<std::size_t>(sparse_metadata_words<bf16>(s.m, s.k))) {}
  };

  shape size_;
  std::deque<form> forms_{};  // which stay where they are
};

}  // namespace

std::unique_ptr<product> make_sparse_product(const shape& size) {
  return std::make_unique<sparse_family_product>(size);
}

}  // namespace sectile::bench
