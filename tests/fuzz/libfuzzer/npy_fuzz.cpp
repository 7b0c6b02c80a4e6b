// .npy files in memory and as files: both readers accept the same bytes, what is accepted is written and read back
// alike, and everything else is an input_error. The file is one in memory that has a path.

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <optional>

#include "target.hpp"
#include "tool/npy.hpp"

using namespace sectile::tool;
using sectile_fuzz::expect;

namespace {

template <class Read>
std::optional<npy_array> read(Read call) {
  try {
    return call();
  } catch (const input_error& why) {
    const std::string text = why.what();
    expect(text.size() > 20, "a refusal is a sentence", text);
    for (const char c : text) expect(c >= ' ' && c <= '~', "a refusal can be printed", text);
    return std::nullopt;
  }
}

bool same(const npy_array& a, const npy_array& b) {
  return a.type == b.type && a.order == b.order && a.shape == b.shape && a.data == b.data;
}

/// The numbers of an array go into the types of the file and back.
void convert(const npy_array& array) {
  const std::vector<float> values = to_floats(array);
  expect(static_cast<std::int64_t>(values.size()) == elements(array), "one number for each element");
  if (array.order == npy_order::fortran || array.type == npy_type::i4 || array.type == npy_type::f8) return;
  const std::vector<float> again = to_floats(from_floats("again", array.type, array.shape, values));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (array.type == npy_type::e5m2 && std::isinf(values[i])) continue;  // is written as the largest number
    expect(values[i] == again[i] || (std::isnan(values[i]) && std::isnan(again[i])), "a number comes back");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("npy", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto here = read([&] { return parse_npy("x.npy", bytes); });
  if (size < 4096 || here) {
    expect(ftruncate(file, static_cast<off_t>(size)) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size),
           "the file is written");
    const auto there = read([&] { return read_npy(path); });
    expect(here.has_value() == there.has_value(), "both readers accept the same");
    expect(!here || same(*here, *there), "both readers read the same");
  }
  if (!here) return 0;
  std::string written = npy_front(*here);
  written.append(reinterpret_cast<const char*>(here->data.data()), here->data.size());
  expect(written.size() % 64 == here->data.size() % 64, "the data begin at a multiple of 64");
  const auto again = read([&] { return parse_npy("y.npy", std::as_bytes(std::span<const char>(written))); });
  expect(again && same(*here, *again), "what is written is read back");
  convert(*here);
  return 0;
}
