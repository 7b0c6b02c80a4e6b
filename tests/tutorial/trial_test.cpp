// Runs of a user's own kernel for its page: operands of the right shapes, and what is said of the result.
#include <doctest/doctest.h>

#include <sectile/dsl/tell/tutorial.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>
#include <sectile/kernels/linear_outputs.hpp>
#include <sectile/kernels/sparse_gemm.hpp>
#include <string>

#include "tests/exhaustively.hpp"
#include "tests/programs/written_vectors.hpp"

using namespace sectile;

namespace {

constexpr auto once = [](const auto& run) { run(); };

void product(const named_inputs& in, tensor_values& c) {
  for (std::int64_t m = 0; m < c.extent[0]; ++m)
    for (std::int64_t n = 0; n < c.extent[1]; ++n)
      for (std::int64_t k = 0; k < in["A"].extent[1]; ++k) c(m, n) += in["A"](m, k) * in["B"](n, k);
}

/// The same, but for one element.
void product_but_one(const named_inputs& in, tensor_values& c) {
  product(in, c);
  c(3, 5) += 1000;
}

using extents = std::vector<std::int64_t>;

template <class K>
extents extents_of(int operand, const std::vector<tell::named_size>& sizes = {}) {
  return tell::trial_extents(plan_of<K>, operand, sizes);
}

using kernels::gemm_bf16;
using by_columns = kernels::gemm<bf16, bf16, bf16, kernels::gemm_form{.a = col_major, .b = col_major}>;
using attention = kernels::attention<64, kernels::attention_mask::none>;

/// The value that a run of attention takes for its operand 4, "scale".
double scale_in(const tell::trial_options& options) { return tell::trial_scalar(plan_of<attention>, 4, options); }

}  // namespace

TEST_CASE("modes of one name have one size: two tiles, or one where the program takes no more") {
  CHECK(extents_of<gemm_bf16>(0) == extents{256, 128});
  CHECK(extents_of<gemm_bf16>(1) == extents{512, 128});
  CHECK(extents_of<gemm_bf16>(2) == extents{256, 512});
  CHECK(extents_of<gemm_bf16>(2, {{"N", 24}}) == extents{256, 24});
  CHECK(extents_of<attention>(0) == extents{2, 2, 384, 64});
  CHECK(extents_of<attention>(1) == extents{2, 2, 256, 64});
  CHECK(extents_of<attention>(4).empty());
  CHECK_THROWS_WITH_AS(extents_of<gemm_bf16>(0, {{"Q", 24}}), "no operand has a mode 'Q', whose size was given",
                       launch_error);
}

TEST_CASE("numbers at random have a place in their type") {
  double low = 0, high = 0, sum = 0;
  for (int i = 0; i < 4096; ++i) {
    const double x = tell::trial_number(element_of<bf16>(), 1, 0, i);
    low = std::min(low, x);
    high = std::max(high, x);
    sum += x;
    const double s = tell::trial_number(element_of<s8>(), 1, 0, i), u = tell::trial_number(element_of<u8>(), 1, 0, i);
    CHECK((s >= -8 && s <= 7 && u >= 0 && u <= 15));
    const double bit = tell::trial_number(element_of<b1x8>(), 1, 0, i);
    CHECK((bit == 0 || bit == 1));
  }
  CHECK((low < -0.99 && low >= -1 && high > 0.99 && high <= 1));
  CHECK(std::abs(sum) < 200);
  CHECK(tell::trial_number(element_of<bf16>(), 1, 0, 7) != tell::trial_number(element_of<bf16>(), 2, 0, 7));
  CHECK(tell::trial_number(element_of<bf16>(), 1, 0, 7) != tell::trial_number(element_of<bf16>(), 1, 1, 7));
}

TEST_CASE_TEMPLATE("a run is compared with the reference that was given", K, gemm_bf16, by_columns,
                   kernels::gemm<s8, s8, s32>, kernels::sparse_gemm<f16, f16, f16>) {
  if constexpr (test::exhaustively || std::is_same_v<K, gemm_bf16> || plan_of<K>.operand[0].facts.sparse) {
    tell::trial_options options{.reference = product};
    SUBCASE("two tiles") {}
    if (!plan_of<K>.operand[0].facts.sparse) {
      SUBCASE("sizes that no tile divides") { options.sizes = {{"M", 77}, {"N", 45}, {"K", 27}}; }
    }
    const tell::trial_result r = tell::try_out<K>(options, once);
    CHECK(r.compared);
    CHECK(r.hazard == "");
    CHECK(r.not_finite == 0);
    CHECK(r.relative_l2 < 3e-3);
    CHECK(tell::told_run(r, options).ok);
  }
}

TEST_CASE("a wrong element is noticed") {
  const tell::trial_options options{.reference = product_but_one};
  const tell::trial_result r = tell::try_out<gemm_bf16>(options, once);
  CHECK(r.largest > 900);
  const tell::checked_run told = tell::told_run(r, options);
  CHECK_FALSE(told.ok);
  CHECK(told.error.find("is tolerated") != std::string::npos);
}

TEST_CASE("elements that were never written are noticed") {
  const tell::trial_options options{};
  const tell::trial_result r = tell::try_out<gemm_bf16>(options, [](const auto&) {});
  CHECK(r.not_finite == 256 * 512);
  CHECK(tell::told_run(r, options).error.find("131072 of 131072 elements are infinite, NaN or were never written") !=
        std::string::npos);
}

TEST_CASE("what the model finds is told, and nothing is compared") {
  const tell::trial_options options{.reference = product};
  const tell::trial_result r = tell::try_out<gemm_bf16>(
      options, [](const auto&) { throw model::hazard(model::hazard_kind::deadlock, "nobody goes on"); });
  CHECK(r.hazard == "nobody goes on");
  CHECK_FALSE(r.compared);
  const tell::checked_run told = tell::told_run(r, options);
  CHECK_FALSE(told.ok);
  CHECK(told.error == "the run broke off");
  CHECK(told.hazard == "nobody goes on");
}

/// Runs K without a reference, with a scale.
template <class K>
void check_without_reference() {
  const tell::trial_options options{.scalars = {{"scale", 0.125}}};
  const tell::checked_run told = tell::told_run(tell::try_out<K>(options, once), options);
  CHECK(told.error.find("no reference was given") == 0);
  CHECK(told.what ==
        "Q 2 x 2 x 384 x 64, K 2 x 2 x 256 x 64, V 2 x 2 x 256 x 64, O 2 x 2 x 384 x 64 and scale = 0.125");
}
TEST_CASE("without a reference the page says so") {
  if constexpr (test::exhaustively) check_without_reference<attention>();  // otherwise of vectors, below
}

TEST_CASE("a scalar without a value is drawn, one that there is not is refused") {
  const double drawn = scale_in({.seed = 1}), other = scale_in({.seed = 2});
  CHECK(drawn != other);
  CHECK(scale_in({.scalars = {{"scale", -3.5}}}) == -3.5);
  CHECK_THROWS_WITH(scale_in({.scalars = {{"scala", 1}}}), "there is no scalar 'scala', whose value was given");
}

TEST_CASE("tensors of a reference are read by coordinates") {
  const tensor_values t{"A", {2, 3}, {0, 1, 2, 3, 4, 5}};
  CHECK(t(1, 2) == 5);
  CHECK_THROWS_WITH(t(1), "A has 2 modes, but is read with 1 coordinates");
  const named_inputs in{{t, {"alpha", {}, {0.5}}}};
  CHECK(in["alpha"]() == 0.5);
  CHECK_THROWS_WITH(in["beta"], "there is no input 'beta'");
}

TEST_CASE("vectors that a kernel writes are as long as its tiles ask for, and need no reference") {
  using parts = kernels::linear_cross_entropy<bf16>;
  using rows = test::rows_out<float, test::upright>;
  CHECK(extents_of<parts>(2) == extents{256, 256});
  CHECK(extents_of<parts>(3) == extents{2, 256});
  CHECK(extents_of<parts>(3, {{"N", 300}}) == extents{3, 256});
  CHECK(extents_of<rows>(2) == extents{256, 64});  // what is stored comes from one tile of N
  CHECK(extents_of<rows>(3) == extents{256});
  CHECK(extents_of<rows>(5).empty());
  const auto check = [](const tell::trial_result& run) {
    CHECK(run.hazard == "");
    CHECK(run.not_finite == 0);
    CHECK(tell::told_run(run, {}).error.find("no reference was given") == 0);
  };
  check(tell::try_out<rows>({}, once));
  if constexpr (test::exhaustively) check(tell::try_out<parts>({}, once));
}
