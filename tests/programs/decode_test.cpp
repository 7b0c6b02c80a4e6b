// Attention of few new tokens to the keys of a cache, which CTAs share, on the model against float64.
#include "tests/programs/decode.hpp"

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::decode_attention;
using kernels::paged_decode_attention;
using test::decode_sizes;

// On an H200: as many as there is room for, and not so many that they have nothing to do.
static_assert(kernels::parts_of_decode(8, 8192, 132) == 16 && kernels::parts_of_decode(8, 1024, 132) == 4);
static_assert(kernels::parts_of_decode(64, 1024, 132) == 2 && kernels::parts_of_decode(512, 131072, 132) == 1);
static_assert(kernels::parts_of_decode(1, 1, 132) == 1 && kernels::parts_of_decode(1, 1 << 20, 132) == 64);

static_assert(verified<decode_attention<128, 3>> && verified<paged_decode_attention<128, 3>>);
static_assert(verified<decode_attention<64>> && verified<decode_attention<64, 8>> && verified<decode_attention<64, 9>>);
// Parts meet in a cluster, or in a workspace: o, and of each row a maximum and a sum.
static_assert(plan_of<decode_attention<64, 8>>.how.ctas() == 8 && plan_of<decode_attention<64, 16>>.how.ctas() == 1);
static_assert(plan_of<decode_attention<64, 8>>.meeting[0].words == 64 * 64 / 128 + 2 * 4);

/// The bits of O, of keys that P CTAs share.
template <int D, int P>
std::vector<bf16> check(const decode_sizes& n, int random = 0) {
  test::decode_problem<D> p(n);
  const auto lengths = tensor(p.n.lengths.data(), p.batch());
  const auto keys = p.heads_of_cache(p.K.in()), values = p.heads_of_cache(p.V.in());
  std::vector<std::uint64_t> memory(needs_workspace(plan_of<decode_attention<D, P>>) ? 1 << 20 : 0);
  const workspace room(memory.data(), memory.size() * sizeof(std::uint64_t));
  test::run_on_schedules<decode_attention<D, P>>(random, p.O, p.Q.in(), keys, values, p.O.view(), p.scale, lengths,
                                                 p.lse.view(), room);
  CHECK(p.lse.touched() == 0);
  CHECK(p.error_of(p.O) <= test::rounded_twice);
  CHECK(p.error_of(p.lse) <= 1e-5);
  const std::vector<bf16> found = p.O.elements();
  const std::vector<float> found_sums = p.lse.elements();
  const typename decltype(p)::pages all(p);
  p.lse.poison();
  test::run_on_schedules<paged_decode_attention<D, P>>(random, p.O, p.Q.in(), p.heads_of_pool(all.K.in()),
                                                       p.heads_of_pool(all.V.in()), p.O.view(), p.scale, lengths,
                                                       tensor(all.slot.data(), p.batch() * n.room), p.lse.view(), room);
  const std::vector<bf16> again = p.O.elements();
  const std::vector<float> sums_again = p.lse.elements();
  CHECK(std::memcmp(found.data(), again.data(), found.size() * sizeof(bf16)) == 0);
  CHECK(std::memcmp(found_sums.data(), sums_again.data(), found_sums.size() * sizeof(float)) == 0);
  return found;
}

TEST_CASE("sequences of any length, also of none, in parts of which some have no tile") {
  check<128, 3>({.lengths = {300, 0, 1, 64, 65}, .h = 2, .s = 8, .room = 320}, 1);
}
TEST_CASE("more rows than a tile has") { check<128, 3>({.lengths = {400}, .h = 1, .s = 70, .room = 400}); }
TEST_CASE("one part") { check<64, 1>({.lengths = {65, 640}, .h = 3, .s = 16, .room = 640}, 1); }
TEST_CASE("more parts than a cluster has room for") {
  check<64, 9>({.lengths = {65, 1300}, .h = 1, .s = 8, .room = 1300}, 1);
}

TEST_CASE("a pool without heads, a slot that there is not, and more keys than there is room for") {
  test::decode_problem<64> p({.lengths = {70, 3}, .h = 2, .s = 8, .room = 80});
  typename decltype(p)::pages all(p);
  const auto run = [&](auto keys) {
    run_on_model<paged_decode_attention<64, 1>>(p.Q.in(), keys, p.heads_of_pool(all.V.in()), p.O.view(), p.scale,
                                                tensor(p.n.lengths.data(), p.batch()), tensor(all.slot.data(), 160),
                                                p.lse.view());
  };
  const tensor_view<const bf16> pool = p.heads_of_pool(all.K.in());
  CHECK_THROWS_WITH_AS(
      run(matrix(pool.data, p.slots(), 64)),
      doctest::Contains("operand K: the tensor has 2 modes, but its rows are picked by slot: it has one "
                        "mode that this lacks, rows, of any number, and columns"),
      launch_error);
  all.slot[69] = p.slots();
  CHECK_THROWS_WITH_AS(run(pool), doctest::Contains("an element of slot is 163"), model::hazard);
  all.slot[69] = 0;
  p.n.lengths[1] = 81;
  CHECK_THROWS_WITH_AS(run(pool), doctest::Contains("lengths[1] = 81: a group along T has room for 80 rows"),
                       model::hazard);
}

}  // namespace
