// The numbers that a run of a kernel works on: drawn at random or read from files, and laid out as TMA takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <sectile/layouts/element.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tool/argument.hpp"
#include "tool/npy.hpp"

namespace sectile::tool {

/// An operand's values, packed in row-major order: of any type a float holds exactly, of bits 0 and 1.
struct operand_data {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  std::string note{};  // what a user should know about how a file was read, or ""
};

/// Numbers of `type` that do not depend on the machine: standard-normal ones, rounded; integers over their whole range;
/// bits. Throws input_error where they do not fit into memory.
operand_data random_operand(const element& type, std::vector<std::int64_t> shape, std::uint64_t seed);

/// The numbers of a file as numbers of `type`: rounded if floating; integers must have a place in it. Unsigned words
/// are taken for the bits of floats that are as wide: '<u2' for 16-bit types, '|u1' for 8-bit ones. b1 is read from
/// '|u1' whose last mode holds 8 columns a byte, the first in bit 0. `rank` modes are expected, which `meaning`
/// explains ("A, M x K"). Throws input_error, also for a number that is infinite, NaN or out of the type's range.
operand_data read_operand(const element& type, const std::filesystem::path& path, std::size_t rank,
                          std::string_view meaning);

/// "(3, 17)": the coordinate of element `index` in row-major order.
std::string coordinate_text(const std::vector<std::int64_t>& shape, std::int64_t index);

/// A tensor in host memory. Its contiguous lines, rows or columns, are padded to a multiple of 16 bytes, as TMA needs.
struct tensor_buffer {
  element type;
  std::vector<std::int64_t> shape;
  storage_order order;  // of the last two modes; a vector and a number are row-major
  std::vector<std::byte> bytes;

  /// Filled with what cannot pass for a result where a kernel leaves it: NaN, or an integer far from any likely one.
  tensor_buffer(const element& type, std::vector<std::int64_t> shape, storage_order order = row_major);

  std::int64_t line_elements() const;  // from one to the next of the mode that is contiguous
  std::int64_t lines() const;
  std::int64_t line_bytes() const;  // from one line to the next
  std::int64_t byte_of(std::int64_t i) const;  // where element number i in row-major order is; it has 8 bits or more
  argument as_argument();

  /// `values` has one number of the type for each element, in row-major order; what is shuffled in memory, too.
  void fill(const std::vector<float>& values);
  /// In row-major order. Precondition: the tensor is not of bits.
  std::vector<double> values() const;
  /// Without the padding: f16 as '<f2', bf16 as '<V2', f32 and tf32 as '<f4', s8, u8 and s32 as '|i1', '|u1' and '<i4',
  /// the bits of 8-bit floats, and eight columns of b1, as '|u1'. In C order; bits are row-major already.
  npy_array to_npy(const std::string& file) const;
};

}  // namespace sectile::tool
