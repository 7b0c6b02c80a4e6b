// The memory in which the parts of a tile meet that are too many for one cluster (plan/workspace.hpp), and tiles that
// are added up in order (plan/ordered_sums.hpp): an argument of the launch, behind those of the operands. A launch
// never allocates.
#pragma once
#include <cstddef>
#include <type_traits>

#include <sectile/dsl/launch/tensor_facts.hpp>
#include <sectile/dsl/launch/workspace_layout.hpp>
#include <sectile/dsl/plan/split.hpp>
#include <sectile/dsl/program/refusal.hpp>

namespace sectile {

/// Whether memory and bytes of these types can be a workspace.
template <class... X>
inline constexpr bool are_memory_and_bytes = false;
template <class Memory, class Bytes>
inline constexpr bool are_memory_and_bytes<Memory, Bytes> =
    std::is_convertible_v<Memory, void*>&& std::is_convertible_v<Bytes, std::size_t>;
template <class... X>
constexpr violation check_memory_and_bytes() {
  violation v = refuse(rule::argument_does_not_fit, "workspace(pointer, bytes)");
  if constexpr (sizeof...(X) == 2)
    v << ([]<class Memory, class Bytes>(const Memory*, const Bytes*) {
      return std::is_convertible_v<Memory, const void*>
                 ? std::is_convertible_v<Memory, void*>
                       ? ": the second argument is no number of bytes"
                       : ": the memory is const, but sums of tiles are written there; give a pointer to what is not"
                 : ": the first argument is no pointer; of a vector it is v.data()";
    }(static_cast<const X*>(nullptr)...));
  else
    v << " with " << static_cast<int>(sizeof...(X)) << (sizeof...(X) == 1 ? " argument" : " arguments")
      << ": it takes where the memory is and how many bytes it has";
  return v;
}

/// `bytes` of device memory at `data` (on the model: of the host), which begin at a multiple of 16. What is in them
/// does not matter. While a launch runs that was given them, they belong to it: launches on one stream may share them,
/// those that may run at the same time need one each.
struct workspace {
  void* data = nullptr;
  std::size_t bytes = 0;

  constexpr workspace() = default;
  constexpr workspace(void* memory, std::size_t size) : data(memory), bytes(size) {}
  template <class... X>
  requires(!are_memory_and_bytes<X...>) constexpr explicit workspace(const X&...) {
    static_assert(decltype(reason<check_memory_and_bytes<X...>()>())::verified);
  }
};

/// Whether the last of a launch's arguments is a workspace.
template <class... Arguments>
inline constexpr bool ends_with_workspace = false;
template <class Argument>
inline constexpr bool ends_with_workspace<Argument> = std::is_same_v<Argument, workspace>;
template <class First, class Second, class... Rest>
inline constexpr bool ends_with_workspace<First, Second, Rest...> = ends_with_workspace<Second, Rest...>;

/// The work of a launch: clusters of tiles of the output, each of which is made once (in several parts, it may be).
long long count_work(const plan& p, const tensor_facts (&t)[max_operands]);
/// Bytes of the workspace that kernel `p` needs for such operands, 0: none. Throws launch_error if there are too many
/// tiles, or a size is none.
std::size_t workspace_bytes(const plan& p, const tensor_facts (&t)[max_operands]);

/// Throws launch_error unless the kernel can work in what it was given: enough memory, aligned, and apart from every
/// operand. Precondition: the tensors are the kernel's.
void check_workspace(const plan& p, const given_operands& given);

}  // namespace sectile
