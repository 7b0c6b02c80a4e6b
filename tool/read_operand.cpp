// An operand from a .npy file: which types of the file stand for which of the kernel, and what is refused.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "tool/memory.hpp"
#include "tool/operand_data.hpp"
#include "tool/storage_types.hpp"

namespace sectile::tool {
namespace {

[[noreturn]] void refuse_element(const npy_array& array, std::ptrdiff_t index, const std::string& why) {
  throw input_error(fmt::format("{}: element {} is {}", array.file, coordinate_text(array.shape, index), why));
}

/// Whether the file holds the bits of numbers of `type`.
bool holds_raw(npy_type file, const element& type) {
  return type.kind == number::floating &&
         ((type.bits == 16 && file == npy_type::u2) || (type.bits == 8 && file == npy_type::u1));
}

/// The file type whose elements are numbers of this type, as they are.
std::optional<npy_type> same_type(const element& type) {
  if (type == element_of<f16>()) return npy_type::f2;
  if (type == element_of<f32>()) return npy_type::f4;
  if (type == element_of<bf16>()) return npy_type::bf16;
  if (type == element_of<e4m3>()) return npy_type::e4m3;
  if (type == element_of<e5m2>()) return npy_type::e5m2;
  return std::nullopt;
}

/// The largest magnitude that rounds to a finite number of the type instead of one beyond.
double rounding_limit(const element& type) {
  if (type == element_of<e4m3>()) return 464;    // half way from 448 to 480
  if (type == element_of<e5m2>()) return 61440;  // half way from 57344 to 65536
  return std::numeric_limits<double>::infinity();
}

void round_checked(const npy_array& array, const element& type, std::vector<float>& values) {
  const double limit = rounding_limit(type);
  with_storage_type(type, [&]<class T>(std::type_identity<T>) {
    for (float& x : values) {
      const auto rounded = static_cast<float>(T(x));
      const std::ptrdiff_t index = &x - values.data();
      if (std::isfinite(x) && std::fabs(static_cast<double>(x)) >= limit)
        refuse_element(array, index, fmt::format("{}; {} numbers go up to {}", x, type.name, std::fabs(rounded)));
      if (!std::isfinite(x) || !std::isfinite(rounded))
        refuse_element(
            array, index,
            fmt::format("{} as {}; a result made of it cannot be checked", std::isfinite(x) ? rounded : x, type.name));
      x = rounded;
    }
  });
}

void require_integers(const npy_array& array, const element& type, const std::vector<float>& values) {
  const int codes = 1 << std::min(type.bits, type.bits == 32 ? 24 : 8);  // of 32 bits those that a float holds
  const auto least = static_cast<float>(type.kind == number::signed_integer ? -codes / 2 : 0);
  const float most = least + static_cast<float>(codes - 1);
  for (const float& x : values)
    if (!(x >= least && x <= most) || x != std::trunc(x))
      refuse_element(array, &x - values.data(),
                     fmt::format("{}; {} numbers are whole and go from {} to {}", x, type.name, least, most));
}

/// Eight columns from each byte, the first from bit 0.
operand_data unpack_bits(const npy_array& array) {
  if (array.type != npy_type::u1)
    throw input_error(fmt::format("{}: its type is {}; b1 is read from '|u1', 8 columns a byte, the first in bit 0",
                                  array.file, name_of(array.type)));
  operand_data data{.shape = array.shape, .values = {}};
  data.shape.back() *= 8;
  require_memory(40.0 * static_cast<double>(array.data.size()), fmt::format("{}: its bits as numbers", array.file));
  data.values.reserve(8 * array.data.size());
  for (const float byte : to_floats(array))
    for (int bit = 0; bit < 8; ++bit) data.values.push_back(static_cast<float>(static_cast<int>(byte) >> bit & 1));
  data.note = fmt::format("{}: each byte is taken for 8 columns of b1, the first in bit 0", array.file);
  return data;
}

/// What becomes of a file's numbers on their way to the type; "" where they stay as they are.
std::string note_of(const npy_array& array, const element& type) {
  if (holds_raw(array.type, type))
    return fmt::format("{}: its {}-bit words ({}) are taken for raw {}", array.file, type.bits, name_of(array.type),
                       type.name);
  const bool integers = array.type == npy_type::u1 || array.type == npy_type::i1 || array.type == npy_type::i4;
  if (array.type == same_type(type) || (integers && type.kind != number::floating)) return "";
  const char* done = integers || type.kind != number::floating                 ? "taken as"
                     : array.type == npy_type::f8 && type != element_of<f32>() ? "rounded to f32 and then to"
                                                                               : "rounded to";
  return fmt::format("{}: its numbers ({}) are {} {}", array.file, name_of(array.type), done, type.name);
}

}  // namespace

operand_data read_operand(const element& type, const std::filesystem::path& path, std::size_t rank,
                          std::string_view meaning) {
  npy_array array = read_npy(path);
  require_rank(array, rank, meaning);
  if (type.kind == number::bits) return unpack_bits(array);
  operand_data data{.shape = array.shape, .values = {}, .note = note_of(array, type)};
  if (holds_raw(array.type, type)) array.type = *same_type(type);
  data.values = to_floats(array);
  if (type.kind == number::floating)
    round_checked(array, type, data.values);
  else
    require_integers(array, type, data.values);
  return data;
}

}  // namespace sectile::tool
