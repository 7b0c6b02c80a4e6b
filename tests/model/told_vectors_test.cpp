// What the model knows of elements of a vector before threads write them, spoiled in one place at a time: each limit is
// looked at, from both sides.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <sectile/dsl/launch/model.hpp>
#include <vector>

#include "kit.hpp"

namespace {

using namespace sectile;
using kit::caught;
using model::hazard_kind;

/// C = A B^T, the sums of its columns, the largest number of all, and for each tile of columns those of its rows.
struct with_vectors {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(),
                        output<"sums(N)", float>(), output<"most", float>(), vector_output<"least(T,M)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto sums, auto most, auto least) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(sums, {n}, acc, reduction::add_in_any_order);
    sm.combine(most, {}, acc, reduction::max);
    sm.store(least, {as<"T">(n), m}, row_min(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<with_vectors>);

/// How the machine lies about each of the three.
using lie = void (*)(observed_vector& v);
struct lies {
  lie sums = nullptr, most = nullptr, least = nullptr;
  std::uint32_t other_bits = 0;  // of what is stored
  int silent = -1;               // this thread tells nothing
} now;

struct machine : model::machine {
  void observe_vector(const observed_vector& what, const float* first, int count) {
    observed_vector v = what;
    const lie of = what.how == reduction::none ? now.least : what.how == reduction::max ? now.most : now.sums;
    if (of) of(v);
    if (thread() != now.silent) model::machine::observe_vector(v, first, count);
  }
  template <int Bytes>
  void store_global(void* to, std::uint32_t x, bool there) {
    model::machine::store_global<Bytes>(to, x ^ now.other_bits, there);
  }
};

/// What the model says of 40 x 56 numbers, all of which are smaller than 0.
std::optional<caught> found(const lies& told) {
  std::vector<bf16> a(40 * 64), b(56 * 64);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = bf16(1.0F + static_cast<float>(i % 5));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = bf16(-1.0F - static_cast<float>(i % 7));
  std::vector<float> c(40 * 56), sums(56), most(1), least(40);
  now = told;
  try {
    run_on_model_with<with_vectors>({.workers = 1}, matrix(a.data(), 40, 64), matrix(b.data(), 56, 64),
                                    matrix(c.data(), 40, 56), tensor(sums.data(), 56), tensor(most.data()),
                                    tensor(least.data(), 1, 40));
  } catch (const model::hazard& h) {
    return caught{h.kind, h.what()};
  }
  CHECK(most[0] == *std::max_element(c.begin(), c.end()));
  return std::nullopt;
}
void expect(const lies& told, hazard_kind kind, const char* part) {
  const auto report = found(told);
  REQUIRE(report);
  INFO(report->message);
  INFO("expected: ", std::string(part));
  CHECK(report->kind == kind);
  CHECK(report->says(part));
}

}  // namespace

template <>
struct sectile::machine_under_test<with_vectors, sectile::model::machine> {
  using type = machine;
};

namespace {

TEST_CASE("what is told right is taken") { CHECK(!found({})); }
TEST_CASE("elements that the vector has, and those that the tile has") {
  constexpr const char* outside = " is none of those that the work's tile has";
  const lie less = [](observed_vector& v) { --v.inside; };
  expect({.sums = less}, hazard_kind::out_of_range, outside);
  expect({.least = less}, hazard_kind::out_of_range, outside);
  const lie fewer = [](observed_vector& v) { v.elements = v.inside - 1; };
  expect({.sums = fewer}, hazard_kind::out_of_range, outside);
  expect({.least = fewer}, hazard_kind::out_of_range, outside);
  CHECK(!found({.sums = [](observed_vector& v) { v.elements = v.inside; }}));
  const lie later = [](observed_vector& v) { v.first = static_cast<const float*>(v.first) + v.inside; };
  expect({.sums = later}, hazard_kind::out_of_range, outside);
  expect({.least = later}, hazard_kind::out_of_range, outside);
  const lie between = [](observed_vector& v) { v.first = static_cast<const std::byte*>(v.first) - 2; };
  expect({.sums = between}, hazard_kind::out_of_range, outside);
}
TEST_CASE("who has a part of the sums alone, and tiles beyond the work") {
  expect({.sums = [](observed_vector& v) { v.mine = false; }}, hazard_kind::wrong_element,
         " is written by a CTA that has but a part of the tile's sums");
  constexpr const char* beyond = " is written by a tile that lies beyond the work";
  for (const lie none :
       {lie([](observed_vector& v) { v.rows_left = 0; }), lie([](observed_vector& v) { v.cols_left = 0; })}) {
    expect({.sums = none}, hazard_kind::out_of_range, beyond);
    expect({.least = none}, hazard_kind::out_of_range, beyond);
  }
  CHECK(!found({.sums = [](observed_vector& v) { v.rows_left = v.cols_left = 1; }}));
}
TEST_CASE("what is beyond the work counts in no sum, and in no largest number") {
  const lie row_less = [](observed_vector& v) { --v.rows_inside; };
  expect({.sums = row_less}, hazard_kind::wrong_element, "where the numbers of its warp make");
  // Zeros beyond the edge are larger than all that is there.
  expect({.most = [](observed_vector& v) { ++v.rows_inside; }}, hazard_kind::wrong_element,
         "where the numbers of its warp make 0");
  expect({.most = [](observed_vector& v) { ++v.cols_inside; }}, hazard_kind::wrong_element,
         "where the numbers of its warp make 0");
  // Of a column all rows count, and columns that are none of the work's are none of the vector's.
  CHECK(!found({.sums = [](observed_vector& v) { v.cols_inside = 0; }}));
}
TEST_CASE("all lanes of a warp tell") {
  expect({.silent = 133}, hazard_kind::divergent, " combines numbers of consumer (thread 133, ");
}
TEST_CASE("what is stored is a row's own number") {
  expect({.least = [](observed_vector& v) { v.first = static_cast<const float*>(v.first) - 1; }},
         hazard_kind::wrong_element, " becomes another number than the body stores there");
  expect({.other_bits = 1}, hazard_kind::wrong_element, " becomes another number than the body stores there");
  expect({.least = [](observed_vector& v) { v.line = told_line::column; }}, hazard_kind::wrong_element,
         " becomes another number than the body stores there");
}

/// Numbers of rows and of columns, of which lanes and consumers have the same ones or each their own.
struct with_lines {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", float>(),
                        output<"total", float>(), output<"sum_of_tops", float>(), output<"lows(M)", float>(),
                        output<"highs(N)", float>(), output<"tops(N)", float>());
  static constexpr configuration how{.tile = {{"M", 128}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto total, auto sum_of_tops, auto lows, auto highs,
                             auto tops) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(total, {}, row_sum(acc), reduction::add_in_any_order);
    sm.combine(sum_of_tops, {}, col_max(acc), reduction::add_in_any_order);
    sm.combine(lows, {m}, acc, reduction::min);
    sm.combine(highs, {n}, col_max(acc), reduction::max);
    sm.store(tops, {n}, col_max(acc));
    sm.store(C, {m, n}, acc);
  }
};
static_assert(verified<with_lines>);

TEST_CASE("numbers of rows and of columns are told once, however many lanes have them") {
  for (const float largest : {1.0F, 3e38F}) {  // sums of which some are infinite
    std::vector<bf16> a(100 * 64), b(64 * 64);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = bf16(1.0F + static_cast<float>(i % 5));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = bf16(1.0F + static_cast<float>(i % 7));
    a[70 * 64] = bf16(largest);
    std::vector<float> c(100 * 64), total(1), sum_of_tops(1), lows(100), highs(64), tops(64);
    run_on_model_with<with_lines>({.workers = 1}, matrix(a.data(), 100, 64), matrix(b.data(), 64, 64),
                                  matrix(c.data(), 100, 64), tensor(total.data()), tensor(sum_of_tops.data()),
                                  tensor(lows.data(), 100), tensor(highs.data(), 64), tensor(tops.data(), 64));
    CHECK(lows[99] == *std::min_element(c.end() - 64, c.end()));
    CHECK(highs == tops);
  }
}

}  // namespace
