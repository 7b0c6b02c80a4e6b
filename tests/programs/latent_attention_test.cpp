// Latent attention, of keys that CTAs share, on the model against float64.
#include "tests/programs/latent_attention.hpp"

#include "tests/programs/kit.hpp"

namespace {

using namespace sectile;
using kernels::latent_attention;
using kernels::latent_form;
using test::latent_sizes;

constexpr latent_form paged(latent_form form) {
  form.paged = true;
  return form;
}

static_assert(verified<latent_attention<>> && verified<latent_attention<latent_form{.rows = 32}>>);
static_assert(verified<latent_attention<latent_form{.rows = 64}>> &&
              verified<latent_attention<latent_form{.rows = 64, .paged = true}>>);
static_assert(verified<latent_attention<latent_form{.rows = 32, .parts = 9, .slices = 2, .paged = true}>>);
// A tile of latents is a factor twice: as keys, with what is summed over contiguous, and turned around, as values.
template <latent_form Form>
constexpr bool reads_latents_twice() {
  const auto& all = plan_of<latent_attention<Form>>.products;
  const auto &first = all.at[0], &last = all.at[all.count - 1];
  return first.a_operand == last.a_operand && first.a.major == major::k && last.a.major == major::mn;
}
static_assert(reads_latents_twice<latent_form{}>() && reads_latents_twice<latent_form{.parts = 4, .slices = 4}>());
// Nothing is stored under products whose factors are written to shared memory in between.
static_assert(latent_attention<>::how.persistent && !plan_of<latent_attention<>>.epilogue[0].deferred);
// Parts meet in a cluster, or in a workspace: o, and of each row a maximum and a sum.
template <latent_form Form>
constexpr int ctas_of = plan_of<latent_attention<Form>>.how.ctas();
static_assert(ctas_of<latent_form{.parts = 8}> == 8 && ctas_of<latent_form{.parts = 16}> == 1);
static_assert(ctas_of<latent_form{.parts = 4, .apart = true}> == 1);
static_assert(plan_of<latent_attention<latent_form{.parts = 8, .slices = 4}>>.meeting[0].words ==
              16 * 128 / 128 + 2 * 4);

// On an H200 the fastest of those that were measured, or within 6 % of it.
constexpr latent_form fast(int heads, int sequences, int keys) {
  return kernels::form_of_latents(heads, sequences, keys, 132);
}
static_assert(fast(16, 1, 1024) == latent_form{.parts = 8, .slices = 4});
static_assert(fast(16, 1, 4096) == latent_form{.parts = 16, .slices = 4});
static_assert(fast(16, 1, 16384) == latent_form{.parts = 32, .slices = 2});
static_assert(fast(16, 1, 65536) == latent_form{.parts = 64, .slices = 2});
static_assert(fast(16, 8, 1024) == latent_form{.parts = 4, .slices = 2});
static_assert(fast(16, 8, 4096) == latent_form{.parts = 8, .slices = 2, .apart = true});
static_assert(fast(16, 8, 16384) == latent_form{.parts = 16} && fast(16, 64, 4096) == latent_form{.parts = 2});
static_assert(fast(16, 128, 1024) == latent_form{} && fast(128, 8, 1024) == latent_form{.parts = 2});
static_assert(fast(128, 1, 16384) == latent_form{.parts = 16});
static_assert(fast(128, 1, 65536) == latent_form{.rows = 32, .parts = 32});
static_assert(fast(128, 8, 4096) == latent_form{.rows = 32, .parts = 4, .apart = true});
static_assert(fast(128, 64, 1024) == latent_form{.rows = 64} && fast(64, 200, 4096) == latent_form{.rows = 64});
static_assert(fast(128, 33, 4096) == latent_form{.rows = 32} && fast(128, 70, 4096) == latent_form{.rows = 32});
static_assert(fast(32, 140, 4096) == latent_form{.rows = 32});
// At the limits between them: a head or a key more than tiles have, as many tiles as SMs, a key less than a part takes.
static_assert(fast(17, 128, 700) == latent_form{.rows = 32} && fast(128, 66, 300) == latent_form{});
static_assert(fast(1, 13, 1000) == latent_form{.parts = 8} && fast(1, 31, 1000) == latent_form{.parts = 2});
static_assert(fast(1, 66, 65) == latent_form{.parts = 2} && fast(1, 1, 1000000) == latent_form{.parts = most_parts});
static_assert(fast(1, 1, 1) == latent_form{.slices = 4} && fast(1000, 1000, 0) == latent_form{});

template <latent_form Form>
void check(const latent_sizes& n, int random = 0) {
  test::latent_problem p(n, Form.slices);
  const auto lengths = tensor(p.n.lengths.data(), p.batch());
  std::vector<std::uint64_t> memory(needs_workspace(plan_of<latent_attention<Form>>) ? 1 << 20 : 0);
  const workspace room(memory.data(), memory.size() * sizeof(std::uint64_t));
  const auto run = [&]<class Kernel>(const Kernel*, const auto& L, const auto&... slot) {
    p.lse.poison();
    test::run_on_schedules<Kernel>(random, p.O, p.latents(p.Q.in()), p.rest(p.Q.in()), p.latents(L.in()),
                                   p.rest(L.in()), p.O.view(), p.scale, lengths, slot..., p.logarithms(p.lse.view()),
                                   room);
  };
  run(static_cast<const latent_attention<Form>*>(nullptr), p.L);
  CHECK(p.lse.touched() == 0);
  CHECK(p.error_of(p.O) <= test::rounded_twice);
  CHECK(p.error_of(p.lse) <= 1e-5);
  const std::vector<unsigned char> found = p.O.bytes, sums = p.lse.bytes;
  const test::latent_problem::pages pool(p);
  run(static_cast<const latent_attention<paged(Form)>*>(nullptr), pool.L, tensor(pool.slot.data(), p.batch() * n.room));
  CHECK(p.O.bytes == found);
  CHECK(p.lse.bytes == sums);
}

TEST_CASE("sequences of any length, also of none, in parts of which some have no tile") {
  check<latent_form{.parts = 3}>({.lengths = {150, 0, 1, 64, 65}, .s = 16, .room = 160}, 1);
}
TEST_CASE("one part, and fewer rows than a tile has, or more") {
  check<latent_form{}>({.lengths = {200}, .s = 9, .room = 200});
  check<latent_form{}>({.lengths = {70}, .s = 20, .room = 70});
}
TEST_CASE("tiles of more heads, whose parts are merged in pieces") {
  check<latent_form{.rows = 32, .parts = 2}>({.lengths = {130, 7}, .s = 50, .room = 130});
  check<latent_form{.rows = 32, .parts = 4, .apart = true}>({.lengths = {300, 7}, .s = 40, .room = 300}, 1);
}
TEST_CASE("two consumers abreast, of which the last has no rows or few") {
  check<latent_form{.rows = 64}>({.lengths = {150, 0, 64, 1}, .s = 70, .room = 160}, 1);
  check<latent_form{.rows = 64}>({.lengths = {65}, .s = 33, .room = 65});
}
TEST_CASE("CTAs that make some of the columns, of parts that meet in a cluster or in a workspace") {
  check<latent_form{.parts = 4, .slices = 4}>({.lengths = {300, 7}, .s = 16, .room = 300}, 1);
  check<latent_form{.rows = 32, .parts = 9, .slices = 2}>({.lengths = {600, 0}, .s = 20, .room = 600});
}

TEST_CASE("logarithms without the mode of slices, and a slot that there is not") {
  constexpr latent_form of_slices{.slices = 2, .paged = true};
  test::latent_problem p({.lengths = {70}, .s = 8, .room = 80}, 2);
  test::latent_problem::pages pool(p);
  const auto run = [&](const auto& lse) {
    run_on_model<latent_attention<of_slices>>(p.latents(p.Q.in()), p.rest(p.Q.in()), p.latents(pool.L.in()),
                                              p.rest(pool.L.in()), p.O.view(), p.scale, tensor(p.n.lengths.data(), 1),
                                              tensor(pool.slot.data(), 80), lse);
  };
  CHECK_THROWS_WITH_AS(run(tensor(p.lse.view().data, 1, 8)), doctest::Contains("operand lse: "), launch_error);
  CHECK_THROWS_WITH_AS(run(tensor(p.lse.view().data, 1, 1, 8)), doctest::Contains("lse"), launch_error);
  pool.slot[69] = p.slots();
  CHECK_THROWS_WITH_AS(run(p.lse.view()), doctest::Contains("an element of slot is 83"), model::hazard);
}

}  // namespace
