// Which instructions `explain` says that a kernel issues.
#include <sectile/dsl/tell/ptx_text.hpp>

#include <doctest/doctest.h>

#include "tool/kernel_list.hpp"

namespace {

using namespace sectile;

std::vector<tell::issued_wgmma> issued_by(const char* kernel) {
  return tell::issued_by(*tool::find_kernel(kernel).planned);
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a dense product is one instruction, as often as it takes along K and M") {
  const std::vector<tell::issued_wgmma> all = issued_by("gemm_bf16");
  REQUIRE(all.size() == 1);
  CHECK(all[0].times == 4);  // 64 of K, 16 at once; one block of 64 rows
  CHECK(all[0].instruction.n == 256);
}

TEST_CASE("steps of a sparse product take the selectors in turn") {
  const std::vector<tell::issued_wgmma> wide = issued_by("sparse_gemm_f16");
  REQUIRE(wide.size() == 2);
  CHECK(wide[0].instruction.selector == 0);
  CHECK(wide[1].instruction.selector == 1);
  CHECK(wide[0].times == wide[1].times);
  CHECK(issued_by("sparse_gemm_e4m3").size() == 1);
}

TEST_CASE("attention multiplies from registers as well") {
  const std::vector<tell::issued_wgmma> all = issued_by("attention_d64");
  REQUIRE(all.size() == 2);
  CHECK(!all[0].instruction.a_in_registers);
  CHECK(all[1].instruction.a_in_registers);
}

TEST_CASE("copies are named with what they do") {
  const std::string gemm = tell::ptx_text(*tool::find_kernel("gemm_bf16").planned);
  CHECK(contains(gemm, "4 x"));
  CHECK(contains(gemm, "m64n256k16.f32.bf16.bf16 {d0 .. d127}, a, b, p, 1, 1, 0, 0"));
  CHECK(contains(gemm, "A    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint\n"));
  CHECK(contains(gemm, "bytes.multicast::cluster.L2::cache_hint\n"));  // B
  CHECK(contains(gemm, "C    cp.async.bulk.tensor.2d.global.shared::cta.bulk_group\n"));
  CHECK(contains(tell::ptx_text(*tool::find_kernel("attention_d64").planned), "tensor.4d."));
}
