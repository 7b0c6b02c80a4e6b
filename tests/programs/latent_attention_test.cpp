// Latent attention, in parts, on the model against float64.
#include "tests/programs/latent_attention.hpp"

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::latent_attention;
using kernels::latent_merge;
using test::latent_sizes;

using few = latent_attention<16>;
using more = latent_attention<32>;

static_assert(verified<few> && verified<more> && verified<latent_merge<>> && verified<latent_merge<float>>);
// A tile of latents is a factor twice: as keys, with what is summed over contiguous, and turned around, as values.
static_assert(plan_of<few>.products.at[0].a.major == major::k && plan_of<few>.products.at[2].a.major == major::mn);
static_assert(plan_of<few>.products.at[0].a_operand == plan_of<few>.products.at[2].a_operand);

template <class Parts>
void check(const latent_sizes& n, int random = 0) {
  test::latent_problem p(n);
  p.run([&](const auto&... given) { test::run_on_schedules<Parts>(random, p.parts, given...); },
        [&](const auto&... given) { test::run_on_schedules<latent_merge<>>(random, p.O, given...); },
        tensor(p.n.lengths.data(), p.batch()), [](auto& x) { return x.view(); });
  CHECK(p.sums.touched() + p.lse.touched() == 0);
  CHECK(p.error_of(p.O) <= test::rounded_twice);
  CHECK(p.error_of(p.lse) <= 1e-5);
}

TEST_CASE("sequences of any length, also of none, in parts of which some have no tile") {
  check<few>({.lengths = {150, 0, 1, 64, 65}, .s = 16, .room = 160, .parts = 3}, 1);
}
TEST_CASE("one part, and fewer rows than a tile has, or more") {
  check<few>({.lengths = {200}, .s = 9, .room = 200});
  check<few>({.lengths = {70}, .s = 20, .room = 70});
}
TEST_CASE("tiles of more heads") { check<more>({.lengths = {130, 7}, .s = 50, .room = 130, .parts = 2}); }

TEST_CASE("parts that become fewer first") {
  test::latent_problem p({.lengths = {400, 31}, .s = 8, .room = 400, .parts = 6});
  test::host_tensor<float> fewer({2, 2, 1, 8, 512}), their_sums({2, 2, 1, 8});
  p.run([](const auto&... given) { run_on_model<few>(given...); },
        [&](const auto& parts, const auto& sums, const auto&... merged) {
          run_on_model<latent_merge<float>>(tensor(parts.data, 3, 4, 1, 8, 512), tensor(sums.data, 3, 4, 1, 8),
                                            tensor(fewer.view().data, 4, 1, 8, 512),
                                            tensor(their_sums.view().data, 4, 1, 8));
          run_on_model<latent_merge<>>(fewer.view(), their_sums.view(), merged...);
        },
        tensor(p.n.lengths.data(), p.batch()), [](auto& x) { return x.view(); });
  CHECK(fewer.touched() + their_sums.touched() + p.O.touched() + p.lse.touched() == 0);
  CHECK(p.error_of(p.O) <= test::rounded_twice);
  CHECK(p.error_of(p.lse) <= 1e-5);
}

}  // namespace
