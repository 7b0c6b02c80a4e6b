// The portable readings on the CPU: numbers bit for bit, edges, bodies that do more than multiply, plans, refused
// launches.
//
// The WMMA reading is held, bit for bit, against the tensor core's sum of each step of K. Tensors lie between guard
// bands of NaN.
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/dsl/portable_kit.hpp"
#include "tests/exhaustively.hpp"
#include "tests/static_check.hpp"

namespace {

using namespace sectile;
using namespace sectile::test;

TEST_CASE("integers wrap, or are clamped where the program says so") {
  constexpr gemm_form saturating{row_major, row_major, false, true};
  constexpr int k = 34 * 4096;  // k * 127 * 127 is above 2^31 and below 2^32
  typed_matrix<s8> A(1, k), B(2, k);
  typed_matrix<s32> C(1, 2);
  for (int l = 0; l < k; ++l) {
    A.set(0, l, 127);
    B.set(0, l, 127);
    B.set(1, l, -127);
  }
  const auto check = [&](s32 first, s32 second) {
    CHECK(C.data[0] == first);
    CHECK(C.data[1] == second);
  };
  constexpr auto wrapped = static_cast<s32>(std::uint32_t{127 * 127} * std::uint32_t{k});
  using wrapping = tiled_product<64, 16, 4096, s8, s8, s32>;
  using clamping = tiled_product<64, 16, 4096, s8, s8, s32, saturating>;
  run_portable_on_model<wrapping>(A.in(), B.in(), C.out());
  check(wrapped, -wrapped);
  run_portable_on_model<clamping>(A.in(), B.in(), C.out());
  check(std::numeric_limits<s32>::max(), std::numeric_limits<s32>::min());
  if constexpr (exhaustively) {
    run_portable_on_model<wrapping, simt>(A.in(), B.in(), C.out());
    check(wrapped, -wrapped);
  }
  run_portable_on_model<clamping, simt>(A.in(), B.in(), C.out());
  check(std::numeric_limits<s32>::max(), std::numeric_limits<s32>::min());
}

/// The tensor core's sum, `step` products at a time; zeros behind the end of K.
template <class T, class Bits>
float chained(const host_tensor<T>& A, const host_tensor<T>& B, int i, int j, int step, const model::number_format& f,
              Bits bits_of) {
  float sum = 0;
  for (int k = 0; k < A.extent[1]; k += step) {
    decltype(bits_of(A(0, 0))) a[16]{}, b[16]{};
    for (int l = 0; l < step && k + l < A.extent[1]; ++l) {
      a[l] = bits_of(A(i, k + l));
      b[l] = bits_of(B(j, k + l));
    }
    sum = model::dot_accumulate(f, a, f, b, step, sum);
  }
  return sum;
}

TEST_CASE("WMMA: the tensor core's sum of each step, bit for bit") {
  const auto check_16 = [](auto how) {
    host_tensor<bf16> A({70, 45}), B({37, 45}, row_major, 1);
    host_tensor<float> C({70, 37}, row_major, 2);
    A.fill(1);
    B.fill(2);
    run_portable_on_model<tiled_product<64, 32, 32, bf16, bf16, float>, decltype(how)>(A.in(), B.in(), C.view());
    check_bits(
        C, [&](int i, int j) { return chained(A, B, i, j, 16, model::bf16_format, [](bf16 x) { return x.bits; }); });
  };
  check_16(wmma<>());
  if constexpr (exhaustively) {
    check_16(wmma<32, 8>());
    check_16(wmma<8, 32>());
  }

  host_tensor<tf32> A({70, 45}), B({37, 45}, row_major, 1);
  host_tensor<float> C({70, 37}, row_major, 2);
  A.fill(1);
  B.fill(2);
  const auto bits = [](tf32 x) { return std::bit_cast<std::uint32_t>(x); };
  run_portable_on_model<tiled_product<64, 32, 32, tf32, tf32, float>>(A.in(), B.in(), C.view());
  check_bits(C, [&](int i, int j) { return chained(A, B, i, j, 4, model::tf32_format, bits); });
}

TEST_CASE("tf32 operands that were not rounded are rounded to nearest, as CUDA's tutorials do") {
  host_tensor<tf32> A({1, 8}), B({1, 8});
  host_tensor<float> C({1, 1});
  A.fill(1);
  B.fill(2);
  const auto first = std::bit_cast<tf32>(1.0f + 0x1p-11f);  // a tie: away from zero
  std::memcpy(A.bytes.data() + A.first, &first, sizeof first);
  for (int k = 0; k < 8; ++k) {
    const tf32 x(k == 0 ? 1.0f : 0.0f);
    std::memcpy(B.bytes.data() + B.first + 4 * static_cast<std::size_t>(k), &x, sizeof x);
  }
  run_portable_on_model<tiled_product<64, 16, 8, tf32, tf32, float>>(A.in(), B.in(), C.view());
  CHECK(C(0, 0) == 1.0f + 0x1p-10f);
}

// ---- edges

template <class How>
void check_edges() {
  for (const int m : {1, 63, 64, 65, 130})
    for (const int n : {1, 7, 8, 31, 33, 64})
      for (const int k : {1, 7, 31, 32, 33}) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(k);
        host_tensor<bf16> A({m, k}, row_major, m % 3), B({n, k}), C({m, n}, row_major, n % 2);
        A.fill(1);
        B.fill(2);
        run_portable_on_model<tiled_product<64, 32, 32, bf16, bf16, bf16>, How>(A.in(), B.in(), C.view());
        CHECK(C.touched() == 0);
        check_close(C, bf16_close, [&](int i, int j) { return dot(A, B, i, j); });
      }
}
TEST_CASE("every edge of M, N and K, WMMA") { check_edges<wmma<>>(); }
TEST_CASE("every edge of M, N and K, SIMT") { check_edges<simt>(); }

TEST_CASE("pointers and strides need only the alignment of an element") {
  constexpr int m = 67, n = 35, k = 41;
  std::vector<bf16> a(m * (k + 2) + 1), b(n * (k + 1) + 3), c(m * (n + 4) + 1, bf16(-1.0f));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = bf16(static_cast<float>(i * 7 % 5) - 2.0f);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = bf16(static_cast<float>(i * 3 % 7) - 3.0f);
  const auto run = [&](auto how) {
    run_portable_on_model<tiled_product<64, 32, 32, bf16, bf16, bf16>, decltype(how)>(
        matrix<const bf16>(a.data() + 1, m, k, k + 2), matrix<const bf16>(b.data() + 3, n, k, k + 1),
        matrix(c.data() + 1, m, n, n + 4));
    int wrong = static_cast<float>(c[0]) != -1.0f;
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::size_t l = 0; l < k; ++l)
          sum += static_cast<float>(a[1 + i * (k + 2) + l]) * static_cast<float>(b[3 + j * (k + 1) + l]);
        wrong += static_cast<float>(c[1 + i * (n + 4) + j]) != static_cast<float>(bf16(sum));
      }
      for (std::size_t j = n; j < n + 4; ++j) wrong += static_cast<float>(c[1 + i * (n + 4) + j]) != -1.0f;
    }
    CHECK(wrong == 0);
  };
  run(wmma<>());
  run(simt());
}

// ---- bodies that do more

struct epilogue_kernel : tiled_product<64, 32, 32, bf16, bf16, float> {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto plus = sm.accumulator(C), minus = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto a = sm.load(A, {m, k});
      auto b = transpose(sm.load(B, {n, k}));
      plus += a * b;
      minus -= a * b;
    }
    auto twice = plus - minus;
    auto capped = map(twice * 0.5F, [](float x) { return x > 4.0F ? 4.0F : x; });
    sm.store(C, {m, n}, capped);
  }
};
struct packed_kernel : tiled_product<64, 32, 32, bf16, bf16, bf16> {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0})));
    for (auto k : sm.pipelined(tiles<"K">(A) - 1)) sum += sm.load(A, {m, k + 1}) * transpose(sm.load(B, {n, k + 1}));
    sum = sum * 2.0F;
    auto packed = cast<bf16>(sum);
    sm.store(C, {m, n}, packed);
  }
};
struct overwriting_kernel : tiled_product<64, 32, 32, bf16, bf16, float> {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C), part = sm.accumulator(C);
    sum = 0.0F;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      part = sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
      sum += part;
    }
    sm.store(C, {m, n}, sum);
  }
};

template <class How>
void check_bodies() {
  host_tensor<bf16> A({70, 75}), B({40, 75}), D({70, 40});
  host_tensor<float> C({70, 40});
  A.fill(1);
  B.fill(2);
  run_portable_on_model<epilogue_kernel, How>(A.in(), B.in(), C.view());
  check_close(C, f32_close, [&](int i, int j) { return std::min(dot(A, B, i, j), 4.0); });
  run_portable_on_model<packed_kernel, How>(A.in(), B.in(), D.view());
  check_close(D, bf16_close, [&](int i, int j) { return 2 * dot(A, B, i, j); });
  run_portable_on_model<overwriting_kernel, How>(A.in(), B.in(), C.view());
  check_close(C, f32_close, [&](int i, int j) { return dot(A, B, i, j); });
}
TEST_CASE("arithmetic on fragments, packed stores, products that overwrite") {
  check_bodies<wmma<>>();
  if constexpr (exhaustively) check_bodies<wmma<8, 32>>();
  check_bodies<simt>();
}

struct batched_kernel {
  static constexpr auto operands =
      sectile::operands(input<"A(G,M,K)", bf16>(), input<"B(G,N,K)", bf16>(), output<"C(G,M,N)", float>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"K", 16}, {"N", 32}}, .consumers = 1, .group = 2};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [g, m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {g, m, k}) * transpose(sm.load(B, {g, n, k}));
    sm.store(C, {g, m, n}, acc);
  }
};
TEST_CASE("batches, and bands of tile rows of which the last is short") {
  host_tensor<bf16> A({3, 300, 20}), B({3, 70, 20});
  host_tensor<float> C({3, 300, 70}, row_major, 1);
  A.fill(1);
  B.fill(2);
  const auto reference = [&](int g, int i, int j) {
    double sum = 0;
    for (int k = 0; k < 20; ++k) sum += A.number(g, i, k) * B.number(g, j, k);
    return sum;
  };
  run_portable_on_model<batched_kernel>(A.in(), B.in(), C.view());
  CHECK(C.touched() == 0);
  check_close(C, f32_close, reference);
  if constexpr (exhaustively) {
    C.poison();
    run_portable_on_model<batched_kernel, simt>(A.in(), B.in(), C.view());
    check_close(C, f32_close, reference);
  }
}

// ---- plans

template <class K, class How = wmma<>>
constexpr const portable::portable_plan& planned = portable::portable_plan_of<K, How>;

static_assert(planned<kernels::gemm_bf16>.architecture == 80 && planned<kernels::gemm_bf16>.threads == 256);
static_assert(planned<kernels::gemm<f16, f16, f16>>.architecture == 70);
static_assert(planned<kernels::gemm<s8, s8, s32>>.architecture == 72);
static_assert(planned<kernels::gemm_bf16, simt>.architecture == 70);
// Rows of 128 bytes and 16 to spare, and a fragment of floats for each of 8 warps.
static_assert(planned<kernels::gemm_bf16>.shared_bytes == (128 + 256) * 144 + 8 * 16 * 20 * 4);
static_assert(planned<kernels::gemm_bf16, simt>.shared_bytes == (128 + 256) * 144);
// Fragments of 8 bytes: a slab each.
static_assert(planned<tiled_product<64, 32, 16, s8, s8, s32, by_cols>, wmma<32, 8>>.tile[1].slab_bytes == 8);
static_assert(portable::can_read<kernels::gemm_bf16, wmma<32, 8>> &&
              portable::can_read<kernels::gemm_bf16, wmma<8, 32>>);
static_assert(!portable::can_read<kernels::gemm<s8, u8, s32>, wmma<>>);
static_assert(portable::can_read<kernels::gemm<s8, u8, s32>, simt>);
static_assert(!portable::can_read<kernels::gemm<e4m3, e4m3, float>, simt>);
static_assert(!portable::can_read<kernels::gemm<tf32, tf32, float>, wmma<32, 8>>);

constexpr bool same(portable::warp_part p, int rows, int cols) { return p.rows == rows && p.cols == cols; }
STATIC_CASE(same(portable::split_over_warps(128, 256, {16, 16}, 8), 4, 4));
STATIC_CASE(same(portable::split_over_warps(64, 16, {16, 16}, 4), 1, 1));
STATIC_CASE(same(portable::split_over_warps(64, 16, {32, 8}, 4), 1, 1));
STATIC_CASE(same(portable::split_over_warps(64, 16, {16, 16}, 8), 0, 0));

/// Every byte of a tile has a place of its own, pieces and fragments begin where they may.
constexpr bool is_sound(int rows, int row_bytes, int fragment_bytes) {
  const portable::shared_tile t = portable::lay_out(rows, row_bytes, fragment_bytes);
  bool used[4096]{};
  for (int r = 0; r < rows; ++r)
    for (int b = 0; b < row_bytes; ++b) {
      const int at = t.at(r, b);
      if (at < 0 || at >= t.bytes() || used[at]) return false;
      used[at] = true;
      if (b % t.piece() == 0 && at % t.piece() != 0) return false;
      if (fragment_bytes > 0 && b % fragment_bytes == 0 && r % 8 == 0 && at % 32 != 0) return false;
    }
  return t.pitch % 16 == 0;
}
STATIC_CASE(is_sound(16, 64, 32) && is_sound(16, 64, 16) && is_sound(16, 64, 8) && is_sound(8, 48, 16));
STATIC_CASE(is_sound(10, 40, 0) && is_sound(3, 7, 0));

// ---- refused launches

/// C = A B^T, of a K that one tile has.
struct one_tile_deep : tiled_product<64, 32, 32, bf16, bf16, bf16> {
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    acc += sm.load(A, {m, 0}) * transpose(sm.load(B, {n, 0}));
    sm.store(C, {m, n}, acc);
  }
};

TEST_CASE("a launch is refused before anything runs") {
  using kernel = tiled_product<64, 32, 32, bf16, bf16, bf16>;
  host_tensor<bf16> A({70, 40}), B({29, 40}), C({70, 29});
  const auto refused = [](auto run, const std::string& why) {
    try {
      run();
      FAIL("was launched");
    } catch (const launch_error& e) {
      CHECK(std::string(e.what()).find(why) != std::string::npos);
    }
  };
  auto a = A.in();
  const auto launch = [&] { run_portable_on_model<kernel>(a, B.in(), C.view()); };
  a.extent[1] = 39;
  refused(launch, "operand B: K = 40, but operand A has K = 39");
  refused([&] { run_portable_on_model<one_tile_deep>(A.in(), B.in(), C.view()); },
          "operand A: K = 40 is larger than the tile's 32, and the kernel takes one tile along it");
  a = A.in();
  a.data = nullptr;
  refused(launch, "operand A: the pointer is null");
  a = A.in();
  a.stride[1] = 2;
  refused(launch, "operand A: K must be contiguous (stride 1), its stride is 2");
  a = A.in();
  a.extent[0] = 0;
  refused(launch, "operand A: M = 0: every size must be at least 1");
  a = A.in();
  a.stride[0] = -40;
  refused(launch, "operand A: the stride of M is -40 elements; it must not be negative");
  a = A.in();
  a.data = reinterpret_cast<const bf16*>(reinterpret_cast<const char*>(a.data) + 1);
  refused(launch, "operand A: the pointer is not aligned to the 2 bytes of an element");
  auto c = C.view();
  c.stride[0] = 28;
  refused([&] { run_portable_on_model<kernel>(A.in(), B.in(), c); }, "an output's elements must not overlap");
}

TEST_CASE("threads that wait for each other forever are noticed, and what a thread throws arrives") {
  model::stack_pool stacks;
  portable::host_cta cta(64, 0);
  const auto half = [&](int thread) {
    if (thread < 32) cta.wait(cta.all, thread);
  };
  CHECK_THROWS_AS(cta.run(stacks, half), std::logic_error);
  portable::host_cta other_cta(32, 0);
  const auto throwing = [&](int thread) {
    if (thread == 3) throw std::runtime_error("three");
    other_cta.wait(other_cta.all, thread);
  };
  CHECK_THROWS_WITH_AS(other_cta.run(stacks, throwing), "three", std::runtime_error);
}

}  // namespace
