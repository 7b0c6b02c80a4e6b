#pragma once
// A matrix descriptor as a line of text: its fields, and the 64 bits they are packed into.

#include <sectile/layouts/encoded_descriptor.hpp>
#include <sectile/layouts/message.hpp>

#include <cstdint>

namespace sectile {

/// "none", "32B", "64B" or "128B".
constexpr const char* swizzle_name(swizzle_mode mode) {
  constexpr const char* names[] = {"none", "32B", "64B", "128B"};
  return names[static_cast<int>(mode)];
}

/// Appends x as 0x and `digits` hexadecimal digits.
constexpr void print_hexadecimal(message& to, std::uint64_t x, int digits) {
  to.add("0x");
  for (int d = digits - 1; d >= 0; --d) to.add("0123456789abcdef"[x >> (4 * d) & 0xF]);
}

/// For example: start 0x02000, LBO 16, SBO 1024, base offset 0, swizzle 128B = 0x4000004000010200
constexpr void print(message& to, const matrix_descriptor& d) {
  to.add("start ");
  print_hexadecimal(to, d.start_bytes, 5);
  to.add(", LBO ").add(d.leading_bytes).add(", SBO ").add(d.stride_bytes);
  to.add(", base offset ").add(d.base_offset).add(", swizzle ").add(swizzle_name(d.swizzle)).add(" = ");
  print_hexadecimal(to, encode(d), 16);
}

}  // namespace sectile
