// What a launch says of memory that the device does not reach, with a device whose memory is made up.
#include <doctest/doctest.h>

#include <sectile/dsl/launch/memory_rules.hpp>
#include <string>
#include <vector>

namespace {

using namespace sectile;

struct made_up_memory {
  struct allocation {
    memory_facts facts{};
    int device = 0;
    bool mapped = true;
    bool one_piece = true;
  };
  std::vector<allocation> all;
  mutable int questions = 0;

  /// Memory of cudaMalloc, unless it is changed.
  allocation& add(std::uint64_t first, std::uint64_t size) {
    all.push_back({{memory_kind::device, 1, first, first, size}, 0, true, true});
    return all.back();
  }

  memory_facts look_up(std::uint64_t address) const {
    const allocation* a = find(address);
    memory_facts m = a ? a->facts : memory_facts{};
    if (m.reachable) m.reachable += address - m.first;
    return m;
  }
  std::uint64_t owner(std::uint64_t address) const { return static_cast<std::uint64_t>(find(address)->device); }
  bool is_mapped(std::uint64_t address) const { return find(address) && find(address)->mapped; }
  bool is_one_piece(std::uint64_t address) const { return find(address) && find(address)->one_piece; }

 private:
  const allocation* find(std::uint64_t address) const {
    ++questions;
    for (const allocation& a : all)
      if (address >= a.facts.first && address < a.facts.end()) return &a;
    return nullptr;
  }
};

std::string refusal(const made_up_memory& memory, std::int64_t first, std::int64_t bytes, bool capturing = false) {
  launch_place at{};
  at.capturing = capturing;
  try {
    check_reach(memory, "operand", "A", {first, bytes}, at);
  } catch (const launch_error& e) {
    return e.what();
  }
  return "";
}

TEST_CASE("a tensor inside an allocation, with one question") {
  made_up_memory memory;
  memory.add(0x10000, 0x1000);
  CHECK(refusal(memory, 0x10000, 0x1000) == "");
  CHECK(memory.questions == 1);
  CHECK(refusal(memory, 0x10fff, 1) == "");
}
TEST_CASE("a tensor that ends behind its allocation, also where another one follows") {
  made_up_memory memory;
  memory.add(0x10000, 0x1000);
  const std::string sentence =
      "operand A: the tensor reaches from 0x10010 to 0x1100f, but what was allocated ends at 0x10fff, 16 bytes short; "
      "are "
      "the sizes or strides too large?";
  CHECK(refusal(memory, 0x10010, 0x1000) == sentence);
  memory.add(0x11000, 0x1000);
  CHECK(refusal(memory, 0x10010, 0x1000) == sentence);
  CHECK(refusal(memory, 0x11000, 0x1001).find(", 1 byte short") != std::string::npos);
}
TEST_CASE("memory that was mapped by hand may consist of pieces") {
  made_up_memory memory;
  for (const std::uint64_t first : {0x20000, 0x21000, 0x22000}) {
    auto& piece = memory.add(first, 0x1000);
    piece.facts.context = 0;
    piece.one_piece = false;
  }
  CHECK(refusal(memory, 0x20800, 0x2000) == "");
  CHECK(refusal(memory, 0x20000, 0x3000) == "");
  CHECK(refusal(memory, 0x20000, 0x3002).find("ends at 0x22fff, 2 bytes short") != std::string::npos);
  memory.all[2].mapped = false;
  CHECK(refusal(memory, 0x20000, 0x2000) == "");
  CHECK(
      refusal(memory, 0x20000, 0x2001) ==
      "operand A: the tensor reaches from 0x20000 to 0x22000, where addresses were reserved but no memory was mapped");
}
TEST_CASE("sizes that CUDA does not know are not refused") {
  made_up_memory memory;
  memory.add(0x10000, 0x1000);
  struct : made_up_memory {
    memory_facts look_up(std::uint64_t address) const {
      memory_facts m = made_up_memory::look_up(address);
      m.size = 0;
      return m;
    }
  } sizeless;
  sizeless.all = memory.all;
  launch_place at{};
  CHECK_NOTHROW(check_reach(sizeless, "operand", "A", {0x10000, 0x5000}, at));
}
TEST_CASE("host memory and freed memory") {
  const made_up_memory nothing;
  CHECK(refusal(nothing, 0x7f0010, 16) ==
        "operand A: the pointer is host memory, or was freed (CUDA does not know 0x7f0010); the kernel needs device "
        "memory");
  CHECK(refusal(nothing, 0x7f0010, 16, true) == "");  // a graph's own memory, perhaps
}
TEST_CASE("pinned memory has the host's address or another one") {
  made_up_memory memory;
  auto& pinned = memory.add(0x30000, 0x1000);
  pinned.facts.kind = memory_kind::host;
  CHECK(refusal(memory, 0x30000, 16) == "");
  pinned.facts.reachable = 0x90000;
  CHECK(refusal(memory, 0x30010, 16) ==
        "operand A: the pointer is the host's address of pinned memory, the device's is 0x90010 (see "
        "cudaHostGetDevicePointer)");
}
TEST_CASE("memory of another device, and memory that this one may not touch") {
  made_up_memory memory;
  auto& far = memory.add(0x40000, 0x1000);
  far.device = 3;
  CHECK(refusal(memory, 0x40000, 16) == "");  // with peer access it is reachable
  far.facts.reachable = 0;
  CHECK(refusal(memory, 0x40000, 16) ==
        "operand A: the memory is on device 3, the current device is 0 and has no access to it; copy it, or call "
        "cudaDeviceEnablePeerAccess(3, 0)");
  far.device = 0;
  CHECK(refusal(memory, 0x40000, 16) == "operand A: device 0 has no access to the memory at 0x40000");
}

}  // namespace
