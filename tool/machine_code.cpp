#include "tool/machine_code.hpp"

#include "tool/measured.hpp"

namespace sectile::tool {

nlohmann::json machine_code_of(std::string_view kernel) {
  static const nlohmann::json file = nlohmann::json::parse(measured_machine_code().front());
  for (nlohmann::json row : file.at("rows"))
    if (row.at("name") == kernel) {
      row["software"] = file.at("software");
      return row;
    }
  return nullptr;
}

int compiled_registers(std::string_view kernel) {
  const nlohmann::json row = machine_code_of(kernel);
  return row.is_null() ? 0 : row.at("registers").get<int>();
}

}  // namespace sectile::tool
