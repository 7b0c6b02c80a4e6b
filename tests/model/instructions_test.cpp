// Every wgmma there is: on small integers, whose sums are exact in every type, against a scalar product written here;
// on arbitrary bits against dot_accumulate, element by element.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <sectile/dsl/model/numerics.hpp>
#include <sectile/dsl/model/product.hpp>
#include <sectile/dsl/tell/instructions_by_number.hpp>
#include <sectile/layouts/fragment.hpp>
#include <stdexcept>
#include <vector>

#include "sparse.hpp"

using sectile::element;
using sectile::instruction_family;
using sectile::wgmma_instruction;

namespace {

struct generator {
  std::uint32_t state;

  std::uint32_t word() {
    state = state * 1664525u + 1013904223u;
    return state ^ state >> 16;
  }
  int between(int low, int high) { return low + static_cast<int>(word() >> 8) % (high - low + 1); }
};

// ---- elements

template <class T, class Bits>
std::uint32_t encoded(int x) {
  return std::bit_cast<Bits>(T(static_cast<float>(x)));
}

/// The bits of a small integer. tf32: with something in the bits that do not count.
std::uint32_t bits_of(const element& e, int x) {
  if (e.kind != sectile::number::floating) return static_cast<std::uint32_t>(x) & ((1u << (e.bits - 1) << 1) - 1);
  if (e == sectile::element_of<sectile::f32>()) return std::bit_cast<std::uint32_t>(static_cast<float>(x));
  if (e == sectile::element_of<sectile::tf32>())
    return std::bit_cast<std::uint32_t>(static_cast<float>(x)) | static_cast<std::uint32_t>(x * x * 711 & 0x1FFF);
  if (e == sectile::element_of<sectile::f16>()) return encoded<sectile::f16, std::uint16_t>(x);
  if (e == sectile::element_of<sectile::bf16>()) return encoded<sectile::bf16, std::uint16_t>(x);
  if (e == sectile::element_of<sectile::e4m3>()) return encoded<sectile::e4m3, std::uint8_t>(x);
  return encoded<sectile::e5m2, std::uint8_t>(x);
}

/// Numbers that every sum of 64 products of them is exact for; integers of 8 bits and 1 bit use their whole range.
int random_element(const element& e, generator& random) {
  if (e.kind == sectile::number::floating) return random.between(-2, 2);
  if (e.kind == sectile::number::signed_integer) return random.between(-128, 127);
  return e.bits == 1 ? random.between(0, 1) : random.between(0, 255);
}

// ---- operands: numbers, and the bytes that hold them

struct number_matrix {
  int rows, cols;
  std::vector<int> x = std::vector<int>(static_cast<std::size_t>(rows * cols));

  int& operator()(int r, int c) { return x[static_cast<std::size_t>(r * cols + c)]; }
  const int* row(int r) const { return x.data() + r * cols; }
};

std::vector<std::byte> packed(const number_matrix& m, const element& e) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(m.rows * m.cols * e.bits / 8));
  for (std::size_t i = 0; i < m.x.size(); ++i) {
    const std::uint32_t bits = bits_of(e, m.x[i]);
    if (e.bits == 1) {
      bytes[i / 8] |= static_cast<std::byte>(bits << i % 8);
    } else {
      const std::size_t size = static_cast<std::size_t>(e.bits) / 8;
      std::memcpy(bytes.data() + i * size, &bits, size);
    }
  }
  return bytes;
}

/// What all instructions of one family and form share: A as it is stored and as it is meant, B with as many rows as
/// there can be, C, and the metadata.
struct operands {
  number_matrix a, b;
  std::vector<std::byte> a_bytes, b_bytes;
  std::vector<std::uint32_t> metadata;
  std::vector<std::int64_t> dots = std::vector<std::int64_t>(64 * 256);  ///< sum of products, without C
};

operands make_operands(const wgmma_instruction& i, generator& random) {
  operands o{{64, i.k}, {256, i.k}, {}, {}, {}};
  for (int& x : o.b.x) x = random_element(i.b, random);
  o.b_bytes = packed(o.b, i.b);

  number_matrix stored{64, stored_k(i)};
  for (int& x : stored.x) x = random_element(i.a, random);
  o.a_bytes = packed(stored, i.a);
  if (i.sparse) {
    const kit::sparse_places places(i, [&](int n) { return random.between(0, n - 1); });
    o.metadata = places.words(i, random.word());
    for (int row = 0; row < 64; ++row) {
      for (int s = 0; s < stored.cols; ++s) o.a(row, places.column(row, s)) = stored(row, s);
    }
  } else {
    o.a = stored;
  }
  for (int row = 0; row < 64; ++row) {
    for (int col = 0; col < 256; ++col) {
      const int *x = o.a.row(row), *y = o.b.row(col);
      int sum = 0;
      for (int k = 0; k < i.k; ++k) sum += x[k] * y[k];
      o.dots[static_cast<std::size_t>(row * 256 + col)] = sum;
    }
  }
  return o;
}

/// What D holds: C plus the dot, in the bits of D.
std::uint32_t expected(const wgmma_instruction& i, std::int64_t dot, std::int32_t c) {
  const std::int64_t sum = c + (i.negate_a != i.negate_b ? -dot : dot);
  if (i.d.kind == sectile::number::floating) return bits_of(i.d, static_cast<int>(sum));
  using limits = std::numeric_limits<std::int32_t>;
  const std::int64_t held = i.saturate ? std::clamp<std::int64_t>(sum, limits::min(), limits::max()) : sum;
  return static_cast<std::uint32_t>(held);
}

// ---- the accumulator

/// Registers of the 128 threads.
struct fragments {
  explicit fragments(const wgmma_instruction& i) : per_thread(sectile::accumulator_registers(i)), bits(i.d.bits) {
    for (std::size_t t = 0; t < 128; ++t) d[t] = words.data() + t * 128;
  }

  std::uint32_t get(int row, int col) const {
    const auto [thread, reg, part] = bits == 16 ? sectile::d16_slot(row, col) : sectile::d_slot(row, col);
    const std::uint32_t word = words[static_cast<std::size_t>(thread * 128 + reg)];
    return bits == 16 ? word >> 16 * part & 0xFFFF : word;
  }
  void set(int row, int col, std::uint32_t x) {
    const auto [thread, reg, part] = bits == 16 ? sectile::d16_slot(row, col) : sectile::d_slot(row, col);
    std::uint32_t& word = words[static_cast<std::size_t>(thread * 128 + reg)];
    word = bits == 16 ? (word & 0xFFFF0000u >> 16 * part) | x << 16 * part : x;
  }
  /// Registers that are not part of the accumulator stay as they were.
  bool kept_to_itself() const {
    for (std::size_t t = 0; t < 128; ++t) {
      for (auto r = static_cast<std::size_t>(per_thread); r < 128; ++r)
        if (words[t * 128 + r] != untouched) return false;
    }
    return true;
  }

  static constexpr std::uint32_t untouched = 0xFFBADBAD;
  int per_thread, bits;
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(128 * 128, untouched);
  std::array<void*, 128> d;
};

std::int32_t random_c(const wgmma_instruction& i, generator& random) {
  if (i.d.kind == sectile::number::floating) return random.between(-500, 500);
  const int near = random.between(-300'000, 300'000);
  switch (random.between(0, 3)) {
    case 0:
      return std::numeric_limits<std::int32_t>::max() - std::max(near, 0);
    case 1:
      return std::numeric_limits<std::int32_t>::min() + std::max(near, 0);
    default:
      return near;
  }
}

int count_differing(const wgmma_instruction& i, const operands& o, bool accumulate, generator& random) {
  fragments f(i);
  std::vector<std::int32_t> c(static_cast<std::size_t>(64 * i.n));
  if (accumulate) {
    for (std::size_t at = 0; at < c.size(); ++at) {
      c[at] = random_c(i, random);
      f.set(static_cast<int>(at) / i.n, static_cast<int>(at) % i.n, bits_of(i.d, c[at]));
    }
  }
  sectile::model::multiply_rows(i, o.a_bytes.data(), o.b_bytes.data(), i.sparse ? o.metadata.data() : nullptr, f.d,
                                accumulate);
  int differing = f.kept_to_itself() ? 0 : 1;
  for (int row = 0; row < 64; ++row) {
    for (int col = 0; col < i.n; ++col) {
      const std::int64_t dot = o.dots[static_cast<std::size_t>(row * 256 + col)];
      differing += f.get(row, col) != expected(i, dot, c[static_cast<std::size_t>(row * i.n + col)]);
    }
  }
  return differing;
}

TEST_CASE("all 12,388 instructions multiply small integers exactly") {
  generator random{17};
  const auto table = sectile::wgmma_table();
  int instructions = 0, wrong = 0;
  for (const instruction_family& f : table.at) {
    // The form is the slowest digit of an instruction's number: operands are made when it changes.
    operands o{{0, 0}, {0, 0}, {}, {}, {}};
    wgmma_instruction made_for{};
    for (int number = 0; number < instructions_of(f); ++number) {
      const wgmma_instruction i = instruction_of(f, number);
      if (number == 0 || i.sparse != made_for.sparse || i.selector != made_for.selector) {
        o = make_operands(i, random);
        made_for = i;
      }
      const int differing = count_differing(i, o, number % 3 != 0, random);
      if (differing > 0 && ++wrong <= 5) {
        FAIL_CHECK("instruction ", number, " of ", f.a.name, " x ", f.b.name, " -> ", f.d.name, ", n = ", i.n, ": ",
                   differing, " elements differ");
      }
      ++instructions;
    }
  }
  CHECK(wrong == 0);
  CHECK(instructions == 12'388);
}

// ---- arbitrary bits

/// Bits of moderate numbers, or any bits at all.
std::uint32_t random_bits(const element& e, bool any, generator& random) {
  const std::uint32_t bits = random.word() ^ random.word() << 16;
  if (any || e.kind != sectile::number::floating) return bits;
  if (random.between(0, 9) == 0) return 0;
  const int fraction = e.bits - 1 - e.exponent_bits;
  const auto exponent = static_cast<std::uint32_t>((1 << (e.exponent_bits - 1)) - 1 + random.between(-3, 3));
  return (bits & (1u << (e.bits - 1))) | exponent << fraction | (bits & ((1u << fraction) - 1));
}

template <class Bits>
void compare_with_reference(const wgmma_instruction& i, bool any, generator& random) {
  namespace model = sectile::model;
  const int k = stored_k(i);
  std::vector<Bits> a(static_cast<std::size_t>(64 * k)), b(static_cast<std::size_t>(i.n * i.k));
  for (Bits& x : a) x = static_cast<Bits>(random_bits(i.a, any, random));
  for (Bits& x : b) x = static_cast<Bits>(random_bits(i.b, any, random));
  const kit::sparse_places places(i, [&](int n) { return random.between(0, n - 1); });
  const std::vector<std::uint32_t> metadata = places.words(i, random.word());
  fragments f(i);
  for (int row = 0; row < 64; ++row) {
    for (int col = 0; col < i.n; ++col)
      f.set(row, col, random_bits(i.d, any, random) & (0xFFFFFFFFu >> (32 - i.d.bits)));
  }
  const fragments c = f;
  model::multiply_rows(i, reinterpret_cast<const std::byte*>(a.data()), reinterpret_cast<const std::byte*>(b.data()),
                       i.sparse ? metadata.data() : nullptr, f.d, true);

  const model::accumulation keep = model::accumulation_of(family_of(i));
  int differing = 0;
  for (int row = 0; row < 64; ++row) {
    for (int col = 0; col < i.n; ++col) {
      std::vector<Bits> x(static_cast<std::size_t>(k)), y(static_cast<std::size_t>(k));
      for (int s = 0; s < k; ++s) {
        const auto at = static_cast<std::size_t>(s);
        const Bits sign = static_cast<Bits>(Bits{1} << (i.a.bits - 1));
        x[at] = static_cast<Bits>(a[static_cast<std::size_t>(row * k + s)] ^ (i.negate_a ? sign : 0));
        const int column = i.sparse ? places.column(row, s) : s;
        y[at] = static_cast<Bits>(b[static_cast<std::size_t>(col * i.k + column)] ^ (i.negate_b ? sign : 0));
      }
      const std::uint32_t result = model::dot_accumulate(keep, model::format_of(i.a), x.data(), model::format_of(i.b),
                                                         y.data(), k, c.get(row, col));
      differing += result != f.get(row, col);
    }
  }
  INFO(i.a.name, " x ", i.b.name, " -> ", i.d.name, ", n = ", i.n, i.sparse ? ", sparse" : "", any ? ", any bits" : "");
  CHECK(differing == 0);
}

TEST_CASE("floats of every family are summed by the rule, sparse or dense") {
  generator random{29};
  const auto table = sectile::wgmma_table();
  for (const instruction_family& f : table.at) {
    if (f.sum == sectile::summation::integer) continue;
    for (const int n : {8, 40, 136}) {
      for (int form = 0; form <= f.selectors; ++form) {
        wgmma_instruction i{n, f.k, f.a, f.b, f.d, false, sectile::major::k, sectile::major::k};
        i.negate_a = random.between(0, 1) == 1;
        i.negate_b = random.between(0, 1) == 1;
        i.sparse = form > 0;
        i.selector = i.sparse ? form - 1 : 0;
        if (i.sparse) i.k *= 2;
        for (const bool any : {false, true}) {
          if (f.a.bits == 8) compare_with_reference<std::uint8_t>(i, any, random);
          if (f.a.bits == 16) compare_with_reference<std::uint16_t>(i, any, random);
          if (f.a.bits == 32) compare_with_reference<std::uint32_t>(i, any, random);
        }
      }
    }
  }
}

TEST_CASE("what is not in the table is refused with its sentence") {
  wgmma_instruction i{64,
                      16,
                      sectile::element_of<sectile::bf16>(),
                      sectile::element_of<sectile::bf16>(),
                      sectile::element_of<sectile::f16>(),
                      false,
                      sectile::major::k,
                      sectile::major::k};
  const fragments f(i);
  CHECK_THROWS_WITH_AS(sectile::model::multiply_rows(i, nullptr, nullptr, nullptr, f.d, false),
                       doctest::Contains("wgmma has no bf16 x bf16 -> f16"), std::invalid_argument);
}

// ---- integers at the ends of their range

std::int32_t first_element(bool saturate, bool is_unsigned, std::int32_t c, std::uint8_t x, std::uint8_t y) {
  using namespace sectile;
  const element e = is_unsigned ? element_of<u8>() : element_of<s8>();
  const wgmma_instruction i{8, 32, e, e, element_of<s32>(), false, major::k, major::k, false, false, saturate};
  const std::vector<std::byte> a(64 * 32, std::byte{x}), b(8 * 32, std::byte{y});
  fragments f(i);
  for (std::uint32_t& word : f.words) word = static_cast<std::uint32_t>(c);
  model::multiply_rows(i, a.data(), b.data(), nullptr, f.d, true);
  return static_cast<std::int32_t>(f.get(63, 7));
}

TEST_CASE("a sum that 32 bits cannot hold wraps, or is clamped at either end") {
  constexpr std::int32_t top = std::numeric_limits<std::int32_t>::max(), bottom = -top - 1;
  CHECK(first_element(false, true, top, 255, 255) == bottom + 32 * 255 * 255 - 1);
  CHECK(first_element(true, true, top, 255, 255) == top);
  CHECK(first_element(true, true, top - 32 * 255 * 255, 255, 255) == top);
  CHECK(first_element(true, true, top - 32 * 255 * 255 - 1, 255, 255) == top - 1);
  CHECK(first_element(false, false, bottom, 0x80, 1) == top - 32 * 128 + 1);
  CHECK(first_element(true, false, bottom, 0x80, 1) == bottom);
  CHECK(first_element(true, false, bottom, 0x80, 0x80) == bottom + 32 * 128 * 128);
}

}  // namespace
