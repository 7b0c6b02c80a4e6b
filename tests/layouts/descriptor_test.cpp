#include <doctest/doctest.h>

#include <initializer_list>
#include <sectile/layouts/encoded_descriptor.hpp>
#include <sectile/layouts/descriptor_text.hpp>
#include <sectile/layouts/rule_text.hpp>

#include "tests/static_check.hpp"

using namespace sectile;

namespace {

struct worked_value {
  matrix_descriptor fields;
  std::uint64_t bits;
};

constexpr matrix_descriptor fields(unsigned start, unsigned lbo, unsigned sbo, swizzle_mode mode) {
  return {start, lbo, sbo, 0, mode};
}

constexpr worked_value worked[] = {
    // bf16 K-major, 128-byte swizzle: first, second and fourth k16 step; rows 64..127
    {fields(0x2000, 16, 1024, swizzle_mode::b128), 0x4000004000010200},
    {fields(0x2020, 16, 1024, swizzle_mode::b128), 0x4000004000010202},
    {fields(0x2060, 16, 1024, swizzle_mode::b128), 0x4000004000010206},
    {fields(0x4000, 16, 1024, swizzle_mode::b128), 0x4000004000010400},
    // bf16 K-major, 64-byte swizzle
    {fields(0x2000, 16, 512, swizzle_mode::b64), 0x8000002000010200},
    {fields(0x2020, 16, 512, swizzle_mode::b64), 0x8000002000010202},
    // bf16 K-major, 32-byte swizzle; the second k16 is the next panel of 128 rows
    {fields(0x2000, 16, 256, swizzle_mode::b32), 0xC000001000010200},
    {fields(0x3000, 16, 256, swizzle_mode::b32), 0xC000001000010300},
    // bf16 MN-major, K tile 64
    {fields(0x4000, 8192, 1024, swizzle_mode::b128), 0x4000004002000400},
    {fields(0x4800, 8192, 1024, swizzle_mode::b128), 0x4000004002000480},
    {fields(0x4000, 4096, 512, swizzle_mode::b64), 0x8000002001000400},
    {fields(0x4400, 4096, 512, swizzle_mode::b64), 0x8000002001000440},
    {fields(0x4000, 2048, 256, swizzle_mode::b32), 0xC000001000800400},
    {fields(0x4200, 2048, 256, swizzle_mode::b32), 0xC000001000800420},
    // e4m3 or tf32 K-major, 128-byte swizzle
    {fields(0x400, 16, 1024, swizzle_mode::b128), 0x4000004000010040},
    {fields(0x420, 16, 1024, swizzle_mode::b128), 0x4000004000010042},
    // bf16 K-major without swizzle, 64 rows
    {fields(0x400, 1024, 128, swizzle_mode::none), 0x0000000800400040},
    {fields(0xC00, 1024, 128, swizzle_mode::none), 0x00000008004000C0},
    // bf16 MN-major without swizzle, K tile 64
    {fields(0x8000, 128, 1024, swizzle_mode::none), 0x0000004000080800},
    {fields(0x8100, 128, 1024, swizzle_mode::none), 0x0000004000080810},
    // s8 K-major, third k32; sparse f16 B, second k32
    {fields(0xC040, 16, 1024, swizzle_mode::b128), 0x4000004000010C04},
    {fields(0x10040, 16, 1024, swizzle_mode::b128), 0x4000004000011004},
};

constexpr bool worked_values_hold() {
  for (const worked_value& w : worked) {
    if (encode(w.fields) != w.bits || !(decode(w.bits) == w.fields)) return false;
    if (!check(w.fields).ok() || !check(w.bits).ok()) return false;
  }
  return true;
}

constexpr matrix_descriptor base = fields(0x2000, 16, 1024, swizzle_mode::b128);

template <class Edit>
constexpr descriptor_violation broken(Edit edit) {
  matrix_descriptor d = base;
  edit(d);
  return check(d);
}

}  // namespace

STATIC_CASE(worked_values_hold());

TEST_CASE("worked values encode and decode") {
  for (const worked_value& w : worked) {
    CHECK(encode(w.fields) == w.bits);
    CHECK(decode(w.bits) == w.fields);
  }
}

TEST_CASE("every field keeps its own bits") {
  for (unsigned shift = 4; shift < 18; ++shift) {
    const unsigned bytes = 1u << shift;
    CHECK(encode({bytes, 0, 0, 0, swizzle_mode::none}) == std::uint64_t{1} << (shift - 4));
    CHECK(encode({0, bytes, 0, 0, swizzle_mode::none}) == std::uint64_t{1} << (shift + 12));
    CHECK(encode({0, 0, bytes, 0, swizzle_mode::none}) == std::uint64_t{1} << (shift + 28));
  }
  std::uint64_t all = encode({0x3FFF0, 0x3FFF0, 0x3FFF0, 7, swizzle_mode::b32});
  CHECK((all & descriptor_reserved_bits) == 0);
  CHECK((all | descriptor_reserved_bits) == ~std::uint64_t{0});
  for (int base_offset = 0; base_offset < 8; ++base_offset) {
    const matrix_descriptor d{0x1230, 0x40, 0x80, base_offset, swizzle_mode::b64};
    CHECK(decode(encode(d)) == d);
  }
}

TEST_CASE("the mode codes run against the order of the spans") {
  STATIC_CHECK(descriptor_code(swizzle_mode::none) == 0 && descriptor_code(swizzle_mode::b128) == 1);
  STATIC_CHECK(descriptor_code(swizzle_mode::b64) == 2 && descriptor_code(swizzle_mode::b32) == 3);
  for (unsigned code = 0; code < 4; ++code) CHECK(descriptor_code(swizzle_of_descriptor_code(code)) == code);
}

TEST_CASE("rules of the fields, with the numbers that break them") {
  STATIC_CHECK(check(base).ok());
  STATIC_CHECK(broken([](auto& d) { d.start_bytes = 0x2008; }) ==
                descriptor_violation{descriptor_rule::start_granule, 0x2008, 16});
  STATIC_CHECK(broken([](auto& d) { d.start_bytes = 0x40000; }) ==
                descriptor_violation{descriptor_rule::start_size, 0x40000, 0x40000});
  STATIC_CHECK(broken([](auto& d) { d.leading_bytes = 1; }).rule == descriptor_rule::leading_granule);
  STATIC_CHECK(broken([](auto& d) { d.leading_bytes = 0x40000; }).rule == descriptor_rule::leading_size);
  STATIC_CHECK(broken([](auto& d) { d.stride_bytes = 1032; }).rule == descriptor_rule::stride_granule);
  STATIC_CHECK(broken([](auto& d) { d.stride_bytes = 0x40000; }).rule == descriptor_rule::stride_size);
  STATIC_CHECK(broken([](auto& d) { d.start_bytes = d.leading_bytes = d.stride_bytes = 0x3fff0; }).ok());
  STATIC_CHECK(broken([](auto& d) { d.base_offset = 7; }).ok());
  STATIC_CHECK(broken([](auto& d) { d.base_offset = -1; }).rule == descriptor_rule::base_offset);
  STATIC_CHECK(broken([](auto& d) { d.base_offset = 8; }) == descriptor_violation{descriptor_rule::base_offset, 8, 7});
  STATIC_CHECK(check(matrix_descriptor{0x2000, 16, 1024, 1, swizzle_mode::none}) ==
                descriptor_violation{descriptor_rule::base_offset, 1, 0});
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t one = std::uint64_t{1} << bit;
    const bool reserved =
        (bit >= 14 && bit <= 15) || (bit >= 30 && bit <= 31) || (bit >= 46 && bit <= 48) || (bit >= 52 && bit <= 61);
    CHECK((check(one).rule == descriptor_rule::reserved_bits) == reserved);
    if (reserved) CHECK(check(one).value == one);
  }
}

TEST_CASE("bytes that wgmma reads, by hand") {
  // K-major, 128-byte swizzle: row 3, k 17 of bf16 is byte 34 of row 3; chunk 2 moves to 2 ^ 3 = 1.
  STATIC_CHECK(read_offset(base, major::k, 3, 17, 16) == 0x2000 + 3 * 128 + 16 + 2);
  // Row 8 starts the next group, SBO on, at phase zero again.
  STATIC_CHECK(read_offset(base, major::k, 8, 0, 16) == 0x2000 + 1024);
  // A start inside the span: chunk 2 of row 1 moves to chunk 3.
  STATIC_CHECK(read_offset(fields(0x2020, 16, 1024, swizzle_mode::b128), major::k, 1, 0, 16) == 0x2000 + 128 + 48);
  // MN-major, 64-byte swizzle: 32 bf16 to a panel, then LBO; k 8 is SBO on.
  constexpr matrix_descriptor across = fields(0x4000, 4096, 512, swizzle_mode::b64);
  STATIC_CHECK(read_offset(across, major::mn, 33, 0, 16) == 0x4000 + 4096 + 2);
  STATIC_CHECK(read_offset(across, major::mn, 0, 9, 16) == 0x4000 + 512 + 64);
  STATIC_CHECK(read_offset(across, major::mn, 0, 2, 16) == 0x4000 + 128 + 16);
  // Without swizzle: core matrices; LBO walks K if K-major, and K in groups of eight if MN-major.
  STATIC_CHECK(read_offset(fields(0x400, 1024, 128, swizzle_mode::none), major::k, 9, 9, 16) ==
                0x400 + 128 + 16 + 1024 + 2);
  STATIC_CHECK(read_offset(fields(0x8000, 128, 1024, swizzle_mode::none), major::mn, 9, 9, 16) ==
                0x8000 + 1024 + 2 + 128 + 16);
  // One-bit elements: 128 to a chunk.
  STATIC_CHECK(read_offset(base, major::k, 1, 128 + 9, 1) == 0x2000 + 128 + (1 ^ 1) * 16 + 1);
  CHECK(read_offset(base, major::k, 3, 17, 16) == 0x2192);
}

/// Whether a K-major operand whose pattern begins at `start`, wherever that is, is read as if it began at 0.
constexpr bool reads_pattern_from(unsigned start, swizzle_mode mode) {
  const auto span = static_cast<unsigned>(span_bytes(mode));
  const matrix_descriptor here{start, 16, 8 * span, base_offset_of(start, mode), mode};
  const matrix_descriptor aligned{0, 16, 8 * span, 0, mode};
  for (int row = 0; row < 16; ++row)
    for (int k = 0; k < 16; k += 8)
      if (read_offset(here, major::k, row, k, 16) != start + read_offset(aligned, major::k, row, k, 16)) return false;
  return true;
}

TEST_CASE("a base offset moves the pattern to where the operand begins") {
  STATIC_CHECK(base_offset_of(0x2000, swizzle_mode::b128) == 0 && base_offset_of(0x2180, swizzle_mode::b128) == 3);
  STATIC_CHECK(base_offset_of(0x2180, swizzle_mode::none) == 0);
  STATIC_CHECK(reads_pattern_from(0x2180, swizzle_mode::b128));
  for (const swizzle_mode mode : {swizzle_mode::b32, swizzle_mode::b64, swizzle_mode::b128})
    for (unsigned start = 0x2000; start < 0x2800; start += 128) CHECK(reads_pattern_from(start, mode));
  // Without it the phase is that of the address: chunk 0 of row 0 at 0x2180 is in phase 3.
  STATIC_CHECK(read_offset(fields(0x2180, 16, 1024, swizzle_mode::b128), major::k, 0, 0, 16) == 0x2180 + 3 * 16);
}

TEST_CASE("a descriptor and its violations as text") {
  const auto text = [](const auto& value) { return message{}.add(value); };
  CHECK(text(base) == "start 0x02000, LBO 16, SBO 1024, base offset 0, swizzle 128B = 0x4000004000010200");
  CHECK(text(broken([](auto& d) { d.stride_bytes = 1032; })) ==
        "a stride-dimension offset (SBO) of 1032 bytes is not a multiple of 16");
  CHECK(text(broken([](auto& d) { d.start_bytes = 0x40000; })) ==
        "a start address of 262144 bytes does not fit its field; it must be below 262144");
  CHECK(text(broken([](auto& d) { d.base_offset = 9; })) == "base offset 9 is not 0 to 7");
  CHECK(text(descriptor_violation{}) == "");
}
