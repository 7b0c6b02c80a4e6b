#include "tool/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "tool/files.hpp"
#include "tool/memory.hpp"
#include "tool/npy_header.hpp"

namespace sectile::tool {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little-endian, and so is what reads them");

constexpr std::array<unsigned char, 6> magic{0x93, 'N', 'U', 'M', 'P', 'Y'};
constexpr std::size_t largest_header = 65535;

[[noreturn]] void refuse(const std::string& file, const std::string& reason) {
  throw input_error(fmt::format("{}: {}", file, reason));
}

/// elements * bytes, or nothing where that is over 2^63 - 1. A size of 0 makes any shape empty.
std::optional<std::int64_t> data_bytes(const npy_array& array) {
  if (std::ranges::find(array.shape, 0) != array.shape.end()) return 0;
  auto total = static_cast<std::int64_t>(bytes_of(array.type));
  for (std::int64_t size : array.shape) {
    if (total > std::numeric_limits<std::int64_t>::max() / size) return std::nullopt;
    total *= size;
  }
  return total;
}

std::size_t little_endian(std::span<const std::byte> bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<std::size_t>(bytes[i]);
  return value;
}

/// Reads a header from the first bytes of a file and returns where the data begins; `total` is the size of the file.
/// Precondition: front holds the whole file, or at least 12 + largest_header bytes of it.
std::size_t parse_front(npy_array& array, std::span<const std::byte> front, std::uintmax_t total) {
  if (front.size() < magic.size() || std::memcmp(front.data(), magic.data(), magic.size()) != 0) {
    refuse(array.file, "it is no .npy file: it does not begin with the bytes 93 'NUMPY'");
  }
  const int version = front.size() < 8 ? 1 : static_cast<int>(front[6]);
  if (front.size() >= 8 && (version < 1 || version > 3 || front[7] != std::byte{0})) {
    refuse(array.file,
           fmt::format("its format version is {}.{}; expected 1.0, 2.0 or 3.0", version, static_cast<int>(front[7])));
  }
  const std::size_t prefix = version == 1 ? 10 : 12;
  if (front.size() < prefix) refuse(array.file, fmt::format("it ends after {} bytes, within its header", total));
  const std::size_t header_size = little_endian(front.subspan(8, prefix - 8));
  if (header_size > largest_header) {
    refuse(array.file, fmt::format("its header claims {} bytes; at most {} make sense", header_size, largest_header));
  }
  if (front.size() - prefix < header_size) {
    refuse(array.file,
           fmt::format("its header claims {} bytes, but only {} bytes follow", header_size, front.size() - prefix));
  }
  parse_npy_header({reinterpret_cast<const char*>(front.data()) + prefix, header_size}, array);
  return prefix + header_size;
}

/// The bytes of data the header promises. Throws where `held`, what the file holds, is another number.
std::size_t require_size(const npy_array& array, std::uintmax_t held) {
  const std::optional<std::int64_t> promised = data_bytes(array);
  if (!promised) refuse(array.file, fmt::format("its shape {} is over 2^63 bytes", python_shape(array.shape)));
  if (held != static_cast<std::uintmax_t>(*promised)) {
    refuse(array.file, fmt::format("it holds {} bytes of data, its header promises {} ({} of {})", held, *promised,
                                   python_shape(array.shape), name_of(array.type)));
  }
  return static_cast<std::size_t>(*promised);
}

void require_regular_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  switch (status.type()) {
    case std::filesystem::file_type::regular:
      return;
    case std::filesystem::file_type::not_found:
      refuse(path.string(), "there is no such file");
    case std::filesystem::file_type::directory:
      refuse(path.string(), "it is a folder; expected a .npy file");
    default:
      refuse(path.string(), fmt::format("it is not a regular file{}", error ? " that can be looked at" : ""));
  }
}

/// Reads as much as there is, at most out.size() bytes, and returns how much that was.
std::size_t read_some(std::ifstream& in, std::span<std::byte> out) {
  in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
  return static_cast<std::size_t>(in.gcount());
}

}  // namespace

std::size_t bytes_of(npy_type type) {
  switch (type) {
    case npy_type::f8:
      return 8;
    case npy_type::f4:
    case npy_type::i4:
      return 4;
    case npy_type::u1:
    case npy_type::i1:
    case npy_type::e4m3:
    case npy_type::e5m2:
      return 1;
    default:
      return 2;
  }
}

std::int64_t elements(const npy_array& array) {
  return data_bytes(array).value_or(0) / static_cast<std::int64_t>(bytes_of(array.type));
}

npy_array parse_npy(std::string file, std::span<const std::byte> bytes) {
  npy_array array{.file = std::move(file)};
  const std::span<const std::byte> data = bytes.subspan(parse_front(array, bytes, bytes.size()));
  require_size(array, data.size());
  array.data.assign(data.begin(), data.end());
  return array;
}

npy_array read_npy(const std::filesystem::path& path) {
  npy_array array{.file = path.string()};
  require_regular_file(path);
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(array.file, fmt::format("it cannot be opened ({})", std::strerror(errno)));
  const std::uintmax_t total = std::filesystem::file_size(path);

  std::vector<std::byte> front(std::min<std::uintmax_t>(total, 12 + largest_header));
  front.resize(read_some(in, front));
  const std::size_t offset = parse_front(array, front, total);
  const std::size_t size = require_size(array, total - offset);
  require_memory(static_cast<double>(size) + 4.0 * static_cast<double>(elements(array)),
                 fmt::format("{}: its {} bytes of data and their numbers", array.file, size));
  try {
    array.data.resize(size);
  } catch (const std::bad_alloc&) {
    refuse(array.file, fmt::format("its {} bytes of data do not fit into memory", size));
  }
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset));
  require_size(array, read_some(in, array.data));
  return array;
}

std::string npy_front(const npy_array& array) {
  constexpr std::size_t alignment = 64;  // the data begins at a multiple of this
  constexpr std::size_t prefix = 10;
  std::string header = format_npy_header(array);
  header.append((alignment - (prefix + header.size() + 1) % alignment) % alignment, ' ');
  header += '\n';
  std::string front(magic.begin(), magic.end());
  front += {1, 0, static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return front + header;
}

void write_npy(const std::filesystem::path& path, const npy_array& array) {
  if (static_cast<std::int64_t>(array.data.size()) != data_bytes(array)) {
    refuse(path.string(), fmt::format("{} bytes of data do not make {} of {}", array.data.size(),
                                      python_shape(array.shape), name_of(array.type)));
  }
  output_file file(path);
  file.write(std::as_bytes(std::span<const char>(npy_front(array))));
  file.write(array.data);
  file.put_in_place();
}

void require_shape(const npy_array& array, std::span<const std::int64_t> shape, std::string_view meaning) {
  if (std::ranges::equal(array.shape, shape)) return;
  refuse(array.file,
         fmt::format("its shape is {}; expected {} ({})", python_shape(array.shape), python_shape(shape), meaning));
}

void require_rank(const npy_array& array, std::size_t rank, std::string_view meaning) {
  if (array.shape.size() != rank) {
    refuse(array.file, fmt::format("it has {} dimensions, {}; expected {} ({})", array.shape.size(),
                                   python_shape(array.shape), rank, meaning));
  }
  if (std::ranges::find(array.shape, 0) != array.shape.end()) {
    refuse(array.file, fmt::format("its shape is {}: every size must be at least 1", python_shape(array.shape)));
  }
}

}  // namespace sectile::tool
