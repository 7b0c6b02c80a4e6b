// Whether a device can reach all of a tensor, from what CUDA knows of its addresses: where an allocation begins and
// ends, whose it is, and under which address the device sees it. Who asks CUDA is memory.hpp; tests answer themselves.
#pragma once
#include <sectile/dsl/launch/checks.hpp>

namespace sectile {

enum class memory_kind : std::uint64_t { unknown = 0, host = 1, device = 2 };  // as CUmemorytype has them

/// What CUDA knows of an address; all zero if nothing.
struct memory_facts {
  memory_kind kind = memory_kind::unknown;
  std::uint64_t context = 0;    // 0 for memory that was mapped by hand or comes from a pool
  std::uint64_t reachable = 0;  // the address for kernels in the current context; 0: they cannot reach it
  std::uint64_t first = 0;      // of the allocation, or of the addresses that were reserved for it
  std::uint64_t size = 0;       // bytes; 0: not known

  std::uint64_t end() const { return first + size; }
};

/// The first byte from the end of allocation `m` on that is no memory of the device, or `end` if there is none before:
/// memory that is mapped by hand may consist of several pieces back to back.
template <class Memory>
std::uint64_t end_of_memory(const Memory& memory, memory_facts m, std::uint64_t end) {
  constexpr int most_pieces = 1 << 16;
  for (int piece = 0; piece < most_pieces; ++piece) {
    if (m.size == 0 || m.end() >= end) return end;
    const std::uint64_t behind = m.end();
    if (memory.is_one_piece(behind - 1)) return behind;
    m = memory.look_up(behind);
    if (m.kind == memory_kind::unknown || m.reachable == 0) return behind;
  }
  return end;
}

/// Throws unless kernels on the current device reach every byte from the first to the last of `s`, which is `what` of
/// an operand ("operand", "A"; "the metadata of operand", "A"). What cannot be known is not refused. Of `memory` it
/// asks
///   look_up(address)       memory_facts
///   owner(address)         the number of the device whose memory it is
///   is_mapped(address)     whether there is memory behind it
///   is_one_piece(address)  whether it is cudaMalloc's, so that nothing behind its end belongs to it
template <class Memory>
void check_reach(const Memory& memory, const char* what, const char* name, const byte_set& s, const launch_place& at) {
  const auto refuse_memory = [&](const auto&... why) { throw launch_error(what, " ", name, ": ", why...); };
  const auto first = static_cast<std::uint64_t>(s.first), end = first + static_cast<std::uint64_t>(s.reach());
  const memory_facts m = memory.look_up(first);
  if (m.kind == memory_kind::unknown) {
    if (at.capturing) return;  // memory that the graph itself allocates exists only when it runs
    refuse_memory("the pointer is host memory, or was freed (CUDA does not know ", address_text(first),
                  "); the kernel needs device memory");
  }
  if (m.reachable == 0) {
    const std::uint64_t owner = memory.owner(first);
    if (owner == static_cast<std::uint64_t>(at.device))
      refuse_memory("device ", owner, " has no access to the memory at ", address_text(first));
    refuse_memory("the memory is on device ", owner, ", the current device is ", at.device,
                  " and has no access to it; copy it, or call cudaDeviceEnablePeerAccess(", owner, ", 0)");
  }
  if (m.reachable != first && m.kind == memory_kind::host)
    refuse_memory("the pointer is the host's address of pinned memory, the device's is ", address_text(m.reachable),
                  " (see cudaHostGetDevicePointer)");
  if (const std::uint64_t ends = end_of_memory(memory, m, end); ends < end)
    refuse_memory("the tensor reaches from ", address_text(first), " to ", address_text(end - 1),
                  ", but what was allocated ends at ", address_text(ends - 1), ", ", end - ends,
                  end - ends > 1 ? " bytes" : " byte", " short; are the sizes or strides too large?");
  if (m.context == 0 && !at.capturing && memory.is_mapped(first) && !memory.is_mapped(end - 1))
    refuse_memory("the tensor reaches from ", address_text(first), " to ", address_text(end - 1),
                  ", where addresses were reserved but no memory was mapped");
}

}  // namespace sectile
