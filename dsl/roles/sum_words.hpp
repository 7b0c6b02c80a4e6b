// A word of a sum on its way from one CTA to another, which knows neither floats nor ints.
#pragma once
#include <cstdint>

namespace sectile {

constexpr void set_word(float& sum, std::uint32_t word) { sum = __builtin_bit_cast(float, word); }
constexpr void set_word(std::int32_t& sum, std::uint32_t word) { sum = static_cast<std::int32_t>(word); }
/// What a sum begins with that is to become its first summand, whatever that is: -0 + 0 = 0, and -0 + -0 = -0.
constexpr void set_to_nothing(float& sum) { sum = -0.0f; }
constexpr void set_to_nothing(std::int32_t& sum) { sum = 0; }
template <class Machine>
constexpr void add_word(const Machine& hw, float& sum, std::uint32_t word) {
  sum = hw.add(sum, __builtin_bit_cast(float, word));
}
/// It wraps, as the tensor cores' own sums do.
template <class Machine>
constexpr void add_word(const Machine&, std::int32_t& sum, std::uint32_t word) {
  sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) + word);
}

}  // namespace sectile
