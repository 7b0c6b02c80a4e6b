// A product on the device that is known to work, for tests that need to see whether the device still does.
#pragma once
#include <sectile/dsl/launch/launch.hpp>
#include <sectile/kernels/gemm.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "tests/gpu/device.hpp"
#include "tests/gpu/gemm_case.hpp"

namespace sectile::gpu_test {

/// How many things were looked at, and how many were wrong.
struct tally {
  int checks = 0, failures = 0;

  void expect(bool right, const std::string& what, const std::string& otherwise) {
    ++checks;
    if (right) return;
    ++failures;
    std::printf("FAIL %s: %s\n", what.c_str(), otherwise.c_str());
    std::fflush(stdout);
  }
};

/// A product with its operands on the device.
template <class Out>
struct device_product {
  using kernel = kernels::gemm<bf16, bf16, Out>;

  gemm_case problem;
  guarded<Out> out;
  device_copy<bf16> a, b;
  device_copy<Out> c;

  explicit device_product(int index)
      : problem(make_gemm_case(index)), out(make_output<Out>(problem)), a(problem.a), b(problem.b), c(out) {}

  tensor_view<const bf16> a_view() const { return problem.a.const_view(a.base); }
  tensor_view<const bf16> b_view() const { return problem.b.const_view(b.base); }
  tensor_view<Out> c_view() const { return out.view(c.base); }

  void poison() {
    out.poison();
    c.upload(out);
  }
  void queue(cudaStream_t on = nullptr) const { launch<kernel>(a_view(), b_view(), c_view(), on); }
  /// The output's bytes, guards included.
  const std::vector<unsigned char>& download() {
    c.download(out);
    return out.bytes;
  }
  const std::vector<unsigned char>& run() {
    poison();
    queue();
    return download();
  }
};

/// A product that is known to work and the result it must keep giving.
struct probe {
  tally& count;
  device_product<bf16> product{100};
  std::vector<unsigned char> good;

  explicit probe(tally& t) : count(t) {
    good = product.run();
    const double error = relative_error(product.problem, product.out);
    count.expect(error <= 4e-3, "the probe", "relative error " + std::to_string(error));
  }
  void expect_usable(const std::string& after) {
    count.expect(cudaGetLastError() == cudaSuccess, after, "it left an error behind");
    count.expect(product.run() == good, after, "a good launch afterwards gave another result");
  }
};

}  // namespace sectile::gpu_test
