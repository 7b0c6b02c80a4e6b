// PTX opcodes as text that is put together at compile time and handed to `asm` through the "C" constraint, so that one
// asm statement serves every instruction with the same operand list.
#pragma once
#include <cstddef>
#include <utility>

#include <sectile/dsl/plan/instruction.hpp>

namespace sectile::hopper {

/// What the "C" constraint takes: a static array of const char, nothing else.
template <char... C>
struct characters {
  static constexpr const char value[] = {C..., 0};
};

struct ptx_text {
  char text[96]{};
  int length = 0;
  constexpr ptx_text& operator<<(const char* s) {
    while (*s) text[length++] = *s++;
    return *this;
  }
  constexpr ptx_text& operator<<(int v) {
    if (v >= 10) *this << v / 10;
    text[length++] = static_cast<char>('0' + v % 10);
    return *this;
  }
};

template <ptx_text T, std::size_t... I>
auto spell(std::index_sequence<I...>) -> characters<T.text[I]...>;
template <ptx_text T>
using spelled = decltype(spell<T>(std::make_index_sequence<T.length>{}));

/// wgmma.mma_async.sync.aligned.shape.dtype.atype.btype
constexpr ptx_text opcode(const wgmma_instruction& w) {
  ptx_text t{};
  t << "wgmma.mma_async.sync.aligned.m64n" << w.n << "k" << w.k << "." << w.d.name << "." << w.a.name << "." << w.b.name;
  return t;
}

}  // namespace sectile::hopper
