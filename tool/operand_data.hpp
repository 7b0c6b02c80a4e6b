// The numbers that a run of a kernel works on: drawn at random or read from files, and laid out as TMA takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <sectile/layouts/element.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tool/machines.hpp"
#include "tool/npy.hpp"

namespace sectile::tool {

/// An operand's values, packed in row-major order.
struct operand_data {
  std::vector<std::int64_t> shape;
  std::vector<float> values;
  std::string note{};  // what a user should know about how a file was read, or ""
};

/// Standard-normal numbers that do not depend on the machine. Throws input_error where they do not fit into memory.
operand_data random_data(std::vector<std::int64_t> shape, std::uint64_t seed);

/// The values of a file as bf16 numbers. `rank` dimensions are expected, which
/// `meaning` explains ("A, M x K"). Throws input_error, also for numbers that are infinite or NaN as bf16.
operand_data read_bf16(const std::filesystem::path& path, std::size_t rank, std::string_view meaning);

/// Rounds every value to the nearest bf16 number.
void round_to_bf16(std::vector<float>& values);

/// Throws input_error where the machine has less memory than `bytes`; `what` needs them.
void require_memory(double bytes, std::string_view what);

/// A tensor in host memory whose rows are padded to a multiple of 16 bytes, as TMA needs.
struct tensor_buffer {
  element type;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;

  /// Filled with bytes 0xFF: NaN in bf16 and in f32, so that what a kernel leaves unwritten cannot pass for a result.
  tensor_buffer(const element& type, std::vector<std::int64_t> shape);

  std::int64_t columns() const { return shape.back(); }
  std::int64_t rows() const;
  std::int64_t row_bytes() const;  // from one row to the next
  argument as_argument();

  /// `values` has one number for each element.
  void fill_bf16(const std::vector<float>& values);
  std::vector<float> to_floats() const;
  /// Without the padding. bf16 is saved as '<V2', f32 as '<f4'.
  npy_array to_npy(const std::string& file) const;
};

}  // namespace sectile::tool
