// The sparse compressor: compress, decompress, prune and check, for every type; and what they refuse.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <sectile/dsl/launch/sparse.hpp>
#include <string>
#include <vector>

namespace {

using namespace sectile;

template <class T>
constexpr int bits_of = element_of<T>().bits;

template <class T>
T from_float(float x) {
  return T(x);
}
template <>
s8 from_float<s8>(float x) {
  return static_cast<s8>(x);
}
template <>
u8 from_float<u8>(float x) {
  return static_cast<u8>(x);
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Random elements of any bits but zero, where the group's mask is drawn among those that fit.
template <class T>
std::vector<T> random_sparse(std::int64_t m, std::int64_t k, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> dense(static_cast<std::size_t>(m * k));
  for (std::size_t g = 0; g < dense.size(); g += group_of<T>) {
    unsigned mask = random() % (1u << group_of<T>);
    while (!fits_group(bits_of<T>, mask)) mask = random() % (1u << group_of<T>);
    for (std::size_t i = 0; i < group_of<T>; ++i) {
      while ((mask >> i & 1u) && is_zero(dense[g + i])) {
        const std::uint32_t raw = static_cast<std::uint32_t>(random());
        std::memcpy(&dense[g + i], &raw, sizeof(T));
      }
    }
  }
  return dense;
}

/// The matrix as the hardware reads it: instruction by instruction, the thread and bits of each group from the tables
/// of the PTX ISA, written down here once more.
template <class T>
std::vector<T> as_hardware_reads(const sparse_matrix<T>& s) {
  constexpr int k_of_instruction = 64 / static_cast<int>(sizeof(T));
  constexpr int group = sizeof(T) == 4 ? 2 : 4;
  std::vector<T> dense(static_cast<std::size_t>(s.rows * s.cols));
  const std::int64_t blocks = metadata_cols(s.cols, bits_of<T>) / 128;
  for (std::int64_t row = 0; row < s.rows; ++row) {
    for (std::int64_t col = 0; col < s.cols; col += group) {
      const std::int64_t step = col / k_of_instruction, c = col % k_of_instruction;
      const std::int64_t block = sizeof(T) == 1 ? step : step / 2, selector = sizeof(T) == 1 ? 0 : step % 2;
      const std::int64_t w = row % 64 / 16, q = row % 8, lower = row % 16 / 8;
      std::int64_t lane = 4 * q, bit = 0;
      if (sizeof(T) == 1) {
        lane += lower + 2 * (c / 32);
        bit = c % 32 / 4 * 4;
      } else {
        const std::int64_t half = k_of_instruction / 2;  // columns of one lane
        lane += 2 * selector + c / half;
        bit = c % half / group * 4 + 16 * lower;
      }
      const std::int64_t word = (row / 64 * blocks + block) * 128 + 32 * w + lane;
      const std::uint32_t nibble = s.metadata[static_cast<std::size_t>(word)] >> bit & 0xF;
      const T* values = s.values.data() + row * s.value_stride + col / 2;
      T* x = dense.data() + row * s.cols + col;
      if (sizeof(T) == 4) {
        x[nibble == 0xE] = values[0];
      } else {
        x[nibble & 3] = values[0];
        x[nibble >> 2] = values[1];
      }
    }
  }
  return dense;
}

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const launch_error& e) {
    return e.what();
  }
  return "nothing was refused";
}

#define SPARSE_TYPES f16, bf16, e4m3, e5m2, s8, u8, tf32

}  // namespace

TEST_CASE_TEMPLATE("decompress(compress(A)) is A, and so is what the hardware reads", T, SPARSE_TYPES) {
  const std::int64_t shapes[][2] = {{1, 4}, {64, 64}, {65, 68}, {130, 36}, {7, 132}, {192, 256}};
  unsigned seed = 1;
  for (const auto& [m, k] : shapes) {
    const std::vector<T> dense = random_sparse<T>(m, k, seed++);
    check_sparse(dense.data(), m, k);
    const sparse_matrix<T> s = compress(dense.data(), m, k);
    CHECK(same_bits(decompress(s), dense));
    CHECK(same_bits(as_hardware_reads(s), dense));
    CHECK(s.value_stride * sizeof(T) % 16 == 0);
    CHECK(s.value_stride >= k / 2);
    CHECK(s.metadata.size() == static_cast<std::size_t>(sparse_metadata_words<T>(m, k)));
  }
}

TEST_CASE_TEMPLATE("every pattern of one group", T, SPARSE_TYPES) {
  constexpr int group = group_of<T>;
  for (unsigned mask = 0; mask < 1u << group; ++mask) {
    std::vector<T> dense(group, T{});
    for (std::size_t i = 0; i < group; ++i)
      if (mask >> i & 1u) dense[i] = from_float<T>(static_cast<float>(i + 1));
    if (count_of_mask(mask) > group / 2) {
      CHECK_THROWS_AS(check_sparse(dense.data(), 1, group), launch_error);
      CHECK_THROWS_AS(compress(dense.data(), 1, group), launch_error);
      continue;
    }
    const sparse_matrix<T> s = compress(dense.data(), 1, group);
    const int nibble = nibble_at(s.metadata[0], 0);
    CHECK(is_legal_nibble(bits_of<T>, nibble));
    CHECK(same_bits(decompress(s), dense));
    prune(dense.data(), 1, group);
    CHECK(same_bits(decompress(s), dense));  // nothing to prune
  }
}

TEST_CASE_TEMPLATE("what lies beyond the edges is legal and zero", T, SPARSE_TYPES) {
  const std::int64_t m = 70, k = 36;
  const std::vector<T> dense = random_sparse<T>(m, k, 3);
  const sparse_matrix<T> s = compress(dense.data(), m, k);
  const std::int64_t words = metadata_cols(k, bits_of<T>);
  for (std::int64_t row = 0; row < metadata_rows(m); ++row)
    for (std::int64_t col = 0; col < words; ++col)
      for (int bit = 0; bit < 32; bit += 4) {
        const matrix_group at = metadata_group_at(bits_of<T>, {row, col, bit});
        if (at.row >= m || at.group * group_of<T> >= k)
          CHECK(nibble_at(s.metadata[static_cast<std::size_t>(row * words + col)], bit) == 0x4);
      }
  for (std::int64_t row = 0; row < m; ++row)
    for (std::int64_t col = k / 2; col < s.value_stride; ++col)
      CHECK(is_zero(s.values[static_cast<std::size_t>(row * s.value_stride + col)]));
}

TEST_CASE_TEMPLATE("strided rows", T, SPARSE_TYPES) {
  const std::int64_t m = 5, k = 12, stride = 20;
  const std::vector<T> dense = random_sparse<T>(m, k, 9);
  std::vector<T> wide(static_cast<std::size_t>(m * stride), from_float<T>(7.0f));  // nothing 2:4 between the rows
  for (std::int64_t row = 0; row < m; ++row)
    for (std::int64_t col = 0; col < k; ++col)
      wide[static_cast<std::size_t>(row * stride + col)] = dense[static_cast<std::size_t>(row * k + col)];
  CHECK(same_bits(decompress(compress(wide.data(), m, k, stride)), dense));
  const std::vector<T> before = wide;
  prune(wide.data(), m, k, stride);
  CHECK(same_bits(wide, before));
  // Parts with strides of their own.
  const sparse_matrix<T> s = compress(dense.data(), m, k);
  std::vector<std::uint32_t> metadata(s.metadata);
  metadata.resize(metadata.size() + 4);
  const auto view = sparse(s.values.data(), metadata.data(), m, k, s.value_stride, metadata_cols(k, bits_of<T>) + 4);
  CHECK(same_bits(decompress(view), dense));
}

TEST_CASE("the worked example of 16-bit and of tf32 elements") {
  const auto matrix_keeping = [](auto zero, const std::vector<std::vector<int>>& rows, std::int64_t k) {
    std::vector<decltype(zero)> dense(static_cast<std::size_t>(9 * k), zero);
    for (const std::size_t row : {0u, 8u})
      for (std::size_t i = 0; i < rows[row / 8].size(); ++i)
        dense[row * static_cast<std::size_t>(k) + static_cast<std::size_t>(rows[row / 8][i])] = decltype(zero)(1.0f);
    return dense;
  };
  const auto half = matrix_keeping(f16(0.0f), {{0, 1, 5, 7, 10, 11, 12, 14}, {0, 3, 5, 6, 8, 9, 14, 15}}, 64);
  CHECK(compress(half.data(), 9, 64).metadata[0] == 0xE49C'8ED4u);
  const auto wide = matrix_keeping(tf32(0.0f), {{0, 3, 5, 6}, {1, 3, 5, 7}}, 32);
  CHECK(compress(wide.data(), 9, 32).metadata[0] == 0xEEEE'4EE4u);
}

TEST_CASE("signed zeros and NaN") {
  const f16 minus_zero = f16::from_bits(0x8000), nan = f16::from_bits(0x7E01), one(1.0f), zero(0.0f);
  const std::vector<f16> group = {minus_zero, nan, minus_zero, one};
  const sparse_matrix<f16> s = compress(group.data(), 1, 4);
  CHECK(nibble_at(s.metadata[0], 0) == 0xD);
  CHECK(same_bits(decompress(s), {zero, nan, zero, one}));
  const std::vector<f16> three = {nan, nan, minus_zero, nan};
  CHECK_THROWS_AS(compress(three.data(), 1, 4), launch_error);
  const std::vector<tf32> pair = {tf32(-0.0f), tf32(2.0f)};
  CHECK(nibble_at(compress(pair.data(), 1, 2).metadata[0], 0) == 0xE);
  CHECK(is_zero(e4m3::from_bits(0x80)));
  CHECK(!is_zero(e4m3::from_bits(0xFF)));
  CHECK(is_zero(e5m2::from_bits(0x80)));
  CHECK(!is_zero(static_cast<s8>(-128)));
  CHECK(!is_zero(static_cast<u8>(0x80)));
}

TEST_CASE("prune keeps the largest two of four, of equal ones the first") {
  const auto pruned = [](auto... x) {
    std::vector<std::common_type_t<decltype(x)...>> v{x...};
    prune(v.data(), 1, static_cast<std::int64_t>(v.size()));
    return v;
  };
  const auto s = [](int x) { return static_cast<s8>(x); };
  CHECK(pruned(s(1), s(-3), s(2), s(-4)) == std::vector<s8>{0, -3, 0, -4});
  CHECK(pruned(s(127), s(-128), s(126), s(127)) == std::vector<s8>{127, -128, 0, 0});
  CHECK(pruned(s(5), s(5), s(-5), s(5)) == std::vector<s8>{5, 5, 0, 0});
  CHECK(pruned(s(0), s(1), s(1), s(1)) == std::vector<s8>{0, 1, 1, 0});
  const auto u = [](int x) { return static_cast<u8>(x); };
  CHECK(pruned(u(200), u(3), u(255), u(4)) == std::vector<u8>{200, 0, 255, 0});
  const auto b = [](float x) { return bf16(x); };
  CHECK(same_bits(pruned(b(0.5f), b(-2.0f), b(1.0f), b(-1.0f)), {b(0.0f), b(-2.0f), b(1.0f), b(0.0f)}));
  const bf16 nan = bf16::from_bits(0xFFC0), infinity = bf16::from_bits(0x7F80);
  CHECK(same_bits(pruned(b(9.0f), infinity, b(8.0f), nan), {b(0.0f), infinity, b(0.0f), nan}));
  const auto t = [](float x) { return tf32(x); };
  CHECK(same_bits(pruned(t(1.0f), t(-1.5f), t(2.0f), t(-2.0f)), {t(0.0f), t(-1.5f), t(2.0f), t(0.0f)}));
}

TEST_CASE_TEMPLATE("whatever was pruned can be compressed", T, SPARSE_TYPES) {
  std::mt19937 random(17);
  std::vector<T> dense(66 * 72);
  for (T& x : dense) {
    const std::uint32_t raw = static_cast<std::uint32_t>(random());
    std::memcpy(&x, &raw, sizeof(T));
  }
  prune(dense.data(), 66, 72);
  CHECK(same_bits(decompress(compress(dense.data(), 66, 72)), dense));
}

TEST_CASE("a matrix that is not 2:4 is refused with its first bad group") {
  std::vector<bf16> dense = random_sparse<bf16>(10, 32, 4);
  const auto put = [&](std::size_t row, std::size_t col, std::initializer_list<float> x) {
    for (const float v : x) dense[row * 32 + col++] = bf16(v);
  };
  put(7, 0, {1.0f, 1.0f, 1.0f, 1.0f});
  put(3, 8, {1.5f, 0.0f, -2.0f, 0.25f});
  put(3, 12, {1.0f, 1.0f, 1.0f, 1.0f});
  const std::string sentence =
      "the matrix is not 2:4 sparse: row 3, columns 8 to 11 hold 3 non-zero values (1.5, 0, -2, 0.25), at most 2 may "
      "be; "
      "prune() keeps the largest of each group";
  CHECK(refusal([&] { check_sparse(dense.data(), 10, 32); }) == sentence);
  CHECK(refusal([&] { compress(dense.data(), 10, 32); }) == sentence);
  const std::vector<tf32> pair = {tf32(0.0f), tf32(0.0f), tf32(1.0f), tf32(-0.5f)};
  CHECK(
      refusal([&] { compress(pair.data(), 1, 4); }) ==
      "the matrix is not 1:2 sparse: row 0, columns 2 to 3 hold 2 non-zero values (1, -0.5), at most 1 may be; prune() "
      "keeps the largest of each group");
  const std::vector<u8> bytes = {1, 200, 0, 3};
  CHECK(refusal([&] { compress(bytes.data(), 1, 4); }).find("(1, 200, 0, 3)") != std::string::npos);
}

TEST_CASE("sizes that cannot be are refused") {
  const std::vector<bf16> dense(64 * 64);
  CHECK(refusal([&] { compress(dense.data(), 2, 30); }) ==
        "compress: K = 30 is not a multiple of 4, the group of 2:4 sparse bf16");
  const std::vector<tf32> wide(64);
  CHECK(refusal([&] { compress(wide.data(), 1, 7); }) ==
        "compress: K = 7 is not a multiple of 2, the group of 1:2 sparse tf32");
  CHECK(refusal([&] { compress(dense.data(), 0, 32); }) == "compress: M = 0: every size must be at least 1");
  CHECK(refusal([&] { check_sparse(dense.data(), 4, -4); }) == "check_sparse: K = -4: every size must be at least 1");
  CHECK(refusal([&] { compress(dense.data(), 2, 32, 16); }) == "compress: rows are 16 elements apart, but K = 32");
  CHECK(refusal([&] { compress(dense.data(), 2, 32, 0); }) == "compress: rows are 0 elements apart, but K = 32");
  std::vector<bf16> own = dense;
  CHECK(refusal([&] { prune(own.data(), 2, 32, 0); }) == "prune: rows are 0 elements apart, but K = 32");
  CHECK(refusal([&] { check_sparse(dense.data(), 2, 32, 0); }) ==
        "check_sparse: rows are 0 elements apart, but K = 32");
  CHECK(refusal([&] { prune(static_cast<bf16*>(nullptr), 2, 32); }) == "prune: the pointer is null");
}

TEST_CASE("metadata that no hardware defines is refused") {
  const std::vector<bf16> dense = random_sparse<bf16>(70, 68, 11);
  const sparse_matrix<bf16> good = compress(dense.data(), 70, 68);
  // Row 2, columns 4 to 7 are bits 4 .. 7 of word 8. 0x9 -> 0x6 is the same pair, the wrong way round.
  for (const int nibble : {0x0, 0x1, 0x2, 0x3, 0x5, 0x6, 0x7, 0xA, 0xB, 0xF}) {
    sparse_matrix<bf16> bad = good;
    bad.metadata[8] = with_nibble(bad.metadata[8], 4, nibble);
    CHECK(refusal([&] { decompress(bad); }) ==
          std::string("metadata: word 8 of row 0 has the bits ") + "0123456789ABCDEF"[nibble] +
              " (hexadecimal) for row 2, columns 4 to 7: the low two bits must be less than the high two, 4 8 C 9 D E");
  }
  sparse_matrix<bf16> beyond = good;
  beyond.metadata.back() = 0;
  CHECK(refusal([&] { check_metadata(beyond); }).find("row 119, columns 112 to 115 (beyond the matrix)") !=
        std::string::npos);
  const std::vector<tf32> wide(64);
  sparse_matrix<tf32> pairs = compress(wide.data(), 2, 32);
  pairs.metadata[4] = with_nibble(pairs.metadata[4], 8, 0x9);
  CHECK(refusal([&] { decompress(pairs); }) ==
        "metadata: word 4 of row 0 has the bits 9 (hexadecimal) for row 1, columns 4 to 5: of tf32 only 4 and E select "
        "an "
        "element");
}

TEST_CASE("parts of the wrong size are refused") {
  const std::vector<bf16> dense = random_sparse<bf16>(70, 68, 12);
  const sparse_matrix<bf16> good = compress(dense.data(), 70, 68);
  sparse_matrix<bf16> bad = good;
  bad.metadata.pop_back();
  CHECK(refusal([&] { decompress(bad); }) == "sparse matrix of 70 x 68: 511 words of metadata, it needs 2 rows of 256");
  bad = good;
  bad.values.resize(70 * 34);
  CHECK(refusal([&] { decompress(bad); }) == "sparse matrix of 70 x 68: 2380 values, it needs 70 rows of 40");
  const bf16* values = good.values.data();
  const std::uint32_t* metadata = good.metadata.data();
  CHECK(refusal([&] { decompress(sparse(values, metadata, 70, 68, 32)); }) ==
        "sparse matrix: rows of values are 32 elements apart, but K = 68 stores 34");
  CHECK(refusal([&] { decompress(sparse(values, metadata, 70, 68, 40, 128)); }) ==
        "sparse matrix: rows of metadata are 128 words apart, but K = 68 takes 256");
  CHECK(refusal([&] { decompress(sparse(values, metadata, 70, 66, 40)); }) ==
        "sparse matrix: K = 66 is not a multiple of 4, the group of 2:4 sparse bf16");
  CHECK(refusal([&] { decompress(sparse(values, nullptr, 70, 68, 40)); }) ==
        "sparse matrix: the pointer to the metadata is null");
}

TEST_CASE("one group in constant evaluation") {
  constexpr bool right = [] {
    const u8 group[4] = {0, 7, 0, 9};
    u8 values[2] = {}, back[4] = {};
    const int nibble = compress_group(group, values);
    decompress_group(values, nibble, back);
    return nibble == 0xD && values[0] == 7 && values[1] == 9 && back[1] == 7 && back[3] == 9 && back[0] == 0;
  }();
  static_assert(right);
}
