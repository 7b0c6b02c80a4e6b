// Which tensors of a launch may share memory: what is refused, what is harmless, and the arithmetic behind it against
// brute force.
#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/launch/portable_model.hpp>
#include <sectile/kernels/attention.hpp>
#include <sectile/kernels/gemm.hpp>
#include <set>
#include <string>

#include "tests/exhaustively.hpp"
#include "tests/programs/matmul.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile;
using test::host_tensor;

using gemm = test::matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1}>;

enum class residual { own, mirrored, nearly_own };
/// C = A B^T + R, where R's tile is that of C, the mirrored one, or C's but in a far row.
template <residual At, int Split = 1>
struct with_residual {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(),
                                                     input<"R(M,N)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1, .persistent = Split == 1, .split = Split};
  static constexpr void body(auto& sm, auto A, auto B, auto R, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    if constexpr (At == residual::mirrored)
      acc += cast<float>(in_registers(sm.load(R, {as<"M">(n), as<"N">(m)})));
    else if constexpr (At == residual::nearly_own)
      acc += cast<float>(in_registers(sm.load(R, {select(m == 4711, m - 1, m), n})));
    else
      acc += cast<float>(in_registers(sm.load(R, {m, n})));
    sm.store(C, {m, n}, acc);
  }
};

/// The same in two configurations, of which one divides the loop.
struct residual_family : with_residual<residual::own> {
  static constexpr auto how = configurations(with_residual<residual::own, 4>::how, with_residual<residual::own>::how);
  static constexpr auto sums = any_order;
};

/// Bit o: input o may be the output's own tensor.
template <class K>
constexpr unsigned in_place_inputs() {
  unsigned inputs = 0;
  for (int o = 0; o < plan_of<K>.operands; ++o) inputs |= plan_of<K>.operand[o].in_place << o;
  return inputs;
}
STATIC_CASE(in_place_inputs<gemm>() == 0);
STATIC_CASE(in_place_inputs<with_residual<residual::own>>() == 0b100);
STATIC_CASE(in_place_inputs<with_residual<residual::mirrored>>() == 0);
STATIC_CASE(in_place_inputs<with_residual<residual::nearly_own>>() == 0);
STATIC_CASE(in_place_inputs<with_residual<residual::own, 2>>() ==
            0);  // the part that stores does not wait for the other's R
STATIC_CASE(in_place_inputs<kernels::attention<128, kernels::attention_mask::none>>() == 0b0001);  // the queries

template <class K, class... Arguments>
std::string refusal(const Arguments&... arguments) {
  try {
    run_on_model_with<K>({.workers = 1}, arguments...);
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}

/// 64 rows of 256 elements, all 1.
struct shared_rows {
  host_tensor<bf16> storage{{64, 256}}, other{{64, 64}};

  shared_rows() {
    storage.fill(1);
    other.fill(2);
  }
  /// 64 columns from column `first` on.
  tensor_view<bf16> columns(int first) { return matrix(storage.view().data + first, 64, 64, 256); }
  tensor_view<const bf16> B() { return other.in(); }
};

tensor_view<const bf16> read_only(const tensor_view<bf16>& v) {
  tensor_view<const bf16> c{v.data, v.rank, {}, {}};
  for (int d = 0; d < max_rank; ++d) {
    c.extent[d] = v.extent[d];
    c.stride[d] = v.stride[d];
  }
  return c;
}

std::string hex(const void* p, std::int64_t bytes = 0) {
  return address_text(reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(bytes));
}

TEST_CASE_FIXTURE(shared_rows, "an output that is an input, too, is refused with both ranges") {
  const auto C = columns(64);
  const std::string range = hex(C.data) + " to " + hex(C.data, 63 * 512 + 127);
  CHECK(refusal<gemm>(read_only(C), B(), C) ==
        "operand C: its elements (" + range + ") and operand A (" + range +
            ") share memory; tiles are stored while others are still loaded, so the output needs memory of its own");
}
TEST_CASE_FIXTURE(shared_rows, "columns of one matrix side by side share nothing") {
  CHECK(refusal<gemm>(read_only(columns(0)), B(), columns(64)) == "");
  CHECK(refusal<gemm>(read_only(columns(64)), read_only(columns(192)), columns(128)) == "");
}
TEST_CASE_FIXTURE(shared_rows, "columns that overlap by a few elements") {
  CHECK(refusal<gemm>(read_only(columns(0)), B(), columns(56)).find("operand C: its elements") == 0);
  CHECK(refusal<gemm>(read_only(columns(56)), B(), columns(0)).find("share memory") != std::string::npos);
  CHECK(refusal<gemm>(B(), read_only(columns(8)), columns(0)).find("and operand B (") != std::string::npos);
}
TEST_CASE_FIXTURE(shared_rows, "inputs may share memory with each other") {
  CHECK(refusal<gemm>(read_only(columns(0)), read_only(columns(0)), columns(64)) == "");
}
TEST_CASE_FIXTURE(shared_rows, "a residual may be the output itself, and only itself") {
  using kernel = with_residual<residual::own>;
  host_tensor<bf16> a{{64, 64}};
  a.fill(1);
  SUBCASE("in place, the result is that of separate memory") {
    host_tensor<bf16> c{{64, 64}};
    CHECK(refusal<kernel>(a.in(), B(), read_only(columns(64)), c.view()) == "");
    CHECK(refusal<kernel>(a.in(), B(), read_only(columns(64)), columns(64)) == "");
    int wrong = 0;
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 64; ++j)
        wrong += static_cast<float>(columns(64).data[i * 256 + j]) != static_cast<float>(c.view().data[i * 64 + j]);
    CHECK(wrong == 0);
  }
  SUBCASE("where the parts of a tile all load it") {
    CHECK(refusal<with_residual<residual::own, 2>>(a.in(), B(), read_only(columns(64)), columns(64))
              .find("operand C: it is operand R as well, which each part of a tile loads where .split is set") == 0);
    constexpr int k = 4096;
    REQUIRE(choice<residual_family>({{"M", 64}, {"N", 64}, {"K", k}}).member == 0);
    const std::vector<bf16> deep(64 * k);
    CHECK(refusal<residual_family>(matrix(deep.data(), 64, k), matrix(deep.data(), 64, k), read_only(columns(64)),
                                   columns(64)) == "");
  }
  SUBCASE("shifted") {
    CHECK(refusal<kernel>(a.in(), B(), read_only(columns(64)), columns(72)).find("and operand R (") !=
          std::string::npos);
  }
  SUBCASE("with other rows") {
    auto R = read_only(columns(0));
    R.stride[0] = 128;
    CHECK(refusal<kernel>(a.in(), B(), R, columns(0)).find("share memory") != std::string::npos);
  }
  SUBCASE("one row, whose distance from the next nobody asks for") {
    bf16* const row = storage.view().data;
    CHECK(refusal<kernel>(matrix(a.in().data, 1, 64), B(), read_only(matrix(row, 1, 64, 256)), matrix(row, 1, 64)) ==
          "");
  }
  if constexpr (test::exhaustively)  // otherwise its plan says so: see in_place_inputs
    SUBCASE("read at other tiles than are stored") {
      CHECK(refusal<with_residual<residual::mirrored>>(a.in(), B(), read_only(columns(64)), columns(64))
                .find("share memory") != std::string::npos);
    }
}
TEST_CASE_FIXTURE(shared_rows, "the portable readings ask the same") {
  const auto launch = [&](const auto& A, const auto& C) -> std::string {
    try {
      run_portable_on_model<gemm, portable::simt>(A, B(), C);
    } catch (const launch_error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(launch(read_only(columns(0)), columns(64)) == "");
  CHECK(launch(read_only(columns(0)), columns(8)).find("share memory") != std::string::npos);
}

TEST_CASE_FIXTURE(shared_rows, "tensors beyond the address space") {
  auto A = read_only(columns(0));
  auto C = columns(64);
  const auto says = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    return text.find(part) != std::string::npos;
  };
  A.extent[0] = C.extent[0] = 2147479551;
  A.stride[0] = std::int64_t{1} << 38;
  CHECK(says(
      refusal<gemm>(A, B(), C),
      "operand A: M = 2147479551 at a stride of 274877906944 elements reaches beyond the end of the address space"));
  A.extent[0] = C.extent[0] = 64;
  A.stride[0] = 256;
  A.data = reinterpret_cast<const bf16*>(~std::uintptr_t{0} - 15);
  CHECK(says(refusal<gemm>(A, B(), C), "reaches beyond the end of the address space"));
}

TEST_CASE("packed sizes whose product wraps around 2^64 do not pass for a small tensor") {
  bf16 x[8]{};
  const auto a = tensor(static_cast<const bf16*>(x), 4, std::int64_t{1} << 30, std::int64_t{1} << 30);
  const operand_facts f = facts_of(input<"A(G,M,K)", bf16>(), configuration{.tile = {{"M", 64}, {"K", 64}}});
  CHECK_THROWS_AS(check_tensor(f, facts_of(a)), launch_error);
}

// ---- sets of bytes

byte_set set_of(std::int64_t first, std::int64_t run,
                std::initializer_list<std::pair<std::int64_t, std::int64_t>> modes) {
  byte_set s{first, run};
  for (const auto& [count, stride] : modes) CHECK(repeat(s, count, stride));
  return s;
}

TEST_CASE("runs that touch become one, and modes that continue each other as well") {
  const byte_set packed = set_of(0, 16, {{4, 16}, {5, 64}});
  CHECK(packed.modes == 0);
  CHECK(packed.reach() == 320);
  const byte_set rows = set_of(0, 16, {{4, 32}, {5, 128}});
  CHECK(rows.modes == 1);
  CHECK(rows.count[0] == 20);
  CHECK(rows.reach() == 19 * 32 + 16);
  CHECK(set_of(0, 16, {{7, 0}}).reach() == 16);
}
TEST_CASE("a set that reaches too far is not made") {
  byte_set s{0, 16};
  CHECK_FALSE(repeat(s, std::int64_t{1} << 31, std::int64_t{1} << 40));
  CHECK(repeat(s, std::int64_t{1} << 20, std::int64_t{1} << 36));
  CHECK_FALSE(repeat(s, 4, std::int64_t{1} << 56));
}

void add_runs(const byte_set& s, std::set<std::int64_t>& bytes, int mode, std::int64_t at) {
  if (mode == s.modes) {
    for (std::int64_t i = 0; i < s.run; ++i) bytes.insert(at + i);
    return;
  }
  for (std::int64_t i = 0; i < s.count[mode]; ++i) add_runs(s, bytes, mode + 1, at + i * s.stride[mode]);
}

TEST_CASE("what takes too long to tell apart is not told apart") {
  // All strides are even and the runs one byte long, so that no byte is shared: that nobody finds by trying.
  const auto set = [](std::int64_t first, std::int64_t x, std::int64_t y) {
    return byte_set{first, 1, 2, {200, 200}, {x, y}};
  };
  const byte_set a = set(0, 2'000'006, 2'000'026), b = set(100'000'001, 2'000'014, 2'000'062);
  CHECK(shared_bytes(a, b) == sharing::undecided);
  CHECK(shared_bytes(b, a) == sharing::undecided);
}
TEST_CASE("shared_bytes against all bytes of both sets") {
  std::mt19937 random(4);
  const auto number = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
  const auto random_set = [&] {
    byte_set s{number(0, 300), number(1, 9)};
    int strides[3] = {number(0, 40), number(0, 80), number(0, 120)};
    std::sort(std::begin(strides), std::end(strides));
    const int modes = number(0, 3);
    for (int d = 0; d < modes; ++d) CHECK(repeat(s, number(1, 5), strides[d]));
    return s;
  };
  int seen[2]{}, wrong = 0;
  for (int i = 0; i < 20'000; ++i) {
    const byte_set a = random_set(), b = random_set();
    std::set<std::int64_t> of_a, of_b;
    add_runs(a, of_a, 0, a.first);
    add_runs(b, of_b, 0, b.first);
    bool common = false;
    for (const std::int64_t x : of_a) common = common || of_b.count(x);
    wrong += shared_bytes(a, b) != (common ? sharing::some : sharing::none);
    wrong += a.last() != *of_a.rbegin();
    ++seen[common];
  }
  CHECK(wrong == 0);
  CHECK(seen[0] > 2000);
  CHECK(seen[1] > 2000);
}
TEST_CASE("large tensors are told apart in few steps") {
  // Rows of 100 x 2 and of 92 x 2 bytes at strides that share no structure, in one allocation.
  const byte_set a = set_of(0, 16, {{100'000, 208}}), b = set_of(16, 16, {{100'000, 416}});
  CHECK(shared_bytes(a, b) == sharing::none);
  CHECK(shared_bytes(a, set_of(16, 16, {{100'000, 400}})) == sharing::some);
  CHECK(shared_bytes(set_of(0, 128, {{8192, 16384}, {64, 1 << 28}}),
                     set_of(128, 128, {{8192, 16384}, {64, 1 << 28}})) == sharing::none);
}

}  // namespace
