// Latent attention, in parts, on the model against float64.
#include "tests/programs/latent_attention.hpp"

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::latent_attention;
using kernels::latent_merge;
using test::latent_sizes;

static_assert(verified<latent_attention<16>> && verified<latent_merge>);

template <class Parts>
void check(const latent_sizes& n, int random = 0) {
  test::latent_problem p(n);
  const auto lengths = tensor(p.n.lengths.data(), p.batch());
  test::run_on_schedules<Parts>(random, p.parts, p.latents(p.Q.in()), p.rest(p.Q.in()), p.latents(p.L.in()),
                                p.rest(p.L.in()), p.parts.view(), p.scale, lengths,
                                p.sums.view());
  CHECK(p.sums.touched() == 0);
  test::run_on_schedules<latent_merge>(random, p.O, p.parts.in(), p.sums.in(), p.O.view(), p.lse.view());
  CHECK(p.lse.touched() == 0);
  CHECK(p.error_of(p.O) <= test::rounded_twice);
  CHECK(p.error_of(p.lse) <= 1e-5);
}

TEST_CASE("sequences of any length, also of none, in parts of which some have no tile") {
  check<latent_attention<16>>({.lengths = {150, 0, 1, 64, 65}, .s = 16, .room = 160, .parts = 3}, 1);
}
TEST_CASE("one part, and fewer rows than a tile has") {
  check<latent_attention<16>>({.lengths = {200}, .s = 9, .room = 200, .parts = 1});
}

}  // namespace
