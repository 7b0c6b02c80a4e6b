// The elements of a .npy array as numbers: conversions between float and the types of the file.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <sectile/layouts/element.hpp>
#include <utility>

#include "tool/npy.hpp"

namespace sectile::tool {
namespace {

float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);  // quiet, so that it stays a NaN
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000U | static_cast<std::uint32_t>(fraction) << 13);
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                        : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return sign != 0 ? -magnitude : magnitude;
}

std::uint16_t to_half(float value) {
  const auto sign = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16 & 0x8000);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00);
  if (magnitude == 0) return sign;
  if (magnitude >= 65520.0F) return static_cast<std::uint16_t>(sign | 0x7c00);  // half way past the largest: infinity
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude is in [2^(exponent-1), 2^exponent)
  const int ulp = std::max(exponent - 11, -24);
  // In units of the last place, rounded to nearest even by the machine; a carry walks into the exponent by itself.
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -ulp)));
  return static_cast<std::uint16_t>(sign | (units + (ulp + 24) * 1024));
}

template <class T, class Convert>
void read_as(const npy_array& array, std::span<float> out, Convert convert) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    T element;
    std::memcpy(&element, array.data.data() + i * sizeof(T), sizeof(T));
    out[i] = convert(element);
  }
}

template <class T, class Convert>
void write_as(std::span<const float> values, npy_array& array, Convert convert) {
  array.data.resize(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T element = convert(values[i]);
    std::memcpy(array.data.data() + i * sizeof(T), &element, sizeof(T));
  }
}

template <class Integer>
auto exact_integer(const npy_array& array) {
  return [&array](float value) {
    constexpr auto least = static_cast<double>(std::numeric_limits<Integer>::min());
    constexpr auto largest = static_cast<double>(std::numeric_limits<Integer>::max());
    if (!(value >= least && value <= largest) || value != std::trunc(value)) {
      throw input_error(fmt::format("{}: {} has no place in {}: whole numbers from {} to {}", array.file, value,
                                    name_of(array.type), least, largest));
    }
    return static_cast<Integer>(value);
  };
}

/// Elements of Fortran order in C order: odometer over the C index, offset in the file by strides.
std::vector<float> in_c_order(const std::vector<std::int64_t>& shape, const std::vector<float>& fortran) {
  std::vector<float> out(fortran.size());
  std::vector<std::int64_t> index(shape.size(), 0);
  for (float& value : out) {
    std::int64_t offset = 0;
    for (std::size_t d = shape.size(); d-- > 0;) offset = offset * shape[d] + index[d];
    value = fortran[static_cast<std::size_t>(offset)];
    for (std::size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];) index[d] = 0;
  }
  return out;
}

}  // namespace

std::vector<float> to_floats(const npy_array& array) {
  std::vector<float> values(static_cast<std::size_t>(elements(array)));
  const auto as_float = [](auto element) { return static_cast<float>(element); };
  switch (array.type) {
    case npy_type::f2:
      read_as<std::uint16_t>(array, values, from_half);
      break;
    case npy_type::f4:
      read_as<float>(array, values, as_float);
      break;
    case npy_type::f8:
      read_as<double>(array, values, as_float);
      break;
    case npy_type::u1:
      read_as<std::uint8_t>(array, values, as_float);
      break;
    case npy_type::i1:
      read_as<std::int8_t>(array, values, as_float);
      break;
    case npy_type::i4:
      read_as<std::int32_t>(array, values, as_float);
      break;
    case npy_type::u2:
    case npy_type::bf16:
      read_as<std::uint16_t>(array, values, from_bf16);
      break;
    case npy_type::e4m3:
      read_as<e4m3>(array, values, as_float);
      break;
    case npy_type::e5m2:
      read_as<e5m2>(array, values, as_float);
      break;
  }
  return array.order == npy_order::fortran && array.shape.size() > 1 ? in_c_order(array.shape, values) : values;
}

npy_array from_floats(std::string file, npy_type type, std::vector<std::int64_t> shape, std::span<const float> values) {
  npy_array array{.file = std::move(file), .type = type, .shape = std::move(shape)};
  switch (type) {
    case npy_type::f2:
      write_as<std::uint16_t>(values, array, to_half);
      break;
    case npy_type::f4:
      write_as<float>(values, array, [](float value) { return value; });
      break;
    case npy_type::f8:
      write_as<double>(values, array, [](float value) { return static_cast<double>(value); });
      break;
    case npy_type::u1:
      write_as<std::uint8_t>(values, array, exact_integer<std::uint8_t>(array));
      break;
    case npy_type::i1:
      write_as<std::int8_t>(values, array, exact_integer<std::int8_t>(array));
      break;
    case npy_type::i4:
      write_as<std::int32_t>(values, array, exact_integer<std::int32_t>(array));
      break;
    case npy_type::u2:
    case npy_type::bf16:
      write_as<std::uint16_t>(values, array, to_bf16);
      break;
    case npy_type::e4m3:
      write_as<e4m3>(values, array, [](float value) { return e4m3(value); });
      break;
    case npy_type::e5m2:
      write_as<e5m2>(values, array, [](float value) { return e5m2(value); });
      break;
  }
  return array;
}

}  // namespace sectile::tool
