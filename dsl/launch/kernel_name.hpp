// A kernel's name for messages: its type as a reader of the program would write it.
#pragma once
#include <string>
#include <string_view>

#include <sectile/dsl/launch/launchable.hpp>

namespace sectile {

namespace detail {

/// The type in a signature.
constexpr std::string_view type_in(std::string_view signature) {
  const std::size_t begin = signature.find("K = ");
  if (begin == std::string_view::npos) return signature;
  std::size_t end = begin + 4;
  for (int depth = 0; end < signature.size(); ++end) {
    const char c = signature[end];
    if (depth == 0 && (c == ']' || c == ';')) break;
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
  }
  return signature.substr(begin + 4, end - begin - 4);
}

constexpr bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Removes every namespace that begins with `beginning`, up to and with its "::".
inline void erase_scopes(std::string& name, std::string_view beginning) {
  for (std::size_t at = 0; (at = name.find(beginning, at)) != std::string::npos;) {
    const std::size_t end = name.find("::", at);
    if ((at > 0 && is_word(name[at - 1])) || end == std::string::npos)
      ++at;
    else
      name.erase(at, end + 2 - at);
  }
}

}  // namespace detail

constexpr std::size_t longest_kernel_name = 96;

/// A type's full name without the namespaces that tell a reader nothing (the library's own, and those without a name),
/// at most `longest_kernel_name` characters.
inline std::string readable_name(std::string_view full) {
  std::string name(full);
  for (const char* scope : {"sectile::", "kernels::", "{anonymous}::", "(anonymous namespace)::", "_GLOBAL__N_"})
    detail::erase_scopes(name, scope);
  if (name.size() > longest_kernel_name) name = name.substr(0, longest_kernel_name - 3) + "...";
  return name;
}

/// The name of the type in a signature (see launchable.hpp).
inline std::string name_in(std::string_view signature) { return readable_name(detail::type_in(signature)); }

/// "gemm<bf16, bf16, float>" for sectile::kernels::gemm<sectile::bf16, sectile::bf16, float>.
template <class K>
std::string kernel_name() {
  return name_in(detail::signature<K>());
}

}  // namespace sectile
