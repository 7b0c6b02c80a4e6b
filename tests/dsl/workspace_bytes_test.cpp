// What is refused by the question how large a workspace is, which comes before a launch looks at anything.
#include <doctest/doctest.h>

#include <algorithm>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/launch/workspace_bytes.hpp>
#include <sectile/kernels/sparse_gemm.hpp>
#include <string>
#include <vector>

#include "tests/programs/scatters.hpp"

namespace {

using namespace sectile;

/// As workspace_bytes<K>() asks, of kernels that need not be proven.
template <class K, class... Arguments>
std::size_t bytes_of(const Arguments&... arguments) {
  argument_facts given = facts_of_all(arguments...);
  as_the_body_has_them<K>(given.tensor);
  return workspace_bytes(plan_of<K>, given.tensor);
}

constexpr const bf16* matrix_to_come = nullptr;
constexpr const s32* numbers_to_come = nullptr;
constexpr bf16* output_to_come = nullptr;

TEST_CASE("of no groups, and of fewer than none") {
  const auto bytes = [](std::int64_t groups) {
    return bytes_of<test::scatters::of_groups>(
        matrix(matrix_to_come, 6, 64), tensor(matrix_to_come, 2, 8, 64), tensor(static_cast<const float*>(nullptr), 6),
        tensor(numbers_to_come, 6), tensor(numbers_to_come, groups), matrix(output_to_come, 3, 8));
  };
  CHECK(bytes(2) > 0);
  for (const std::int64_t groups : {0, -1})
    CHECK_THROWS_WITH_AS(bytes(groups), doctest::Contains(": every size must be at least 1"), launch_error);
}
TEST_CASE("of an index that has more modes than a view") {
  using K = test::scatters::product<test::scatters::plain>;
  const auto bytes = [](const tensor_view<const s32>& place) {
    return bytes_of<K>(matrix(matrix_to_come, 6, 64), matrix(matrix_to_come, 8, 64), place,
                       matrix(output_to_come, 3, 8));
  };
  CHECK(bytes(tensor(numbers_to_come, 6)) > 0);
  CHECK_THROWS_WITH_AS(bytes({nullptr, 700, {6}, {1}}),
                       doctest::Contains("operand place: the tensor has 700 modes, the kernel expects 1"),
                       launch_error);
}

/// A number for each column of each matrix, of which four warps have a part each.
struct sums_of_columns {
  static constexpr auto operands = sectile::operands(input<"A(G,M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     output<"C(G,M,N)", bf16>(), vector_output<"v(G,N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 8}, {"K", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto v) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(B, {n, k}));
    sm.combine(v, {g, n}, col_sum(acc), reduction::add);
    sm.store(C, {g, m, n}, acc);
  }
};
TEST_CASE("of more counters than an int counts") {
  const auto bytes = [](std::int64_t matrices) {
    constexpr std::int64_t n = 8 << 12;
    return bytes_of<sums_of_columns>(tensor(matrix_to_come, matrices, 64, 64), tensor(matrix_to_come, n, 64),
                                     tensor(output_to_come, matrices, 64, n),
                                     tensor(static_cast<float*>(nullptr), matrices, n));
  };
  const std::int64_t most = (std::int64_t{1} << 31) / (4 << 12);  // one more than go
  CHECK(bytes(most - 1) > (std::size_t{1} << 33));
  CHECK_THROWS_WITH_AS(bytes(most),
                       doctest::Contains("workspace: the tiles of operand C take tickets of 2147483648 counters; up to "
                                         "2147483647 are counted"),
                       launch_error);
}

TEST_CASE("of more tiles than a launch counts") {
  constexpr std::int64_t n = 8 << 16, matrices = 1 << 15;
  CHECK_THROWS_WITH_AS(bytes_of<sums_of_columns>(tensor(matrix_to_come, matrices, 64, 64),
                                                 tensor(matrix_to_come, n, 64), tensor(output_to_come, matrices, 64, n),
                                                 tensor(static_cast<float*>(nullptr), matrices, n)),
                       doctest::Contains("operand C: 32768 x 1 x 65536 tiles; a launch takes up to"), launch_error);
}

// Where a workspace may be: nothing is read or written, the memory is none.
template <class T>
T* memory(std::uint64_t address) {
  return reinterpret_cast<T*>(address);
}
/// What is said of a workspace of as many bytes as `p` needs; nothing if it will do.
std::string refusal(const plan& p, const argument_facts& facts, std::uint64_t address) {
  given_operands given{};
  std::copy(std::begin(facts.tensor), std::end(facts.tensor), given.tensor);
  given.workspace = memory<void>(address);
  given.workspace_bytes = workspace_bytes(p, given.tensor);
  try {
    check_workspace(p, given);
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}
bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST_CASE("a workspace beside an operand, at the end of the address space, and at each alignment") {
  constexpr std::uint64_t at = std::uint64_t{1} << 50, end = std::uint64_t{1} << 63;
  const plan& p = plan_of<sums_of_columns>;
  const argument_facts given =
      facts_of_all(tensor(memory<const bf16>(at), 1, 64, 64), tensor(memory<const bf16>(2 * at), 8, 64),
                   tensor(memory<bf16>(3 * at), 1, 64, 8), tensor(memory<float>(4 * at), 1, 8));
  const std::uint64_t bytes = workspace_bytes(p, given.tensor), of_a = 64 * 64 * sizeof(bf16);
  REQUIRE(bytes % 16 == 0);
  CHECK(refusal(p, given, at - bytes).empty());
  CHECK(says(refusal(p, given, at - bytes + 16), "and operand A"));
  CHECK(refusal(p, given, at + of_a).empty());
  CHECK(says(refusal(p, given, at + of_a - 16), "share memory"));
  CHECK(refusal(p, given, end - bytes - 16).empty());
  CHECK(says(refusal(p, given, end - bytes), "reach beyond the end of the address space"));
  CHECK(says(refusal(p, given, 5 * at + 8), "the pointer is not aligned to 16 bytes (it is 8 bytes off)"));
}

struct sparse_in_parts : kernels::sparse_gemm<bf16, bf16, bf16> {
  static constexpr configuration how{
      .tile = {{"M", 64}, {"N", 64}, {"K", 64}}, .stages = 2, .consumers = 1, .split = 2, .apart = true};
};
TEST_CASE("a workspace and the metadata of a sparse operand") {
  constexpr std::uint64_t at = std::uint64_t{1} << 50;
  const argument_facts given =
      facts_of_all(sparse(memory<const bf16>(at), memory<const std::uint32_t>(2 * at), 64, 64),
                   matrix(memory<const bf16>(3 * at), 64, 64), matrix(memory<bf16>(4 * at), 64, 64));
  CHECK(refusal(plan_of<sparse_in_parts>, given, 5 * at).empty());
  CHECK(says(refusal(plan_of<sparse_in_parts>, given, 2 * at), "the metadata of operand A"));
}

// Views of sizes whose product no 64 bits hold: nothing wraps around, and a launch refuses them.
constexpr std::int64_t large = std::int64_t{1} << 40, largest = 0x7FFFFFFF'FFFFFFFF;
static_assert(tensor(output_to_come, 2, large, large).stride[0] == std::int64_t{1} << 62);
constexpr im2col_view<const bf16> walk_over(std::int64_t side, int filter) {
  return im2col(tensor_view<const bf16>{nullptr, 4, {1, side, side, 64}, {1, 1, 64, 1}}, {.filter = {filter, filter}});
}
static_assert(pixels_of(walk_over(20, 3)).rows == 18 && pixels_of(walk_over(20, 3)).cols == 18);
static_assert(pixels_of(walk_over(largest, 3)).rows == 0 && pixels_of(walk_over(-largest - 1, 3)).cols == 0);
static_assert(pixels_of(walk_over(20, -0x7FFFFFFF - 1)).rows == 0);
static_assert(filters(tensor_view<const bf16>{nullptr, 4, {64, large, large, 64}, {}}).extent[0] == std::int64_t{1}
                                                                                                        << 62);

/// Combines, and stores nothing.
struct sums_alone {
  static constexpr auto operands = sectile::operands(input<"X(M,N)", bf16>(), output<"sums(N)", float>());
  static constexpr configuration how{.tile = {{"M", 64}, {"N", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto sums) {
    auto [m, n] = sm.tile_of(X);
    sm.combine(sums, {n}, cast<float>(in_registers(sm.load(X, {m, n}))), reduction::add);
  }
};
static_assert(verified<sums_alone> && runnable<sums_alone>);
TEST_CASE("of a kernel that combines and stores nothing") {
  CHECK(workspace_bytes<sums_alone>(matrix(matrix_to_come, 100, 64), tensor(static_cast<float*>(nullptr), 64)) > 0);
}

/// What the tickets of a launch count from.
std::uint64_t token_of_launch() {
  using K = test::scatters::product<test::scatters::plain>;
  std::vector<bf16> a(6 * 64), b(8 * 64), c(3 * 8);
  std::vector<s32> place(6);
  std::vector<std::uint64_t> memory(1 << 12);
  launch_arguments<K, model::tensor_map> given(matrix(a.data(), 6, 64), matrix(b.data(), 8, 64),
                                               tensor(place.data(), 6), matrix(c.data(), 3, 8),
                                               workspace(memory.data(), memory.size() * sizeof memory[0]));
  known_path path{};
  prepare(launchable_of<K>, given.given, model::encode_map_at, given.places, path);
  return given.places.counters->tickets.token;
}
TEST_CASE("each launch has a token, as far from the one before as no tickets reach") {
  const std::uint64_t first = token_of_launch(), second = token_of_launch(), third = token_of_launch();
  CHECK(second - first == std::uint64_t{1} << token_step_bits);
  CHECK(third - second == second - first);
}

}  // namespace
