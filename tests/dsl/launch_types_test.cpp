// What a launch refuses of one-bit and sparse operands, of vectors and of images, in which words.
#include <doctest/doctest.h>

#include <algorithm>
#include <sectile/dsl/launch/model.hpp>
#include <sectile/dsl/launch/sparse.hpp>
#include <sectile/kernels/convolution.hpp>
#include <string>
#include <vector>

namespace {

using namespace sectile;

template <class Left, bool Sparse, class Out>
struct small {
  static constexpr int tile_k = 1024 / element_of<Left>().bits;
  static constexpr auto a_operand() {
    if constexpr (Sparse)
      return sparse_input<"A(M,K)", Left>();
    else
      return input<"A(M,K)", Left>();
  }
  static constexpr auto operands = sectile::operands(a_operand(), input<"B(N,K)", Left>(), output<"C(M,N)", Out>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 16}, {"K", tile_k}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc);
  }
};

template <class K, class... Arguments>
std::string refusal(const Arguments&... arguments) {
  try {
    run_on_model<K>(arguments...);
  } catch (const launch_error& why) {
    return why.what();
  }
  return "";
}

TEST_CASE("one-bit operands are whole bytes, with rows of whole 16 bytes") {
  using kernel = small<b1x8, false, s32>;
  std::vector<b1x8> a(4096), b(4096);
  std::vector<s32> c(64 * 16);
  const auto C = matrix(c.data(), 64, 16);
  CHECK(refusal<kernel>(matrix(a.data(), 64, 256), matrix(b.data(), 16, 256), C) == "");
  CHECK(refusal<kernel>(matrix(a.data(), 64, 1001, 1024), matrix(b.data(), 16, 1001, 1024), C) ==
        "operand A: K = 1001 elements of b1 do not fill whole bytes; pad it to 1008 with zeros");
  CHECK(refusal<kernel>(matrix(a.data(), 64, 264), matrix(b.data(), 16, 264), C) ==
        "operand A: the stride of M is 264 elements, 33 bytes: not a multiple of 16 bytes, as TMA needs; pad it to 384 "
        "elements");
}

TEST_CASE("sparse operands: whole groups, and metadata of the right size where TMA can read it") {
  using kernel = small<f16, true, float>;
  constexpr int m = 64, n = 16, k = 128;
  std::vector<f16> dense(m * k, f16(0.0F)), b(n * k);
  std::vector<float> c(m * n);
  const sparse_matrix<f16> a = compress(dense.data(), m, k);
  const auto B = matrix(b.data(), n, k);
  const auto C = matrix(c.data(), m, n);
  const f16* values = a.values.data();
  const std::uint32_t* words = a.metadata.data();
  CHECK(refusal<kernel>(a.view(), B, C) == "");
  CHECK(refusal<kernel>(sparse(values, words, m, 126, 64), matrix(b.data(), n, 126, k), C) ==
        "operand A: K = 126 is not a multiple of 4, the neighbours of which sparse f16 keeps half");
  CHECK(refusal<kernel>(sparse(values, static_cast<const std::uint32_t*>(nullptr), m, k), B, C) ==
        "operand A: the pointer to the metadata is null");
  CHECK(refusal<kernel>(sparse(values, words + 1, m, k), B, C) ==
        "operand A: the pointer to the metadata is not aligned to 16 bytes, as TMA needs");
  CHECK(refusal<kernel>(sparse(values, words, m, k, 64, 128), B, C) ==
        "operand A: rows of metadata are 128 words apart; K = 128 needs 256 or more, in multiples of 4");
  CHECK(refusal<kernel>(sparse(values, words, m, k, 64, 258), B, C) ==
        "operand A: rows of metadata are 258 words apart; K = 128 needs 256 or more, in multiples of 4");
  CHECK(refusal<kernel>(sparse(values, words, m, k, 64, std::int64_t{1} << 38), B, C) ==
        "operand A: rows of metadata are 274877906944 words apart; TMA takes up to 2^38 - 1");
  CHECK(refusal<kernel>(sparse(values, words, m, k, 60), B, C) ==
        "operand A: the stride of M is 60 elements, 120 bytes: not a multiple of 16 bytes, as TMA needs; pad it to 64 "
        "elements");
  CHECK(refusal<kernel>(sparse(values, words, m, 124, 64), B, C) == "operand B: K = 128, but operand A has K = 124");
}

TEST_CASE("an output apart from the values and the metadata of a sparse operand") {
  using kernel = small<f16, true, float>;
  constexpr int m = 64, n = 16, k = 64;
  // Values, metadata and C one behind the other.
  std::vector<std::uint32_t> storage(m * k / 2 / 2 + 128 + m * n);
  f16* const values = reinterpret_cast<f16*>(storage.data());
  std::uint32_t* const words = storage.data() + m * k / 4;
  float* const c = reinterpret_cast<float*>(words + 128);
  for (int i = 0; i < 128; ++i) words[i] = empty_metadata;
  std::vector<f16> b(n * k);
  const auto refused = [&](float* to) {
    return refusal<kernel>(sparse(values, words, m, k), matrix(b.data(), n, k), matrix(to, m, n));
  };
  CHECK(refused(c) == "");
  CHECK(refused(c - 4).find("and the metadata of operand A (") != std::string::npos);
  CHECK(refused(c - 132).find("and operand A (") != std::string::npos);
  // Of each row there are half as many values as it has elements, so that C may begin behind them.
  alignas(16) std::uint32_t elsewhere[128];
  std::fill_n(elsewhere, 128, empty_metadata);
  float* const behind_values = reinterpret_cast<float*>(words);
  CHECK(refusal<kernel>(sparse(values, elsewhere, m, k), matrix(b.data(), n, k), matrix(behind_values, m, n)) == "");
}

TEST_CASE("metadata that the hardware does not define is reported by the model") {
  using kernel = small<f16, true, float>;
  constexpr int m = 64, n = 16, k = 64;
  std::vector<f16> dense(m * k, f16(0.0F)), b(n * k, f16(1.0F));
  for (int i = 0; i < m * k; i += 2) dense[static_cast<std::size_t>(i)] = f16(1.0F);
  std::vector<float> c(m * n);
  sparse_matrix<f16> a = compress(dense.data(), m, k);
  run_on_model<kernel>(a.view(), matrix(b.data(), n, k), matrix(c.data(), m, n));
  CHECK(c.back() == 32.0F);
  a.metadata[5] = (a.metadata[5] & ~0xFu) | 0x5u;  // both stored values claim to be element 1
  try {
    run_on_model<kernel>(a.view(), matrix(b.data(), n, k), matrix(c.data(), m, n));
    CHECK(false);
  } catch (const model::hazard& why) {
    CHECK(std::string(why.what()).find("0101") != std::string::npos);
  }
}

/// Scales what it sums by a whole number.
struct times {
  static constexpr auto operands = sectile::operands(input<"A(M,K)", f16>(), input<"B(N,K)", f16>(),
                                                     output<"C(M,N)", float>(), scalar<"times", int>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 16}, {"K", 64}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto C, auto times) {
    auto [m, n] = sm.tile_of(C);
    auto acc = sm.accumulator(C);
    for (auto k : sm.pipelined(tiles<"K">(A))) acc += sm.load(A, {m, k}) * transpose(sm.load(B, {n, k}));
    sm.store(C, {m, n}, acc * times);
  }
};

TEST_CASE("a whole number that is no int") {
  std::vector<f16> a(64 * 64, f16(1.0f)), b(16 * 64, f16(1.0f));
  std::vector<float> c(64 * 16);
  const auto with = [&](auto times_it) {
    return refusal<times>(matrix(a.data(), 64, 64), matrix(b.data(), 16, 64), matrix(c.data(), 64, 16), times_it);
  };
  CHECK(with(std::int64_t{-2}) == "");
  CHECK(c[0] == -128);
  CHECK(with(std::int8_t{3}) == "");
  CHECK(with(true) == "");
  CHECK(with(std::int64_t{5000000000}) ==
        "operand times: 5000000000 is no int; these go from -2147483648 to 2147483647");
  CHECK(with(3000000000u) == "operand times: 3000000000 is no int; these go from -2147483648 to 2147483647");
}

/// What a launch says decides which tiles are loaded.
struct shifted {
  static constexpr auto operands = sectile::operands(input<"X(B,M,N)", float>(), output<"Y(B,M,N)", float>(),
                                                     scalar<"batches", int>(), scalar<"tiles", int>());
  static constexpr sectile::configuration how{.tile = {{"M", 64}, {"N", 32}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto Y, auto batches, auto tiles) {
    auto [b, m, n] = sm.tile_of(Y);
    sm.store(Y, {b, m, n}, in_registers(sm.load(X, {b + batches, m, n + tiles})));
  }
};

TEST_CASE("sizes that a launch has taken are tried anew with other scalars") {
  std::vector<float> x(2 * 64 * 32), y(2 * 64 * 32);
  const auto with = [&](int batches, int tiles) {
    return refusal<shifted>(tensor(x.data(), 2, 64, 32), tensor(y.data(), 2, 64, 32), batches, tiles);
  };
  CHECK(with(0, 0) == "");
  CHECK(with(0, 11) == "");  // zeros
  CHECK(with(0, 12) ==
        "operand X: with these sizes and scalars tile 12 along N is loaded, of 1; coordinates count tiles, "
        "not elements: {m, k}");
  CHECK(with(1, 0) ==
        "operand X: with these sizes and scalars number 2 along B is loaded, of 2, which are counted from "
        "0; min(x, size<\"B\">(X) - 1) is the last one");
  CHECK(with(-1, 0) ==
        "operand X: with these sizes and scalars number -1 along B is loaded, of 2, which are counted from "
        "0; max(x, 0) is the first one");
}
TEST_CASE("scalars that a launch has taken are tried anew with other sizes") {
  std::vector<float> x(2 * 64 * 320), y(2 * 64 * 320);
  const auto with = [&](int columns) {
    return refusal<shifted>(tensor(x.data(), 2, 64, columns), tensor(y.data(), 2, 64, columns), 0, 12);
  };
  CHECK(with(320) == "");
  CHECK(with(32).starts_with("operand X: with these sizes and scalars tile 12 along N is loaded, of 1"));
}

/// Vectors in batches, read and written.
struct scaled_sums {
  static constexpr auto operands = sectile::operands(input<"X(B,M,N)", float>(), vector_input<"scale(B,M)", float>(),
                                                     vector_output<"sums(B,M)", float>());
  static constexpr sectile::configuration how{.tile = {{"B", 1}, {"M", 64}, {"N", 32}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto X, auto scale, auto sums) {
    auto [b, m] = sm.rows_of(X);
    auto sum = row_sum(sm.accumulator(X));
    for (auto n : sm.pipelined(tiles<"N">(X))) sum += row_sum(in_registers(sm.load(X, {b, m, n})));
    sm.store(sums, {b, m}, sum.total() * in_registers(sm.load(scale, {b, m})));
  }
};

TEST_CASE("strides of vectors in batches") {
  std::vector<float> x(2 * 40 * 32), scale(2 * 40), sums(2 * 40);
  const auto with = [&](std::int64_t of_scale, std::int64_t of_sums) {
    return refusal<scaled_sums>(tensor(x.data(), 2, 40, 32),
                                tensor_view<float>{scale.data(), 2, {2, 40}, {of_scale, 1}},
                                tensor_view<float>{sums.data(), 2, {2, 40}, {of_sums, 1}});
  };
  CHECK(with(40, 40) == "");
  CHECK(with(0, 40) == "");  // one vector for all batches
  CHECK(with(-1, 40) == "operand scale: the stride of B is -1 elements; it must not be negative");
  CHECK(with(40, 39) ==
        "operand sums: the stride of B is 39 elements, the modes inside it reach over 40: an output's "
        "elements must not overlap");
}

/// Scales that come with tiles.
struct scaled_with_tiles {
  static constexpr auto operands =
      sectile::operands(input<"A(M,K)", bf16>(), input<"B(N,K)", bf16>(), vector_input<"S(KB,M)", float>(with_tiles),
                        output<"C(M,N)", float>());
  static constexpr sectile::configuration how{
      .tile = {{"M", 64}, {"N", 16}, {"K", 64}, {"KB", 1}}, .stages = 2, .consumers = 1};
  static constexpr void body(auto& sm, auto A, auto B, auto S, auto C) {
    auto [m, n] = sm.tile_of(C);
    auto sum = sm.accumulator(C);
    sum = 0.0f;
    for (auto k : sm.pipelined(tiles<"K">(A))) {
      auto part = sm.accumulator(sm.load(A, {m, k}) * transpose(sm.load(B, {n, k})));
      sum += part * sm.load(S, {as<"KB">(k), m});
    }
    sm.store(C, {m, n}, sum);
  }
};
TEST_CASE("the longest line of a vector that comes with tiles, and one that is longer") {
  std::vector<bf16> a(64 * 128), b(16 * 128);
  std::vector<float> s(64), c(64 * 16);
  const std::int64_t apart = most_on_a_line - 64;
  CHECK(refusal<scaled_with_tiles>(matrix(a.data(), 64, 128), matrix(b.data(), 16, 128),
                                   tensor_view<float>{s.data(), 2, {2, 64}, {apart + 1, 1}},
                                   matrix(c.data(), 64, 16)) ==
        "operand S: from its first element to its last are 2147482625; of a vector that comes with tiles at most "
        "2147482624 may be: leave out with_tiles, or launch parts of it");
}

TEST_CASE("a sum over more places and channels than an int counts") {
  std::vector<bf16> memory(64);
  std::vector<float> y(64);
  const std::int64_t channels = std::int64_t{1} << 28;  // of 8 places 2^31 terms
  using filtered = kernels::convolution<bf16, float>;
  CHECK(refusal<filtered>(im2col(tensor(memory.data(), 1, 4, 2, channels), {.filter = {4, 2}}),
                          filters(tensor(memory.data(), 8, 4, 2, channels)), matrix(y.data(), 1, 8)) ==
        "operand X: a sum has 8 x 268435456 terms, of T and C; up to 2^31 - 1 are counted");
}

}  // namespace
