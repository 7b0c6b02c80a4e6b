// The C functions by which library.py reaches a product. Each returns null, or why it did not do what it says; the text
// is good until the thread's next call.
#include <exception>

#include "bench/peers/product.hpp"

namespace {

using sectile::bench::product;

template <class Work>
const char* said(const Work& work) {
  thread_local std::string why;
  try {
    work();
  } catch (const std::exception& e) {
    why = e.what();
    return why.c_str();
  }
  return nullptr;
}

}  // namespace

extern "C" {

/// The library's name and version; good for ever.
const char* peer_library() {
  static const std::string name = sectile::bench::library_name();
  return name.c_str();
}

/// *made is null where the library does not multiply these types.
const char* peer_open(int type, std::int64_t m, std::int64_t n, std::int64_t k, product** made) {
  return said([&] {
    if (type < 0 || type >= sectile::bench::product_types)
      throw std::runtime_error("there is no type of products " + std::to_string(type));
    *made = sectile::bench::make_product(static_cast<sectile::bench::product_type>(type), {m, n, k}).release();
  });
}
void peer_close(product* p) { delete p; }

int peer_candidates(const product* p) { return static_cast<int>(p->candidates()); }

/// The text is good until the thread's next call.
const char* peer_candidate(const product* p, int candidate) {
  thread_local std::string name;
  name = p->name(static_cast<std::size_t>(candidate));
  return name.c_str();
}

const char* peer_left(product* p, const void* a, const void* b, void* c, void* stream, const void** left) {
  return said([&] { *left = p->left_of(a, b, c, static_cast<cudaStream_t>(stream)); });
}

const char* peer_run(product* p, int candidate, const void* left, const void* b, void* c, void* stream) {
  return said([&] { p->run(static_cast<std::size_t>(candidate), left, b, c, static_cast<cudaStream_t>(stream)); });
}

}  // extern "C"
