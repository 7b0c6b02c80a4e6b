// Attention of few new tokens to the keys of a cache, in parts, on the model against float64.
#include "tests/programs/decode.hpp"

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::decode_merge;
using kernels::decode_parts;
using kernels::paged_decode_parts;
using test::decode_sizes;

// On an H200: as many as there is room for, and not so many that they have nothing to do.
static_assert(kernels::parts_of_decode(8, 8192, 132) == 16 && kernels::parts_of_decode(8, 1024, 132) == 8);
static_assert(kernels::parts_of_decode(64, 1024, 132) == 2 && kernels::parts_of_decode(512, 131072, 132) == 1);
static_assert(kernels::parts_of_decode(1, 1, 132) == 1);

static_assert(verified<decode_parts<128>> && verified<decode_parts<64>>);
static_assert(verified<paged_decode_parts<128>> && verified<paged_decode_parts<64>>);
static_assert(verified<decode_merge<128>> && verified<decode_merge<64>>);

/// The bits of O.
template <int D>
std::vector<bf16> check(const decode_sizes& n, int random = 0) {
  test::decode_problem<D> p(n);
  const auto lengths = tensor(p.n.lengths.data(), p.batch());
  const auto keys = p.heads_of_cache(p.K.in()), values = p.heads_of_cache(p.V.in());
  test::run_on_schedules<decode_parts<D>>(random, p.parts, p.Q.in(), keys, values, p.parts.view(), p.scale, lengths,
                                          p.sums.view());
  CHECK(p.sums.touched() == 0);
  const std::vector<float> found = p.parts.elements(), found_sums = p.sums.elements();
  const typename decltype(p)::pages all(p);
  p.sums.poison();
  test::run_on_schedules<paged_decode_parts<D>>(random, p.parts, p.Q.in(), p.heads_of_pool(all.K.in()),
                                                p.heads_of_pool(all.V.in()), p.parts.view(), p.scale, lengths,
                                                tensor(all.slot.data(), p.batch() * n.room), p.sums.view());
  const std::vector<float> again = p.parts.elements(), sums_again = p.sums.elements();
  CHECK(std::memcmp(found.data(), again.data(), found.size() * sizeof(float)) == 0);
  CHECK(std::memcmp(found_sums.data(), sums_again.data(), found_sums.size() * sizeof(float)) == 0);
  test::run_on_schedules<decode_merge<D>>(random, p.O, p.parts.in(), p.sums.in(), p.O.view(), p.lse.view());
  CHECK(p.lse.touched() == 0);
  CHECK(p.error_of(p.O) <= test::rounded_twice);
  CHECK(p.error_of(p.lse) <= 1e-5);
  return p.O.elements();
}

TEST_CASE("sequences of any length, also of none, in parts of which some have no tile") {
  check<128>({.lengths = {300, 0, 1, 64, 65}, .h = 2, .s = 8, .room = 320, .parts = 3}, 1);
  check<64>({.lengths = {129, 7}, .h = 1, .s = 4, .room = 150, .parts = 7});
}
TEST_CASE("one part, and more rows than a tile has") {
  check<128>({.lengths = {200}, .h = 1, .s = 70, .room = 200, .parts = 1});
  check<64>({.lengths = {65, 640}, .h = 3, .s = 16, .room = 640, .parts = 2}, 1);
}

TEST_CASE("a pool without heads, a slot that there is not, and more keys than there is room for") {
  test::decode_problem<64> p({.lengths = {70, 3}, .h = 2, .s = 8, .room = 80, .parts = 2});
  typename decltype(p)::pages all(p);
  const auto run = [&](auto keys) {
    run_on_model<paged_decode_parts<64>>(p.Q.in(), keys, p.heads_of_pool(all.V.in()), p.parts.view(), p.scale,
                                         tensor(p.n.lengths.data(), p.batch()), tensor(all.slot.data(), 160),
                                         p.sums.view());
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
