#include <fmt/format.h>

#include <algorithm>

#include "tool/args.hpp"
#include "tool/commands/commands.hpp"
#include "tool/files.hpp"
#include "tool/operand_data.hpp"

namespace sectile::tool {

exit_status write_random(const random_options& options) {
  require_writable(options.out);
  const bool is_tensor = std::ranges::count(options.shape, 'x') > 1;  // attention's operands have four sizes
  const operand_data data = random_data(parse_shape(options.shape, is_tensor ? "BHSD" : "MK"), options.seed);
  const npy_type type = options.type == "f4" ? npy_type::f4 : npy_type::bf16;
  write_npy(options.out, from_floats(options.out.string(), type, data.shape, data.values));
  fmt::print("{}: {} standard-normal numbers, {}, seed {}\n", options.out.string(), shape_text(data.shape),
             type == npy_type::f4 ? "f4" : "bf16 (saved as '<V2')", options.seed);
  return success;
}

}  // namespace sectile::tool
