// libpeer_cublaslt: the candidates of cuBLASLt's heuristic as products.
#include "bench/cublaslt.hpp"

#include <optional>
#include <string>

#include "bench/peers/product.hpp"
#include "bench/report.hpp"

namespace sectile::bench {

namespace {

class lt_contestant : public product {
 public:
  lt_contestant(const shape& s, const lt_types& types) : lt_(s.m, s.n, s.k, types) {}

  std::size_t candidates() const override { return lt_.candidates.size(); }
  std::string name(std::size_t candidate) const override {
    std::int32_t parts = 0;
    std::size_t written = 0;
    check(cublasLtMatmulAlgoConfigGetAttribute(&lt_.candidates[candidate].algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM,
                                               &parts, sizeof parts, &written),
          "asking how a candidate splits sums");
    return "choice " + std::to_string(candidate + 1) +
           (parts > 1 ? ", sums in " + std::to_string(parts) + " parts" : std::string());
  }
  void run(std::size_t candidate, const void* left, const void* b, void* c, cudaStream_t on) override {
    lt_.run(candidate, left, b, c, on);
  }

 private:
  lt_product lt_;
};

std::optional<lt_types> types_of(product_type type) {
  switch (type) {
    case product_type::bf16:
      return lt_types_of<bf16, bf16, bf16, float>();
    case product_type::e4m3:
      return lt_types_of<e4m3, e4m3, bf16, float>();
    case product_type::s8:
      return lt_types_of<s8, s8, s32, s32>();
    case product_type::sparse_bf16:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::unique_ptr<product> make_product(product_type type, const shape& size) {
  const std::optional<lt_types> types = types_of(type);
  return types ? std::make_unique<lt_contestant>(size, *types) : nullptr;
}
std::string library_name() { return "cuBLASLt " + library_version(cublasLtGetVersion()); }

}  // namespace sectile::bench
