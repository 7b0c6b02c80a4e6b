#include <fmt/format.h>

#include <algorithm>

#include "tool/args.hpp"
#include "tool/commands/commands.hpp"
#include "tool/files.hpp"
#include "tool/input_error.hpp"
#include "tool/operand_data.hpp"
#include "tool/printable.hpp"

namespace sectile::tool {

namespace {

constexpr element choices[] = {element_of<bf16>(), element_of<f16>(), element_of<tf32>(), element_of<e4m3>(),
                               element_of<e5m2>(), element_of<s8>(),  element_of<u8>(),   element_of<b1x8>()};

/// The element of that name; f4 is f32.
element type_of(const std::string& name) {
  for (const element& e : choices)
    if (name == e.name) return e;
  return element_of<f32>();
}

}  // namespace

exit_status write_random(const random_options& options) {
  require_writable(options.out);
  const element type = type_of(options.type);
  const auto separators = std::ranges::count(options.shape, 'x');  // a vector, a matrix, or attention's sizes
  const std::vector<std::int64_t> shape = parse_shape(options.shape, separators == 0   ? "N"
                                                                     : separators == 1 ? "MK"
                                                                     : separators == 4 ? "BGHSD"
                                                                                       : "BHSD");
  if (shape.back() * type.bits % 8 != 0)
    throw input_error(
        fmt::format("shape '{}': a row of {} bits is no whole number of bytes", options.shape, shape.back()));
  double bits = type.bits;
  for (const std::int64_t size : shape) bits *= static_cast<double>(size);
  require_room(options.out, bits / 8);
  const operand_data data = random_operand(type, shape, options.seed);
  tensor_buffer tensor(type, shape);
  tensor.fill(data.values);
  const npy_array file = tensor.to_npy(options.out.string());
  write_npy(options.out, file);
  const char* kind = type.kind == number::floating ? "standard-normal numbers" : "random numbers";
  fmt::print("{}: {} {}, {} (saved as {}), seed {}\n", printable(options.out.string()), shape_text(shape), kind,
             options.type, name_of(file.type), options.seed);
  return success;
}

}  // namespace sectile::tool
