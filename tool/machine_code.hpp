// What nvcc made of the kernels when bench/machine_code.py compiled them: docs/measured/machine_code.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace sectile::tool {

/// The file's row of a kernel, and which compiler made it ("software"); null where the file has none.
nlohmann::json machine_code_of(std::string_view kernel);
/// Registers that ptxas gave each of its threads; 0 where the file has no such kernel.
int compiled_registers(std::string_view kernel);

}  // namespace sectile::tool
