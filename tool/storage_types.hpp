// From an element that is known at run time to the C++ type that stores it.
#pragma once

#include <sectile/layouts/element.hpp>
#include <stdexcept>
#include <type_traits>

namespace sectile::tool {

/// Calls use(std::type_identity<T>) where T stores elements of `type`, shuffled or not: any of 8 bits or more.
template <class Use>
void with_storage_type(const element& type, Use use) {
  bool found = false;
  const auto offer = [&]<class T>(std::type_identity<T> stored) {
    if (found || !(type == element_of<T>() || type == shuffled_element(element_of<T>()))) return;
    found = true;
    use(stored);
  };
  offer(std::type_identity<f16>{});
  offer(std::type_identity<bf16>{});
  offer(std::type_identity<tf32>{});
  offer(std::type_identity<f32>{});
  offer(std::type_identity<e4m3>{});
  offer(std::type_identity<e5m2>{});
  offer(std::type_identity<s8>{});
  offer(std::type_identity<u8>{});
  offer(std::type_identity<s32>{});
  if (!found) throw std::logic_error("no storage type for elements of this type");
}

}  // namespace sectile::tool
