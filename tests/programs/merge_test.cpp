// sm.own_trips() and sm.merge(): CTAs of a tile make a part of its trips each, and what they have made is merged as the
// body says, in the order of the parts.
#include "tests/programs/merge.hpp"

#include <sectile/dsl/launch/checked.hpp>

#include "tests/programs/kit.hpp"
#include "tests/programs/sum_of_parts.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

template <int Parts, int Consumers = 1, bool Swap = false, cluster_shape Cluster = {}>
using decayed = decayed_sum<split_in(Parts, Swap ? 16 : 64 * Consumers, Swap ? 64 : 32, 64, Consumers, Cluster, Swap)>;

// Parts meet in the memory of a cluster, whatever f does in one round, or in a workspace.
static_assert(verified<decayed<1>> && plan_of<decayed<1>>.meetings == 0);
static_assert(verified<decayed<3>> && plan_of<decayed<3>>.shares && plan_of<decayed<3>>.how.ctas() == 3);
static_assert(plan_of<decayed<8>>.meeting[0].rounds == 1 && plan_of<decayed<8>>.meeting[0].words == 64 * 32 / 128);
static_assert(verified<decayed<9>> && plan_of<decayed<9>>.how.uses_workspace());
static_assert(verified<decayed<2, 1, false, {1, 2}>> && verified<checked<decayed<3>>>);
// Or there however few they are.
template <int Parts>
using apart = decayed_sum<[] {
  configuration c = split_in(Parts, 64, 32, 64);
  c.apart = true;
  return c;
}()>;
static_assert(verified<apart<3>> && plan_of<apart<3>>.how.uses_workspace() && plan_of<apart<3>>.how.ctas() == 1);
template <int Parts>
using tall = decayed_sum<split_in(Parts, 128, 32, 64)>;
// Or so many at once, and then what these have become.
template <int Parts, int FanIn, int Consumers = 1, bool Swap = false, cluster_shape Cluster = {}>
inline constexpr configuration by_groups = by_at_once(FanIn, split_in(Parts, Swap ? 16 : 64 * Consumers, Swap ? 64 : 32,
                                                                      64, Consumers, Cluster, Swap));
template <int Parts, int FanIn, int Consumers = 1, bool Swap = false, cluster_shape Cluster = {}>
using grouped = decayed_sum<by_groups<Parts, FanIn, Consumers, Swap, Cluster>>;
static_assert(verified<grouped<9, 3>> && verified<grouped<3, 2>> && verified<checked<grouped<3, 2>>>);
static_assert(verified<grouped<5, 2, 2, false, {1, 2}>> && plan_of<grouped<5, 2>>.how.groups_of_parts() == 3);
// A part has room for what its group has become, and a tile has a counter of each group and one of these.
static_assert(bytes_of_a_part(plan_of<grouped<5, 2>>) == 2 * bytes_of_a_part(plan_of<apart<3>>));
static_assert(counters_of_a_tile(plan_of<grouped<5, 2>>) == 4 && counters_of_a_tile(plan_of<apart<3>>) == 1);
static_assert(group_of_part(3, 5, 2) == parts_that_meet{2, 1, 2} &&
              group_of_part(4, 5, 2) == parts_that_meet{4, 0, 1} &&
              among_groups(4, 5, 2) == parts_that_meet{0, 2, 3});
// And groups are a part of the order of sums.
static_assert(same_sums<grouped<9, 3>, grouped<9, 3>> && !same_sums<grouped<9, 3>, decayed<9>>);
// Of that the one who is last of all reads a group and one of each, of 9 parts 3 and 3.
static_assert(2 * cost_of<grouped<9, 3>>.meeting_bytes == 3 * cost_of<grouped<4, 2>>.meeting_bytes &&
              cost_of<grouped<9, 3>>.meetings == 2 && cost_of<grouped<9, 3>>.counters == 4);
// Two meetings. A thread's numbers of two octets of rows are as many fours.
using both = largest_and_sum<split_in(3, 64, 32, 64)>;
static_assert(verified<both> && plan_of<both>.meetings == 2 && plan_of<both>.meeting[0].words == 2 * 4);
static_assert(verified<largest_and_sum<split_in(9, 64, 32, 64)>>);

// f of a merge reads both parts' of each value and gives the first one's another: what is done to two values, a
// number's and a line's, of either part.
struct numbered {
  int id;
};
struct line {
  float value[1][2]{};
};
constexpr int lost(int unread, int unchanged, bool overwrites = false) {
  numbered x{7}, its_x{9};
  line y, its_y;
  merge_watch watch;
  watch.add(x), watch.add(y), watch.add(its_x), watch.add(its_y);
  const int key[4]{x.id, static_cast<int>(y.value[0][1]), its_x.id, static_cast<int>(its_y.value[0][1])};
  for (int n = 0; n < 4; ++n)
    if (n != unread) watch.read(key[n]);
  for (int n = 0; n < 2; ++n)
    if (n != unchanged) watch.change(key[n]);
  if (overwrites) watch.read(key[0], -1);  // the wait of what overwrites it is no reading
  return watch.lost();
}
STATIC_CASE(merge_watch{}.lost() == 0 && lost(-1, -1) == 0);
STATIC_CASE(lost(0, -1) == 1 && lost(1, -1) == 2 && lost(2, -1) == 1 && lost(3, -1) == 2);
STATIC_CASE(lost(-1, 0) == 1 && lost(-1, 1) == 2 && lost(-1, -1, true) == 1);

/// Bit by bit what parts that a kernel without a split makes come to.
template <class Kernel, class Whole>
void check(int m, int n, int tiles, int random = 0) {
  constexpr int step = 64, parts = Kernel::how.split, fan_in = Kernel::how.fan_in > 0 ? Kernel::how.fan_in : parts;
  typed_matrix<bf16> A(m, tiles * step), B(n, tiles * step);
  A.fill(contents::any, 1), B.fill(contents::any, 2);
  typed_matrix<float> part(m, n), group(m, n), sum(m, n);
  for (int p = 0; p < parts; ++p) {
    const trip_part own = part_of_trips(tiles, p, parts);
    std::fill(part.data.begin(), part.data.end(), 0.0f);
    if (own.count > 0)
      run_on_model<Whole>(columns(A, step * own.first, step * (own.first + own.count)),
                          columns(B, step * own.first, step * (own.first + own.count)), part.out());
    const bool begins = p % fan_in == 0, ends = p % fan_in == fan_in - 1 || p == parts - 1;
    for (std::size_t i = 0; i < sum.data.size(); ++i) {
      group.data[i] = begins ? part.data[i] : group.data[i] * 0.5f + part.data[i];
      if (ends) sum.data[i] = p < fan_in ? group.data[i] : sum.data[i] * 0.5f + group.data[i];
    }
  }
  host_tensor<float> C({m, n});
  std::vector<std::uint64_t> memory(plan_of<Kernel>.how.uses_workspace() ? 1 << 18 : 0);
  run_on_schedules<Kernel>(random, C, A.in(), B.in(), C.view(),
                           workspace(memory.data(), memory.size() * sizeof(std::uint64_t)));
  int wrong = 0;
  C.for_each_number([&](double x, int i, int j) { wrong += x != sum.out().data[i * sum.stride + j]; });
  CHECK(wrong == 0);
}

TEST_CASE("rows of one octet, of some, of several tiles") {
  for (const int m : {8, 9, 40, 100}) check<decayed<3>, decayed<1>>(m, 40, 7, m == 8);
}
TEST_CASE("rows of two blocks in a consumer, of whose octets a tile has one, some or all") {
  for (const int m : {3, 70}) check<tall<9>, tall<1>>(m, 32, 20);
  check<tall<3>, tall<1>>(200, 32, 7);
}
TEST_CASE("as many parts as a cluster has CTAs, and more than there are trips") {
  check<decayed<8>, decayed<1>>(8, 32, 19, 1);
  check<decayed<8>, decayed<1>>(70, 32, 3);
}
TEST_CASE("more parts than that, in a workspace") {
  check<decayed<9>, decayed<1>>(8, 32, 20, 1);
  check<decayed<12, 2>, decayed<1>>(140, 40, 13);
  check<apart<3>, decayed<1>>(100, 40, 7, 1);
}
TEST_CASE("so many parts at once, and then what they have become: groups that are alike, and a last one with fewer") {
  check<grouped<9, 3>, decayed<1>>(70, 40, 20, 1);
  check<grouped<5, 2>, decayed<1>>(8, 32, 12, 1);
  check<grouped<5, 2, 2, false, {1, 2}>, decayed<1>>(140, 70, 7);
  check<grouped<4, 3, 1, true>, decayed<1, 1, true>>(5, 70, 9);
  check<grouped<16, 4>, decayed<1>>(8, 32, 3);
}
TEST_CASE("consumers that share a tile, tiles of a cluster, values that lie turned in registers") {
  check<decayed<2, 2>, decayed<1>>(72, 40, 5, 1);
  check<decayed<2, 1, false, {1, 2}>, decayed<1>>(30, 70, 5);
  check<decayed<3, 1, true>, decayed<1, 1, true>>(5, 70, 7);
}

TEST_CASE("two states, one behind the other") {
  constexpr int m = 24, n = 32, step = 64, k = 7 * step;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n});
  A.fill(1), B.fill(2);
  const auto run = [&]<class Kernel>(const Kernel*, std::size_t room) {
    std::vector<float> most(m, 0.0f);
    std::vector<std::uint64_t> memory(room);
    run_on_schedules<Kernel>(1, C, A.in(), B.in(), C.view(), tensor(most.data(), m),
                             workspace(memory.data(), memory.size() * sizeof(std::uint64_t)));
    check_close(C, f32_close, [&](int i, int j) { return dot(A, B, i, j); });
    for (int i = 0; i < m; ++i) {
      double largest = -infinity;
      for (int j = 0; j < n; ++j)
        for (int t = 0; t < k; t += step) {
          double s = 0;
          for (int x = t; x < t + step; ++x) s += A.number(i, x) * B.number(j, x);
          largest = std::max(largest, s);
        }
      CHECK(most[static_cast<std::size_t>(i)] == doctest::Approx(largest).epsilon(1e-5));
    }
  };
  run(static_cast<const both*>(nullptr), 0);
  run(static_cast<const largest_and_sum<split_in(9, 64, 32, 64)>*>(nullptr), 1 << 18);
  run(static_cast<const largest_and_sum<by_groups<7, 3>>*>(nullptr), 1 << 18);
}

TEST_CASE("in some of all schedules, and on a checked kernel") {
  constexpr int m = 8, n = 32, k = 3 * 64;
  host_tensor<bf16> A({m, k}), B({n, k});
  host_tensor<float> C({m, n}), again({m, n});
  A.fill(1), B.fill(2);
  run_on_model_with<decayed<2>>({.schedule = schedule_mode::systematic, .max_schedules = 20, .workers = 2}, A.in(),
                                B.in(), C.view());
  run_on_model<checked<decayed<2>>>(A.in(), B.in(), again.view());
  CHECK(C.elements() == again.elements());
}

}  // namespace
