// Device memory that is mapped by hand: addresses first, memory behind some of them.
#pragma once
#include <sectile/dsl/launch/driver.hpp>

#include <vector>

#include "tests/gpu/device.hpp"

namespace sectile::gpu_test {

/// Addresses for a number of pieces; map(i) puts memory behind piece i. On device 0.
struct mapped_memory {
  std::size_t piece_bytes = 0;
  unsigned char* base = nullptr;

  explicit mapped_memory(int pieces) : handle(static_cast<std::size_t>(pieces)) {
    where.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    where.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    where.location.id = 0;
    require(call<decltype(cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity")(
        &piece_bytes, &where, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    CUdeviceptr address = 0;
    require(call<decltype(cuMemAddressReserve)>("cuMemAddressReserve")(&address, size(), 0, 0, 0));
    base = reinterpret_cast<unsigned char*>(address);
  }
  ~mapped_memory() {
    cudaDeviceSynchronize();
    for (std::size_t i = 0; i < handle.size(); ++i)
      if (handle[i]) {
        call<decltype(cuMemUnmap)>("cuMemUnmap")(address_of(i), piece_bytes);
        call<decltype(cuMemRelease)>("cuMemRelease")(handle[i]);
      }
    call<decltype(cuMemAddressFree)>("cuMemAddressFree")(address_of(0), size());
  }
  mapped_memory(const mapped_memory&) = delete;
  mapped_memory& operator=(const mapped_memory&) = delete;

  void map(std::size_t i) {
    require(call<decltype(cuMemCreate)>("cuMemCreate")(&handle[i], piece_bytes, &where, 0));
    require(call<decltype(cuMemMap)>("cuMemMap")(address_of(i), piece_bytes, 0, handle[i], 0));
    CUmemAccessDesc access{};
    access.location = where.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    require(call<decltype(cuMemSetAccess)>("cuMemSetAccess")(address_of(i), piece_bytes, &access, 1));
  }

 private:
  CUmemAllocationProp where{};
  std::vector<CUmemGenericAllocationHandle> handle;

  std::size_t size() const { return handle.size() * piece_bytes; }
  CUdeviceptr address_of(std::size_t i) const { return reinterpret_cast<CUdeviceptr>(base) + i * piece_bytes; }
  template <class Function>
  static Function* call(const char* name) {
    Function* const f = hopper::driver_function<Function>(name, 10020);
    if (!f) throw std::runtime_error(std::string("the driver has no ") + name);
    return f;
  }
  static void require(CUresult e) { hopper::check_driver(e, "mapping memory by hand"); }
};

}  // namespace sectile::gpu_test
