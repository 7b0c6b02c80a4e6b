#include "tool/roofline/ceilings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tool/measured.hpp"

namespace sectile::tool {
namespace {

void add_product(std::vector<product_ceiling>& to, const nlohmann::json& row) {
  constexpr double per_us = 1e6;  // of 10^12 a second
  const product_ceiling one{row.at("a"), row.at("sums"), row.at("kind") == "sparse",
                            row.at("tflops").get<double>() * per_us};
  for (product_ceiling& known : to)
    if (known.a == one.a && known.sums == one.sums && known.sparse == one.sparse) {
      known.operations_per_us = std::max(known.operations_per_us, one.operations_per_us);
      return;
    }
  to.push_back(one);
}

/// The type that was measured for all of its pace: of e5m2 that is e4m3, of u8 s8.
std::string_view measured_type(const element& type) {
  if (type.bits != 8) return type.name;
  return type.kind == number::floating ? "e4m3" : "s8";
}

}  // namespace

gpu_ceilings ceilings_from_json(std::string_view json) {
  try {
    const auto file = nlohmann::json::parse(json);
    const std::string device = file.at("device");
    gpu_ceilings result{device.substr(0, device.find(',')), file.at("date")};
    for (const auto& row : file.at("rows")) {
      if (row.at("kind") == "memory")
        result.bytes_per_us = row.at("gb_per_s").get<double>() * 1e3;
      else
        add_product(result.products, row);
    }
    if (result.bytes_per_us <= 0) throw std::runtime_error("ceilings: no copy of memory was measured");
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("ceilings: ") + error.what());
  }
}

const product_ceiling* gpu_ceilings::find(const wgmma_instruction& w) const {
  const auto of = [&](std::string_view a, std::string_view sums) -> const product_ceiling* {
    for (const product_ceiling& p : products)
      if (p.a == a && p.sums == sums && p.sparse == w.sparse) return &p;
    return nullptr;
  };
  const std::string_view type = measured_type(w.a);
  if (const product_ceiling* found = of(type, w.d.name)) return found;
  return of(type, "f32");  // 8-bit floats summed in f16
}

const gpu_ceilings& ceilings_of(std::string_view gpu) {
  static const std::vector<gpu_ceilings> all = [] {
    std::vector<gpu_ceilings> list;
    for (const std::string_view json : measured_ceilings()) list.push_back(ceilings_from_json(json));
    return list;
  }();
  const auto found = std::ranges::find(all, gpu, &gpu_ceilings::gpu);
  return found != all.end() ? *found : all.front();
}

}  // namespace sectile::tool
