#include "tool/operand_data.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "tool/args.hpp"
#include "tool/parallel.hpp"
#include "tool/progress.hpp"
#include "tool/random.hpp"

namespace sectile::tool {
namespace {

std::int64_t product(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// "(3, 17)": the coordinate of element `index` in row-major order.
std::string coordinate_text(const std::vector<std::int64_t>& shape, std::int64_t index) {
  std::vector<std::int64_t> at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d]) at[d] = index % shape[d];
  return fmt::format("({})", fmt::join(at, ", "));
}

void require_finite(const npy_array& array, const std::vector<float>& values) {
  const auto wrong = std::ranges::find_if(values, [](float x) { return !std::isfinite(x); });
  if (wrong == values.end()) return;
  throw input_error(fmt::format("{}: element {} is {} as a bf16 number; a result made of it cannot be checked",
                                array.file, coordinate_text(array.shape, wrong - values.begin()), *wrong));
}

/// What becomes of a file's numbers on their way to bf16; "" where they stay as they are.
std::string conversion(npy_type type) {
  switch (type) {
    case npy_type::f8:
      return "rounded to f32 and then to bf16";
    case npy_type::f4:
    case npy_type::f2:
      return "rounded to bf16";
    case npy_type::u1:
    case npy_type::i1:
      return "taken as bf16 numbers";
    case npy_type::u2:
    case npy_type::bf16:
      break;
  }
  return "";
}

}  // namespace

operand_data random_data(std::vector<std::int64_t> shape, std::uint64_t seed) {
  constexpr std::int64_t block = std::int64_t{1} << 16;
  const std::int64_t count = product(shape);
  require_memory(4.0 * static_cast<double>(count), shape_text(shape) + " random numbers");
  operand_data data{.shape = std::move(shape), .values = std::vector<float>(static_cast<std::size_t>(count))};
  const std::int64_t blocks = (count + block - 1) / block;
  progress bar("random numbers", blocks);
  parallel_for(blocks, [&](std::int64_t b) {
    for (std::int64_t i = b * block; i < std::min(count, (b + 1) * block); ++i)
      data.values[static_cast<std::size_t>(i)] =
          static_cast<float>(standard_normal(seed, static_cast<std::uint64_t>(i)));
    bar.add();
  });
  return data;
}

operand_data read_bf16(const std::filesystem::path& path, std::size_t rank, std::string_view meaning) {
  const npy_array array = read_npy(path);
  require_rank(array, rank, meaning);
  operand_data data{.shape = array.shape, .values = to_floats(array)};
  round_to_bf16(data.values);
  require_finite(array, data.values);
  data.note = note(array);
  if (const std::string done = conversion(array.type); !done.empty())
    data.note = fmt::format("{}: its numbers ({}) are {}", array.file, name_of(array.type), done);
  return data;
}

void round_to_bf16(std::vector<float>& values) {
  for (float& x : values) x = static_cast<float>(bf16(x));
}

void require_memory(double bytes, std::string_view what) {
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes <= memory) return;
  throw input_error(
      fmt::format("{} need {:.1f} GB of memory, this machine has {:.1f} GB", what, bytes * 1e-9, memory * 1e-9));
}

tensor_buffer::tensor_buffer(const element& element_type, std::vector<std::int64_t> extents)
    : type(element_type), shape(std::move(extents)) {
  bytes.resize(static_cast<std::size_t>(rows() * row_bytes()), std::byte{0xFF});
}

std::int64_t tensor_buffer::rows() const { return product(shape) / columns(); }
std::int64_t tensor_buffer::row_bytes() const { return (columns() * type.bits / 8 + 15) / 16 * 16; }

argument tensor_buffer::as_argument() {
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 16, "TMA needs tensors that are aligned to 16 bytes");
  argument a{
      .data = bytes.data(), .bytes = static_cast<std::int64_t>(bytes.size()), .rank = static_cast<int>(shape.size())};
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    a.extent[d] = shape[d];
    a.stride[d] = stride;
    stride = d + 1 == shape.size() ? row_bytes() * 8 / type.bits : stride * shape[d];
  }
  return a;
}

void tensor_buffer::fill_bf16(const std::vector<float>& values) {
  const std::int64_t width = columns();
  for (std::int64_t row = 0; row < rows(); ++row)
    for (std::int64_t col = 0; col < width; ++col) {
      const bf16 x(values[static_cast<std::size_t>(row * width + col)]);
      std::memcpy(bytes.data() + row * row_bytes() + 2 * col, &x.bits, 2);
    }
}

std::vector<float> tensor_buffer::to_floats() const { return tool::to_floats(to_npy("")); }

npy_array tensor_buffer::to_npy(const std::string& file) const {
  npy_array array{.file = file, .type = type.bits == 16 ? npy_type::bf16 : npy_type::f4, .shape = shape};
  const auto packed = static_cast<std::size_t>(columns() * type.bits / 8);
  array.data.resize(packed * static_cast<std::size_t>(rows()));
  for (std::int64_t row = 0; row < rows(); ++row)
    std::memcpy(array.data.data() + static_cast<std::size_t>(row) * packed, bytes.data() + row * row_bytes(), packed);
  return array;
}

}  // namespace sectile::tool
