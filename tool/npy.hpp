// NumPy's .npy files, read strictly: what is accepted is exactly what the header promises, and everything else is
// refused with one sentence. Source: numpy.lib.format, format versions 1.0, 2.0 and 3.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tool/input_error.hpp"

namespace sectile::tool {

/// Element types: NumPy's '<f2', '<f4', '<f8', '|u1', '|i1', '<u2', '<i4', and '<V2', '<V1' and '<f1', which is how
/// ml_dtypes' bfloat16, float8_e4m3fn and float8_e5m2 are saved.
enum class npy_type { f2, f4, f8, u1, i1, u2, i4, bf16, e4m3, e5m2 };

/// Which index runs fastest in the file: the last (C) or the first (Fortran).
enum class npy_order { c, fortran };

std::size_t bytes_of(npy_type type);
std::string_view name_of(npy_type type);  // "'<f4'" and so on, as the file spells it

struct npy_array {
  std::string file{};  // as messages name it
  npy_type type = npy_type::f4;
  npy_order order = npy_order::c;
  std::vector<std::int64_t> shape{};  // sizes may be 0; no size at all is a scalar
  std::vector<std::byte> data{};      // elements(), little-endian, without gaps
};

/// The product of the sizes.
std::int64_t elements(const npy_array& array);

/// Reads a file. Throws input_error naming the file, the rule and the numbers: the file is absent or not a regular
/// file, is no .npy, is cut short or too long, or holds a type, size or header that is not accepted.
npy_array read_npy(const std::filesystem::path& path);

/// The same from bytes that are already here; `file` is what messages call them.
npy_array parse_npy(std::string file, std::span<const std::byte> bytes);

/// What a version 1.0 file holds before the data.
std::string npy_front(const npy_array& array);

/// Writes a file under another name in the same folder and renames it when it is complete, so that a failure leaves
/// what was there before. Throws input_error naming the file and the reason.
void write_npy(const std::filesystem::path& path, const npy_array& array);

/// Throws input_error where the array has another shape; `meaning` says what it should be, e.g. "A, M x K".
void require_shape(const npy_array& array, std::span<const std::int64_t> shape, std::string_view meaning);

/// Throws input_error where the array has another number of dimensions, or one of them is 0.
void require_rank(const npy_array& array, std::size_t rank, std::string_view meaning);

/// All elements as float in C order, whatever the order of the file. '<u2' is taken for raw bf16 bits; '<i4' is
/// rounded.
std::vector<float> to_floats(const npy_array& array);

/// An array in C order. Floats are rounded to nearest, ties to even; u2 holds raw bf16 bits. What is too large for e4m3
/// and e5m2, infinity included, becomes their largest number, as in the chip's conversions. Throws input_error where a
/// value has no place in u1, i1 or i4. Precondition: values.size() is the product of shape.
npy_array from_floats(std::string file, npy_type type, std::vector<std::int64_t> shape, std::span<const float> values);

}  // namespace sectile::tool
