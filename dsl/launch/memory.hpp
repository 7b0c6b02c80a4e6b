// Asking CUDA whether the current device can reach all of a tensor.
#pragma once
#include <sectile/dsl/launch/driver.hpp>
#include <sectile/dsl/launch/memory_rules.hpp>

namespace sectile::hopper {

/// What the driver knows of addresses, for check_reach.
struct driver_memory {
  memory_facts look_up(std::uint64_t address) const {
    memory_facts m{};
    CUpointer_attribute what[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT,
                                  CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                  CU_POINTER_ATTRIBUTE_RANGE_SIZE};
    void* into[] = {&m.kind, &m.context, &m.reachable, &m.first, &m.size};
    ask(address, what, into);
    return m;
  }
  std::uint64_t owner(std::uint64_t address) const { return ask(address, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL); }
  bool is_mapped(std::uint64_t address) const { return ask(address, CU_POINTER_ATTRIBUTE_MAPPED) != 0; }
  bool is_one_piece(std::uint64_t address) const {
    return ask(address, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE) != 0;
  }

 private:
  /// Where the driver has no answer, zeros are left. Each of `into` has eight bytes: it writes as many as it likes.
  template <std::size_t Count>
  static void ask(std::uint64_t address, CUpointer_attribute (&what)[Count], void* (&into)[Count]) {
    static const auto get = driver_function<decltype(cuPointerGetAttributes)>("cuPointerGetAttributes", 7000);
    if (!get) fail(cudaErrorSymbolNotFound, "looking for cuPointerGetAttributes");
    const CUresult e = get(Count, what, into, address);
    if (e != CUDA_ERROR_INVALID_VALUE && e != CUDA_ERROR_INVALID_CONTEXT) check_driver(e, "looking up a pointer");
  }
  static std::uint64_t ask(std::uint64_t address, CUpointer_attribute one) {
    std::uint64_t value = 0;
    CUpointer_attribute what[] = {one};
    void* into[] = {&value};
    ask(address, what, into);
    return value;
  }
};

/// Throws unless the current device reaches the tensors of a launch.
inline void check_memory(const operand_facts& f, const tensor_facts& t, const launch_place& at) {
  if (f.kind == operand_kind::scalar) return;
  check_reach(driver_memory{}, "operand", f.name, bytes_of(f, t), at);
  if (f.sparse) check_reach(driver_memory{}, "the metadata of operand", f.name, metadata_bytes_of(f, t), at);
}

/// The same of so many bytes of the workspace.
inline void check_workspace_memory(const given_operands& given, std::size_t bytes, const launch_place& at) {
  byte_set s{};
  s.first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(given.workspace));
  s.run = static_cast<std::int64_t>(bytes);
  check_reach(driver_memory{}, "the", "workspace", s, at);
}

}  // namespace sectile::hopper
