// What a launch refuses: each bad tensor gets a sentence that names the operand, the rule and the numbers, nothing is
// written, and the same tensors without the mistake are taken.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <sectile/dsl/launch/checks.hpp>
#include <string>

#include "tests/programs/matmul.hpp"

namespace {

using namespace sectile;
using test::host_tensor;

using gemm = test::matmul<64, 64, 64, configuration{.stages = 2, .consumers = 1}>;

/// Never steps along K: one tile has to hold all of it.
struct one_tile_deep {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), output<"C(M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 1, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
    sm.store(C, {m, n}, acc);
  }
};

/// A batch mode, and an operand stored column by column.
struct batched {
  static constexpr auto operands =
      sectile::operands(input<"A(G,M,K)", bf16>(col_major), input<"B(N,K)", bf16>(), output<"C(G,M,N)", bf16>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 64}, {"N", 64}}, .stages = 2, .consumers = 1};

  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {g, m, n}, acc);
  }
};

/// Why the launch is refused; nothing if it runs.
template <class K, class A, class B, class C>
std::string refusal(const A& a, const B& b, const C& c) {
  try {
    run_on_model_with<K>({.workers = 1}, a, b, c);
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}

/// Tensors that the kernel takes: A is 40 x 72, B is 56 x 72, C is 40 x 56. Each test spoils one view of them.
struct problem {
  host_tensor<bf16> a{{40, 72}}, b{{56, 72}}, c{{40, 56}};
  tensor_view<const bf16> A = a.in(), B = b.in();
  tensor_view<bf16> C = c.view();

  problem() {
    a.fill(1);
    b.fill(2);
  }
  /// The launch is refused with exactly this sentence, and C is as it was.
  template <class K = gemm>
  void refused(const std::string& sentence) const {
    CHECK(refusal<K>(A, B, C) == sentence);
    bool untouched = true;
    for (const unsigned char byte : c.bytes) untouched = untouched && byte == 0xFF;
    CHECK(untouched);
  }
  template <class K = gemm>
  void taken() const {
    CHECK(refusal<K>(A, B, C) == "");
  }
};

template <class T>
T* moved(T* data, int bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(bytes));
}

TEST_CASE_FIXTURE(problem, "the tensors themselves are taken") {
  taken();
  CHECK(c.touched() == 0);
}

TEST_CASE_FIXTURE(problem, "a run that looks for no hazards computes the same bits") {
  taken();
  const auto watched = c.bytes;
  std::fill(c.bytes.begin(), c.bytes.end(), 0xFF);
  run_on_model_with<gemm>({.check_hazards = false, .workers = 1}, A, B, C);
  CHECK(c.bytes == watched);
}

// ---- pointers

TEST_CASE_FIXTURE(problem, "a null input") {
  A.data = nullptr;
  refused("operand A: the pointer is null");
}
TEST_CASE_FIXTURE(problem, "a null output") {
  C.data = nullptr;
  refused("operand C: the pointer is null");
}
TEST_CASE_FIXTURE(problem, "a misaligned input") {
  B.data = moved(B.data, 2);
  refused("operand B: the pointer is not aligned to 16 bytes, as TMA needs (it is 2 bytes off)");
}
TEST_CASE_FIXTURE(problem, "a misaligned output") {
  C.data = moved(C.data, 8);
  refused("operand C: the pointer is not aligned to 16 bytes, as TMA needs (it is 8 bytes off)");
}

// ---- modes and sizes

TEST_CASE_FIXTURE(problem, "a tensor with another number of modes") {
  A.rank = 3;
  refused("operand A: the tensor has 3 modes, the kernel expects 2");
}
TEST_CASE_FIXTURE(problem, "a size of zero") {
  A.extent[0] = C.extent[0] = 0;
  refused("operand A: M = 0: every size must be at least 1");
}
TEST_CASE_FIXTURE(problem, "K of zero") {
  A.extent[1] = B.extent[1] = 0;
  refused("operand A: K = 0: every size must be at least 1");
}
TEST_CASE_FIXTURE(problem, "a negative size") {
  B.extent[0] = C.extent[1] = -1;
  refused("operand B: N = -1: every size must be at least 1");
}
TEST_CASE_FIXTURE(problem, "a size beyond 32 bits") {
  B.extent[0] = std::int64_t{1} << 32;
  refused("operand B: N = 4294967296: TMA coordinates are 32-bit, sizes go up to 2147479551");
}
TEST_CASE_FIXTURE(problem, "the first size that is too large") {
  A.extent[0] = 2147479552;
  refused("operand A: M = 2147479552: TMA coordinates are 32-bit, sizes go up to 2147479551");
}
TEST_CASE_FIXTURE(problem, "more tiles than an int counts") {
  A.extent[0] = C.extent[0] = 2147479551;
  B.extent[0] = C.extent[1] = 64 * 128;
  C.stride[0] = 64 * 128;
  refused("operand C: 33554368 x 128 tiles; a launch takes up to 2147418111");
}
TEST_CASE("the largest number of tiles, and one more") {
  tensor_facts t[max_operands]{};
  const plan& p = plan_of<gemm>;
  tensor_facts& c = t[p.work];
  c.rank = 2;
  c.extent[0] = std::int64_t{715806037} * 64;
  c.extent[1] = 3 * 64;
  CHECK_NOTHROW(check_count(p, t, {1, 1}));
  CHECK_THROWS_AS(check_count(p, t, {1, 1}, 2), launch_error);  // in two parts each
  ++c.extent[1];
  CHECK_THROWS_AS(check_count(p, t, {1, 1}), launch_error);
  c.extent[0] = c.extent[1] = 2147479551;
  CHECK_THROWS_AS(check_count(p, t, {2, 1}), launch_error);
}
TEST_CASE_FIXTURE(problem, "operands that disagree about a mode of the same name") {
  SUBCASE("inner sizes") {
    B.extent[1] = 64;
    refused("operand B: K = 64, but operand A has K = 72");
  }
  SUBCASE("rows of the output") {
    C.extent[0] = 39;
    refused("operand C: M = 39, but operand A has M = 40");
  }
  SUBCASE("columns of the output") {
    C.extent[1] = 48;
    refused("operand C: N = 48, but operand B has N = 56");
  }
}
TEST_CASE_FIXTURE(problem, "a tensor larger than the only tile that is visited") {
  refused<one_tile_deep>("operand A: K = 72 is larger than the tile's 64, and the kernel takes one tile along it");
  A.extent[1] = B.extent[1] = 65;
  refused<one_tile_deep>("operand A: K = 65 is larger than the tile's 64, and the kernel takes one tile along it");
  A.extent[1] = B.extent[1] = 64;
  taken<one_tile_deep>();
}

// ---- strides

TEST_CASE_FIXTURE(problem, "rows that are not a multiple of 16 bytes apart") {
  SUBCASE("an input") {
    A.stride[0] = 73;
    refused(
        "operand A: the stride of M is 73 elements, 146 bytes: not a multiple of 16 bytes, as TMA needs; pad it to 80 "
        "elements");
  }
  SUBCASE("the output") {
    C.stride[0] = 60;
    refused(
        "operand C: the stride of M is 60 elements, 120 bytes: not a multiple of 16 bytes, as TMA needs; pad it to 64 "
        "elements");
  }
}
TEST_CASE_FIXTURE(problem, "elements that are not contiguous") {
  A.stride[1] = 2;
  refused("operand A: K must be contiguous (stride 1), its stride is 2");
}
TEST_CASE_FIXTURE(problem, "a column-major tensor for a row-major operand") {
  B.stride[0] = 1;
  B.stride[1] = 56;
  refused(
      "operand B: K must be contiguous (stride 1), its stride is 56; that of N is 1: give it a copy that is stored the "
      "other way round");
}
TEST_CASE_FIXTURE(problem, "a negative stride") {
  A.stride[0] = -72;
  refused("operand A: the stride of M is -72 elements; TMA takes 0 to 2^40 - 1 bytes");
}
TEST_CASE_FIXTURE(problem, "a stride of 2^40 bytes") {
  A.stride[0] = std::int64_t{1} << 39;
  refused("operand A: the stride of M is 549755813888 elements; TMA takes 0 to 2^40 - 1 bytes");
}
TEST_CASE_FIXTURE(problem, "an output whose rows overlap") {
  C.stride[0] = 48;
  refused(
      "operand C: the stride of M is 48 elements, the modes inside it reach over 56: an output's elements must not "
      "overlap");
}
TEST_CASE_FIXTURE(problem, "an output whose rows are all one") {
  C.stride[0] = 0;
  refused(
      "operand C: the stride of M is 0 elements, the modes inside it reach over 1: an output's elements must not "
      "overlap");
}
TEST_CASE_FIXTURE(problem, "inputs may overlap: one row for all") {
  A.stride[0] = 0;
  taken();
}
TEST_CASE_FIXTURE(problem, "a stride of 0 is said: all rows of a matrix are its first one") {
  static_assert(matrix(static_cast<int*>(nullptr), 2, 3).stride[0] == 3);
  static_assert(matrix(static_cast<int*>(nullptr), 2, 3, 0).stride[0] == 0);
  static_assert(matrix_col_major(static_cast<int*>(nullptr), 2, 3).stride[1] == 2);
  static_assert(matrix_col_major(static_cast<int*>(nullptr), 2, 3, 0).stride[1] == 0);
  static_assert(sparse(static_cast<bf16*>(nullptr), nullptr, 64, 64).stride == 32);
  static_assert(sparse(static_cast<bf16*>(nullptr), nullptr, 64, 64, 0).stride == 0);
  taken();
  const float first = static_cast<float>(c(0, 7)), last = static_cast<float>(c(39, 7));
  REQUIRE(first != last);
  A = matrix(A.data, 40, 72, 0);
  taken();
  for (int row = 0; row < 40; ++row) CHECK(static_cast<float>(c(row, 7)) == first);
}
TEST_CASE_FIXTURE(problem, "an output cannot be one row for all") {
  C = matrix(C.data, 40, 56, 0);
  refused(
      "operand C: the stride of M is 0 elements, the modes inside it reach over 1: an output's elements must not "
      "overlap");
}
TEST_CASE_FIXTURE(problem, "a mode of size 1 may have any stride") {
  A.extent[0] = C.extent[0] = 1;
  for (const std::int64_t stride : {0, 1, 7, -3, 1 << 30}) {
    CAPTURE(stride);
    A.stride[0] = C.stride[0] = stride;
    taken();
  }
}

TEST_CASE("batches: every stride counts, and column-major operands are contiguous along their rows") {
  host_tensor<bf16> a({3, 40, 72}, col_major), b({56, 72}), c({3, 40, 56});
  a.fill(1);
  b.fill(2);
  auto A = a.in();
  auto C = c.view();
  CHECK(refusal<batched>(A, b.in(), C) == "");
  SUBCASE("a batch stride of odd bytes") {
    A.stride[0] += 4;
    CHECK(refusal<batched>(A, b.in(), C)
              .find("operand A: the stride of G is 2884 elements, 5768 bytes: not a multiple") == 0);
  }
  SUBCASE("batches of the output that overlap") {
    C.stride[0] -= 8;
    CHECK(refusal<batched>(A, b.in(), C) ==
          "operand C: the stride of G is 2232 elements, the modes inside it reach over 2240: an output's elements must "
          "not overlap");
  }
  SUBCASE("row-major data") {
    A.stride[1] = 72;
    A.stride[2] = 1;
    CHECK(refusal<batched>(A, b.in(), C) ==
          "operand A: M must be contiguous (stride 1), its stride is 72; that of K is 1: give it a copy that is stored "
          "the other way round");
  }
  SUBCASE("another number of batches") {
    C.extent[0] = 2;
    CHECK(refusal<batched>(A, b.in(), C) == "operand C: G = 2, but operand A has G = 3");
  }
  SUBCASE("batches between the rows: any order of modes that do not overlap") {
    C.stride[0] = 56;
    C.stride[1] = 3 * 56;
    CHECK(refusal<batched>(A, b.in(), C) == "");
  }
}

// ---- names

operand_facts named(const char* text) {
  operand_facts f{};
  read_names(text, f);
  return f;
}
TEST_CASE("an operand's name and its modes'") {
  SUBCASE("a matrix") {
    const operand_facts f = named("A(M,K)");
    CHECK(std::string(f.name) == "A");
    CHECK(std::string(f.mode_name[0]) == "M");
    CHECK(std::string(f.mode_name[1]) == "K");
    CHECK(std::string(f.mode_name[2]) == "");
    CHECK(name_of_mode(f, 1) == "K");
  }
  SUBCASE("spaces after commas, long names") {
    const operand_facts f = named("Weights(heads, rows,columns)");
    CHECK(std::string(f.name) == "Weights");
    CHECK(std::string(f.mode_name[0]) == "heads");
    CHECK(std::string(f.mode_name[1]) == "rows");
    CHECK(std::string(f.mode_name[2]) == "columns");
  }
  SUBCASE("no modes") {
    const operand_facts f = named("scale");
    CHECK(std::string(f.name) == "scale");
    CHECK(std::string(f.mode_name[0]) == "");
  }
  SUBCASE("a name that is cut at 15 characters") {
    const operand_facts f = named("an_operand_with_a_long_name(a_mode_with_a_long_name,N)");
    CHECK(std::string(f.name) == "an_operand_with");
    CHECK(std::string(f.mode_name[0]) == "a_mode_with_a_l");
    CHECK(std::string(f.mode_name[1]) == "N");
  }
}

}  // namespace
