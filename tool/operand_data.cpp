#include "tool/operand_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <sectile/layouts/shuffled_rows.hpp>
#include <utility>

#include "tool/args.hpp"
#include "tool/memory.hpp"
#include "tool/parallel.hpp"
#include "tool/progress.hpp"
#include "tool/random.hpp"
#include "tool/storage_types.hpp"

namespace sectile::tool {
namespace {

std::int64_t product(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// Element `index` of the random numbers of a type, before rounding.
float random_number(const element& type, std::uint64_t seed, std::uint64_t index) {
  const int bits = std::min(type.bits, 8);
  const auto code = static_cast<int>(hash(seed, index) >> 56) & ((1 << bits) - 1);
  switch (type.kind) {
    case number::signed_integer:
      return static_cast<float>(code - (1 << (bits - 1)));
    case number::unsigned_integer:
    case number::bits:
      return static_cast<float>(code);
    default:
      return static_cast<float>(standard_normal(seed, index));
  }
}

/// values[begin, end) as numbers of a floating type.
void round_floats(const element& type, std::vector<float>& values, std::int64_t begin, std::int64_t end) {
  with_storage_type(type, [&]<class T>(std::type_identity<T>) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      values[i] = static_cast<float>(T(values[i]));
  });
}

}  // namespace

operand_data random_operand(const element& type, std::vector<std::int64_t> shape, std::uint64_t seed) {
  constexpr std::int64_t block = std::int64_t{1} << 16;
  const std::int64_t count = product(shape);
  require_memory(4.0 * static_cast<double>(count), shape_text(shape) + " random numbers");
  operand_data data{.shape = std::move(shape), .values = std::vector<float>(static_cast<std::size_t>(count))};
  const std::int64_t blocks = (count + block - 1) / block;
  progress bar("random numbers", blocks);
  parallel_for(blocks, [&](std::int64_t b) {
    const std::int64_t end = std::min(count, (b + 1) * block);
    for (std::int64_t i = b * block; i < end; ++i)
      data.values[static_cast<std::size_t>(i)] = random_number(type, seed, static_cast<std::uint64_t>(i));
    if (type.kind == number::floating) round_floats(type, data.values, b * block, end);
    bar.add();
  });
  return data;
}

std::string coordinate_text(const std::vector<std::int64_t>& shape, std::int64_t index) {
  std::vector<std::int64_t> at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d]) at[d] = index % shape[d];
  return fmt::format("({})", fmt::join(at, ", "));
}

tensor_buffer::tensor_buffer(const element& element_type, std::vector<std::int64_t> extents, storage_order stored)
    : type(element_type), shape(std::move(extents)), order(stored) {
  constexpr std::byte not_a_number{0xFF}, far_away{0xA5};
  bytes.resize(static_cast<std::size_t>(lines() * line_bytes()),
               type.kind == number::floating ? not_a_number : far_away);
}

std::int64_t tensor_buffer::line_elements() const {
  if (shape.empty()) return 1;
  return order == row_major ? shape.back() : shape[shape.size() - 2];
}
std::int64_t tensor_buffer::lines() const { return product(shape) / line_elements(); }
std::int64_t tensor_buffer::line_bytes() const { return (line_elements() * type.bits + 127) / 128 * 16; }

argument tensor_buffer::as_argument() {
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 16, "TMA needs tensors that are aligned to 16 bytes");
  argument a{
      .data = bytes.data(), .bytes = static_cast<std::int64_t>(bytes.size()), .rank = static_cast<int>(shape.size())};
  std::vector<std::size_t> inside_out(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) inside_out[d] = shape.size() - 1 - d;
  if (order == col_major) std::swap(inside_out[0], inside_out[1]);
  std::int64_t stride = 1;
  for (const std::size_t d : inside_out) {
    a.extent[d] = shape[d];
    a.stride[d] = stride;
    stride = d == inside_out[0] ? line_bytes() * 8 / type.bits : stride * shape[d];
  }
  return a;
}

void tensor_buffer::fill(const std::vector<float>& values) {
  const std::int64_t width = line_elements(), all = lines();
  // Elements of a line, and first elements of lines, are so far apart in `values`.
  const std::int64_t step = order == row_major ? 1 : shape.back();
  const auto value_at = [&](std::int64_t line, std::int64_t i) {
    const std::int64_t matrix = order == row_major ? 0 : line / shape.back();
    const std::int64_t first = order == row_major ? line * width : line % shape.back() + matrix * width * step;
    return values[static_cast<std::size_t>(first + i * step)];
  };
  if (type.bits < 8) {
    const std::int64_t in_a_byte = 8 / type.bits;
    const int mask = (1 << type.bits) - 1;
    std::ranges::fill(bytes, std::byte{0});
    for (std::int64_t line = 0; line < all; ++line)
      for (std::int64_t i = 0; i < width; ++i)
        bytes[static_cast<std::size_t>(line * line_bytes() + i / in_a_byte)] |= static_cast<std::byte>(
            (static_cast<int>(value_at(line, i)) & mask) << static_cast<int>(i % in_a_byte) * type.bits);
  } else {
    with_storage_type(type, [&]<class T>(std::type_identity<T>) {
      for (std::int64_t line = 0; line < all; ++line)
        for (std::int64_t i = 0; i < width; ++i) {
          const T x = static_cast<T>(value_at(line, i));
          std::memcpy(bytes.data() + line * line_bytes() + i * static_cast<std::int64_t>(sizeof x), &x, sizeof x);
        }
    });
  }
  if (type.shuffled && width % shuffled_columns(type.bits) == 0)  // other widths are for a launch to refuse
    for (std::int64_t line = 0; line < all; ++line) {
      const auto first = bytes.begin() + line * line_bytes();
      const std::vector<std::byte> row(first, first + line_bytes());
      shuffle_row(type.bits, reinterpret_cast<const std::uint8_t*>(row.data()),
                  reinterpret_cast<std::uint8_t*>(bytes.data() + line * line_bytes()), width);
    }
}

std::int64_t tensor_buffer::byte_of(std::int64_t i) const {
  const std::int64_t width = line_elements(), size = type.bits / 8;
  if (order == row_major) return i / width * line_bytes() + i % width * size;
  const std::int64_t columns = shape.back(), row = i / columns % width;
  return (i / (columns * width) * columns + i % columns) * line_bytes() + row * size;
}

std::vector<double> tensor_buffer::values() const {
  std::vector<double> all(static_cast<std::size_t>(product(shape)));
  with_storage_type(type, [&]<class T>(std::type_identity<T>) {
    for (std::int64_t i = 0; i < std::ssize(all); ++i) {
      T x;
      std::memcpy(&x, bytes.data() + byte_of(i), sizeof x);
      if constexpr (std::is_arithmetic_v<T>)
        all[static_cast<std::size_t>(i)] = static_cast<double>(x);
      else
        all[static_cast<std::size_t>(i)] = static_cast<double>(static_cast<float>(x));
    }
  });
  return all;
}

namespace {

npy_type file_type_of(const element& type) {
  if (type == element_of<f16>()) return npy_type::f2;
  if (type == element_of<bf16>()) return npy_type::bf16;
  if (type == element_of<s8>()) return npy_type::i1;
  if (type == element_of<s32>()) return npy_type::i4;
  return type.bits == 32 ? npy_type::f4 : npy_type::u1;
}

}  // namespace

npy_array tensor_buffer::to_npy(const std::string& file) const {
  npy_array array{.file = file, .type = file_type_of(type), .shape = shape};
  const auto packed = static_cast<std::size_t>((line_elements() * type.bits + 7) / 8);
  if (type.kind == number::bits) array.shape.back() = static_cast<std::int64_t>(packed);
  array.data.resize(packed * static_cast<std::size_t>(lines()));
  if (order == col_major) {  // the file has rows
    const auto size = static_cast<std::size_t>(type.bits / 8);
    for (std::int64_t i = 0; i < product(shape); ++i)
      std::memcpy(array.data.data() + static_cast<std::size_t>(i) * size, bytes.data() + byte_of(i), size);
    return array;
  }
  for (std::int64_t line = 0; line < lines(); ++line)
    std::memcpy(array.data.data() + static_cast<std::size_t>(line) * packed, bytes.data() + line * line_bytes(),
                packed);
  return array;
}

}  // namespace sectile::tool
