// Launches that must be refused: with which words, and that nothing else happens.
#pragma once
#include <functional>
#include <type_traits>

#include "tests/gpu/probe.hpp"

namespace sectile::gpu_test {

/// What `launch` throws as a launch_error; nothing if it returns.
inline std::string refusal_of(const std::function<void()>& launch) {
  try {
    launch();
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// `launch` must be refused with a sentence that contains `sentence`, before anything is written.
inline void expect_refused(probe& p, const std::string& what, const std::string& sentence,
                           const std::function<void(const device_product<bf16>&)>& launch) {
  p.product.poison();
  const std::vector<unsigned char> untouched = p.product.out.bytes;
  const std::string said = refusal_of([&] { launch(p.product); });
  p.count.expect(contains(said, sentence), what, "expected '" + sentence + "', got '" + said + "'");
  p.count.expect(p.product.download() == untouched, what, "memory was written");
  p.expect_usable(what);
}

template <class View>
View moved_by_bytes(View v, int bytes) {
  using element = decltype(*v.data);
  v.data = reinterpret_cast<std::remove_reference_t<element>*>(reinterpret_cast<std::uintptr_t>(v.data) +
                                                               static_cast<std::uintptr_t>(bytes));
  return v;
}

template <class View>
View with_data(View v, decltype(v.data) data) {
  v.data = data;
  return v;
}

template <class View>
View with_extent(View v, int mode, std::int64_t extent) {
  v.extent[mode] = extent;
  return v;
}

template <class View>
View with_stride(View v, int mode, std::int64_t stride) {
  v.stride[mode] = stride;
  return v;
}

}  // namespace sectile::gpu_test
